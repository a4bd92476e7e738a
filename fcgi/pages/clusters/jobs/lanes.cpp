#include "fcgi/pages/clusters/jobs/lanes.hpp"

#include <algorithm>
#include <array>
#include <tuple>

#include "fcgi/pages/clusters/jobs/job_page.hpp"
#include "fcgi/pages/clusters/tabs/jobs.hpp"
#include "fcgi/pages/filter_links.hpp"
#include "fcgi/pages/progress.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using provisioner::messages::for_translation;
using provisioner::messages::translated;
using provisioner::messages::translated_count;
using namespace std::chrono_literals;
using namespace provisioner::model;
using provisioner::base::Json;
using provisioner::base::Timestamp;
using provisioner::store::AttemptTime;
using provisioner::store::JobMachine;
using std::chrono::milliseconds;

namespace {

/// A bar is never narrower, so that it is seen.
constexpr double least_percent = 0.4;

milliseconds between(Timestamp begin, Timestamp end) {
    return std::max(0ms, std::chrono::duration_cast<milliseconds>(end - begin));
}

/// On the axis, which passes over breaks.
std::string after_words(const TimeAxis& axis, Timestamp at) {
    const auto after =
        std::max(0ms, between(axis.begin, at - idle_between(axis.begin, at, axis.breaks)));
    return after < 50ms ? translated("at once") : translated("after {0}", spoken(after));
}

/// What is drawn with one look: class of site.css and pattern of the view; and the word for it.
struct BarLook {
    const char* css;
    const char* words;
};

constexpr std::array legend_of_bars{
    BarLook{"done", for_translation("done")},
    BarLook{"running", for_translation("running")},
    BarLook{"failed", for_translation("failed")},
    BarLook{"again", for_translation("failed attempt, tried again")},
    BarLook{"expected", for_translation("expected")},
    BarLook{"stopped", for_translation("cancelled while it ran")},
};

const char* look_of_bar(TaskState state) {
    switch (state) {
        case TaskState::done:
            return "done";
        case TaskState::failed:
            return "failed";
        case TaskState::cancelled:
            return "stopped";
        default:
            return "running";
    }
}

Json bar_json(const TimeAxis& axis, Timestamp begin, Timestamp end, const std::string& look,
              const std::string& title) {
    const double x = std::min(axis.percent(begin), 100 - least_percent);
    const double width = std::max(least_percent, axis.percent(end) - x);
    return {{"look", look},   {"x", percent_words(x)}, {"width", percent_words(width)},
            {"title", title}, {"chain", false},        {"begins", true},
            {"ends", true}};
}

/// Neighbours of one look are drawn as a group, which has it once.
void group_bars(Json& bars) {
    for (std::size_t i = 1; i < bars.size(); ++i) {
        const bool is_other = bars[i]["look"] != bars[i - 1]["look"];
        bars[i]["begins"] = is_other;
        bars[i - 1]["ends"] = is_other;
    }
}

/// All that the lanes have in common.
struct LanesPicture {
    const JobPage& job;
    Timestamp now;
    TimeAxis axis;
    std::set<TaskId> path{};
    std::map<TaskId, std::vector<const AttemptTime*>> attempts{};
    /// Of each machine that is shown, those that began first first.
    std::map<NodeId, std::vector<const Task*>> tasks{};
    std::set<std::string> looks{};
    bool has_path = false;
};

/// What the table says of a task.
struct TaskLine {
    std::string state{};
    std::string began{};
    std::string took{};
};

TaskLine line_of(const LanesPicture& picture, const Task& task) {
    TaskLine line{.state = translated(words_of(task.state).words)};
    if (task.attempt > 1) line.state += translated(", attempt {0}", task.attempt);
    if (task.is_replaced()) line.state += translated(", replaced by a retry");
    const Span* span = nullptr;
    if (picture.job.forecast) {
        const auto found = picture.job.forecast->spans.find(task.id);
        if (found != picture.job.forecast->spans.end()) span = &found->second;
    }
    if (const auto began = begin_of_attempt(task)) {
        line.began = after_words(picture.axis, *began);
        line.took = spoken(between(*began, end_of_attempt(task, picture.now)));
        if (span != nullptr && span->end > picture.now) {
            line.took += translated(" of about {0}", spoken(between(span->begin, span->end)));
        }
    } else if (span != nullptr) {
        line.began = translated("expected {0}", after_words(picture.axis, span->begin));
        line.took = translated("about {0}", spoken(between(span->begin, span->end)));
    }
    if (picture.path.contains(task.id)) line.state += translated(", critical path");
    return line;
}

void add_bars(Json& bars, LanesPicture& picture, const Task& task, const TaskLine& line) {
    const TimeAxis& axis = picture.axis;
    std::string title = what_it_does(task, picture.job.labels) + ": " + line.state;
    if (!line.began.empty()) title += ", " + line.began;
    if (!line.took.empty()) title += ", " + line.took;
    const auto draw = [&](Timestamp begin, Timestamp end, const std::string& look,
                          const std::string& words) -> Json& {
        bars.push_back(bar_json(axis, begin, end, look, words));
        picture.looks.insert(look);
        return bars.back();
    };
    const bool on_path = picture.path.contains(task.id);
    const auto mark = [&](Json& bar) {
        bar["chain"] = on_path;
        picture.has_path = picture.has_path || on_path;
    };
    const auto began = begin_of_attempt(task);
    if (began) {
        mark(draw(*began, end_of_attempt(task, picture.now), look_of_bar(task.state), title));
    }
    for (const AttemptTime* attempt : picture.attempts[task.id]) {
        const bool is_drawn = began && attempt->number >= task.attempt;
        if (attempt->status != "failed" || is_drawn || !attempt->ended) continue;
        draw(attempt->began, *attempt->ended, "again",
             translated("{0}: attempt {1} failed after {2}", what_it_does(task, picture.job.labels),
                        attempt->number, spoken(between(attempt->began, *attempt->ended))));
    }
    if (task.finished_at || !picture.job.forecast) return;
    const auto span = picture.job.forecast->spans.find(task.id);
    if (span == picture.job.forecast->spans.end()) return;
    const Timestamp begin = std::max(span->second.begin, picture.now);
    if (began && span->second.end <= begin) return;
    mark(draw(begin, std::max(begin, span->second.end), "expected", title));
}

/// "3 of 4 tasks done, 1 failed"
std::string words_of_machine(const JobMachine& machine) {
    std::string words = translated("{0} of {1} done", machine.done,
                                   translated_count(machine.tasks, "{0} task", "{0} tasks"));
    if (machine.failed > 0) words += translated(", {0} failed", machine.failed);
    if (machine.running > 0) words += translated(", {0} running", machine.running);
    return words;
}

Json lane_json(LanesPicture& picture, const JobMachine& machine) {
    Json bars = Json::array();
    for (const Task* task : picture.tasks[machine.node]) {
        add_bars(bars, picture, *task, line_of(picture, *task));
    }
    group_bars(bars);
    const std::string words = words_of_machine(machine);
    std::string took{};
    if (machine.began) {
        const bool is_over = machine.over == machine.tasks;
        const auto end = is_over ? machine.ended.value_or(picture.now) : picture.now;
        const auto idle = idle_between(*machine.began, end, picture.axis.breaks);
        took = spoken(between(*machine.began, end - idle));
    }
    const std::string host = short_name(machine.hostname);
    return {{"number", machine.nodenum},
            {"host", host},
            {"href", way_to_machine(machine)},
            {"took", took},
            {"label", host + ": " + words + (took.empty() ? "" : ", " + took)},
            {"bars", std::move(bars)}};
}

Json rows_json(LanesPicture& picture, const JobMachine& machine) {
    Json rows = Json::array();
    for (const Task* task : picture.tasks[machine.node]) {
        const TaskLine line = line_of(picture, *task);
        rows.push_back({{"number", task->id.value},
                        {"what", what_it_does(*task, picture.job.labels)},
                        {"href", task->started_at ? "../" + way_to_task(*task) : ""},
                        {"state", line.state},
                        {"began", line.began},
                        {"took", line.took}});
    }
    return {{"machine", machine.nodenum},
            {"machine_href", "../" + way_to_machine(machine)},
            {"host", short_name(machine.hostname)},
            {"words", words_of_machine(machine)},
            {"rows", std::move(rows)}};
}

TimeAxis axis_of_job(const JobPage& page, Timestamp now) {
    const Job& job = page.job;
    Timestamp begin = job.created_at;
    Timestamp end = job.finished_at.value_or(now);
    for (const Task& task : page.lane_tasks) {
        if (task.started_at) begin = std::min(begin, *task.started_at);
        if (task.started_at && task.finished_at) end = std::max(end, *task.finished_at);
    }
    if (page.forecast) end = std::max(end, page.forecast->end);
    return axis_of(begin, end, !job.finished_at, page.breaks);
}

LanesPicture lanes_picture(const JobPage& job, Timestamp now) {
    // Nothing is longer than the job.
    LanesPicture picture{
        .job = job, .now = job.job.finished_at.value_or(now), .axis = axis_of_job(job, now)};
    for (const Task& task : job.path) picture.path.insert(task.id);
    for (const AttemptTime& attempt : job.attempts) {
        picture.attempts[attempt.task].push_back(&attempt);
    }
    for (const Task& task : job.lane_tasks) picture.tasks[task.node].push_back(&task);
    for (auto& [node, tasks] : picture.tasks) {
        std::ranges::stable_sort(tasks, {}, [](const Task* task) {
            return task->started_at.value_or(Timestamp::max());
        });
    }
    return picture;
}

std::string lanes_at(int page) {
    return "?lanes=" + std::to_string(page);
}

/// How the page that shows the lanes leads to others of its kind.
void add_pages(Json& json, const JobPage& job, const LanePage& shown, PagesOf of) {
    const std::string words = translated("machines {0}–{1} of {2}", grouped(shown.first + 1),
                                         grouped(shown.last), grouped(job.machines.size()));
    of.name = "lanes";
    of.label = translated("Pages of the timeline");
    Json pager = pager_json(static_cast<std::size_t>(shown.page),
                            static_cast<std::size_t>(shown.pages), words, of);
    json["lane_pages"] = Json::array();
    if (!pager.is_null()) json["lane_pages"].push_back({{"pager", std::move(pager)}});
    json["shown"] =
        shown.pages == 1
            ? ""
            : translated(
                  "Machines {0}–{1} of {2}: those with failed tasks first, then "
                  "those of the critical path, those with tasks left, and the "
                  "ones that ended last.",
                  grouped(shown.first + 1), grouped(shown.last), grouped(job.machines.size()));
}

}  // namespace

