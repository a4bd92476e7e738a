#include "fcgi/pages/clusters/question_page.hpp"

#include <algorithm>
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
    return page.services.empty() ? "all services" : listed(page.services);
}

bool is_about_services(Question question) {
    return question == Question::start_services || question == Question::stop_services ||
           question == Question::restart_services;
}

bool has_any(const Node& node, const std::vector<std::string>& services) {
    return std::ranges::any_of(services, [&](const std::string& service) {
        return std::ranges::count(node.services, service) > 0;
    });
}

/// The machines that the question is about.
std::vector<const Node*> nodes_of(const QuestionPage& page) {
    std::vector<const Node*> nodes;
    for (const Node& node : page.nodes) {
        if (page.touched.empty() || has_any(node, page.touched)) nodes.push_back(&node);
    }
    return nodes;
}

/// "3 services on 5 machines".
std::string extent_of(const QuestionPage& page) {
    return counted(page.touched.size(), "service") + " on " +
           counted(nodes_of(page).size(), "machine");
}

std::string reason_of(const QuestionPage& page, const std::string& service) {
    if (page.services.empty() || std::ranges::count(page.services, service) > 0) return "";
    const bool is_start = page.question == Question::start_services;
    return (is_start ? "needed by " : "uses ") + listed(page.services);
}

Json services_json(const QuestionPage& page) {
    Json services = Json::array();
    for (const std::string& service : page.touched) {
        const auto machines = std::ranges::count_if(
            page.nodes, [&](const Node& node) { return has_any(node, {service}); });
        services.push_back({{"service", service},
                            {"machines", counted(static_cast<std::size_t>(machines), "machine")},
                            {"reason", reason_of(page, service)}});
    }
    return services;
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
        case Question::start_services:
            return {.sentence = "This starts " + extent_of(page) + ".",
                    .warning = page.offered.empty()
                                   ? ""
                                   : "Other services that use " + services_of(page) +
                                         " are stopped. They stay so unless you start them, too.",
                    .button = "Start",
                    .keep = "Leave it as it is",
                    .action = "services/start",
                    .refused = "Couldn't start the services"};
        case Question::stop_services:
            return {.sentence = "This stops " + extent_of(page) +
                                ". Services that use others are stopped first.",
                    .warning = "Stopped services do not answer until somebody starts them again.",
                    .button = "Stop " + services_of(page),
                    .keep = "Leave it running",
                    .action = "services/stop",
                    .refused = "Couldn't stop the services"};
        case Question::restart_services:
            return {.sentence = "This restarts " + extent_of(page) + ".",
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
        case Question::start_services:
            return "Start " + services_of(*this) + " of " + cluster.name + "?";
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
    for (const Node* node : nodes_of(page)) hosts.push_back(Json{{"host", node->hostname}});
    Json chosen = Json::array();
    for (const std::string& service : page.services) chosen.push_back({{"service", service}});
    Json offered = Json::array();
    for (const std::string& service : page.offered) {
        offered.push_back(
            {{"service", service}, {"id", "offer-" + std::to_string(offered.size())}});
    }
    auto json = problems_json(words.refused, page.problems, {});
    json["cluster_href"] = "/clusters/" + wire_id(page.cluster.id);
    json["cluster_name"] = page.cluster.name;
    json["heading"] = page.title();
    json["sentence"] = words.sentence;
    json["warning"] = words.warning;
    json["action"] = "/clusters/" + wire_id(page.cluster.id) + "/" + words.action;
    json["chosen"] = std::move(chosen);
    json["services"] = is_about_services(page.question) ? services_json(page) : Json::array();
    json["has_services"] = !json["services"].empty();
    json["has_offers"] = !offered.empty();
    json["offers"] = std::move(offered);
    json["button"] = words.button;
    json["look"] = page.question == Question::start_services ? "primary" : "danger";
    json["keep"] = words.keep;
    json["hosts"] = std::move(hosts);
    return json;
}

}  // namespace fcgi::pages
