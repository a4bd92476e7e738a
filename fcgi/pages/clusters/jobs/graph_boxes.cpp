#include <map>
#include <set>

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/clusters/jobs/job_graph.hpp"
#include "fcgi/pages/progress.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using provisioner::messages::translated;
using namespace provisioner::model;
using provisioner::base::to_word;
using provisioner::store::JobMachine;
using provisioner::store::KindCount;
using provisioner::store::KindEdge;
using provisioner::store::TaskKind;

namespace {

void count_in(GraphNode& node, TaskState state, int tasks) {
    node.tasks += tasks;
    node.done += state == TaskState::done ? tasks : 0;
    node.running += state == TaskState::claimed ? tasks : 0;
    node.failed += state == TaskState::failed ? tasks : 0;
    node.cancelled += state == TaskState::cancelled ? tasks : 0;
}

}  // namespace

JobGraph graph_of_tasks(const std::vector<Task>& tasks,
                        const std::vector<std::pair<TaskId, TaskId>>& edges,
                        const std::vector<JobMachine>& machines, const std::string& cluster,
                        const Labels& labels) {
    std::map<NodeId, std::string> hosts;
    for (const JobMachine& machine : machines) hosts[machine.node] = short_name(machine.hostname);
    std::map<TaskId, std::size_t> places;
    JobGraph graph;
    for (const Task& task : tasks) {
        places[task.id] = graph.nodes.size();
        graph.nodes.push_back(
            {.what = what_it_does(task, labels),
             .column = hosts[task.node],
             .href = task.started_at ? cluster + "/tasks/" + std::to_string(task.id.value) : ""});
        count_in(graph.nodes.back(), task.state, 1);
    }
    for (const auto& [before, after] : edges) {
        if (!places.contains(before) || !places.contains(after)) continue;
        graph.edges.emplace_back(places.at(before), places.at(after));
    }
    return graph;
}

JobGraph graph_of_kinds(const std::vector<KindCount>& kinds, const std::vector<KindEdge>& edges,
                        const std::string& here, const Labels& labels) {
    std::map<TaskKind, std::size_t> places;
    JobGraph graph{.is_of_kinds = true};
    for (const KindCount& counted : kinds) {
        const auto [place, is_new] = places.try_emplace(counted.kind, graph.nodes.size());
        if (is_new) {
            const std::string service =
                counted.kind.service.empty() ? "machine" : counted.kind.service;
            const std::string action = to_word(counted.kind.action);
            const std::string of_service = here + "?service=" + http::percent_encode(service);
            Task like;
            like.action = counted.kind.action;
            like.service = counted.kind.service;
            graph.nodes.push_back({.what = what_it_does(like, labels),
                                   .column = labels.service(service),
                                   .href = of_service + "&action=" + action + "#tasks",
                                   .column_href = of_service + "#tasks"});
        }
        count_in(graph.nodes[place->second], counted.state, counted.tasks);
    }
    for (const KindEdge& edge : edges) {
        if (!places.contains(edge.before) || !places.contains(edge.after)) continue;
        graph.edges.emplace_back(places.at(edge.before), places.at(edge.after));
    }
    return graph;
}

JobGraph by_service(const JobGraph& kinds) {
    JobGraph made{.is_of_kinds = true, .is_of_services = true};
    std::map<std::string, std::size_t> places;
    std::vector<std::size_t> service_of;
    for (const GraphNode& kind : kinds.nodes) {
        const auto [place, is_new] = places.try_emplace(kind.column, made.nodes.size());
        if (is_new) {
            made.nodes.push_back(
                {.what = kind.column, .column = translated("all tasks"), .href = kind.column_href});
        }
        GraphNode& service = made.nodes[place->second];
        service.tasks += kind.tasks;
        service.done += kind.done;
        service.running += kind.running;
        service.failed += kind.failed;
        service.cancelled += kind.cancelled;
        service_of.push_back(place->second);
    }
    std::set<std::pair<std::size_t, std::size_t>> edges;
    for (const auto& [before, after] : kinds.edges) {
        if (service_of[before] != service_of[after]) {
            edges.insert({service_of[before], service_of[after]});
        }
    }
    made.edges.assign(edges.begin(), edges.end());
    return made;
}

}  // namespace fcgi::pages
