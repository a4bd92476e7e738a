#include "fcgi/pages/clusters/tabs/overview.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/clusters/blocked.hpp"
#include "fcgi/pages/clusters/tabs/cells.hpp"
#include "fcgi/pages/clusters/tabs/failures.hpp"
#include "fcgi/pages/clusters/tabs/jobs.hpp"
#include "fcgi/pages/clusters/tabs/picture.hpp"
#include "fcgi/pages/clusters/tabs/services.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/progress.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/macros/expand.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/model/jobs/job_end.hpp"

namespace fcgi::pages {

using provisioner::messages::translated;
using provisioner::messages::translated_count;
using namespace provisioner::model;
using provisioner::base::Json;
using provisioner::store::ListedMachine;

namespace {

constexpr std::size_t most_links = 12;

/// When the deletion at the end of the lease is attempted again; null without failed deletions.
Json again_json(const ClusterPage& page) {
    if (!page.failed_deletions) return nullptr;
    const FailedDeletions& failed = *page.failed_deletions;
    Json again;
    again["words"] =
        translated("The lease has ended, but the cluster could not be deleted: {0} failed.",
                   translated_count(failed.count, "{0} attempt", "{0} attempts"));
    again["next"] = moment(next_deletion(failed), page.now);
    return again;
}

Json trouble_json(const ClusterPage& page) {
    if (!page.job || page.job->status != JobStatus::failed) return nullptr;
    const bool is_unfinished = page.is_left_unfinished();
    Json trouble;
    trouble["look"] = is_unfinished ? "warn" : "bad";
    trouble["again"] = again_json(page);
    const bool has_no_layout = was_never_created(page.job);
    trouble["title"] = has_no_layout ? translated("Never created: no layout was found")
                                     : heading_of(*page.job, page.labels) +
                                           (page.job->aborted ? translated(" was aborted")
                                            : is_unfinished   ? translated(" is not finished")
                                                              : translated(" failed"));
    trouble["failures"] = failures_json(page, *page.job);
    // The ways themselves are the buttons of the head.
    trouble["way_out"] = page.may_operate ? ways_out(page.cluster, page.job, page.end).words : "";
    trouble["again_href"] = has_no_layout && page.may_operate ? page.create_again_href() : "";
    // What failed where is said once.
    const std::string left = translated_count(page.job->tasks_total - page.job->tasks_done,
                                              "{0} task is left.", "{0} tasks are left.");
    trouble["text"] = page.job->aborted && trouble["failures"].empty() ? left
                      : page.job->message == left_out_message
                          ? translated("The machines that were retried are done. {0}", left)
                      : !trouble["failures"].empty()
                          ? ""
                          : reason_said_once(page.cluster.message.empty() ? page.job->message
                                                                          : page.cluster.message,
                                             page.labels);
    return trouble;
}

std::string progress_words(const ClusterPage& page) {
    const Job& job = *page.job;
    if (job.tasks_total == 0) return translated("Nothing had to be done.");
    const auto count = translated("{0} of {1}", grouped(job.tasks_done),
                                  translated_count(job.tasks_total, "{0} task", "{0} tasks"));
    if (job.finished_at) return translated("{0} done in {1}", count, worked_words(page, job));
    int running = 0;
    for (const ListedMachine& machine : page.machines) running += machine.running;
    if (job.status == JobStatus::paused) {
        if (running == 0) return translated("{0} done. Paused: no new tasks start.", count);
        return translated("{0} done. Paused: {1} still running, no new tasks start.", count,
                          running);
    }
    return translated("{0} done, {1} running, {2}", count, running, worked_time(page, job));
}

/// One without tasks counts only once it is complete; the search for a layout never has any.
bool has_progress(const std::optional<Job>& job) {
    if (!job) return false;
    const bool was_trivial =
        job->status == JobStatus::complete && job->operation != Operation::solve_layout;
    return job->tasks_total > 0 || was_trivial;
}

Json progress_json(const ClusterPage& page) {
    if (!has_progress(page.job)) return nullptr;
    const bool failed = page.job->status == JobStatus::failed;
    const bool complete = page.job->status == JobStatus::complete;
    const bool has_tasks = page.job->tasks_total > 0;
    Json progress;
    progress["operation"] = heading_of(*page.job, page.labels);
    progress["href"] = page.href() + "/jobs/" + std::to_string(page.job->id.value);
    progress["asked_by"] = asker_words(page.job->asked_by);
    progress["words"] = progress_words(page);
    progress["forecast"] = page.forecast;
    progress["look"] = page.job->aborted ? "over"
                       : failed          ? "bad"
                       : complete        ? "active"
                                         : "pending";
    const auto failures = std::ranges::count(page.tasks, TaskState::failed, &Task::state);
    add_news(progress, *page.job, static_cast<int>(failures));
    if (!has_tasks) progress["news"] = progress["words"];
    // A bar needs an end.
    progress["total"] = has_tasks ? page.job->tasks_total : 1;
    progress["done"] = has_tasks ? page.job->tasks_done : 1;
    return progress;
}

bool is_web_address(const std::string& url) {
    return url.starts_with("http://") || url.starts_with("https://");
}

/// Why a service does not answer: "stopped", "failed" or "lost"; else empty.
const char* silence_of(const PlaceLooks& looks, NodeId node, const std::string& service) {
    const auto look = looks.find({node, service});
    if (look == looks.end()) return "";
    return look->second == MachineLook::failed    ? "failed"
           : look->second == MachineLook::lost    ? "lost"
           : look->second == MachineLook::stopped ? "stopped"
                                                  : "";
}

/// Null if it leads nowhere yet. `state`: of silence_of(), if nothing answers there.
Json link_json(const Link& link, const std::string& label,
               const provisioner::macros::MacroContext& context, const std::string& state) {
    const auto url = provisioner::macros::expand_link(link.url, context);
    // A URL that still contains a macro leads nowhere yet.
    if (!is_web_address(url) || url.find('%') != std::string::npos) return nullptr;
    return {{"label", label}, {"url", url}, {"state", state}};
}

/// Whether `url` has a macro of service `name`, such as %host.service.web%.
bool names_service(const std::string& url, const std::string& name) {
    const std::string wanted = "service." + name;
    for (auto at = url.find(wanted); at != std::string::npos; at = url.find(wanted, at + 1)) {
        const auto end = at + wanted.size();
        if (end < url.size() && std::string_view("%[,").find(url[end]) != std::string_view::npos) {
            return true;
        }
    }
    return false;
}

/// The machines of a cluster that is not active with the services that links can lead to: only what
/// was there before. None where a failed deletion has deleted them.
std::vector<Node> nodes_for_links(const ClusterPage& page) {
    std::set<NodeId> deleted;
    for (const ListedMachine& machine : page.machines) {
        if (look_of(page, machine) == MachineLook::gone) deleted.insert(machine.node);
    }
    std::vector<Node> nodes;
    std::ranges::copy_if(page.nodes, std::back_inserter(nodes),
                         [&](const Node& node) { return !deleted.contains(node.id); });
    const auto places = places_that_were_there(page);
    for (Node& node : nodes) {
        std::erase_if(node.services, [&](const std::string& service) {
            return !places.contains({node.id, service});
        });
    }
    return nodes;
}

/// The machines that run the service, in the order of the cluster.
std::vector<const Node*> machines_of_service(const std::vector<Node>& nodes,
                                             const std::string& service) {
    std::vector<const Node*> machines;
    for (const Node& node : nodes) {
        if (std::ranges::count(node.services, service) > 0) machines.push_back(&node);
    }
    return machines;
}

/// "stopped", "failed" or "lost" if a link of the template leads to a service that is so wherever
/// it is.
std::string state_behind(const std::string& url, const ClusterPage& page,
                         const std::vector<Node>& nodes, const PlaceLooks& looks) {
    for (const Service& service : page.cluster.snapshot.services) {
        const std::string& name = service.header.name;
        if (!names_service(url, name)) continue;
        std::set<std::string> states;
        for (const Node* node : machines_of_service(nodes, name)) {
            states.insert(silence_of(looks, node->id, name));
        }
        if (states.empty() || states.contains("")) continue;
        return states.contains("failed") ? "failed" : *states.begin();
    }
    return "";
}

struct LinksAtMachines {
    /// At most most_links.
    Json links = Json::array();
    /// How many machines have one.
    std::size_t machines = 0;
};

/// The link of a service at its machines.
LinksAtMachines links_at_machines(const Link& link, const std::vector<const Node*>& machines,
                                  const std::string& service, const PlaceLooks& looks,
                                  provisioner::macros::MacroContext context) {
    LinksAtMachines at{.machines = machines.size()};
    for (const Node* node : machines) {
        if (at.links.size() == most_links) break;
        context.self = node;
        auto found = link_json(link, short_name(node->hostname), context,
                               silence_of(looks, node->id, service));
        if (found.is_null()) {
            --at.machines;
        } else {
            at.links.push_back(std::move(found));
        }
    }
    return at;
}

/// A link of a service: one of `links` where it leads to one machine. At many machines it would
/// bury the others, so it is one of `folded`.
void add_link_of_service(Json& links, Json& folded, const std::string& service,
                         const std::string& label, LinksAtMachines at) {
    if (at.links.empty()) return;
    for (Json& link : at.links) {
        link["label"] = translated("{0} on {1}", label, link.at("label").get<std::string>());
    }
    if (at.links.size() == 1) {
        links.push_back(std::move(at.links[0]));
        return;
    }
    const std::size_t more = at.machines - at.links.size();
    folded.push_back({{"number", folded.size() + 1},
                      {"summary", translated("{0}: {1} (one of {2} machines)", service, label,
                                             grouped(at.machines))},
                      {"more", more == 0 ? "" : translated("and {0} more", grouped(more))},
                      {"links", std::move(at.links)}});
}

/// Links of the template, then those of services.
void add_links(Json& json, const ClusterPage& page) {
    json["links"] = json["folded_links"] = Json::array();
    if (!may_have_links(page.cluster)) return;
    Json links = Json::array();
    Json folded = Json::array();
    const bool is_active = page.cluster.status == ClusterStatus::active;
    const auto some = is_active ? std::vector<Node>() : nodes_for_links(page);
    const std::vector<Node>& nodes = is_active ? page.nodes : some;
    provisioner::base::Memo memo;
    const provisioner::macros::MacroContext context{
        .cluster_owner = page.cluster.owner, .nodes = &nodes, .memo = &memo};
    const auto looks = looks_of_places(page);
    for (const Link& link : page.cluster.snapshot.cluster_template.links) {
        auto found =
            link_json(link, link.label, context, state_behind(link.url, page, nodes, looks));
        if (!found.is_null()) links.push_back(std::move(found));
    }
    for (const Service& service : page.cluster.snapshot.services) {
        const auto& name = service.header.name;
        const auto machines = machines_of_service(nodes, name);
        for (const Link& link : service.links) {
            add_link_of_service(links, folded, page.labels.service(name), link.label,
                                links_at_machines(link, machines, name, looks, context));
        }
    }
    json["links"] = std::move(links);
    json["folded_links"] = std::move(folded);
}

bool has_silent(const Json& links) {
    return std::ranges::any_of(links, [](const Json& link) { return link.at("state") != ""; });
}

/// What does not run although the cluster is there; null when all does.
Json stopped_json(const ClusterPage& page) {
    if (page.cluster.status != ClusterStatus::active) return nullptr;
    Json list = Json::array();
    const auto services = summaries_of(page);
    for (const ServiceSummary& service : services) {
        if (service.stopped + service.failed == 0) continue;
        list.push_back({{"name", page.labels.service(service.name)},
                        {"words", words_of_service(service)},
                        {"look", service.failed > 0 ? "failed" : "waiting"}});
    }
    if (list.empty()) return nullptr;
    const bool any_runs = std::ranges::any_of(
        services, [](const ServiceSummary& service) { return service.running > 0; });
    return {{"title", any_runs ? translated("Some services are not running")
                               : translated("All services are stopped")},
            {"services", std::move(list)},
            {"href", page.href() + "/services"},
            {"link", page.may_operate ? translated("Start or restart services")
                                      : translated("All services")}};
}

Json short_facts_json(const ClusterPage& page) {
    const Cluster& cluster = page.cluster;
    const std::string from = title_of(cluster.snapshot.cluster_template.header);
    const std::string at = title_of(cluster.snapshot.provider.header);
    const std::string words =
        page.machines.empty()
            ? translated("From the template {0} at the provider {1}", from, at)
            : translated("{0} from the template {1} at the provider {2}",
                         translated_count(page.machines.size(), "{0} machine", "{0} machines"),
                         from, at);
    const bool ends = cluster.status != ClusterStatus::terminated && cluster.expires_at.has_value();
    return {{"words", words},
            {"created", moment(cluster.created_at, page.now)},
            {"owner", cluster.owner},
            {"expires", ends ? moment(*cluster.expires_at, page.now) : Json()}};
}

/// Null if the provider lists all machines, or work is under way on them.
Json lost_json(const ClusterPage& page) {
    const auto lost = std::ranges::count_if(page.machines, [&](const ListedMachine& machine) {
        return look_of(page, machine) == MachineLook::lost;
    });
    if (lost == 0) return nullptr;
    return {{"count", translated_count(lost, "{0} machine", "{0} machines")},
            {"href", page.href() + "/machines?state=lost"}};
}

/// Null unless the template was updated just now.
Json updated_json(const ClusterPage& page) {
    if (!page.updated_from) return nullptr;
    const auto& header = page.cluster.snapshot.cluster_template.header;
    Json json;
    json["words"] =
        header.version == *page.updated_from
            ? translated("Template {0}: version {1} was read again.", header.name, header.version)
            : translated("Template {0} was updated from version {1} to version {2}.", header.name,
                         *page.updated_from, header.version);
    json["href"] = page.for_admin ? "/catalogue/clustertemplates/" +
                                        http::percent_encode(header.name) + "/versions"
                                  : "";
    return json;
}

}  // namespace

Json overview_json(const ClusterPage& page) {
    const bool is_large = page.machines.size() > machines_with_all_tasks;
    Json json;
    add_head(json, page, ClusterTab::overview);
    json["updated"] = updated_json(page);
    json["trouble"] = trouble_json(page);
    json["progress"] = progress_json(page);
    json["retried"] = retried_json(page);
    json["stopped"] = stopped_json(page);
    json["lost"] = lost_json(page);
    add_links(json, page);
    json["has_links"] = !json["links"].empty() || !json["folded_links"].empty();
    const bool has_any_silent = has_silent(json["links"]) ||
                                std::ranges::any_of(json["folded_links"], [](const Json& folded) {
                                    return has_silent(folded.at("links"));
                                });
    json["links_look"] = has_any_silent ? "warn" : "good";
    json["about"] = short_facts_json(page);
    const auto picture = is_large ? LayoutPicture{} : picture_of_page(page);
    json["groups"] = is_large ? cells_json(page) : Json::array();
    json["legend"] = is_large ? legend_of_cells_json(json["groups"]) : legend_json(picture);
    json["is_large"] = is_large;
    json["has_machines"] = !page.machines.empty();
    add_to(json, picture);
    return json;
}

}  // namespace fcgi::pages
