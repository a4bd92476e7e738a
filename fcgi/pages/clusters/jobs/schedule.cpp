#include "fcgi/pages/clusters/jobs/schedule.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>

namespace fcgi::pages {

using namespace provisioner::model;
using provisioner::base::Timestamp;
using provisioner::store::EarlierRun;
using provisioner::store::TaskKind;
using provisioner::store::TypicalTime;

namespace {

using Duration = Timestamp::duration;

/// Fewer tasks than this wait a moment between two looks of a worker only.
constexpr int fewest_queued = 4;

/// The unfinished tasks as a graph of places in their vector.
struct Waiting {
    std::vector<std::vector<std::size_t>> followers;
    std::vector<int> waits_for;
};

Waiting graph_of(const std::vector<Task>& tasks, const TaskEdges& edges) {
    std::unordered_map<std::int64_t, std::size_t> places;
    for (std::size_t i = 0; i < tasks.size(); ++i) places[tasks[i].id.value] = i;
    Waiting graph{.followers = std::vector<std::vector<std::size_t>>(tasks.size()),
                  .waits_for = std::vector<int>(tasks.size(), 0)};
    for (const auto& [before, after] : edges) {
        const auto first = places.find(before.value);
        const auto second = places.find(after.value);
        if (first == places.end() || second == places.end()) continue;
        graph.followers[first->second].push_back(second->second);
        ++graph.waits_for[second->second];
    }
    return graph;
}

/// What the workers do at once, and what waits for one of them.
struct Load {
    int running = 0;
    int queued = 0;
    Duration work{};

    /// When the work is over if no more of it is done at once than now.
    Timestamp end(Timestamp now) const {
        const bool is_full = running > 0 && queued >= std::max(running, fewest_queued);
        return is_full ? now + work / running : now;
    }
};

}  // namespace

Breaks breaks_of(const Breaks& breaks, JobId job) {
    Breaks made;
    std::ranges::copy_if(breaks, std::back_inserter(made),
                         [&](const auto& one) { return one.job == job; });
    return made;
}

Duration idle_between(Timestamp begin, Timestamp end, const Breaks& breaks) {
    Duration idle{};
    for (const auto& one : breaks) {
        idle += std::max(Duration(0), std::min(one.end, end) - std::max(one.begin, begin));
    }
    return idle;
}

std::vector<Task> critical_path(const Task& last, const LastBefore& last_before) {
    std::vector<Task> path{last};
    // A circle cannot be stored, and would end here.
    std::set<TaskId> seen{last.id};
    while (path.size() < longest_path) {
        auto before = last_before(path.back());
        if (!before || !seen.insert(before->id).second) break;
        path.push_back(*std::move(before));
    }
    std::ranges::reverse(path);
    return path;
}

Durations::Durations(const std::vector<TypicalTime>& times) {
    std::map<Action, std::vector<Duration>> by_action;
    for (const TypicalTime& typical : times) {
        kinds_[typical.kind] = typical.time;
        by_action[typical.kind.action].push_back(typical.time);
    }
    for (auto& [action, all] : by_action) {
        std::ranges::sort(all);
        actions_[action] = all[(all.size() - 1) / 2];
    }
}

std::optional<Duration> Durations::of(const Task& task) const {
    const auto kind = kinds_.find(TaskKind{.action = task.action, .service = task.service});
    if (kind != kinds_.end()) return kind->second;
    const auto action = actions_.find(task.action);
    if (action != actions_.end()) return action->second;
    return std::nullopt;
}

namespace {

/// A task that waits for others has not begun, even if it was tried before.
std::optional<Timestamp> begin_so_far(const Task& task) {
    return task.state == TaskState::blocked ? std::nullopt : task.started_at;
}

}  // namespace

std::optional<Forecast> forecast(const std::vector<Task>& unfinished, const TaskEdges& edges,
                                 const Durations& durations, Timestamp now) {
    constexpr std::size_t none = -1;
    Waiting graph = graph_of(unfinished, edges);
    std::vector<Timestamp> may_begin(unfinished.size(), now);
    std::vector<std::size_t> decided_by(unfinished.size(), none);
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < unfinished.size(); ++i) {
        if (graph.waits_for[i] == 0) order.push_back(i);
    }
    const std::size_t free = order.size();
    Forecast made{.end = now};
    Load load;
    std::size_t last = none;
    for (std::size_t at = 0; at < order.size(); ++at) {
        const std::size_t i = order[at];
        const Task& task = unfinished[i];
        const auto expected = durations.of(task);
        if (!expected) return std::nullopt;
        const auto began = begin_so_far(task);
        const Timestamp begin = began.value_or(may_begin[i]);
        const Span span{.begin = begin, .end = std::max(now, begin + *expected)};
        load.work += span.end - std::max(begin, now);
        load.running += began ? 1 : 0;
        load.queued += at < free && !began ? 1 : 0;
        made.spans[task.id] = span;
        if (last == none || span.end > made.end) last = i;
        made.end = std::max(made.end, span.end);
        for (const std::size_t follower : graph.followers[i]) {
            if (decided_by[follower] == none || span.end > may_begin[follower]) {
                may_begin[follower] = span.end;
                decided_by[follower] = i;
            }
            if (--graph.waits_for[follower] == 0) order.push_back(follower);
        }
    }
    if (last == none) return std::nullopt;
    std::size_t first = last;
    for (std::size_t i = last; i != none; i = decided_by[i]) {
        made.path.push_back(unfinished[i].id);
        first = i;
    }
    std::ranges::reverse(made.path);
    const Task& now_on_path = unfinished[first];
    const auto began = begin_so_far(now_on_path);
    made.is_late = began && *began + *durations.of(now_on_path) < now;
    spread_until(made, load.end(now), now);
    made.end = std::max(made.end, load.end(now));
    return made;
}

void spread_until(Forecast& forecast, Timestamp end, Timestamp now) {
    const Duration left = forecast.end - now;
    if (end <= forecast.end || left <= Duration(0)) return;
    const double stretch = std::chrono::duration<double>(end - now) / left;
    bool has_waiting = false;
    for (auto& [task, span] : forecast.spans) {
        if (span.begin < now) continue;
        has_waiting = true;
        const Duration later =
            std::chrono::duration_cast<Duration>((span.end - now) * stretch) - (span.end - now);
        span.begin += later;
        span.end += later;
    }
    if (has_waiting) forecast.end = end;
}

std::optional<UsualTime> usual_time(const std::vector<EarlierRun>& runs, int tasks) {
    constexpr std::size_t most_runs = 5;
    constexpr int unlike = 2;
    constexpr int parts = 5;
    std::vector<Duration> times;
    for (const EarlierRun& run : runs) {
        const bool is_alike = run.tasks <= tasks * unlike && tasks <= run.tasks * unlike;
        if (run.took && is_alike && times.size() < most_runs) times.emplace_back(*run.took);
    }
    if (times.empty()) return std::nullopt;
    std::ranges::sort(times);
    const Duration typical = times[(times.size() - 1) / 2];
    return UsualTime{.typical = typical, .is_wide = times.back() - times.front() > typical / parts};
}

void follow_usual_time(Forecast& forecast, const std::optional<UsualTime>& usual, Timestamp begin,
                       Duration idle, Timestamp now) {
    forecast.is_rough = !usual || usual->is_wide;
    if (!usual) return;
    const Timestamp latest = now + (forecast.end - now) * most_spread;
    spread_until(forecast, std::min(begin + idle + usual->typical, latest), now);
}

}  // namespace fcgi::pages
