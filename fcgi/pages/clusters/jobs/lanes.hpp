#pragma once

#include <set>
#include <string>
#include <vector>

#include "fcgi/pages/clusters/jobs/time_axis.hpp"
#include "provisioner/base/json.hpp"

namespace fcgi::pages {

// The picture of when tasks ran: a lane for each machine, a bar for each task. Pure.

/// The most lanes and bars of a page; a machine with more tasks than that has a page of its own. A
/// bar is about 150 bytes, and the page of a job is kept below 60 kB.
inline constexpr std::size_t few_lanes = 8;
inline constexpr int most_bars_of_few = 240;
inline constexpr std::size_t most_lanes = 20;
inline constexpr int most_bars = 100;

/// The machines in the order in which their lanes are shown: by number while they fit on one page.
/// Else those with failures first, then those of the critical path, those with tasks left, and of
/// the rest those that ended last.
std::vector<provisioner::store::JobMachine> ordered_lanes(
    std::vector<provisioner::store::JobMachine> machines,
    const std::set<provisioner::model::NodeId>& on_path);

/// The machines [first, last) of a page; `page` counts from 1 and is brought into the range.
struct LanePage {
    std::size_t first = 0;
    std::size_t last = 0;
    int page = 1;
    int pages = 1;
};
LanePage lane_page(const std::vector<provisioner::store::JobMachine>& ordered, int page);

struct JobPage;

/// The address of a task as the page of its job says it: there are hundreds of them, and each
/// without the names of site and cluster.
std::string way_to_task(const provisioner::model::Task& task);
/// The same of a machine.
std::string way_to_machine(const provisioner::store::JobMachine& machine);

/// The picture: axis, lanes and legend. Null if there is nothing to draw. `now` is the end of the
/// bars of tasks that run. Addresses are relative to that of the job.
provisioner::base::Json lanes_json(const JobPage& job, provisioner::base::Timestamp now);

struct ClusterPage;

/// views/clusters/tabs/job_timeline: the same machines as a table, a row for each task.
provisioner::base::Json timeline_json(const ClusterPage& page, const JobPage& job);

}  // namespace fcgi::pages
