#include "fcgi/pages/clusters/question_page.hpp"

#include <stdexcept>

#include "fcgi/pages/form_field.hpp"
#include "fcgi/pages/words.hpp"

namespace fcgi::pages {

using namespace provisioner::model;
using provisioner::base::Json;

namespace {

/// Texts of the page for one question, beside its title.
struct QuestionWords {
    std::string sentence;
    std::string warning;
    std::string button;
    std::string keep;
    /// Path below the cluster's own to which the form is posted.
    std::string action;
    std::string refused;
};

std::string services_of(const QuestionPage& page) {
    return page.service.empty() ? "all services" : page.service;
}

QuestionWords words_of_question(const QuestionPage& page) {
    switch (page.question) {
        case Question::delete_cluster:
            return {.sentence = "Its " + counted(page.nodes.size(), "machine") +
                                " will be deleted at " +
                                page.cluster.snapshot.provider.header.name + ".",
                    .warning = "All data on these machines is lost. This cannot be undone.",
                    .button = "Delete " + page.cluster.name,
                    .keep = "Keep it",
                    .action = "delete",
                    .refused = "Couldn't delete the cluster"};
        case Question::give_up:
            return {.sentence = "The cluster is terminated at once, without waiting for " +
                                page.cluster.snapshot.provider.header.name +
                                " to delete its machines.",
                    .warning =
                        "Machines that still exist may go on running and costing money. Look for "
                        "them at the provider.",
                    .button = "Give up " + page.cluster.name,
                    .keep = "Keep it",
                    .action = "give-up",
                    .refused = "Couldn't give up the cluster"};
        case Question::abort_job:
            return {.sentence =
                        "Tasks that have not started are cancelled. Scripts that are running are "
                        "killed.",
                    .warning =
                        "The cluster stays as it is at that moment. You can run the remaining "
                        "tasks later, or delete the cluster.",
                    .button = "Abort",
                    .keep = "Let the job run",
                    .action = "abort",
                    .refused = "Couldn't abort the job"};
        case Question::stop_services:
            return {.sentence = "Services that use them are stopped first.",
                    .warning = "Stopped services do not answer until somebody starts them again.",
                    .button = "Stop " + services_of(page),
                    .keep = "Leave it running",
                    .action = "services/stop",
                    .refused = "Couldn't stop the services"};
        case Question::restart_services:
            return {.sentence = "Services that use them are restarted, too.",
                    .warning = "Services do not answer while they restart.",
                    .button = "Restart " + services_of(page),
                    .keep = "Leave it running",
                    .action = "services/restart",
                    .refused = "Couldn't restart the services"};
    }
    throw std::logic_error("unknown question");
}

}  // namespace

std::string QuestionPage::title() const {
    switch (question) {
        case Question::delete_cluster:
            return "Delete " + cluster.name + "?";
        case Question::give_up:
            return "Give up the machines of " + cluster.name + "?";
        case Question::abort_job:
            return "Abort the work on " + cluster.name + "?";
        case Question::stop_services:
            return "Stop " + services_of(*this) + " of " + cluster.name + "?";
        case Question::restart_services:
            return "Restart " + services_of(*this) + " of " + cluster.name + "?";
    }
    throw std::logic_error("unknown question");
}

Json to_json(const QuestionPage& page) {
    const QuestionWords words = words_of_question(page);
    Json hosts = Json::array();
    for (const Node& node : page.nodes) {
        const bool concerned =
            page.service.empty() || std::ranges::count(node.services, page.service) > 0;
        if (concerned) hosts.push_back(Json{{"host", node.hostname}});
    }
    auto json = problems_json(words.refused, page.problems, {});
    json["cluster_href"] = "/clusters/" + wire_id(page.cluster.id);
    json["cluster_name"] = page.cluster.name;
    json["heading"] = page.title();
    json["sentence"] = words.sentence;
    json["warning"] = words.warning;
    json["action"] = "/clusters/" + wire_id(page.cluster.id) + "/" + words.action;
    json["service"] = page.service;
    json["button"] = words.button;
    json["keep"] = words.keep;
    json["hosts"] = std::move(hosts);
    return json;
}

}  // namespace fcgi::pages
