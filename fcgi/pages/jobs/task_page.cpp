#include "fcgi/pages/jobs/task_page.hpp"

#include <algorithm>

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/progress.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using provisioner::messages::translated;
using namespace provisioner::model;
using provisioner::base::Json;

namespace {

constexpr int lines_that_slide = 500;
/// Lines that an update sends together; divides the two numbers of lines above.
constexpr int lines_in_portion = 25;

std::string number_words(int number) {
    return grouped(number);
}

/// "b c1": the classes of site.css. On a ground, the ink is what can be read there.
std::string css_of(TerminalStyle style) {
    if (style.inverse) std::swap(style.ink, style.ground);
    std::string css;
    const auto add = [&](const std::string& name) { css += (css.empty() ? "" : " ") + name; };
    if (style.bold) add("b");
    if (style.faint) add("f");
    if (style.italic) add("i");
    if (style.underlined) add("u");
    if (style.ground >= 0) {
        add("g" + std::to_string(style.ground));
    } else if (style.inverse) {
        add("inv");
    } else if (style.ink >= 0) {
        add("c" + std::to_string(style.ink));
    }
    return css;
}

void add_span(Json& spans, const std::string& text, const std::string& css, bool is_hit) {
    if (text.empty()) return;
    spans.push_back({{"text", text}, {"css", is_hit ? "" : css}, {"hit", is_hit}});
}

/// What the lines of a page may still cost.
struct Budget {
    std::size_t spans = most_spans_on_a_page;
    std::size_t matches = most_marked_matches;
    /// Whether a line had to be drawn without styles or marks.
    bool is_spent = false;
};

/// Whether the line is drawn with its styles and matches; counts what it costs if so.
bool affords(Budget& budget, const LogLine& line, std::size_t matches) {
    // Each match divides a span at most twice.
    const std::size_t spans = line.spans.size() + 2 * matches;
    if (spans > budget.spans || matches > budget.matches) {
        budget.is_spent = true;
        return false;
    }
    budget.spans -= spans;
    budget.matches -= matches;
    return true;
}

/// The spans, cut where something that was searched for begins and ends.
Json spans_json(const LogLine& line, const std::string& find, Budget& budget) {
    const auto places = places_of(line.text(), find);
    Json spans = Json::array();
    if (!affords(budget, line, places.size())) {
        add_span(spans, line.text(), "", false);
        return spans;
    }
    std::size_t before = 0;
    std::size_t first = 0;
    for (const TerminalSpan& span : line.spans) {
        const std::string css = css_of(span.style);
        const std::size_t end = before + span.text.size();
        std::size_t done = before;
        while (first < places.size() && places[first] + find.size() <= before) ++first;
        for (std::size_t i = first; i < places.size() && places[i] < end; ++i) {
            const std::size_t from = std::max(places[i], before);
            const std::size_t to = std::min(places[i] + find.size(), end);
            add_span(spans, span.text.substr(done - before, from - done), css, false);
            add_span(spans, span.text.substr(from - before, to - from), css, true);
            done = to;
        }
        add_span(spans, span.text.substr(done - before), css, false);
        before = end;
    }
    return spans;
}

Json line_json(const TaskPage& page, const LogLine& line, Budget& budget) {
    const bool is_mark = line.kind == LogKind::mark;
    const std::string number = std::to_string(line.number);
    Json json;
    json["mark"] = is_mark ? line.text() : "";
    json["number"] = is_mark ? "" : number;
    json["href"] = page.query.line > 0 ? "#L" + number : page.href_of(line.number);
    json["kind"] = line.kind == LogKind::err ? "err" : line.kind == LogKind::note ? "note" : "";
    json["spans"] = is_mark ? Json::array() : spans_json(line, page.query.find, budget);
    json["cut"] = line.cut == 0 ? "" : translated("{0} more characters", grouped(line.cut));
    return json;
}

Json portions_json(const TaskPage& page, const LogWindow& window, Budget& budget) {
    Json portions = Json::array();
    int current = -1;
    for (const LogLine& line : page.log) {
        // What stands behind the last line belongs to the end.
        const bool is_after = line.kind == LogKind::mark && line.number > page.lines();
        const int number = is_after ? page.lines() : line.number;
        if (number < window.first || number > window.last) continue;
        const int portion = (std::max(number, 1) - 1) / lines_in_portion;
        if (portion != current) {
            portions.push_back({{"portion", portion + 1}, {"lines", Json::array()}});
            current = portion;
        }
        portions.back()["lines"].push_back(line_json(page, line, budget));
    }
    return portions;
}

std::string skipped_words(const TaskPage& page) {
    std::string what;
    if (page.first_line() > 1) what = translated("{0} lines", number_words(page.first_line() - 1));
    if (page.skipped > 0) what = translated("{0} bytes", grouped(page.skipped));
    return what.empty()
               ? ""
               : translated("The first {0} are not shown. Download the output to read them.", what);
}

std::string lines_words(const TaskPage& page, const LogWindow& window) {
    const int all = page.lines();
    if (all == 0) return "";
    const bool is_whole = window.first <= 1 && window.last == all;
    if (is_whole) return all == 1 ? "1 line" : translated("{0} lines", number_words(all));
    return translated("Lines {0}–{1} of {2}", number_words(window.first), number_words(window.last),
                      number_words(all));
}

/// How many lines have what is searched for, which of them is shown, and the ones around it.
void add_matches(Json& json, const TaskPage& page) {
    const auto matches = lines_with(page.log, page.query.find);
    const auto at = std::ranges::lower_bound(matches, page.query.line);
    const bool is_match = at != matches.end() && *at == page.query.line;
    const auto after = is_match ? at + 1 : at;
    json["find"] = page.query.find;
    json["previous"] = at == matches.begin() ? "" : page.href_of(*(at - 1));
    json["next"] = after == matches.end() ? "" : page.href_of(*after);
    json["found"] = "";
    if (page.query.find.empty()) return;
    if (matches.empty()) {
        json["found"] = translated("No matches");
    } else if (is_match) {
        json["found"] =
            translated("Match {0} of {1}", number_words(static_cast<int>(at - matches.begin()) + 1),
                       grouped(matches.size()));
    } else {
        json["found"] =
            matches.size() == 1 ? "1 match" : translated("{0} matches", grouped(matches.size()));
    }
}

std::string address(const TaskPage& page, const std::string& line, const std::string& find,
                    bool wrap) {
    std::string query;
    const auto add = [&](const std::string& part) { query += (query.empty() ? "?" : "&") + part; };
    if (!line.empty()) add("line=" + line);
    if (!find.empty()) add("find=" + http::percent_encode(find));
    if (!wrap) add("wrap=no");
    return page.href() + query;
}

void add_links(Json& json, const TaskPage& page, const LogWindow& window) {
    const LogQuery& query = page.query;
    const std::string line = query.line > 0 ? std::to_string(query.line) : "";
    const int all = page.lines();
    json["here"] = page.href();
    json["again"] = page.changes() ? address(page, line, query.find, query.wrap) : "";
    json["wrap"] = query.wrap;
    json["other_wrap"] = address(page, line, query.find, !query.wrap);
    json["clear"] = query.find.empty() ? "" : address(page, line, "", query.wrap);
    json["download"] = all == 0 ? "" : page.href() + "/log";
    const int first = page.first_line();
    json["beginning"] = window.first > first ? page.href_of(first) : "";
    // A log that grows is followed where no line is asked for.
    const bool shows_end = window.last == all && (window.is_end || !page.changes());
    json["to_end"] = shows_end        ? ""
                     : page.changes() ? address(page, "", "", query.wrap) + "#end"
                                      : page.href_of(all);
    json["earlier"] =
        window.first > first ? page.href_of(std::max(first, window.first - lines_on_a_page)) : "";
    json["later"] = window.last < all ? page.href_of(window.last + 1) : "";
}

/// What stands in place of an output: an answer of the provider is its message.
std::string words_without_output(const TaskPage& page) {
    const bool is_answer = page.task.state == TaskState::failed && is_done_by_provider(page.task) &&
                           !page.task.message.empty();
    return is_answer ? translated("No output: there is only the message above.")
                     : translated("No output");
}

/// How it ended, as a part of a sentence; empty if that is not known.
std::string code_words(const TaskPage& page) {
    const auto code = exit_code_of(page.task, page.status_code);
    return code && page.task.state == TaskState::failed ? translated("exit code {0}", *code) : "";
}

Json link_to(const TaskPage& page, const Task& task) {
    return {{"href",
             "/clusters/" + wire_id(page.cluster.id) + "/tasks/" + std::to_string(task.id.value)},
            {"words", what_it_does(task, page.labels)}};
}

/// The tasks before and behind it on its machine, of those that have begun: others have no output.
void add_beside(Json& json, const TaskPage& page) {
    json["task_before"] = json["task_after"] = nullptr;
    for (const Task& task : page.on_machine) {
        if (!task.started_at) continue;
        if (task.id < page.task.id) json["task_before"] = link_to(page, task);
        if (page.task.id < task.id && json["task_after"].is_null()) {
            json["task_after"] = link_to(page, task);
        }
    }
}

/// Its place among the failed tasks of the job, and the way to the next one.
void add_failed(Json& json, const TaskPage& page, const std::string& job) {
    const auto& failed = page.failed;
    json["failed_words"] = json["failed_href"] = "";
    json["next_failed"] = nullptr;
    const auto here =
        std::ranges::find(failed, page.task.id, [](const FailedTask& one) { return one.task.id; });
    if (here == failed.end() || failed.size() == 1) return;
    json["failed_words"] = translated("{0} of {1} failed tasks", grouped(here - failed.begin() + 1),
                                      grouped(failed.size()));
    json["failed_href"] = job + "?state=failed#tasks";
    // Behind the last one comes the first.
    const FailedTask& next = here + 1 == failed.end() ? failed.front() : *(here + 1);
    json["next_failed"] = link_to(page, next.task);
    json["next_failed"]["words"] =
        translated("{0} on {1}", what_it_does(next.task, page.labels), short_name(next.hostname));
}

}  // namespace

