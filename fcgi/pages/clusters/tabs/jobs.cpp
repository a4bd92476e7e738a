#include "fcgi/pages/clusters/tabs/jobs.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/progress.hpp"
#include "fcgi/pages/words.hpp"

namespace fcgi::pages {

using namespace provisioner::model;
using provisioner::base::Json;
using provisioner::base::Timestamp;
using std::chrono::milliseconds;

namespace {

/// Above this many tasks the chart has a row for each kind of task.
constexpr std::size_t most_bars = 60;
constexpr int tasks_on_a_page = 100;
/// Units of the chart's time axis.
constexpr double axis = 1000;

std::string status_of(const Job& job) {
    if (job.aborted) return job.finished_at ? "aborted" : "being aborted";
    return provisioner::base::to_word(job.status);
}

const char* look_of(const Job& job) {
    switch (job.status) {
        case JobStatus::complete:
            return "done";
        case JobStatus::failed:
            return job.aborted ? "terminated" : "failed";
        case JobStatus::paused:
            return "paused";
        default:
            return "running";
    }
}

milliseconds time_of(const Job& job, Timestamp now) {
    const auto end = job.finished_at.value_or(now);
    return std::max(milliseconds(0),
                    std::chrono::duration_cast<milliseconds>(end - job.created_at));
}

Json summary_json(const ClusterPage& page, const Job& job) {
    Json json;
    json["number"] = job.id.value;
    json["href"] = page.href() + "/jobs/" + std::to_string(job.id.value);
    json["what"] = heading_of(job);
    json["look"] = look_of(job);
    json["words"] = status_of(job);
    json["asked_by"] = asker_words(job.asked_by);
    json["began"] = moment(job.created_at, page.now);
    json["took"] = spoken(time_of(job, page.now));
    json["tasks"] = job.tasks_total == 0
                        ? ""
                        : std::to_string(job.tasks_done) + " of " +
                              counted(static_cast<std::size_t>(job.tasks_total), "task");
    json["message"] = job.message;
    return json;
}

/// A bar of the chart: one task, or all of a kind.
struct Bar {
    /// Of its first task.
    std::int64_t number = 0;
    std::string what{};
    Timestamp begin{};
    Timestamp end{};
    int tasks = 0;
    int failed = 0;
    int running = 0;
    bool on_chain = false;
};

void add(Bar& bar, const Task& task, Timestamp now, bool on_chain) {
    const Timestamp begin = *task.started_at;
    const Timestamp end = std::max(begin, task.finished_at.value_or(now));
    bar.begin = bar.tasks == 0 ? begin : std::min(bar.begin, begin);
    bar.end = bar.tasks == 0 ? end : std::max(bar.end, end);
    bar.number = bar.tasks == 0 ? task.id.value : std::min(bar.number, task.id.value);
    ++bar.tasks;
    bar.failed += task.state == TaskState::failed ? 1 : 0;
    bar.running += task.state == TaskState::claimed ? 1 : 0;
    bar.on_chain = bar.on_chain || on_chain;
}

std::vector<Bar> bars_of(const JobPage& page, const std::set<TaskId>& chain, Timestamp now) {
    const auto begun = std::ranges::count_if(
        page.tasks, [](const Task& task) { return task.started_at.has_value(); });
    const bool by_kind = begun > static_cast<std::ptrdiff_t>(most_bars);
    std::map<std::string, Bar> by_what;
    std::vector<Bar> bars;
    for (const Task& task : page.tasks) {
        if (!task.started_at) continue;
        const bool on_chain = chain.contains(task.id);
        if (by_kind) {
            add(by_what[what_it_does(task)], task, now, on_chain);
            continue;
        }
        const auto host = page.hosts.find(task.node);
        bars.push_back(
            {.what = what_it_does(task) + (host == page.hosts.end() ? "" : " on " + host->second)});
        add(bars.back(), task, now, on_chain);
    }
    for (auto& [what, bar] : by_what) {
        bar.what = what;
        bars.push_back(bar);
    }
    std::ranges::stable_sort(bars, {}, &Bar::begin);
    if (bars.size() > most_bars) bars.resize(most_bars);
    return bars;
}

std::string fixed(double value) {
    const auto tenths = static_cast<long>(value * 10 + 0.5);
    return std::to_string(tenths / 10) + '.' + std::to_string(tenths % 10);
}

/// The end of the time axis, after the job's begin. While it is under way the axis has a round
/// length, so that most bars stay where they are from one look to the next.
std::chrono::seconds round_length(std::chrono::seconds elapsed) {
    for (std::chrono::seconds unit{10};; unit *= 10) {
        for (const int times : {1, 2, 5}) {
            if (elapsed < times * unit) return times * unit;
        }
    }
}

Json chart_json(const ClusterPage& cluster, const JobPage& page) {
    const auto ids = longest_chain(page, cluster.now);
    // Nothing is longer than the job.
    const Timestamp until = page.job.finished_at.value_or(cluster.now);
    const auto bars = bars_of(page, {ids.begin(), ids.end()}, until);
    if (bars.empty()) return nullptr;
    const Timestamp begin = page.job.created_at;
    Timestamp end = until;
    for (const Bar& bar : bars) end = std::max(end, bar.end);
    const auto elapsed = end - begin;
    if (!page.job.finished_at) {
        end = begin + round_length(std::chrono::duration_cast<std::chrono::seconds>(elapsed));
    }
    const double whole = std::max<double>(1, static_cast<double>((end - begin).count()));
    const auto at = [&](Timestamp moment) {
        return axis *
               static_cast<double>(std::max(moment, begin).time_since_epoch().count() -
                                   begin.time_since_epoch().count()) /
               whole;
    };
    Json rows = Json::array();
    for (const Bar& bar : bars) {
        const auto took = std::chrono::duration_cast<milliseconds>(bar.end - bar.begin);
        const double x = at(bar.begin);
        rows.push_back(
            {{"number", bar.number},
             {"what", bar.what},
             {"count", bar.tasks > 1 ? "×" + std::to_string(bar.tasks) : ""},
             {"x", fixed(x)},
             {"width", fixed(std::max(3.0, at(bar.end) - x))},
             {"look", bar.failed > 0    ? "failed"
                      : bar.running > 0 ? "running"
                                        : "done"},
             {"chain", bar.on_chain},
             {"after", spoken(std::chrono::duration_cast<milliseconds>(bar.begin - begin))},
             {"took", spoken(took)}});
    }
    return {{"rows", std::move(rows)},
            {"whole", spoken(std::chrono::duration_cast<milliseconds>(elapsed))}};
}

Json chain_json(const ClusterPage& cluster, const JobPage& page) {
    std::map<TaskId, const Task*> tasks;
    for (const Task& task : page.tasks) tasks[task.id] = &task;
    Json json = Json::array();
    for (const TaskId id : longest_chain(page, cluster.now)) {
        const Task& task = *tasks.at(id);
        const auto host = page.hosts.find(task.node);
        json.push_back({{"number", id.value},
                        {"what", what_it_does(task)},
                        {"host", host == page.hosts.end() ? "" : host->second},
                        {"took", time_taken(task, cluster.now)},
                        {"href", cluster.href() + "/tasks/" + std::to_string(id.value)}});
    }
    return json;
}

Json rows_json(const ClusterPage& cluster, const JobPage& page,
               const std::vector<const Task*>& tasks, std::size_t begin, std::size_t end) {
    Json json = Json::array();
    for (std::size_t i = begin; i < end; ++i) {
        const Task& task = *tasks[i];
        const auto host = page.hosts.find(task.node);
        json.push_back(
            {{"number", task.id.value},
             {"what", what_it_does(task)},
             {"host", host == page.hosts.end() ? "" : host->second},
             {"look", words_of(task.state).css},
             {"words", words_of(task.state).words},
             {"took", time_taken(task, cluster.now)},
             {"message", task.message},
             {"href",
              task.started_at ? cluster.href() + "/tasks/" + std::to_string(task.id.value) : ""}});
    }
    return json;
}

Json states_json(const JobPage& page) {
    constexpr std::array states{TaskState::failed,  TaskState::claimed,   TaskState::ready,
                                TaskState::blocked, TaskState::cancelled, TaskState::done};
    Json options = Json::array();
    options.push_back({{"value", ""},
                       {"label", "All (" + std::to_string(page.tasks.size()) + ")"},
                       {"selected", page.state.empty()}});
    for (const TaskState state : states) {
        const auto count = std::ranges::count(page.tasks, state, &Task::state);
        const std::string words = words_of(state).words;
        if (count == 0 && page.state != words) continue;
        options.push_back({{"value", words},
                           {"label", words + " (" + std::to_string(count) + ")"},
                           {"selected", page.state == words}});
    }
    return options;
}

void add_tasks(Json& json, const ClusterPage& cluster, const JobPage& page) {
    std::vector<const Task*> tasks;
    for (const Task& task : page.tasks) {
        if (page.state.empty() || page.state == words_of(task.state).words) tasks.push_back(&task);
    }
    const int pages =
        std::max(1, (static_cast<int>(tasks.size()) + tasks_on_a_page - 1) / tasks_on_a_page);
    const int at = std::clamp(page.page, 1, pages);
    const auto begin = static_cast<std::size_t>((at - 1) * tasks_on_a_page);
    const std::size_t end = std::min(tasks.size(), begin + tasks_on_a_page);
    const std::string here = cluster.href() + "/jobs/" + std::to_string(page.job.id.value);
    const auto page_at = [&](int number) {
        std::string href = here + "?page=" + std::to_string(number);
        return page.state.empty() ? href : href + "&state=" + http::percent_encode(page.state);
    };
    json["here"] = here;
    json["states"] = states_json(page);
    json["tasks_summary"] = tasks.empty() ? "No tasks"
                                          : std::to_string(begin + 1) + "–" + std::to_string(end) +
                                                " of " + counted(tasks.size(), "task");
    json["tasks"] = rows_json(cluster, page, tasks, begin, end);
    json["has_tasks"] = !tasks.empty();
    json["before"] = at > 1 ? page_at(at - 1) : "";
    json["after"] = at < pages ? page_at(at + 1) : "";
}

}  // namespace

std::string asker_words(const Asker& asker) {
    if (asker.name.empty()) return "";
    if (asker.user.value != 0) return "Asked for by " + asker.name;
    if (asker.name == asked_by_lost_machine) {
        return "Because its provider does not list the machine any more";
    }
    return "Because its lease has ended";
}

std::vector<TaskId> longest_chain(const JobPage& job, Timestamp now) {
    std::map<TaskId, const Task*> begun;
    for (const Task& task : job.tasks) {
        if (task.started_at) begun[task.id] = &task;
    }
    const auto end_of = [&](TaskId id) { return begun.at(id)->finished_at.value_or(now); };
    std::map<TaskId, TaskId> before;
    for (const auto& [first, second] : job.edges) {
        if (!begun.contains(first) || !begun.contains(second)) continue;
        const auto [found, is_new] = before.try_emplace(second, first);
        if (!is_new && end_of(first) > end_of(found->second)) found->second = first;
    }
    std::vector<TaskId> chain;
    for (const auto& [id, task] : begun) {
        if (chain.empty() || end_of(id) > end_of(chain.front())) chain = {id};
    }
    // Edges lead from earlier plans to later ones; a circle cannot be stored, and would end here.
    while (!chain.empty() && chain.size() <= begun.size()) {
        const auto found = before.find(chain.back());
        if (found == before.end()) break;
        chain.push_back(found->second);
    }
    std::ranges::reverse(chain);
    return chain;
}

Json jobs_json(const ClusterPage& page, const std::vector<Job>& jobs) {
    Json list = Json::array();
    for (const Job& job : jobs) list.push_back(summary_json(page, job));
    Json json;
    add_head(json, page, ClusterTab::jobs);
    json["jobs"] = std::move(list);
    json["has_jobs"] = !jobs.empty();
    return json;
}

Json job_json(const ClusterPage& page, const JobPage& job) {
    Json json;
    add_head(json, page, ClusterTab::jobs);
    json["job"] = summary_json(page, job.job);
    json["list"] = page.href() + "/jobs";
    json["follow"] = job.job.finished_at ? "no" : "yes";
    json["chart"] = chart_json(page, job);
    json["chain"] = chain_json(page, job);
    json["has_chain"] = !json["chain"].empty();
    add_tasks(json, page, job);
    return json;
}

}  // namespace fcgi::pages
