#include "fcgi/pages/differences/line_diff.hpp"

#include <boost/test/unit_test.hpp>

#include "fcgi/pages/catalogue/versions/difference.hpp"

using namespace fcgi::pages;
using provisioner::base::Json;

namespace {

std::string drawn_diff(const std::string& before, const std::string& after) {
    std::string text;
    for (const DiffLine& line : line_diff(before, after)) {
        text +=
            line.change == LineChange::same ? ' ' : (line.change == LineChange::added ? '+' : '-');
        text += line.text + '\n';
    }
    return text;
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
    const auto lines = line_diff("a\nb\nc\n", "b\nc\nd\n");
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
    const auto lines = line_diff(before, after);
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
    std::string changes;
    for (const DiffLine& line : line_diff(text("a", "b", false), text("c", "d", true))) {
        if (line.change == LineChange::added) changes += '+' + line.text + ' ';
        if (line.change == LineChange::removed) changes += '-' + line.text + ' ';
    }
    BOOST_TEST(changes == "-a +c +line 7000 -b +d ");
}

BOOST_AUTO_TEST_CASE(many_equal_lines_between_two_changes_stay) {
    std::string equal = "once a\n";
    for (int i = 0; i < 5'000; ++i) equal += "again\n";
    equal += "once b\n";
    std::string changes;
    for (const DiffLine& line : line_diff("a\n" + equal + "b\n", "c\n" + equal + "d\n")) {
        if (line.change == LineChange::added) changes += '+' + line.text + ' ';
        if (line.change == LineChange::removed) changes += '-' + line.text + ' ';
    }
    BOOST_TEST(changes == "-a +c -b +d ");
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
    BOOST_TEST(text_difference_json("a\r\n", "b\n").at("lines").size() == 2U);
}

BOOST_AUTO_TEST_CASE(what_differs_in_too_much_is_cut) {
    std::string before;
    for (std::size_t i = 0; i <= most_lines_compared; ++i) before += "0123456789\n";

    BOOST_TEST(text_difference_json(before, "").at("is_cut") == true);
    BOOST_TEST(text_difference_json(before, "").at("lines").empty());
    // A line may be longer than a page can be.
    const std::string line(most_bytes_shown + 1, 'x');
    BOOST_TEST(text_difference_json(line, "").at("is_cut") == true);
    BOOST_TEST(text_difference_json(line, "").dump().size() < 1'000U);
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
