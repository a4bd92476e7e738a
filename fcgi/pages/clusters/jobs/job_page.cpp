#include "fcgi/pages/clusters/jobs/job_page.hpp"

#include <algorithm>
#include <array>

#include "fcgi/pages/clusters/jobs/lanes.hpp"
#include "fcgi/pages/clusters/jobs/schedule.hpp"
#include "fcgi/pages/clusters/tabs/failures.hpp"
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
using provisioner::base::to_word;
using provisioner::store::JobMachine;
using provisioner::store::KindCount;
using provisioner::store::ListedTask;
using provisioner::store::TaskOrder;
using std::chrono::milliseconds;

namespace {

/// What the filter calls tasks with more than one attempt, whatever their state.
constexpr auto repeated_state = "retried";
/// And those of earlier runs that a retry has replaced.
constexpr auto replaced_state = "replaced";

/// How the tasks can be ordered: the word of the address, empty for the usual order.
struct TaskOrdering {
    TaskOrder order;
    const char* word;
    const char* label;
};
constexpr std::array orders{
    TaskOrdering{TaskOrder::by_need, "", for_translation("what needs a look first")},
    TaskOrdering{TaskOrder::longest, "longest", for_translation("longest first")},
    TaskOrdering{TaskOrder::started, "started", for_translation("as they started")}};

constexpr std::array filtered_states{TaskState::failed,  TaskState::claimed,   TaskState::ready,
                                     TaskState::blocked, TaskState::cancelled, TaskState::done};

std::string service_words(const std::string& service) {
    return service.empty() ? machine_itself : service;
}

Json option(const std::string& value, const std::string& label, const std::string& chosen) {
    return {{"value", value}, {"label", label}, {"selected", value == chosen}};
}

/// A choice of all and of each word that tasks have, with their counts. A word that no task has is
/// there if it was chosen. Words that are names of services read as their labels.
Json options(const std::vector<std::pair<std::string, int>>& counts, const std::string& chosen,
             const Labels& labels = {}) {
    int all = 0;
    bool is_known = chosen.empty();
    for (const auto& [word, count] : counts) {
        all += count;
        is_known = is_known || word == chosen;
    }
    Json list = Json::array();
    list.push_back(option("", "All (" + grouped(all) + ")", chosen));
    for (const auto& [word, count] : counts) {
        const std::string number = grouped(count);
        list.push_back(option(word, labels.service(word) + " (" + number + ")", chosen));
    }
    if (!is_known) list.push_back(option(chosen, labels.service(chosen) + " (0)", chosen));
    return list;
}

using WordOf = std::string (*)(const KindCount&);

/// In the order in which the words come first.
Json options_of(const JobPage& job, WordOf word_of, const std::string& chosen,
                const Labels& labels = {}) {
    std::vector<std::pair<std::string, int>> counts;
    for (const KindCount& kind : job.kinds) {
        const std::string word = word_of(kind);
        const auto found = std::ranges::find(counts, word, &std::pair<std::string, int>::first);
        if (found == counts.end()) {
            counts.emplace_back(word, kind.tasks);
        } else {
            found->second += kind.tasks;
        }
    }
    return options(counts, chosen, labels);
}

Json states_json(const JobPage& job) {
    std::vector<std::pair<std::string, int>> counts;
    for (const TaskState state : filtered_states) {
        int count = 0;
        for (const KindCount& kind : job.kinds) count += kind.state == state ? kind.tasks : 0;
        if (count > 0) counts.emplace_back(words_of(state).words, count);
    }
    const bool is_other = job.query.state == repeated_state || job.query.state == replaced_state;
    Json list = options(counts, is_other ? "" : job.query.state);
    if (is_other) list[0]["selected"] = false;
    list.push_back(option(repeated_state, translated("more than one attempt"), job.query.state));
    if (job.replaced > 0) {
        list.push_back(option(
            replaced_state, translated("replaced by a retry") + " (" + grouped(job.replaced) + ")",
            job.query.state));
    }
    return list;
}

/// The page of the machine that a task works on.
std::string machine_href(const JobPage& job, const Task& task) {
    const auto found = std::ranges::find(job.machines, task.node, &JobMachine::node);
    return found == job.machines.end() ? "" : way_to_machine(*found);
}

/// As spoken(), with the seconds of minutes: tasks that begin one after the other differ by them.
std::string exact_words(milliseconds after) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(after).count();
    if (seconds < 120 || seconds >= 3600) return spoken(after);
    return translated("{0} min {1} s", seconds / 60, seconds % 60);
}

