#include "fcgi/pages/clusters/tabs/overview.hpp"

#include <algorithm>
#include <set>

#include "fcgi/pages/clusters/tabs/cells.hpp"
#include "fcgi/pages/clusters/tabs/failure_groups.hpp"
#include "fcgi/pages/clusters/tabs/jobs.hpp"
#include "fcgi/pages/clusters/tabs/services.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/progress.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/macros/expand.hpp"

namespace fcgi::pages {

using namespace provisioner::model;
using provisioner::base::Json;
using provisioner::store::ListedMachine;

namespace {

constexpr std::size_t most_groups = 5;
constexpr std::size_t most_hosts = 10;
constexpr std::size_t most_links = 12;

Json hosts_json(const ClusterPage& page, const FailureGroup& group) {
    std::map<NodeId, const ListedMachine*> machines;
    for (const ListedMachine& machine : page.machines) machines[machine.node] = &machine;
    Json hosts = Json::array();
    for (const Task* task : group.tasks) {
        const auto found = machines.find(task->node);
        if (found == machines.end() || hosts.size() == most_hosts) continue;
        const ListedMachine& machine = *found->second;
        hosts.push_back({{"host", short_name(machine.hostname)},
                         {"href", page.href() + "/machines/" + std::to_string(machine.nodenum)}});
    }
    return hosts;
}

/// What retries the machines of a group; null where nothing can be retried.
Json retry_json(const ClusterPage& page, const FailureGroup& group) {
    if (!page.may_retry()) return nullptr;
    const std::size_t count = machines_of(group).size();
    return {{"href", page.href() + "/retry"},
            {"label", count == 1 ? std::string("Retry this machine")
                                 : "Retry these " + std::to_string(count) + " machines"}};
}

Json group_json(const ClusterPage& page, const FailureGroup& group) {
    const Task& first = *group.tasks.front();
    const auto output = page.outputs.find(first.id);
    Json hosts = hosts_json(page, group);
    const std::size_t more = group.tasks.size() - hosts.size();
    Json json;
    json["what"] = group.what;
    json["number"] = first.id.value;
    json["retry"] = retry_json(page, group);
    json["where"] = "on " + std::to_string(group.tasks.size()) + " of " +
                    counted(page.machines.size(), "machine");
    json["message"] = group.message;
    json["hosts"] = std::move(hosts);
    json["more"] = more == 0 ? "" : "and " + std::to_string(more) + " more";
    json["task"] = page.href() + "/tasks/" + std::to_string(first.id.value);
    json["output"] = output == page.outputs.end() ? "" : shown(output->second);
    return json;
}

Json failures_json(const ClusterPage& page) {
    Json json = Json::array();
    for (const FailureGroup& group : failure_groups(page.tasks)) {
        if (json.size() == most_groups) break;
        json.push_back(group_json(page, group));
        // One log is enough to see at once.
        json.back()["open"] = json.size() == 1;
    }
    return json;
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

std::string progress_words(const ClusterPage& page) {
    const Job& job = *page.job;
    const auto end = job.finished_at.value_or(page.now);
    const auto taken = std::chrono::duration_cast<std::chrono::milliseconds>(end - job.created_at);
    const auto count =
        std::to_string(job.tasks_done) + " of " + std::to_string(job.tasks_total) + " tasks";
    if (job.finished_at) return count + " done in " + spoken(taken);
    int running = 0;
    for (const ListedMachine& machine : page.machines) running += machine.running;
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

/// What does not run although the cluster is there; null when all does.
Json stopped_json(const ClusterPage& page) {
    if (page.cluster.status != ClusterStatus::active) return nullptr;
    Json list = Json::array();
    for (const ServiceSummary& service : summaries_of(page)) {
        if (service.stopped + service.failed == 0) continue;
        list.push_back({{"name", service.name},
                        {"words", words_of_service(service)},
                        {"look", service.failed > 0 ? "failed" : "waiting"}});
    }
    if (list.empty()) return nullptr;
    return {{"services", std::move(list)}, {"href", page.href() + "/services"}};
}

Json short_facts_json(const ClusterPage& page) {
    const Cluster& cluster = page.cluster;
    std::string words = counted(page.machines.size(), "machine") + " from the template " +
                        cluster.snapshot.cluster_template.header.name + " at the provider " +
                        cluster.snapshot.provider.header.name;
    const bool ends = cluster.status != ClusterStatus::terminated && cluster.expires_at.has_value();
    return {{"words", words},
            {"created", moment(cluster.created_at, page.now)},
            {"owner", cluster.owner},
            {"expires", ends ? moment(*cluster.expires_at, page.now) : Json()}};
}

/// Rows of machines by services, coloured by the tasks.
LayoutPicture picture_of_page(const ClusterPage& page) {
    std::vector<Node> nodes;
    for (const ListedMachine& machine : page.machines) {
        Node node;
        node.id = machine.node;
        node.hostname = machine.hostname;
        node.hardware_type = machine.hardware_type;
        node.services = machine.services;
        nodes.push_back(std::move(node));
    }
    return picture_of(page.cluster.status, nodes, page.job, page.tasks);
}

}  // namespace

Json overview_json(const ClusterPage& page) {
    const bool is_large = page.machines.size() > machines_with_all_tasks;
    Json json;
    add_head(json, page, ClusterTab::overview);
    json["trouble"] = trouble_json(page);
    json["progress"] = progress_json(page);
    json["stopped"] = stopped_json(page);
    json["links"] = links_json(page);
    json["has_links"] = !json["links"].empty();
    json["about"] = short_facts_json(page);
    json["legend"] = is_large ? legend_of_cells_json() : legend_json();
    json["is_large"] = is_large;
    json["groups"] = is_large ? cells_json(page) : Json::array();
    add_to(json, is_large ? LayoutPicture{} : picture_of_page(page));
    return json;
}

}  // namespace fcgi::pages