std::string TaskPage::title() const {
    return what_it_does(task, labels);
}

std::string TaskPage::window_title() const {
    return translated("{0} on {1}: {2}", title(), node.hostname,
                      translated(words_of(task.state).words));
}

bool TaskPage::changes() const {
    return !is_over(task);
}

std::string TaskPage::href() const {
    return "/clusters/" + wire_id(cluster.id) + "/tasks/" + std::to_string(task.id.value);
}

int TaskPage::first_line() const {
    for (const LogLine& line : log) {
        if (line.kind != LogKind::mark) return line.number;
    }
    return 1;
}

int TaskPage::lines() const {
    for (auto line = log.rbegin(); line != log.rend(); ++line) {
        if (line->kind != LogKind::mark) return line->number;
    }
    return 0;
}

std::string TaskPage::href_of(int line) const {
    const std::string number = std::to_string(line);
    return address(*this, number, query.find, query.wrap) + "#L" + number;
}

LogWindow window_of(const TaskPage& page) {
    const int all = page.lines();
    const bool end_first = page.changes() || page.task.state == TaskState::failed;
    LogWindow window{
        .first = page.first_line(), .last = all, .is_end = end_first && page.query.line <= 0};
    if (all == 0) window.first = 0;
    if (all - window.first < lines_on_a_page) return window;
    if (page.query.line > 0) {
        const int line = std::clamp(page.query.line, window.first, all);
        window.first = (line - 1) / lines_on_a_page * lines_on_a_page + 1;
    } else if (end_first) {
        window.first = (all - 1) / lines_that_slide * lines_that_slide - lines_that_slide + 1;
    }
    window.last = std::min(all, window.first + lines_on_a_page - 1);
    window.first = std::max(window.first, page.first_line());
    return window;
}