Json row_json(const ClusterPage& cluster, const JobPage& job, const ListedTask& listed) {
    const Task& task = listed.task;
    // Before another attempt the times would be those of the last one.
    const auto begin = begin_of_attempt(task);
    Json began = nullptr;
    if (begin) {
        began = moment(*begin, cluster.now);
        // As on the time axis, which passes over breaks.
        const auto idle = idle_between(job.job.created_at, *begin, job.breaks);
        const auto after = std::max(
            0ms, std::chrono::duration_cast<milliseconds>(*begin - idle - job.job.created_at));
        began["after"] =
            after < 50ms ? translated("at once") : translated("after {0}", exact_words(after));
    }
    Task once = task;
    once.attempt = 1;
    const auto code = exit_code_of(task, listed.status_code);
    return {{"number", task.id.value},
            {"what", what_it_does(task, job.labels)},
            {"host", short_name(listed.hostname)},
            {"machine_href", machine_href(job, task)},
            {"look", words_of(task.state).css},
            {"words", translated(words_of(task.state).words)},
            {"began", std::move(began)},
            {"took", begin ? time_taken(once, cluster.now) : ""},
            {"attempts", task.attempt <= 1 ? "" : std::to_string(task.attempt)},
            {"code", code ? std::to_string(*code) : ""},
            {"message", said_with_next(task, !listed.status_code)},
            {"href", task.started_at || task.attempt_began ? way_to_task(task) : ""}};
}

void add_tasks(Json& json, const ClusterPage& cluster, const JobPage& job,
               const std::string& here) {
    const JobQuery& query = job.query;
    const Portion portion = portion_of(static_cast<std::size_t>(job.matching), tasks_on_a_page,
                                       static_cast<std::size_t>(query.page));
    const std::size_t first = portion.begin();
    json["states"] = states_json(job);
    json["services"] = options_of(
        job, [](const KindCount& kind) { return service_words(kind.kind.service); }, query.service,
        job.labels);
    json["actions"] = options_of(
        job, [](const KindCount& kind) { return std::string(to_word(kind.kind.action)); },
        query.action);
    json["machine"] = query.machine;
    json["orders"] = Json::array();
    for (const TaskOrdering& one : orders) {
        json["orders"].push_back(option(one.word, translated(one.label), query.order));
    }
    const bool is_filtered = !query.state.empty() || !query.service.empty() ||
                             !query.action.empty() || !query.machine.empty() ||
                             !query.order.empty();
    json["clear"] = is_filtered ? here + "#tasks" : "";
    json["tasks_summary"] =
        job.tasks.empty()
            ? translated("No tasks")
            : translated("{0}–{1} of {2}{3}", grouped(first + 1), grouped(first + job.tasks.size()),
                         grouped(job.matching),
                         (job.matching == 1 ? translated(" task") : translated(" tasks")));
    json["tasks_order"] = portion.pages() == 1 || !query.order.empty()
                              ? ""
                              : translated(
                                    "Failed tasks first, then those that run, wait, "
                                    "and were done after several attempts.");
    Json rows = Json::array();
    for (const ListedTask& listed : job.tasks) rows.push_back(row_json(cluster, job, listed));
    json["tasks"] = std::move(rows);
    json["has_tasks"] = !job.tasks.empty();
    json["has_attempts"] = std::ranges::any_of(
        job.tasks, [](const ListedTask& listed) { return listed.task.attempt > 1; });
    auto kept = query.parameters();
    kept.emplace_back("lanes", query.lanes == 1 ? "" : std::to_string(query.lanes));
    json["pager"] = pager_json(portion.page, portion.pages(), "",
                               {.path = here,
                                .parameters = std::move(kept),
                                .anchor = "#tasks",
                                .label = translated("Pages of tasks")});
}

