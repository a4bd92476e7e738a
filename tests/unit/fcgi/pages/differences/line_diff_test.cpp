#include "fcgi/pages/differences/line_diff.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <random>

#include "fcgi/pages/catalogue/versions/difference.hpp"

using namespace fcgi::pages;
using provisioner::base::Json;

namespace {

std::string drawn_diff(const std::string& before, const std::string& after) {
    std::string text;
    for (const DiffLine& line : line_diff(before, after).lines) {
        text +=
            line.change == LineChange::same ? ' ' : (line.change == LineChange::added ? '+' : '-');
        text += line.text + '\n';
    }
    return text;
}

std::string changes_of(const LineDifference& difference) {
    std::string changes;
    for (const DiffLine& line : difference.lines) {
        if (line.change == LineChange::added) changes += '+' + line.text + ' ';
        if (line.change == LineChange::removed) changes += '-' + line.text + ' ';
    }
    return changes;
}

std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const auto& line : lines) text += line + '\n';
    return text;
}

/// How many lines the longest common subsequence has.
std::size_t longest_common(const std::vector<std::string>& before,
                           const std::vector<std::string>& after) {
    std::vector<std::size_t> above(after.size() + 1, 0);
    for (const auto& line : before) {
        auto row = above;
        for (std::size_t j = 0; j < after.size(); ++j) {
            row[j + 1] = line == after[j] ? above[j] + 1 : std::max(row[j], above[j + 1]);
        }
        above = std::move(row);
    }
    return above.back();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(line_diff_test)

BOOST_AUTO_TEST_CASE(lines_that_both_have_stand_once) {
    BOOST_TEST(drawn_diff("a\nb\nc\nd\n", "a\nc\nx\nd\n") == " a\n-b\n c\n+x\n d\n");
    BOOST_TEST(drawn_diff("", "a\n") == "+a\n");
    BOOST_TEST(drawn_diff("a", "") == "-a\n");
    BOOST_TEST(drawn_diff("a\nb", "a\nb") == " a\n b\n");
}

BOOST_AUTO_TEST_CASE(numbers_count_the_lines_of_each_text) {
    const auto lines = line_diff("a\nb\nc\n", "b\nc\nd\n").lines;
    BOOST_REQUIRE(lines.size() == 4U);
    BOOST_TEST(lines[0].old_number == 1);
    BOOST_TEST(lines[0].new_number == 0);
    BOOST_TEST(lines[1].old_number == 2);
    BOOST_TEST(lines[1].new_number == 1);
    BOOST_TEST(lines[3].new_number == 3);
}

BOOST_AUTO_TEST_CASE(texts_that_differ_in_too_much_are_replaced) {
    std::string before;
    std::string after;
    for (int i = 0; i < 3000; ++i) {
        before += "a" + std::to_string(i) + "\n";
        after += "b" + std::to_string(i) + "\n";
    }
    const auto lines = line_diff(before, after).lines;
    BOOST_TEST(lines.size() == 6000U);
    BOOST_TEST((lines.front().change == LineChange::removed));
    BOOST_TEST((lines.back().change == LineChange::added));
}

BOOST_AUTO_TEST_CASE(changes_far_apart_in_a_long_text_are_found) {
    const auto text = [](const std::string& third, const std::string& last, bool has_moved) {
        std::string lines;
        for (int i = 0; i < 12'000; ++i) {
            if (i == 3) lines += third + '\n';
            // Not every line occurs once.
            lines += i % 3 == 0 ? "\n" : "line " + std::to_string(i) + '\n';
            if (i == 11'990) lines += last + '\n';
            if (has_moved && i == 6'000) lines += "line 7000\n";
        }
        return lines;
    };
    BOOST_TEST(changes_of(line_diff(text("a", "b", false), text("c", "d", true))) ==
               "-a +c +line 7000 -b +d ");
}

BOOST_AUTO_TEST_CASE(many_equal_lines_between_two_changes_stay) {
    std::string equal = "once a\n";
    for (int i = 0; i < 5'000; ++i) equal += "again\n";
    equal += "once b\n";
    BOOST_TEST(changes_of(line_diff("a\n" + equal + "b\n", "c\n" + equal + "d\n")) ==
               "-a +c -b +d ");
}

BOOST_AUTO_TEST_CASE(two_changes_among_many_lines_that_recur_are_two_changes) {
    const auto text = [](const std::string& third, const std::string& last) {
        std::string lines;
        for (int i = 0; i < 10'000; ++i) {
            lines += i == 2 ? third : i == 9'997 ? last : "port: " + std::to_string(i % 7);
            lines += '\n';
        }
        return lines;
    };

    const auto difference = line_diff(text("port: 1", "port: 2"), text("port: 5", "port: 6"));

    BOOST_TEST(difference.is_complete);
    BOOST_TEST(changes_of(difference) == "-port: 1 +port: 5 -port: 2 +port: 6 ");
}

BOOST_AUTO_TEST_CASE(the_difference_of_a_few_recurring_lines_makes_the_new_text_and_is_shortest) {
    constexpr unsigned seed = 7;
    std::mt19937 random(seed);
    const auto some_lines = [&] {
        std::vector<std::string> lines(random() % 14);
        const unsigned different = 1 + random() % 4;
        for (auto& line : lines)
            line = std::string(1, static_cast<char>('a' + random() % different));
        return lines;
    };
    for (int i = 0; i < 3'000; ++i) {
        const auto before = some_lines();
        const auto after = some_lines();
        const auto difference = line_diff(joined(before), joined(after));

        std::vector<std::string> old_lines;
        std::vector<std::string> new_lines;
        std::size_t same = 0;
        for (const DiffLine& line : difference.lines) {
            if (line.change != LineChange::added) old_lines.push_back(line.text);
            if (line.change != LineChange::removed) new_lines.push_back(line.text);
            same += line.change == LineChange::same ? 1 : 0;
        }
        BOOST_TEST_CONTEXT(joined(before) << "---\n" << joined(after)) {
            BOOST_TEST(joined(old_lines) == joined(before));
            BOOST_TEST(joined(new_lines) == joined(after));
            BOOST_TEST(same == longest_common(before, after));
            BOOST_TEST(difference.is_complete);
        }
    }
}

BOOST_AUTO_TEST_CASE(parts_with_too_many_changes_to_compare_have_no_numbers) {
    std::mt19937 random(7);
    const auto text = [&] {
        std::string lines;
        for (int i = 0; i < 12'000; ++i) lines += std::to_string(random() % 500) + '\n';
        return lines;
    };
    const auto before = text();
    const auto after = text();

    BOOST_TEST(!line_diff(before, after).is_complete);
    const auto summary = text_difference_json(before, after).at("summary").get<std::string>();
    BOOST_TEST(
        summary.starts_with("There are too many changes to compare these parts line by line"));
}

BOOST_AUTO_TEST_CASE(a_difference_names_each_changed_value_as_its_form_does) {
    const Json before = Json::parse(
        R"({"name":"web","constraints":{"services":{"php":{"quantities":{"min":1,"max":2}}}}})");
    auto after = before;
    after["constraints"]["services"]["php"]["quantities"]["max"] = 4;
    after["links"] = Json::array({"a", "b"});

    const Json json = difference_json(before, after);

    BOOST_TEST(json.at("has_values") == true);
    BOOST_TEST(json.at("values").dump() ==
               R"([{"member":"Maximum machines of php","before":"2","after":"4"},)"
               R"({"member":"Links","before":"","after":"a, b"}])");
    // All values of an entry that is new are in its lines.
    BOOST_TEST(difference_json(Json(), after).at("has_values") == false);
    BOOST_TEST(difference_json(after, after).at("has_values") == false);
}

BOOST_AUTO_TEST_CASE(lines_without_changes_are_folded_with_their_text) {
    std::string lines;
    for (int i = 0; i < 20; ++i) lines += "line " + std::to_string(i) + '\n';

    const Json json = text_difference_json(lines, lines + "more\n");

    const Json& fold = json.at("lines").at(0).at("folded");
    BOOST_TEST(fold.at("words") == "17 lines without changes");
    BOOST_TEST(fold.at("folded_text").get<std::string>().starts_with("line 0\nline 1\n"));
    BOOST_TEST(fold.at("folded_text").get<std::string>().ends_with("line 16\n"));
    std::string many;
    for (std::size_t i = 0; i < most_lines_folded + 10; ++i) many += std::to_string(i) + '\n';
    const Json long_one = text_difference_json(many, many + "more\n");
    BOOST_TEST(long_one.at("lines").at(0).at("folded").is_null());
    BOOST_TEST(!long_one.at("lines").at(0).at("skipped").is_null());
}

BOOST_AUTO_TEST_CASE(the_changed_part_of_two_texts_is_whole_lines_with_some_around) {
    const auto part_of = [](const std::string& before, const std::string& after) {
        const auto part = changed_part(before, after, 1);
        return std::to_string(part.lines_above) + '|' + part.before + '|' + part.after + '|' +
               std::to_string(part.lines_below);
    };
    BOOST_TEST(part_of("a\nb\nc\nd\ne\n", "a\nb\nx\nd\ne\n") == "1|b\nc\nd\n|b\nx\nd\n|1");
    // A line that ends as another one does is another line.
    BOOST_TEST(part_of("a\nb\nc\n", "a\nb\nbc\n") == "1|b\nc\n|b\nbc\n|0");
    BOOST_TEST(part_of("c\nd", "bc\nd") == "0|c\nd|bc\nd|0");
    BOOST_TEST(part_of("a\na\n", "a\na\na\n") == "1|a\n|a\na\n|0");
    BOOST_TEST(part_of("", "a\n") == "0||a\n|0");
}

BOOST_AUTO_TEST_CASE(of_long_texts_only_what_is_near_the_changes_is_shown) {
    std::string lines;
    for (int i = 0; i < 100'000; ++i) lines += "line " + std::to_string(i) + '\n';
    auto changed = lines;
    changed.replace(changed.find("line 50000\n"), 10, "changed");

    const Json json = text_difference_json(lines, changed);

    BOOST_TEST(json.at("summary") == "1 line added, 1 line removed");
    BOOST_TEST(json.at("is_cut") == false);
    const Json& shown = json.at("lines");
    BOOST_REQUIRE(shown.size() == 10U);
    BOOST_TEST(shown[0].at("skipped") == "49,997 lines without changes");
    BOOST_TEST(shown[1].at("old_number") == 49'998);
    BOOST_TEST(shown[5].at("text") == "changed");
    BOOST_TEST(shown[5].at("new_number") == 50'001);
    BOOST_TEST(shown[9].at("skipped") == "49,996 lines without changes");
    BOOST_TEST(text_difference_json(lines, lines).at("is_equal") == true);
}

BOOST_AUTO_TEST_CASE(texts_that_end_their_lines_in_another_way_are_said_to_do_only_that) {
    const Json json = text_difference_json("a\r\nb\r\n", "a\nb\n");

    BOOST_TEST(json.at("is_equal") == false);
    BOOST_TEST(json.at("lines").empty());
    BOOST_TEST(json.at("summary") ==
               "Only the ends of lines differ. Windows ends (CR LF) before: 2, after: 0");
    BOOST_TEST(json.at("has_lines") == false);
    BOOST_TEST(text_difference_json("a\r\n", "b\n").at("lines").size() == 2U);
}

BOOST_AUTO_TEST_CASE(ends_of_lines_that_change_beside_other_changes_mark_no_equal_line) {
    const Json json = text_difference_json("a\nb\nc\n", "a\r\nx\r\nc\r\n");

    BOOST_TEST(json.at("summary") ==
               "1 line added, 1 line removed. Line ends changed from LF to CR LF in all lines");
    BOOST_TEST(text_difference_json("a\r\nb\r\n", "a\nx\n").at("summary") ==
               "1 line added, 1 line removed. Line ends changed from CR LF to LF in all lines");
    BOOST_TEST(text_difference_json("a\nb\r\n", "x\r\nb\r\n").at("summary") ==
               "1 line added, 1 line removed. Lines that end with CR LF before: 1, after: 2");
}

BOOST_AUTO_TEST_CASE(a_last_line_without_an_end_is_a_difference) {
    const Json json = text_difference_json("a\nb\n", "a\nb");

    BOOST_TEST(json.at("is_equal") == false);
    BOOST_TEST(json.at("lines").empty());
    BOOST_TEST(json.at("summary") == "The newline at the end was removed. Nothing else differs");
    BOOST_TEST(text_difference_json("a", "a\n").at("summary") ==
               "A newline was added at the end. Nothing else differs");
    BOOST_TEST(text_difference_json("a\r\nb\r\n", "a\r\nb").at("summary") ==
               "The newline at the end was removed. Nothing else differs");
    BOOST_TEST(
        text_difference_json("a\r\nb\r\n", "a\nb").at("summary") ==
        "Only the ends of lines differ. Windows ends (CR LF) before: 2, after: 0. The newline "
        "at the end was removed");
}

BOOST_AUTO_TEST_CASE(a_newline_at_the_end_and_a_byte_order_mark_are_told_beside_other_changes) {
    const auto summary = [](const std::string& before, const std::string& after) {
        return text_difference_json(before, after).at("summary").get<std::string>();
    };
    const std::string mark = "\xEF\xBB\xBF";

    BOOST_TEST(summary("a\nb\n", "x\nb") ==
               "1 line added, 1 line removed. The newline at the end was removed");
    BOOST_TEST(summary("a\nb", "x\nb\n") ==
               "1 line added, 1 line removed. A newline was added at the end");
    BOOST_TEST(summary("a\nb\n", mark + "a\nx\n") ==
               "1 line added, 1 line removed. A byte order mark was added");
    BOOST_TEST(summary(mark + "a\n", "a\n") ==
               "A byte order mark was removed. Nothing else differs");
    BOOST_TEST(summary("a\nb\n", mark + "a\r\nx\r\nc") ==
               "2 lines added, 1 line removed. Line ends changed from LF to CR LF in all lines. A "
               "byte order mark was added. The newline at the end was removed");
    // Lines say all of a text that is new.
    BOOST_TEST(summary("", "a\n") == "1 line added, 0 lines removed");
    // The mark makes no other line of the first one.
    BOOST_TEST(text_difference_json("a\nb\n", mark + "a\nx\n").at("lines").at(0).at("is_same") ==
               true);
}

BOOST_AUTO_TEST_CASE(where_all_lines_changed_removed_and_added_ones_are_shown) {
    std::string before;
    std::string after;
    for (std::size_t i = 0; i < most_lines_shown; ++i) {
        before += "old " + std::to_string(i) + '\n';
        after += "new " + std::to_string(i) + '\n';
    }

    const Json json = text_difference_json(before, after);

    const auto count = [&](const char* kind) {
        return std::ranges::count_if(json.at("lines"),
                                     [&](const Json& row) { return row.at(kind) == true; });
    };
    BOOST_TEST(count("is_removed") == 1'000);
    BOOST_TEST(count("is_added") >= 999);
    BOOST_TEST(json.at("lines").at(1'000).at("skipped") == "1,000 more removed lines");
    BOOST_TEST(json.at("is_cut") == true);
    // What the other needs not is not kept for it.
    const Json removed = text_difference_json(before, "");
    BOOST_TEST(removed.at("lines").size() == most_lines_shown);
    BOOST_TEST(removed.at("lines").back().at("text") == "old 1999");
}

BOOST_AUTO_TEST_CASE(of_a_long_line_that_changed_what_differs_is_shown) {
    const std::string around(100'000, 'x');

    const Json json = text_difference_json(around + "ä" + around, around + "ö" + around);

    const Json& removed = json.at("lines").at(0);
    const Json& added = json.at("lines").at(1);
    BOOST_TEST(removed.at("changed") == "ä");
    BOOST_TEST(added.at("changed") == "ö");
    BOOST_TEST(added.at("text") == "…" + std::string(80, 'x'));
    BOOST_TEST(added.at("rest") == std::string(80, 'x') + "…");
    BOOST_TEST(added.at("left_out").get<std::string>().ends_with(" bytes are not shown"));
    BOOST_TEST(json.at("is_cut") == false);
    // Short ones, and those without one beside them, are whole.
    const Json whole = text_difference_json("port 80\n", "port 8080\n");
    BOOST_TEST(whole.at("lines").at(1).at("text") == "port 8080");
    BOOST_TEST(whole.at("lines").at(1).at("changed") == "");
    BOOST_TEST(whole.at("lines").at(1).at("left_out") == "");
}

BOOST_AUTO_TEST_CASE(what_differs_in_too_much_is_cut) {
    std::string before;
    for (std::size_t i = 0; i <= most_lines_compared; ++i) before += "0123456789\n";

    BOOST_TEST(text_difference_json(before, "").at("is_cut") == true);
    BOOST_TEST(text_difference_json(before, "").at("lines").empty());
    // A line may be longer than a page can be.
    const std::string line(most_bytes_shown + 1, 'x');
    const Json long_one = text_difference_json(line, "");
    BOOST_TEST(long_one.dump().size() < 5'000U);
    BOOST_TEST(long_one.at("lines").at(0).at("left_out").get<std::string>() != "");
}

BOOST_AUTO_TEST_CASE(a_difference_shows_no_secret) {
    const Json before{
        {"name", "cloud"},
        {"provisioner", {{"api_password", {{"sealed", "d1-abc"}}}, {"plain_token", "t1"}}},
        {"providertype", "openstack"}};
    auto after = before;
    after["provisioner"]["plain_token"] = "t2";
    after["description"] = "new";
    const auto text = difference_json(before, after).dump();
    BOOST_TEST(text.find("d1-abc") == std::string::npos);
    BOOST_TEST(text.find("t1") == std::string::npos);
    BOOST_TEST(text.find("t2") == std::string::npos);
    BOOST_TEST(text.find("new") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