std::vector<JobMachine> ordered_lanes(std::vector<JobMachine> machines,
                                      const std::set<NodeId>& on_path) {
    std::ranges::stable_sort(machines, {}, &JobMachine::nodenum);
    if (lane_page(machines, 1).pages == 1) return machines;
    const auto rank = [&](const JobMachine& machine) {
        return std::tuple(machine.failed == 0, !on_path.contains(machine.node),
                          machine.over == machine.tasks,
                          machine.ended ? -machine.ended->time_since_epoch().count() : 0);
    };
    std::ranges::stable_sort(machines, [&](const JobMachine& left, const JobMachine& right) {
        return rank(left) < rank(right);
    });
    return machines;
}

LanePage lane_page(const std::vector<JobMachine>& ordered, int page) {
    int all_bars = 0;
    for (const JobMachine& machine : ordered) all_bars += machine.tasks;
    if (ordered.size() <= few_lanes && all_bars <= most_bars_of_few) {
        return {.first = 0, .last = ordered.size(), .page = 1, .pages = 1};
    }
    std::vector<std::size_t> begins;
    int bars = 0;
    for (std::size_t i = 0; i < ordered.size(); ++i) {
        const bool fits = !begins.empty() && i - begins.back() < most_lanes &&
                          bars + ordered[i].tasks <= most_bars;
        if (!fits) {
            begins.push_back(i);
            bars = 0;
        }
        bars += ordered[i].tasks;
    }
    if (begins.empty()) return {};
    const int pages = static_cast<int>(begins.size());
    const int at = std::clamp(page, 1, pages);
    const auto place = static_cast<std::size_t>(at - 1);
    return {.first = begins[place],
            .last = at == pages ? ordered.size() : begins[place + 1],
            .page = at,
            .pages = pages};
}