/// Classes of site.css.
constexpr std::array looks_of_parts{
    std::pair{TaskState::done, "done"}, std::pair{TaskState::failed, "failed"},
    std::pair{TaskState::claimed, "running"}, std::pair{TaskState::cancelled, "stopped"}};

/// The parts of a bar: what is done, failed, under way and cancelled, in this order.
Json parts_json(const std::map<TaskState, int>& counts, int total) {
    Json parts = Json::array();
    int before = 0;
    for (const auto& [state, look] : looks_of_parts) {
        const auto found = counts.find(state);
        if (found == counts.end() || found->second == 0) continue;
        parts.push_back({{"look", look},
                         {"x", before == 0 ? "" : percent_words(100.0 * before / total)},
                         {"width", percent_words(100.0 * found->second / total)}});
        before += found->second;
    }
    return parts;
}

/// The tasks of one kind in one row: "40 of 50 done, 2 failed".
Json kind_row_json(const JobPage& job, const provisioner::store::TaskKind& kind,
                   const std::map<TaskState, int>& counts) {
    Task task;
    task.action = kind.action;
    task.service = kind.service;
    int total = 0;
    for (const auto& [state, count] : counts) total += count;
    const auto count_of = [&](TaskState state) {
        const auto found = counts.find(state);
        return found == counts.end() ? 0 : found->second;
    };
    const int done = count_of(TaskState::done);
    std::string words = done == total
                            ? translated("{0} done", grouped(total))
                            : translated("{0} of {1} done", grouped(done), grouped(total));
    for (const TaskState state : {TaskState::failed, TaskState::claimed, TaskState::cancelled}) {
        if (const int count = count_of(state); count > 0) {
            words += ", " + grouped(count) + ' ' + translated(words_of(state).words);
        }
    }
    return {{"key", to_word(kind.action) + '-' + service_words(kind.service)},
            {"what", what_it_does(task, job.labels)},
            {"href", query_of_kind(kind.action, kind.service) + "#tasks"},
            {"parts", parts_json(counts, total)},
            {"words", std::move(words)}};
}

/// What the tasks of a large job come to, by kind, those that are done for themselves; nothing for
/// a job whose tasks are on one page.
void add_kinds(Json& json, const JobPage& job) {
    json["kinds"] = json["done_kinds"] = json["waiting_kinds"] = Json::array();
    json["has_kinds"] = json["has_open_kinds"] = false;
    json["done_words"] = json["waiting_words"] = "";
    if (job.job.tasks_total <= tasks_on_a_page) return;
    std::vector<std::pair<provisioner::store::TaskKind, std::map<TaskState, int>>> sums;
    for (const KindCount& kind : job.kinds) {
        auto found =
            std::ranges::find_if(sums, [&](const auto& known) { return known.first == kind.kind; });
        if (found == sums.end()) found = sums.insert(found, {kind.kind, {}});
        found->second[kind.state] += kind.tasks;
    }
    // What failed comes first, then what runs; what is done or waits is folded, and so is what a
    // failure elsewhere has cancelled.
    enum Rank { failed, running, begun, waiting, done };
    const auto rank = [](const auto& sum) {
        const auto has = [&](TaskState state) { return sum.second.contains(state); };
        const bool waits = has(TaskState::blocked) || has(TaskState::ready);
        if (has(TaskState::failed)) return failed;
        if (has(TaskState::claimed)) return running;
        if (has(TaskState::cancelled) || (waits && has(TaskState::done))) return begun;
        return waits ? waiting : done;
    };
    std::ranges::stable_sort(sums, {}, rank);
    const bool has_failed_at_last =
        job.job.finished_at && !sums.empty() && rank(sums.front()) == failed;
    for (const auto& sum : sums) {
        const Rank at = rank(sum);
        const bool is_folded = at == waiting || (at == begun && has_failed_at_last);
        Json& rows = json[at == done ? "done_kinds" : is_folded ? "waiting_kinds" : "kinds"];
        rows.push_back(kind_row_json(job, sum.first, sum.second));
    }
    json["has_kinds"] = !sums.empty();
    json["has_open_kinds"] = !json["kinds"].empty();
    const std::size_t ended = json["done_kinds"].size();
    if (ended > 0) {
        json["done_words"] =
            translated_count(ended, "{0} kind of task is done", "{0} kinds of tasks are done");
    }
    const std::size_t left = json["waiting_kinds"].size();
    if (left > 0) {
        json["waiting_words"] =
            has_failed_at_last ? translated_count(left, "{0} other kind of task is not finished",
                                                  "{0} other kinds of tasks are not finished")
                               : translated_count(left, "{0} kind of task is waiting",
                                                  "{0} kinds of tasks are waiting");
    }
}

