#include "fcgi/pages/clusters/show_page.hpp"

#include <algorithm>
#include <set>

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/costs.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/progress.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/macros/expand.hpp"

namespace fcgi::pages {

using namespace provisioner::model;
using provisioner::base::Json;
using provisioner::base::to_word;

namespace {

constexpr std::size_t most_failures = 5;
constexpr std::size_t most_links = 12;
/// Above this many machines only running and failed tasks are listed: a busy page is drawn every
/// second.
constexpr std::size_t machines_with_all_tasks = 40;

std::string output_of(const ClusterPage& page, TaskId task) {
    const auto found = page.outputs.find(task);
    return found == page.outputs.end() ? "" : shown(found->second);
}

Json task_json(const ClusterPage& page, const Task& task) {
    const auto& words = words_of(task.state);
    Json json;
    json["id"] = task.id.value;
    json["href"] = task.started_at ? "/clusters/" + wire_id(page.cluster.id) + "/tasks/" +
                                         std::to_string(task.id.value)
                                   : "";
    json["state"] = words.css;
    json["state_words"] = words.words;
    json["what"] = what_it_does(task);
    json["took"] = time_taken(task, page.now);
    json["message"] = task.message;
    json["output"] = output_of(page, task.id);
    return json;
}

Json tasks_json(const ClusterPage& page, const TaskList& tasks) {
    const bool all = page.nodes.size() <= machines_with_all_tasks;
    Json list = Json::array();
    for (const Task* task : tasks) {
        if (all || is_news(*task)) list.push_back(task_json(page, *task));
    }
    return list;
}

struct NodeState {
    const char* css;
    std::string words;
};

NodeState state_of_node(const ClusterPage& page, const Node& node, const TaskList& tasks) {
    const auto progress = progress_of(tasks);
    if (page.lost.contains(node.id) && !page.changes()) return {"failed", "lost"};
    if (progress.failed > 0) return {"failed", "failed"};
    for (const Task* task : tasks) {
        if (task->state == TaskState::claimed) return {"running", what_it_does(*task)};
    }
    const bool over = progress.done == progress.total;
    const bool gone = page.job && page.job->operation == Operation::cluster_delete;
    if (page.cluster.status == ClusterStatus::terminated) return {"terminated", "gone"};
    if (over) return gone ? NodeState{"terminated", "gone"} : NodeState{"done", "ready"};
    return {"waiting", page.changes() ? "waiting" : "not finished"};
}

std::string address_of(const Node& node) {
    const auto found = node.addresses.find("access_v4");
    return found == node.addresses.end() ? "" : found->second;
}

Json node_json(const ClusterPage& page, const Node& node, const TaskList& tasks, bool open) {
    const auto progress = progress_of(tasks);
    const auto state = state_of_node(page, node, tasks);
    Json json;
    json["nodenum"] = node.nodenum;
    const bool half_gone = page.job && page.job->operation == Operation::cluster_delete;
    const bool replaceable = page.cluster.status == ClusterStatus::active ||
                             page.cluster.status == ClusterStatus::inconsistent ||
                             (page.cluster.status == ClusterStatus::incomplete && !half_gone);
    json["replace"] = replaceable && page.may_operate
                          ? "/clusters/" + wire_id(page.cluster.id) + "/nodes/" +
                                std::to_string(node.nodenum) + "/replace"
                          : "";
    json["hostname"] = node.hostname;
    json["address"] = address_of(node);
    json["hardware_type"] = node.hardware_type;
    json["image_type"] = node.image_type;
    json["open"] = open;
    const auto lost = page.lost.find(node.id);
    json["lost"] = lost == page.lost.end() ? Json() : moment(lost->second, page.now);
    json["look"] = progress.failed > 0 ? "bad" : progress.done == progress.total ? "active" : "";
    json["total"] = std::max(progress.total, 1);
    json["done"] = progress.total == 0 ? 1 : progress.done;
    json["state"] = state.css;
    json["state_words"] = state.words;
    json["tasks"] = tasks_json(page, tasks);
    return json;
}

// Failed machines are unfolded. While a job runs, the first machine is too, so that progress is
// visible.
Json nodes_json(const ClusterPage& page) {
    Json list = Json::array();
    auto by_node = tasks_by_node(page.tasks);
    for (const Node& node : page.nodes) {
        const auto& tasks = by_node[node.id];
        const bool first_at_work = page.changes() && list.empty();
        const bool open = progress_of(tasks).failed > 0 || first_at_work;
        list.push_back(node_json(page, node, tasks, open));
    }
    return list;
}

Json failures_json(const ClusterPage& page) {
    std::map<NodeId, std::string> hosts;
    for (const Node& node : page.nodes) hosts[node.id] = short_name(node.hostname);
    Json failures = Json::array();
    for (const Task& task : page.tasks) {
        if (task.state != TaskState::failed || failures.size() == most_failures) continue;
        Json item;
        item["what"] = what_it_does(task);
        item["host"] = hosts[task.node];
        item["message"] = task.message;
        item["output"] = output_of(page, task.id);
        failures.push_back(std::move(item));
    }
    return failures;
}

/// When the deletion at the end of the lease is attempted again; null without failed deletions.
Json again_json(const ClusterPage& page) {
    if (!page.failed_deletions) return nullptr;
    const FailedDeletions& failed = *page.failed_deletions;
    Json again;
    again["words"] = "Its lease has ended, but it could not be deleted: " +
                     counted(static_cast<std::size_t>(failed.count), "attempt") + " failed.";
    again["next"] = moment(next_deletion(failed), page.now);
    return again;
}

Json trouble_json(const ClusterPage& page) {
    if (!page.job || page.job->status != JobStatus::failed) return nullptr;
    Json trouble;
    trouble["again"] = again_json(page);
    trouble["title"] = heading_of(*page.job) + (page.job->aborted ? " was aborted" : " failed");
    trouble["text"] = page.cluster.message.empty() ? page.job->message : page.cluster.message;
    trouble["failures"] = failures_json(page);
    return trouble;
}

/// "Asked for by ada"; empty if the origin of the job is not known.
std::string asker_words(const Asker& asker) {
    if (asker.name.empty()) return "";
    if (asker.user.value != 0) return "Asked for by " + asker.name;
    if (asker.name == provisioner::model::asked_by_lost_machine) {
        return "Because its provider does not list the machine any more";
    }
    return "Because its lease has ended";
}

std::string progress_words(const ClusterPage& page) {
    const Job& job = *page.job;
    const auto end = job.finished_at.value_or(page.now);
    const auto taken = std::chrono::duration_cast<std::chrono::milliseconds>(end - job.created_at);
    const auto count =
        std::to_string(job.tasks_done) + " of " + std::to_string(job.tasks_total) + " tasks";
    if (job.finished_at) return count + " done in " + spoken(taken);
    const auto running = std::count_if(page.tasks.begin(), page.tasks.end(), [](const Task& task) {
        return task.state == TaskState::claimed;
    });
    return count + " done, " + std::to_string(running) + " running, " + spoken(taken);
}

Json progress_json(const ClusterPage& page) {
    if (!page.job || page.job->tasks_total == 0) return nullptr;
    const bool failed = page.job->status == JobStatus::failed;
    const bool complete = page.job->status == JobStatus::complete;
    Json progress;
    progress["operation"] = heading_of(*page.job);
    progress["asked_by"] = asker_words(page.job->asked_by);
    progress["words"] = progress_words(page);
    progress["look"] = failed ? "bad" : complete ? "active" : "pending";
    progress["total"] = page.job->tasks_total;
    progress["done"] = page.job->tasks_done;
    return progress;
}

/// A button that acts at once (`post`) or leads to a page that asks first (`href`); the other one
/// is empty.
Json button(const std::string& label, const std::string& post, const std::string& href,
            const std::string& look = "") {
    Json json;
    json["label"] = label;
    json["post"] = post;
    json["href"] = href;
    json["look"] = look;
    return json;
}

void add_buttons_of_work(Json& buttons, const ClusterPage& page, const std::string& cluster) {
    if (!page.job || page.job->aborted) return;
    const bool paused = page.job->status == JobStatus::paused;
    if (paused) buttons.push_back(button("Resume", cluster + "resume", "", "primary"));
    if (!paused) buttons.push_back(button("Pause", cluster + "pause", ""));
    if (page.job->operation == Operation::cluster_delete) return;
    buttons.push_back(button("Abort", "", cluster + "abort", "quiet-danger"));
}

/// The actions that the cluster's present state allows.
Json buttons_json(const ClusterPage& page) {
    const std::string cluster = "/clusters/" + wire_id(page.cluster.id) + "/";
    const ClusterStatus status = page.cluster.status;
    Json buttons = Json::array();
    if (status == ClusterStatus::terminated || !page.may_operate) return buttons;
    if (status == ClusterStatus::pending) {
        add_buttons_of_work(buttons, page, cluster);
        return buttons;
    }
    if (page.job && page.job->status == JobStatus::failed) {
        buttons.push_back(button("Try again", cluster + "retry", "", "primary"));
    }
    if (status == ClusterStatus::active) buttons.push_back(button("Grow", "", cluster + "grow"));
    const bool half_deleted = status == ClusterStatus::incomplete && page.job &&
                              page.job->operation == Operation::cluster_delete;
    if (!half_deleted) buttons.push_back(button("Shrink", "", cluster + "shrink"));
    if (status != ClusterStatus::incomplete) {
        buttons.push_back(button("Configure", "", cluster + "configure"));
    }
    buttons.push_back(button("Lease", "", cluster + "lease"));
    buttons.push_back(button("Delete", "", cluster + "delete", "quiet-danger"));
    if (half_deleted && page.for_admin) {
        buttons.push_back(button("Give up", "", cluster + "give-up", "quiet-danger"));
    }
    return buttons;
}

/// A row of the services panel; an empty name stands for all services.
Json service_json(const ClusterPage& page, const std::string& name) {
    const std::string services = "/clusters/" + wire_id(page.cluster.id) + "/services/";
    const std::string query = name.empty() ? "" : "?service=" + http::percent_encode(name);
    Json json;
    json["key"] = name.empty() ? "all" : "of-" + name;
    json["name"] = name.empty() ? "All services" : name;
    json["service"] = name;
    json["start"] = services + "start";
    json["stop"] = services + "stop" + query;
    json["restart"] = services + "restart" + query;
    return json;
}

/// Null unless the cluster is active. Services with a start or stop action have a row.
Json service_panel_json(const ClusterPage& page) {
    if (page.cluster.status != ClusterStatus::active || !page.may_operate) return nullptr;
    std::set<std::string> names;
    for (const Service& service : page.cluster.snapshot.services) {
        const std::string& name = service.header.name;
        const bool here = std::ranges::count(page.cluster.services, name) > 0;
        const bool runs =
            service.actions.contains(Action::start) || service.actions.contains(Action::stop);
        if (here && runs) names.insert(name);
    }
    Json rows = Json::array();
    if (!names.empty()) rows.push_back(service_json(page, ""));
    for (const std::string& name : names) rows.push_back(service_json(page, name));
    const std::string services = "/clusters/" + wire_id(page.cluster.id) + "/services/";
    return Json{
        {"services", std::move(rows)}, {"add", services + "add"}, {"remove", services + "remove"}};
}

std::string words_of_callback(const Callback& callback) {
    if (callback.state == CallbackState::delivered) return "delivered";
    const std::string tries = counted(static_cast<std::size_t>(callback.attempts), "attempt");
    if (callback.state == CallbackState::given_up) return "failed after " + tries;
    return callback.attempts == 0 ? "pending" : "pending after " + tries;
}

/// Null if there are no callbacks.
Json callback_panel_json(const ClusterPage& page) {
    if (page.callbacks.empty()) return nullptr;
    Json list = Json::array();
    for (const Callback& callback : page.callbacks) {
        Json item;
        item["what"] = to_word(callback.event) + " of " + to_word(callback.operation);
        item["css"] = callback.state == CallbackState::delivered  ? "done"
                      : callback.state == CallbackState::given_up ? "failed"
                                                                  : "waiting";
        item["words"] = words_of_callback(callback);
        item["error"] = callback.error;
        item["when"] = moment(callback.created_at, page.now);
        list.push_back(std::move(item));
    }
    return Json{{"callbacks", std::move(list)}};
}

bool is_web_address(const std::string& url) {
    return url.starts_with("http://") || url.starts_with("https://");
}

void add_link(Json& links, const Link& link, const provisioner::macros::MacroContext& context) {
    if (links.size() == most_links) return;
    const auto url = provisioner::macros::expand_link(link.url, context);
    // A URL that still contains a macro leads nowhere yet.
    if (!is_web_address(url) || url.find('%') != std::string::npos) return;
    Json item;
    item["label"] = link.label + (context.self ? " on " + short_name(context.self->hostname) : "");
    item["url"] = url;
    links.push_back(std::move(item));
}

Json links_json(const ClusterPage& page) {
    Json links = Json::array();
    if (page.cluster.status != ClusterStatus::active) return links;
    provisioner::base::Memo memo;
    provisioner::macros::MacroContext context{
        .cluster_owner = page.cluster.owner, .nodes = &page.nodes, .memo = &memo};
    for (const Link& link : page.cluster.snapshot.cluster_template.links)
        add_link(links, link, context);
    for (const Service& service : page.cluster.snapshot.services) {
        for (const Node& node : page.nodes) {
            const auto& here = node.services;
            if (std::find(here.begin(), here.end(), service.header.name) == here.end()) continue;
            context.self = &node;
            for (const Link& link : service.links) add_link(links, link, context);
        }
    }
    return links;
}

Json fact(const std::string& label, const std::string& value) {
    Json item;
    item["label"] = label;
    item["value"] = value;
    item["time"] = nullptr;
    return item;
}

Json time_fact(const std::string& label, provisioner::base::Timestamp at,
               provisioner::base::Timestamp now) {
    auto item = fact(label, "");
    item["time"] = moment(at, now);
    return item;
}

Json facts_json(const ClusterPage& page) {
    const Cluster& cluster = page.cluster;
    Json facts = Json::array();
    facts.push_back(fact("Template", cluster.snapshot.cluster_template.header.name));
    facts.push_back(fact("Provider", cluster.snapshot.provider.header.name));
    facts.push_back(fact("Machines", std::to_string(page.nodes.size())));
    facts.push_back(fact("Owner", cluster.owner));
    facts.push_back(time_fact("Created", cluster.created_at, page.now));
    const bool gone = cluster.status == ClusterStatus::terminated;
    if (!gone && cluster.expires_at) {
        facts.push_back(time_fact("Expires", *cluster.expires_at, page.now));
    } else if (!gone) {
        facts.push_back(fact("Expires", "never"));
    }
    if (page.cost && !gone) facts.push_back(fact("Cost", cost_words(page.cost->hourly)));
    if (page.cost) facts.push_back(fact("Cost so far", cost_words(page.cost->so_far)));
    facts.push_back(fact("Number", wire_id(cluster.id)));
    return facts;
}

}  // namespace

bool is_news(const Task& task) {
    return task.state == TaskState::claimed || task.state == TaskState::failed;
}

bool ClusterPage::changes() const {
    return cluster.status == ClusterStatus::pending;
}

Json to_json(const ClusterPage& page) {
    const Cluster& cluster = page.cluster;
    const bool paused = page.changes() && page.job && page.job->status == JobStatus::paused;
    Json json;
    json["id"] = wire_id(cluster.id);
    json["name"] = cluster.name;
    json["description"] = cluster.description;
    json["status"] = paused ? "paused" : to_word(cluster.status);
    json["status_words"] = status_words(cluster.status, page.job);
    json["buttons"] = buttons_json(page);
    json["service_panel"] = service_panel_json(page);
    json["callback_panel"] = callback_panel_json(page);
    json["follow"] = page.changes() ? "yes" : "no";
    json["trouble"] = trouble_json(page);
    json["progress"] = progress_json(page);
    json["links"] = links_json(page);
    json["has_links"] = !json["links"].empty();
    json["legend"] = legend_json();
    add_to(json, picture_of(cluster.status, page.nodes, page.job, page.tasks));
    json["nodes"] = nodes_json(page);
    json["facts"] = facts_json(page);
    return json;
}

}  // namespace fcgi::pages
