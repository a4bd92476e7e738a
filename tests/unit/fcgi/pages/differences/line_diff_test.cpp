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
