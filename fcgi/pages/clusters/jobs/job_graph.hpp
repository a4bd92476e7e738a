#pragma once

#include "fcgi/pages/clusters/tabs/cluster_page.hpp"
#include "provisioner/store/jobs/task_list.hpp"

namespace fcgi::pages {

/// Up to that many tasks of a job are drawn one by one.
inline constexpr int most_single_tasks = 60;

/// Up to that many boxes are drawn. More kinds are drawn by service; of more services than that
/// there is the table alone.
inline constexpr std::size_t most_boxes = 200;

/// Boxes of services stand so many beside each other.
inline constexpr std::size_t most_services_in_a_row = 5;

/// So many of what a box waits for are named in the table when it is not drawn.
inline constexpr std::size_t most_waited_for_named = 20;

/// A box of the graph: a task, all tasks of a kind, or all tasks on a service.
struct GraphNode {
    /// "install nginx"
    std::string what{};
    /// What stands above its column: the machine of a task, the service of a kind.
    std::string column{};
    /// Where it leads.
    std::string href{};
    /// Where all of its column leads; empty for a task.
    std::string column_href{};
    int tasks = 0;
    int done = 0;
    int running = 0;
    int failed = 0;
    int cancelled = 0;
};

/// Boxes and what waits for what: places in `nodes`. Pure.
struct JobGraph {
    std::vector<GraphNode> nodes{};
    /// (before, after).
    std::vector<std::pair<std::size_t, std::size_t>> edges{};
    /// Whether a box is all tasks of a kind.
    bool is_of_kinds = false;
    /// Whether a box is all tasks on a service; then its column says nothing more.
    bool is_of_services = false;
};

/// The row of each box: below all boxes that it waits for, as high as possible. Kinds may wait for
/// each other in a circle though no task does; an edge that closes a circle is passed over.
std::vector<std::size_t> rows_of(const JobGraph& graph);

/// The same graph without edges that others imply and without those that close circles.
JobGraph without_implied_edges(const JobGraph& graph, const std::vector<std::size_t>& rows);

/// The graph of tasks one by one; `machines` are those of the job. People read `labels`, here and
/// below.
JobGraph graph_of_tasks(
    const std::vector<provisioner::model::Task>& tasks,
    const std::vector<std::pair<provisioner::model::TaskId, provisioner::model::TaskId>>& edges,
    const std::vector<provisioner::store::JobMachine>& machines, const std::string& cluster,
    const Labels& labels = {});

/// The graph of kinds; `here` is the address of the job.
JobGraph graph_of_kinds(const std::vector<provisioner::store::KindCount>& kinds,
                        const std::vector<provisioner::store::KindEdge>& edges,
                        const std::string& here, const Labels& labels = {});

/// The graph of kinds with one box for each service.
JobGraph by_service(const JobGraph& kinds);

/// views/clusters/tabs/job_graph: the graph as a picture and as a table. Of more kinds than
/// most_boxes the picture has the services and the table the kinds, and the page does not follow
/// them.
provisioner::base::Json job_graph_json(const ClusterPage& page, const provisioner::model::Job& job,
                                       const JobGraph& graph);

}  // namespace fcgi::pages
