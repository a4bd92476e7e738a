#include "fcgi/pages/jobs/task_page.hpp"

#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/progress.hpp"

namespace fcgi::pages {

using namespace provisioner::model;
using provisioner::base::Json;

std::string TaskPage::title() const {
    return what_it_does(task);
}

bool TaskPage::changes() const {
    return !is_over(task);
}

Json to_json(const TaskPage& page) {
    const auto words = words_of(page.task.state);
    const auto output = shown(page.output);
    Json json;
    json["cluster_href"] = "/clusters/" + wire_id(page.cluster.id);
    json["cluster_name"] = page.cluster.name;
    json["what"] = page.title();
    json["host"] = page.node.hostname;
    json["state"] = words.css;
    json["state_words"] = words.words;
    json["took"] = time_taken(page.task, page.now);
    json["message"] = page.task.message;
    json["follow"] = page.changes() ? "yes" : "no";
    json["shortened"] = page.shortened;
    json["output"] = output;
    return json;
}

}  // namespace fcgi::pages