/// That the job was run more than once, and the way to what was replaced then.
void add_earlier_runs(Json& json, const JobPage& job, const std::string& here) {
    const bool has_earlier = !json.at("job").at("retries").empty() || job.replaced > 0;
    json["earlier_words"] =
        has_earlier
            ? translated(
                  "This job was run more than once. Each task counts once, as its latest run "
                  "left it. The times are those of all runs.")
            : "";
    json["replaced_words"] = translated_count(static_cast<std::size_t>(job.replaced),
                                              "{0} task of an earlier run was replaced",
                                              "{0} tasks of earlier runs were replaced");
    json["replaced_href"] = job.replaced == 0 ? "" : here + "?state=replaced#tasks";
}

void add_path(Json& json, const ClusterPage& cluster, const JobPage& job) {
    std::map<NodeId, std::string> hosts;
    for (const JobMachine& machine : job.machines) {
        hosts[machine.node] = short_name(machine.hostname);
    }
    Json path = Json::array();
    for (const Task& task : job.path) {
        std::string took = time_taken(task, cluster.now);
        if (!task.finished_at && job.forecast && job.forecast->spans.contains(task.id)) {
            const Span& span = job.forecast->spans.at(task.id);
            const auto expected = std::chrono::duration_cast<milliseconds>(span.end - span.begin);
            took +=
                (took.empty() ? translated("about ") : translated(" of about ")) + spoken(expected);
        }
        path.push_back({{"number", task.id.value},
                        {"what", what_it_does(task, job.labels)},
                        {"host", hosts[task.node]},
                        {"took", took},
                        {"href", task.started_at ? way_to_task(task) : ""}});
    }
    json["path_words"] = job.job.finished_at
                             ? translated("the tasks that decided when the job ended")
                         : job.forecast ? translated("the tasks that decide when the job ends")
                                        : translated("the longest chain of tasks so far");
    json["path"] = std::move(path);
    json["has_path"] = !job.path.empty();
}

/// Below this, seconds are counted, and no time of day is named: it would be now.
constexpr auto short_while = 2min;
/// Below this it is about to end: what is late would stand at the same few seconds.
constexpr auto shortest_while = 5s;

/// What is not long is said in steps: of seconds, or of whole minutes from here on if it is rough.
constexpr std::int64_t fine_step = 5;
constexpr std::int64_t rough_step = 15;
constexpr auto rough_minute = 45s;