std::string way_to_machine(const JobMachine& machine) {
    return "../machines/" + std::to_string(machine.nodenum);
}

std::string way_to_task(const Task& task) {
    return "../tasks/" + std::to_string(task.id.value);
}

Json lanes_json(const JobPage& job, Timestamp now) {
    LanesPicture picture = lanes_picture(job, now);
    const LanePage shown = lane_page(job.machines, job.query.lanes);
    Json lanes = Json::array();
    for (std::size_t i = shown.first; i < shown.last; ++i) {
        lanes.push_back(lane_json(picture, job.machines[i]));
    }
    if (picture.looks.empty() && shown.pages == 1) return nullptr;
    Json looks = Json::array();
    for (const BarLook& look : legend_of_bars) {
        if (!picture.looks.contains(look.css)) continue;
        looks.push_back({{"look", look.css}, {"words", translated(look.words)}});
    }
    Json json;
    json["lanes"] = std::move(lanes);
    json["marks"] = marks_json(picture.axis);
    json["legend"] = std::move(looks);
    json["has_path"] = picture.has_path;
    json["table"] = std::to_string(job.job.id.value) + "/timeline" + lanes_at(shown.page);
    add_breaks(json, picture.axis);
    // The list of tasks below stays as it is.
    auto kept = job.query.parameters();
    kept.emplace_back("page", job.query.page == 1 ? "" : std::to_string(job.query.page));
    add_pages(json, job, shown,
              {.path = std::to_string(job.job.id.value),
               .parameters = std::move(kept),
               .anchor = "#picture-title"});
    return json;
}

Json timeline_json(const ClusterPage& page, const JobPage& job) {
    LanesPicture picture = lanes_picture(job, page.now);
    const LanePage shown = lane_page(job.machines, job.query.lanes);
    Json machines = Json::array();
    for (std::size_t i = shown.first; i < shown.last; ++i) {
        machines.push_back(rows_json(picture, job.machines[i]));
    }
    const std::string back = page.href() + "/jobs/" + std::to_string(job.job.id.value);
    Json json;
    add_head(json, page, ClusterTab::jobs);
    json["job"] = job_summary_json(page, job.job);
    json["back"] = back + lanes_at(shown.page) + "#picture-title";
    json["follow"] = job.job.finished_at ? "no" : "yes";
    json["has_machines"] = !machines.empty();
    json["machines"] = std::move(machines);
    add_breaks(json, picture.axis);
    add_pages(json, job, shown, {.path = "timeline"});
    return json;
}

}  // namespace fcgi::pages
