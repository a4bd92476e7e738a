#include "fcgi/pages/jobs/task_page.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

using namespace fcgi::pages;

BOOST_AUTO_TEST_SUITE(pages_of_tasks)

namespace {

using provisioner::base::Json;
using provisioner::model::TaskState;

TaskPage page_with(int lines, TaskState state, LogQuery query = {}) {
    TaskPage page;
    page.cluster.id = provisioner::model::ClusterId{7};
    page.task.id = provisioner::model::TaskId{12};
    page.task.state = state;
    page.node.hostname = "shop-7-1001.example.test";
    page.query = std::move(query);
    TaskLog log(longest_line);
    provisioner::store::TranscriptPiece piece;
    piece.stream = "out";
    for (int i = 1; i <= lines; ++i) {
        piece.body = "line " + std::to_string(i) + "\n";
        log.add(piece);
    }
    page.log = log.lines();
    return page;
}

std::string window(const TaskPage& page) {
    const LogWindow shown = window_of(page);
    return std::to_string(shown.first) + "-" + std::to_string(shown.last);
}

std::vector<Json> lines_of(const Json& json) {
    std::vector<Json> lines;
    for (const Json& portion : json.at("portions")) {
        for (const Json& line : portion.at("lines")) lines.push_back(line);
    }
    return lines;
}

/// The colours of a style sheet: "--c1" -> {the value of each look}.
std::multimap<std::string, std::string> colours_in(const std::string& file) {
    std::ifstream in(file);
    std::stringstream all;
    all << in.rdbuf();
    const std::string text = all.str();
    std::multimap<std::string, std::string> colours;
    for (auto at = text.find("--"); at != std::string::npos; at = text.find("--", at + 2)) {
        const auto colon = text.find(':', at);
        if (colon == std::string::npos || text.compare(colon, 3, ": #") != 0) continue;
        if (text.compare(colon + 9, 1, ";") != 0) continue;
        colours.emplace(text.substr(at, colon - at), text.substr(colon + 3, 6));
    }
    return colours;
}

/// Source: WCAG 2.2, relative luminance and contrast ratio.
double luminance(const std::string& colour) {
    const auto part = [&](std::size_t at) {
        const double value = std::stoi(colour.substr(at, 2), nullptr, 16) / 255.0;
        return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * part(0) + 0.7152 * part(2) + 0.0722 * part(4);
}

double contrast(const std::string& one, const std::string& other) {
    const double a = luminance(one);
    const double b = luminance(other);
    return (std::max(a, b) + 0.05) / (std::min(a, b) + 0.05);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_task_that_runs_or_failed_shows_the_end_and_others_the_beginning) {
    BOOST_TEST(window(page_with(0, TaskState::claimed)) == "0-0");
    BOOST_TEST(window(page_with(1000, TaskState::claimed)) == "1-1000");
    BOOST_TEST(window(page_with(2345, TaskState::claimed)) == "1501-2345");
    BOOST_TEST(window(page_with(2345, TaskState::failed)) == "1501-2345");
    BOOST_TEST(window(page_with(2345, TaskState::done)) == "1-1000");
    BOOST_TEST(window(page_with(2345, TaskState::failed, {.line = 1200})) == "1001-2000");
    BOOST_TEST(window(page_with(2345, TaskState::failed, {.line = 99'999})) == "2001-2345");
    BOOST_TEST(window(page_with(2345, TaskState::claimed, {.line = 1000})) == "1-1000");
}

BOOST_AUTO_TEST_CASE(the_end_that_is_followed_has_500_to_1000_lines_and_moves_rarely) {
    const int first = window_of(page_with(2001, TaskState::claimed)).first;
    BOOST_TEST(window_of(page_with(2500, TaskState::claimed)).first == first);
    BOOST_TEST(window_of(page_with(2501, TaskState::claimed)).first == first + 500);
    for (int lines : {1001, 1500, 1501, 2000, 2001}) {
        const LogWindow shown = window_of(page_with(lines, TaskState::claimed));
        BOOST_TEST(shown.last == lines);
        BOOST_TEST(shown.last - shown.first + 1 <= lines_on_a_page);
        BOOST_TEST(shown.last - shown.first + 1 > 500);
    }
}

BOOST_AUTO_TEST_CASE(the_page_says_which_lines_it_shows_and_leads_to_the_others) {
    const auto part = to_json(page_with(2345, TaskState::done, {.line = 1200}));
    const std::string here = "/clusters/00000007/tasks/12";

    BOOST_TEST(part.at("lines_words") == "Lines 1,001–2,000 of 2,345");
    BOOST_TEST(part.at("earlier") == here + "?line=1#L1");
    BOOST_TEST(part.at("later") == here + "?line=2001#L2001");
    BOOST_TEST(part.at("to_end") == here + "?line=2345#L2345");
    BOOST_TEST(part.at("download") == here + "/log");
    BOOST_TEST(part.at("again") == "");
    BOOST_TEST(lines_of(part).size() == 1000U);
    const auto whole = to_json(page_with(1, TaskState::done));
    BOOST_TEST(whole.at("lines_words") == "1 line");
    for (const char* link : {"earlier", "later", "beginning", "to_end"}) {
        BOOST_TEST(whole.at(link) == "", link);
    }
    const auto running = to_json(page_with(2345, TaskState::claimed, {.line = 1}));
    BOOST_TEST(running.at("to_end") == here + "#end");
    BOOST_TEST(running.at("again") == here + "?line=1");
    BOOST_TEST(to_json(page_with(0, TaskState::claimed)).at("download") == "");
}

BOOST_AUTO_TEST_CASE(a_link_to_a_line_shows_the_same_line_when_the_log_has_grown) {
    const auto followed = to_json(page_with(2345, TaskState::claimed));
    BOOST_TEST(lines_of(followed).front().at("href") ==
               "/clusters/00000007/tasks/12?line=1501#L1501");
    const auto pinned = to_json(page_with(2345, TaskState::claimed, {.line = 1501}));
    BOOST_TEST(lines_of(pinned).front().at("href") == "#L1001");
}

BOOST_AUTO_TEST_CASE(matches_are_counted_marked_and_led_to) {
    const auto json =
        to_json(page_with(2345, TaskState::done, {.line = 100, .find = "LINE 10", .wrap = false}));

    BOOST_TEST(json.at("found") == "Match 2 of 111");
    BOOST_TEST(json.at("previous") ==
               "/clusters/00000007/tasks/12?line=10&find=LINE%2010&wrap=no#L10");
    BOOST_TEST(json.at("next") ==
               "/clusters/00000007/tasks/12?line=101&find=LINE%2010&wrap=no#L101");
    BOOST_TEST(json.at("clear") == "/clusters/00000007/tasks/12?line=100&wrap=no");
    BOOST_TEST(json.at("other_wrap") == "/clusters/00000007/tasks/12?line=100&find=LINE%2010");
    const auto lines = lines_of(json);
    BOOST_TEST(provisioner::base::to_text(lines[99].at("spans")) ==
               R"([{"text":"line 10","css":"","hit":true},{"text":"0","css":"","hit":false}])");
    BOOST_TEST(!lines[0].at("spans")[0].at("hit").get<bool>());
    const auto between = to_json(page_with(300, TaskState::done, {.line = 50, .find = "line 10"}));
    BOOST_TEST(between.at("found") == "11 matches");
    BOOST_TEST(between.at("next") == "/clusters/00000007/tasks/12?line=100&find=line%2010#L100");
    BOOST_TEST(between.at("previous") == "/clusters/00000007/tasks/12?line=10&find=line%2010#L10");
    const auto nothing = to_json(page_with(300, TaskState::done, {.find = "<b>"}));
    BOOST_TEST(nothing.at("found") == "No matches");
    BOOST_TEST((nothing.at("next") == "" && nothing.at("previous") == ""));
}

BOOST_AUTO_TEST_CASE(a_match_over_several_styles_is_marked_in_each) {
    TaskPage page = page_with(0, TaskState::done, {.line = 1, .find = "abcd"});
    TaskLog log(longest_line);
    provisioner::store::TranscriptPiece piece;
    piece.stream = "err";
    piece.body = "x\x1b[31mab\x1b[1mcdef\x1b[0m\x1b[7;44mg\x1b[0;7mh\n";
    log.add(piece);
    page.log = log.lines();

    const auto line = lines_of(to_json(page)).front();

    BOOST_TEST(line.at("kind") == "err");
    BOOST_TEST(provisioner::base::to_text(line.at("spans")) ==
               R"([{"text":"x","css":"","hit":false},{"text":"ab","css":"","hit":true},)"
               R"({"text":"cd","css":"","hit":true},{"text":"ef","css":"b c1","hit":false},)"
               R"({"text":"g","css":"inv","hit":false},{"text":"h","css":"inv","hit":false}])");
}

BOOST_AUTO_TEST_CASE(a_page_draws_a_limited_number_of_styles_and_matches) {
    const auto page_of = [](const std::string& line, int lines, const std::string& find) {
        TaskPage page = page_with(0, TaskState::done, {.line = 1, .find = find});
        TaskLog log(longest_line);
        provisioner::store::TranscriptPiece piece;
        piece.stream = "out";
        for (int i = 0; i < lines; ++i) piece.body += line + "\n";
        log.add(piece);
        page.log = log.lines();
        return to_json(page);
    };
    const auto spans_of = [](const Json& json) {
        std::size_t spans = 0;
        for (const Json& line : lines_of(json)) spans += line.at("spans").size();
        return spans;
    };
    std::string colourful;
    for (int i = 0; i < 1000; ++i) colourful += "\x1b[3" + std::to_string(i % 7) + "mx";

    const auto coloured = page_of(colourful, 1000, "");
    BOOST_TEST(spans_of(coloured) <= most_spans_on_a_page + 1000);
    BOOST_TEST(coloured.at("plain") != "");
    BOOST_TEST(lines_of(coloured).back().at("spans").size() == 1U);

    const auto marked = page_of(std::string(900, 'a'), 1000, "a");
    BOOST_TEST(spans_of(marked) <= 2 * most_marked_matches + 2000);
    BOOST_TEST(marked.at("found") == "Match 1 of 1,000");

    BOOST_TEST(page_of(std::string(900, 'a'), 2, "a").at("plain") == "");
}

BOOST_AUTO_TEST_CASE(of_a_log_with_very_many_lines_the_last_ones_are_there) {
    TaskPage page = page_with(0, TaskState::done);
    TaskLog log(longest_line, 1500);
    provisioner::store::TranscriptPiece piece;
    piece.stream = "out";
    piece.body = "x\n";
    for (int i = 0; i < 5000; ++i) log.add(piece);
    page.log = log.lines();
    const int first = page.first_line();
    BOOST_TEST_REQUIRE(first > 1);

    BOOST_TEST(window(page) == std::to_string(first) + "-" + std::to_string(first + 999));
    const auto json = to_json(page);
    BOOST_TEST(json.at("earlier") == "");
    BOOST_TEST(json.at("skipped").get<std::string>().starts_with("The first "));
    page.query.line = 1;
    BOOST_TEST(window_of(page).first == first);
    page.query.line = 5000;
    BOOST_TEST(window(page) == "4001-5000");
}

BOOST_AUTO_TEST_CASE(lines_come_in_portions_that_do_not_change_when_the_log_grows) {
    const auto before = to_json(page_with(60, TaskState::claimed)).at("portions");
    const auto after = to_json(page_with(80, TaskState::claimed)).at("portions");

    BOOST_TEST_REQUIRE(before.size() == 3U);
    BOOST_TEST_REQUIRE(after.size() == 4U);
    BOOST_TEST((before[0] == after[0] && before[1] == after[1]));
    BOOST_TEST(before[2].at("portion") == after[2].at("portion"));
}

BOOST_AUTO_TEST_CASE(a_gap_and_an_attempt_at_the_end_are_shown) {
    TaskPage page = page_with(1000, TaskState::claimed);
    page.log.push_back({.kind = LogKind::mark,
                        .number = 1001,
                        .spans = {{.text = "Attempt 2", .style = {}}},
                        .cut = 0});

    BOOST_TEST(lines_of(to_json(page)).back().at("mark") == "Attempt 2");
}

BOOST_AUTO_TEST_CASE(the_name_of_a_download_is_plain) {
    auto page = page_with(1, TaskState::done);
    page.task.action = provisioner::model::Action::install;
    page.task.service = "a\"; b/..";

    BOOST_TEST(file_name_of(page) == "shop-7-1001-install-a---b-..-12.txt");
}

BOOST_AUTO_TEST_CASE(every_colour_of_a_log_can_be_read_in_both_looks) {
    const auto colours = colours_in("static/css/site.css");
    const auto all = [&](const std::string& name) {
        std::vector<std::string> values;
        for (auto [at, end] = colours.equal_range(name); at != end; ++at) {
            values.push_back(at->second);
        }
        BOOST_REQUIRE_MESSAGE(!values.empty(), name);
        return values;
    };
    std::vector<std::string> on_console{"--console-ink", "--log-number", "--log-err", "--log-note",
                                        "--log-faint"};
    for (int i = 0; i < 16; ++i) on_console.push_back("--c" + std::to_string(i));
    BOOST_TEST(all("--console").size() == 2U);
    for (const std::string& console : all("--console")) {
        for (const std::string& name : on_console) {
            const double ratio = contrast(all(name).front(), console);
            BOOST_TEST(ratio >= 4.5, name << " on " << console << ": " << ratio);
        }
    }
    for (int i = 0; i < 16; ++i) {
        const std::string name = "--g" + std::to_string(i);
        const double ratio = contrast(all("--on-ground").front(), all(name).front());
        BOOST_TEST(ratio >= 4.5, name << ": " << ratio);
    }
    BOOST_TEST(contrast(all("--on-found").front(), all("--found").front()) >= 4.5);
    BOOST_TEST(contrast("000000", "ffffff") > 20.9);
}

BOOST_AUTO_TEST_CASE(a_failure_has_its_code_a_retry_and_the_way_to_the_next_one) {
    auto page = page_with(3, TaskState::failed);
    page.task.action = provisioner::model::Action::install;
    page.task.service = "cache";
    page.task.message = "install cache ended with exit code 100: install cache: no such package";
    page.status_code = 100;
    page.node.nodenum = 1001;
    page.failed = {{.task = page.task, .hostname = "shop-7-1001.test"}};
    BOOST_TEST(to_json(page).at("retry") == "");
    BOOST_TEST(to_json(page).at("next_failed").is_null());
    page.may_retry = true;
    page.failed.push_back({.task = page.task, .hostname = "shop-7-1002.test"});
    page.failed.back().task.id = provisioner::model::TaskId{99};

    const auto json = to_json(page);

    BOOST_TEST(json.at("code") == "exit code 100");
    BOOST_TEST(json.at("message") == "no such package");
    BOOST_TEST(json.at("retry") == "/clusters/00000007/retry");
    BOOST_TEST(json.at("nodenum") == 1001);
    BOOST_TEST(json.at("failed_words") == "1 of 2 failed tasks");
    BOOST_TEST(json.at("next_failed").at("href") == "/clusters/00000007/tasks/99");
    BOOST_TEST(json.at("next_failed").at("words") == "install cache on shop-7-1002");
    // Behind the last one comes the first.
    page.task.id = provisioner::model::TaskId{99};
    BOOST_TEST(to_json(page).at("next_failed").at("href") == "/clusters/00000007/tasks/12");
    page.task.action = provisioner::model::Action::create;
    // The provider's answer is its message, and has no code.
    BOOST_TEST(to_json(page).at("code") == "");
    page.log.clear();
    BOOST_TEST(to_json(page).at("no_output") == "No output: there is only the message above.");
    page.task.action = provisioner::model::Action::install;
    BOOST_TEST(to_json(page).at("no_output") == "No output");
}

BOOST_AUTO_TEST_CASE(the_title_has_the_state_and_the_page_leads_along_its_machine) {
    auto page = page_with(3, TaskState::failed);
    page.node.hostname = "shop-7-1001.test";
    BOOST_TEST(page.window_title() == page.title() + " on shop-7-1001.test: failed");
    BOOST_TEST(to_json(page).at("task_before").is_null());
    for (const std::int64_t id : {10, 11, 12, 13, 14}) {
        page.on_machine.push_back(page.task);
        page.on_machine.back().id = provisioner::model::TaskId{id};
        page.on_machine.back().action = provisioner::model::Action::install;
        page.on_machine.back().service = "s" + std::to_string(id);
        page.on_machine.back().started_at = page.now;
    }

    const auto json = to_json(page);

    BOOST_TEST(json.at("task_before").at("href") == "/clusters/00000007/tasks/11");
    BOOST_TEST(json.at("task_before").at("words") == "install s11");
    BOOST_TEST(json.at("task_after").at("href") == "/clusters/00000007/tasks/13");
    // What has not begun has nothing to read.
    page.on_machine[3].started_at = std::nullopt;
    page.on_machine[4].started_at = std::nullopt;
    BOOST_TEST(to_json(page).at("task_after").is_null());
}

BOOST_AUTO_TEST_SUITE_END()