/// "40 s", "4 minutes": seconds in steps, minutes rounded up. "1 minute" if it is rough.
std::string left_words(milliseconds left, bool is_rough) {
    const auto seconds = (left.count() + 999) / 1000;
    if (left < short_while && is_rough && left > rough_minute) {
        const auto minutes = static_cast<std::size_t>(seconds < 90 ? 1 : 2);
        return translated_count(minutes, "{0} minute", "{0} minutes");
    }
    if (left < short_while) {
        const auto step = is_rough ? rough_step : fine_step;
        return translated("{0} s", (seconds + step - 1) / step * step);
    }
    return spoken(std::chrono::minutes((seconds + 59) / 60));
}

}  // namespace

provisioner::store::TaskFilter JobQuery::filter() const {
    provisioner::store::TaskFilter made{.machine = machine,
                                        .is_repeated = state == repeated_state,
                                        .is_replaced = state == replaced_state};
    for (const TaskState candidate : filtered_states) {
        if (state == words_of(candidate).words) made.state = candidate;
    }
    for (const TaskOrdering& candidate : orders) {
        if (order == candidate.word) made.order = candidate.order;
    }
    made.action = provisioner::base::from_word<Action>(action);
    if (!service.empty()) made.service = service == machine_itself ? "" : service;
    return made;
}

std::vector<std::pair<std::string, std::string>> JobQuery::parameters() const {
    return {{"state", state},
            {"service", service},
            {"action", action},
            {"machine", machine},
            {"order", order}};
}

bool may_forecast(const Job& job, const std::vector<KindCount>& kinds) {
    const bool has_failed = std::ranges::any_of(
        kinds, [](const KindCount& kind) { return kind.state == TaskState::failed; });
    return job.status == JobStatus::running && !job.aborted && !has_failed;
}

std::string forecast_words(const JobPage& job, Timestamp now) {
    if (!job.forecast) return "";
    const std::string from =
        job.earlier_runs == 0
            ? translated(" (based on the finished tasks)")
            : translated(" (based on {0})",
                         translated_count(job.earlier_runs, "{0} earlier run", "{0} earlier runs"));
    const auto left = std::chrono::duration_cast<milliseconds>(job.forecast->end - now);
    if (job.forecast->is_late && left <= 0ms)
        return translated("Should have ended by now{0}", from);
    if (left <= shortest_while) return translated("About to end{0}", from);
    if (left < short_while)
        return translated("About {0} left{1}", left_words(left, job.forecast->is_rough), from);
    const std::string end = provisioner::base::to_rfc3339(job.forecast->end);
    const std::string day = end.substr(0, 10);
    const bool is_today = provisioner::base::to_rfc3339(now).starts_with(day);
    const std::string until = (is_today ? "" : day + ' ') + end.substr(11, 5);
    return translated("About {0} left: should end at {1} UTC{2}", left_words(left, false), until,
                      from);
}

Json job_json(const ClusterPage& page, const JobPage& job) {
    const std::string here = page.href() + "/jobs/" + std::to_string(job.job.id.value);
    Json json;
    add_head(json, page, ClusterTab::jobs);
    json["job"] = job_summary_json(page, job.job);
    json["list"] = page.href() + "/jobs";
    json["graph"] = here + "/graph";
    json["here"] = here;
    json["follow"] = job.job.finished_at ? "no" : "yes";
    json["forecast"] = forecast_words(job, page.now);
    json["picture"] = lanes_json(job, page.now);
    int failed = 0;
    for (const KindCount& kind : job.kinds) {
        failed += kind.state == TaskState::failed ? kind.tasks : 0;
    }
    add_failed(json, here, failed);
    json["failures"] = failures_json(page, job.job);
    json["has_failures"] = !json["failures"].empty();
    // What failed says why.
    if (json["has_failures"] == true && !job.job.aborted) json["job"]["message"] = "";
    add_news(json, job.job, failed);
    add_earlier_runs(json, job, here);
    add_kinds(json, job);
    add_path(json, page, job);
    add_tasks(json, page, job, here);
    return json;
}

}  // namespace fcgi::pages
