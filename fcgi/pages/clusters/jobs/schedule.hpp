#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/store/jobs/job_breaks.hpp"
#include "provisioner/store/jobs/task_list.hpp"

namespace fcgi::pages {

// When the tasks of a job ran, and when the rest of them will. Pure: no database, no clock.

/// Times in which nothing was worked on, by job and time.
using Breaks = std::vector<provisioner::store::JobBreak>;

/// Those of one job.
Breaks breaks_of(const Breaks& breaks, provisioner::model::JobId job);

/// How much of the time from `begin` to `end` was break.
provisioner::base::Timestamp::duration idle_between(provisioner::base::Timestamp begin,
                                                    provisioner::base::Timestamp end,
                                                    const Breaks& breaks);

/// (before, after).
using TaskEdges = std::vector<std::pair<provisioner::model::TaskId, provisioner::model::TaskId>>;

/// Of the tasks that a task waited for, the one that ended last; nothing if it waited for none.
using LastBefore =
    std::function<std::optional<provisioner::model::Task>(const provisioner::model::Task&)>;

/// The most tasks of a critical path that are looked for.
inline constexpr std::size_t longest_path = 400;

/// The chain of tasks that decided when `last` ended, oldest first and with it at the end: before
/// each task the one that ended last of those it waited for.
std::vector<provisioner::model::Task> critical_path(const provisioner::model::Task& last,
                                                    const LastBefore& last_before);

/// How long tasks take, as far as that is known from those that are done.
class Durations {
 public:
    Durations() = default;
    explicit Durations(const std::vector<provisioner::store::TypicalTime>& times);

    /// That of its action and service. A service that was never seen takes as long as the action
    /// takes for the other services, the middle one of them. Nothing if the action was never seen.
    std::optional<provisioner::base::Timestamp::duration> of(
        const provisioner::model::Task& task) const;

 private:
    std::map<provisioner::store::TaskKind, provisioner::base::Timestamp::duration> kinds_;
    std::map<provisioner::model::Action, provisioner::base::Timestamp::duration> actions_;
};

/// When a task is expected to run.
struct Span {
    provisioner::base::Timestamp begin{};
    provisioner::base::Timestamp end{};
};

/// What is expected of the tasks that are not over.
struct Forecast {
    /// When the job ends.
    provisioner::base::Timestamp end{};
    /// Each unfinished task.
    std::map<provisioner::model::TaskId, Span> spans{};
    /// The unfinished tasks that decide when the job ends, in their order.
    std::vector<provisioner::model::TaskId> path{};
    /// A task that runs has already taken longer than expected, and the path begins with it.
    bool is_late = false;
    /// Whole jobs like this one took unequally long, or none is known: seconds would say too much.
    bool is_rough = false;
};

/// `started_at` of the tasks is when the attempt began that is under way (unfinished_tasks_of).
/// Each task begins when the last of those it waits for has ended; one that runs needs what is left
/// of its time, or nothing more if it is late. Where more tasks wait for a worker than are running,
/// the job lasts at least as long as the rest of the work divided by what runs (spread_until).
/// Nothing if no task is left or the time of one is not known. Edges of other tasks are passed
/// over. O(V + E).
std::optional<Forecast> forecast(const std::vector<provisioner::model::Task>& unfinished,
                                 const TaskEdges& edges, const Durations& durations,
                                 provisioner::base::Timestamp now);

/// Lets the job end at `end` if that is later than foretold. What has not begun is spread over that
/// time: each task ends later in proportion and takes as long as before, and what is between two is
/// the time that it waits. Nothing changes if all tasks run, for then none waits.
void spread_until(Forecast& forecast, provisioner::base::Timestamp end,
                  provisioner::base::Timestamp now);

/// How long whole jobs took, with all that tasks wait.
struct UsualTime {
    /// That of the middle one.
    provisioner::base::Timestamp::duration typical{};
    /// The longest took longer than the shortest by more than a fifth of `typical`.
    bool is_wide = false;
};

/// Of the first five runs whose time is known and that have at least half and at most twice as many
/// tasks; nothing without such a run.
std::optional<UsualTime> usual_time(const std::vector<provisioner::store::EarlierRun>& runs,
                                    int tasks);

/// A whole job stretches what the times of tasks make of the rest by at most this: with an end that
/// is near, the tasks that are left say more than the jobs before.
inline constexpr int most_spread = 4;

/// Makes the forecast of a job that was ordered at `begin` agree with whole jobs like it. What was
/// break since then (idle_between) does not count.
void follow_usual_time(Forecast& forecast, const std::optional<UsualTime>& usual,
                       provisioner::base::Timestamp begin,
                       provisioner::base::Timestamp::duration idle,
                       provisioner::base::Timestamp now);

}  // namespace fcgi::pages
