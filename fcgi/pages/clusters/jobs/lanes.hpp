#pragma once

#include <set>
#include <string>
#include <vector>

#include "fcgi/pages/clusters/jobs/schedule.hpp"
#include "provisioner/base/json.hpp"

namespace fcgi::pages {

// The picture of when tasks ran: a lane for each machine, a bar for each task. Pure.

/// "12.5%", with two digits behind the dot at most.
std::string percent_words(double value);

/// The time axis: its marks are `step` apart, the first at `begin`.
struct TimeAxis {
    provisioner::base::Timestamp begin{};
    provisioner::base::Timestamp end{};
    provisioner::base::Timestamp::duration step{};

    /// Where a moment stands, in percent; those outside stand at the edges.
    double percent(provisioner::base::Timestamp at) const;
};

/// An axis with at most seven marks of a sensible step: 1, 2 or 5 of tenths of seconds, 1, 2, 5,
/// 10, 15 or 30 seconds or minutes, 1, 2, 3, 6 or 12 hours, or days. While the job runs, the axis
/// ends at a mark behind `end`, so that bars stay where they are from one look to the next.
TimeAxis axis_of(provisioner::base::Timestamp begin, provisioner::base::Timestamp end, bool runs);

/// A mark of the axis: "0", "0.5 s", "30 s", "1:30 min", "2 min", "1:30 h", "2 d".
std::string words_of_mark(provisioner::base::Timestamp::duration since_begin);

/// The most lanes and bars of a page; a machine with more tasks than that has a page of its own. A
/// bar and its row of the table are about 300 bytes, and the page of a job is kept below 60 kB.
inline constexpr std::size_t few_lanes = 8;
inline constexpr int most_bars_of_few = 240;
inline constexpr std::size_t most_lanes = 20;
inline constexpr int most_bars = 80;

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

/// The picture with its table: axis, lanes and legend. Null if there is nothing to draw. `now` is
/// the end of the bars of tasks that run. Addresses are relative to that of the job.
provisioner::base::Json lanes_json(const JobPage& job, provisioner::base::Timestamp now);

}  // namespace fcgi::pages