Json to_json(const TaskPage& page) {
    const auto words = words_of(page.task.state);
    const LogWindow window = window_of(page);
    Json json;
    json["cluster_href"] = "/clusters/" + wire_id(page.cluster.id);
    json["cluster_name"] = page.cluster.name;
    json["job_href"] =
        "/clusters/" + wire_id(page.cluster.id) + "/jobs/" + std::to_string(page.task.job.value);
    json["job_title"] = page.job_title;
    json["what"] = page.title();
    json["host"] = page.node.hostname;
    json["machine_href"] = page.is_listed ? "/clusters/" + wire_id(page.cluster.id) + "/machines/" +
                                                std::to_string(page.node.nodenum)
                                          : "";
    json["state"] = words.css;
    json["state_words"] = translated(words.words);
    json["took"] = time_taken(page.task, page.now);
    json["code"] = code_words(page);
    json["message"] = said_with_next(page.task, !page.status_code);
    json["has_failed"] = page.task.state == TaskState::failed;
    json["replaced"] = page.task.is_replaced()
                           ? translated(
                                 "This task is of an earlier run of its job. A retry with another "
                                 "configuration has replaced it.")
                           : "";
    json["retry_label"] = label_of_retry(page.is_left_unfinished, 1);
    json["retry"] = page.may_retry ? json["cluster_href"].get<std::string>() + "/retry" : "";
    json["nodenum"] = page.node.nodenum;
    add_failed(json, page, json["job_href"]);
    add_beside(json, page);
    json["follow"] = page.changes() ? "yes" : "no";
    json["tail"] = window.is_end;
    json["skipped"] = skipped_words(page);
    Budget budget;
    json["portions"] = portions_json(page, window, budget);
    json["plain"] = budget.is_spent
                        ? translated(
                              "Some lines have more colours or matches than a page draws; "
                              "they are shown plain.")
                        : "";
    json["has_lines"] = !page.log.empty();
    json["no_output"] = page.log.empty() ? words_without_output(page) : "";
    json["lines_words"] = lines_words(page, window);
    add_matches(json, page);
    add_links(json, page, window);
    return json;
}

std::string file_name_of(const TaskPage& page) {
    std::string name = short_name(page.node.hostname) + "-" + page.title() + "-" +
                       std::to_string(page.task.id.value);
    std::ranges::replace_if(
        name,
        [](char c) {
            const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                                  (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
            return !is_plain;
        },
        '-');
    return name + ".txt";
}

}  // namespace fcgi::pages
