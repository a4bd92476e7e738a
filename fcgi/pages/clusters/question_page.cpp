#include "fcgi/pages/clusters/question_page.hpp"

#include <algorithm>
#include <stdexcept>

#include "fcgi/pages/clusters/blocked.hpp"
#include "fcgi/pages/clusters/tabs/cluster_page.hpp"
#include "fcgi/pages/form_field.hpp"
#include "fcgi/pages/labels.hpp"
#include "fcgi/pages/progress.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/model/action.hpp"
#include "provisioner/model/jobs/job_end.hpp"

namespace fcgi::pages {

using provisioner::messages::translated;
using provisioner::messages::translated_count;
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

/// What people read for the services of the cluster.
Labels labels_in(const QuestionPage& page) {
    Labels labels;
    labels.add(CatalogueKind::service, texts_of_services(page.cluster));
    return labels;
}

std::string services_of(const QuestionPage& page) {
    return page.services.empty() ? translated("all services")
                                 : listed(labels_in(page).services(page.services));
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

/// What changes: without what runs already.
std::vector<std::string> services_that_change(const QuestionPage& page) {
    std::vector<std::string> services;
    for (const std::string& service : page.touched) {
        if (std::ranges::count(page.running, service) == 0) services.push_back(service);
    }
    return services;
}

/// The machines that the question is about.
std::vector<const Node*> nodes_of(const QuestionPage& page) {
    const auto services = services_that_change(page);
    std::vector<const Node*> nodes;
    for (const Node& node : page.nodes) {
        if (page.touched.empty() || has_any(node, services)) nodes.push_back(&node);
    }
    return nodes;
}

/// "3 services on 5 machines".
std::string extent_of(const QuestionPage& page) {
    return translated(
        "{0} on {1}",
        translated_count(services_that_change(page).size(), "{0} service", "{0} services"),
        translated_count(nodes_of(page).size(), "{0} machine", "{0} machines"));
}

std::string reason_of(const QuestionPage& page, const std::string& service) {
    if (std::ranges::count(page.running, service) > 0) return translated("already running");
    if (page.services.empty() || std::ranges::count(page.services, service) > 0) return "";
    const bool is_start = page.question == Question::start_services;
    return (is_start ? translated("needed by ") : translated("uses ")) + services_of(page);
}

Json services_json(const QuestionPage& page) {
    const Labels labels = labels_in(page);
    Json services = Json::array();
    for (const std::string& service : page.touched) {
        const auto machines = std::ranges::count_if(
            page.nodes, [&](const Node& node) { return has_any(node, {service}); });
        services.push_back({{"service", labels.service(service)},
                            {"machines", translated_count(machines, "{0} machine", "{0} machines")},
                            {"reason", reason_of(page, service)}});
    }
    return services;
}

/// What is left of an aborted job.
std::string words_after_abort(const std::optional<Job>& job) {
    const Operation operation = job ? job->operation : Operation::cluster_create;
    std::string words = translated("The cluster stays as it is at that moment.");
    const auto actions = actions_of(operation);
    const bool stops =
        operation != Operation::cluster_create && std::ranges::count(actions, Action::stop) > 0;
    if (stops) words += ' ' + translated("Services that the job has stopped stay stopped.");
    return words;
}

/// The buttons that the page of the cluster has then; that of the lease has nothing to do with it.
Json ways_after_abort(const QuestionPage& page) {
    Json ways = Json::array();
    const bool is_asked = page.question == Question::abort_job && page.job &&
                          page.cluster.status == ClusterStatus::pending;
    if (!is_asked) return ways;
    auto [cluster, job] = after_abort(page.cluster, *page.job);
    const ClusterPage then{.cluster = std::move(cluster), .job = std::move(job), .end = page.end};
    for (const ClusterButton& button : buttons_of(then)) {
        if (button.href != then.href() + "/lease") ways.push_back({{"label", button.label}});
    }
    return ways;
}

QuestionWords words_of_question(const QuestionPage& page) {
    switch (page.question) {
        case Question::delete_cluster:
            return {
                .sentence =
                    translated("Its {0} at the provider {1} will be deleted.",
                               translated_count(page.nodes.size(), "{0} machine", "{0} machines"),
                               title_of(page.cluster.snapshot.provider.header)),
                .warning = translated("All data on these machines is lost. This cannot be undone."),
                .button = translated("Delete {0}", page.cluster.name),
                .keep = translated("Keep it"),
                .action = "delete",
                .refused = translated("Couldn't delete the cluster")};
        case Question::give_up:
            return {
                .sentence = translated("The cluster counts as deleted at once, without waiting for "
                                       "{0} to delete its machines.",
                                       title_of(page.cluster.snapshot.provider.header)),
                .warning = translated(
                    "Machines that still exist may go on running and costing money. Look for "
                    "them at the provider."),
                .button = translated("Delete {0} anyway", page.cluster.name),
                .keep = translated("Keep it"),
                .action = "give-up",
                .refused = translated("Couldn't delete the cluster")};
        case Question::abort_job:
            return {.sentence = translated(
                        "Tasks that have not started are cancelled. Scripts that are running are "
                        "killed."),
                    .warning = words_after_abort(page.job),
                    .button = translated("Abort the job"),
                    .keep = translated("Let the job run"),
                    .action = "abort",
                    .refused = translated("Couldn't abort the job")};
        case Question::start_services:
            return {.sentence = translated("This starts {0}.", extent_of(page)),
                    .warning = page.offered.empty()
                                   ? ""
                                   : translated("Other services that use {0} are stopped now. They "
                                                "stay stopped unless you also start them.",
                                                services_of(page)),
                    .button = translated("Start"),
                    .keep = translated("Leave it as it is"),
                    .action = "services/start",
                    .refused = translated("Couldn't start the services")};
        case Question::stop_services:
            return {
                .sentence = translated(
                    "This stops {0}. Services that use others are stopped first.", extent_of(page)),
                .warning =
                    translated("Stopped services do not answer until somebody starts them again."),
                .button = translated("Stop {0}", services_of(page)),
                .keep = translated("Leave it running"),
                .action = "services/stop",
                .refused = translated("Couldn't stop the services")};
        case Question::restart_services:
            return {.sentence = translated("This restarts {0}.", extent_of(page)),
                    .warning = translated("Services do not answer while they restart."),
                    .button = translated("Restart {0}", services_of(page)),
                    .keep = translated("Leave it running"),
                    .action = "services/restart",
                    .refused = translated("Couldn't restart the services")};
    }
    throw std::logic_error("unknown question");
}

/// Why there is nothing to ask; empty where there is.
std::string nothing_to_do(const QuestionPage& page) {
    const bool is_for_work = page.question == Question::abort_job;
    if (is_for_work && page.cluster.status != ClusterStatus::pending) {
        return translated("No job is running on this cluster.");
    }
    if (page.cluster.status == ClusterStatus::terminated) {
        return was_never_created(page.job) ? translated("This cluster was never created.")
                                           : translated("This cluster was deleted.");
    }
    const bool runs_already = page.question == Question::start_services && !page.touched.empty() &&
                              services_that_change(page).empty();
    return runs_already ? translated("These services are already running.") : "";
}

/// Why services cannot be worked on now, and the way out; null where they can.
Json blocked_services_json(const QuestionPage& page) {
    if (!is_about_services(page.question)) return nullptr;
    const bool is_failed = page.cluster.status == ClusterStatus::inconsistent;
    if (is_failed && page.services.empty() && is_failed_service_action(page.job)) return nullptr;
    return blocked_json(page.cluster, page.job, {ClusterStatus::active, ClusterStatus::terminated},
                        page.end);
}

FormField name_field(const QuestionPage& page) {
    return {.id = "inputConfirm",
            .name = "confirm",
            .label = translated("Name of the cluster"),
            .value = page.typed,
            .hint = translated("Type {0} to confirm that this is the one.", page.cluster.name),
            .autocomplete = "off",
            .required = true};
}

}  // namespace

std::pair<Cluster, Job> after_abort(Cluster cluster, Job job) {
    cluster.status = end_of({.operation = job.operation, .total = 1, .aborted = true}).cluster;
    job.status = JobStatus::failed;
    job.aborted = true;
    return {std::move(cluster), std::move(job)};
}

bool QuestionPage::asks_for_name() const {
    return question == Question::delete_cluster && is_large_cluster(nodes.size());
}

std::string QuestionPage::title() const {
    switch (question) {
        case Question::delete_cluster:
            return translated("Delete {0}?", cluster.name);
        case Question::give_up:
            return translated("Delete {0} without deleting its machines?", cluster.name);
        case Question::abort_job:
            return translated("Abort the job on {0}?", cluster.name);
        case Question::start_services:
            return translated("Start {0} on {1}?", services_of(*this), cluster.name);
        case Question::stop_services:
            return translated("Stop {0} on {1}?", services_of(*this), cluster.name);
        case Question::restart_services:
            return translated("Restart {0} on {1}?", services_of(*this), cluster.name);
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
        offered.push_back({{"service", service},
                           {"service_label", labels_in(page).service(service)},
                           {"id", "offer-" + std::to_string(offered.size())}});
    }
    std::vector<FormField> fields;
    if (page.asks_for_name()) fields.push_back(name_field(page));
    const Json blocked = blocked_services_json(page);
    // Why it cannot be done is said once.
    auto json = form_json(words.refused, fields,
                          blocked.is_null() ? page.problems : provisioner::base::Problems());
    json["blocked"] = blocked;
    json["cluster_href"] = "/clusters/" + wire_id(page.cluster.id);
    json["cluster_name"] = page.cluster.name;
    json["heading"] = page.title();
    json["sentence"] = words.sentence;
    json["extent"] = extent_of(page);
    json["warning"] = words.warning;
    json["ways_after"] = ways_after_abort(page);
    json["has_ways_after"] = !json["ways_after"].empty();
    json["button"] = words.button;
    json["keep"] = words.keep;
    json["action"] = "/clusters/" + wire_id(page.cluster.id) + "/" + words.action;
    json["chosen"] = std::move(chosen);
    json["services"] = is_about_services(page.question) ? services_json(page) : Json::array();
    json["has_services"] = !json["services"].empty();
    json["has_offers"] = !offered.empty();
    json["offers"] = std::move(offered);
    const std::string reason = nothing_to_do(page);
    if (!reason.empty() || !blocked.is_null()) {
        json["sentence"] = reason;
        json["services"] = json["offers"] = Json::array();
        json["has_services"] = json["has_offers"] = false;
        json["warning"] = "";
        json["button"] = "";
        json["fields"] = Json::array();
        json["keep"] = translated("Go to the cluster");
        hosts = Json::array();
    }
    json["look"] = page.question == Question::start_services ? "primary" : "danger";
    json["many_hosts"] = hosts.size() > 20
                             ? translated_count(hosts.size(), "{0} machine", "{0} machines")
                             : std::string();
    json["has_hosts"] = !hosts.empty();
    json["hosts"] = std::move(hosts);
    return json;
}

}  // namespace fcgi::pages
