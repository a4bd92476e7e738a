#include "provisioner/model/catalogue/entity_json.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/unit/provisioner/model/wire.hpp"

using namespace provisioner::model;
using provisioner::base::Json;
using provisioner::base::Problems;
using tests::wire;

namespace {

/// The value of member "x" of {"x": text} in milliseconds; -1 when it is refused.
long long duration_of(const std::string& text) {
    const Json json = wire("{'x':" + text + "}");
    Problems problems;
    const auto duration = ObjectReader(&json, "", problems).duration("x");
    return duration && problems.empty() ? duration->count() : -1;
}

std::string whole_number_of(const std::string& text) {
    const Json json = wire("{'x':" + text + "}");
    Problems problems;
    const auto number = ObjectReader(&json, "", problems).whole_number("x");
    return number ? std::to_string(*number) : to_text(problems);
}

std::string truth_of(const std::string& text) {
    const Json json = wire("{'x':" + text + "}");
    Problems problems;
    const auto truth = ObjectReader(&json, "", problems).truth("x");
    return truth ? (*truth ? "true" : "false") : to_text(problems);
}

}  // namespace

BOOST_AUTO_TEST_CASE(durations_are_milliseconds_or_a_number_and_a_unit) {
    BOOST_TEST(duration_of("604800000") == 604800000);
    BOOST_TEST(duration_of("'43200000'") == 43200000);
    BOOST_TEST(duration_of("'0'") == 0);
    BOOST_TEST(duration_of("'7d'") == 604800000);
    BOOST_TEST(duration_of("'12h'") == 43200000);
    BOOST_TEST(duration_of("'30m'") == 1800000);
    BOOST_TEST(duration_of("'45s'") == 45000);
}

BOOST_AUTO_TEST_CASE(anything_else_is_no_duration) {
    for (const char* text : {"'5x'", "''", "'d'", "'7 d'", "'7D'", "'1.5h'", "1.5", "-1", "'-1d'",
                             "true", "[]", "'99999999999999d'", "99999999999999999999"}) {
        BOOST_TEST(duration_of(text) == -1, text);
    }
}

BOOST_AUTO_TEST_CASE(whole_numbers_may_be_written_as_texts) {
    BOOST_TEST(whole_number_of("3") == "3");
    BOOST_TEST(whole_number_of("'3'") == "3");
    BOOST_TEST(whole_number_of("3.0") == "3");
    BOOST_TEST(whole_number_of("-2") == "-2");
    BOOST_TEST(whole_number_of("2147483647") == "2147483647");
    BOOST_TEST(whole_number_of("null") == "");
}

BOOST_AUTO_TEST_CASE(fractions_words_and_numbers_beyond_an_int_are_refused) {
    for (const char* text : {"1.5", "'three'", "''", "2147483648", "1e99", "true", "{}", "'3 '"}) {
        BOOST_TEST(whole_number_of(text) == "x: must be a whole number of at most 2147483647");
    }
}

BOOST_AUTO_TEST_CASE(every_text_but_true_is_false) {
    BOOST_TEST(truth_of("true") == "true");
    BOOST_TEST(truth_of("'true'") == "true");
    BOOST_TEST(truth_of("'TRUE'") == "true");
    BOOST_TEST(truth_of("'yes'") == "false");
    BOOST_TEST(truth_of("'false'") == "false");
    BOOST_TEST(truth_of("''") == "false");
    BOOST_TEST(truth_of("1") == "x: must be true or false");
}

/// A body may have a hundred thousand: each compared with all before it, they held a thread for
/// most of a minute.
BOOST_AUTO_TEST_CASE(many_names_and_groups_are_read_at_once) {
    Json many = Json::array();
    Json groups = Json::array();
    for (int i = 0; i < 100'000; ++i) {
        many.push_back("service-with-a-long-name-" + std::to_string(i));
        groups.push_back(Json::array({std::to_string(i)}));
    }
    many.push_back(many[0]);
    groups.push_back(groups[0]);
    const Json json{{"names", std::move(many)}, {"groups", std::move(groups)}};
    Problems problems;
    ObjectReader reader(&json, "", problems);

    BOOST_TEST(reader.names("names").size() == 100'000);
    BOOST_TEST(reader.groups("groups").size() == 100'000);
    BOOST_TEST(problems.empty());
}

BOOST_AUTO_TEST_CASE(groups_are_sets_of_sets) {
    const Json json = wire("{'x':[['a','b','a'],['b','a'],[],['c']]}");
    Problems problems;

    const auto groups = ObjectReader(&json, "", problems).groups("x");

    BOOST_TEST(Json(groups).dump() == R"([["a","b"],[],["c"]])");
    BOOST_TEST(problems.empty());
}

BOOST_AUTO_TEST_CASE(members_of_an_absent_object_are_absent) {
    const Json json = Json::object();
    Problems problems;
    ObjectReader reader(&json, "", problems);

    ObjectReader absent = reader.object("nothing");

    BOOST_TEST(!absent.has("x"));
    BOOST_TEST(!absent.text("x").has_value());
    BOOST_TEST(absent.names("x").empty());
    BOOST_TEST(absent.members().empty());
    BOOST_TEST(problems.empty());
}

BOOST_AUTO_TEST_CASE(what_is_no_object_is_one_problem_and_not_one_for_each_member) {
    const Json json = wire("{'x':[]}");
    Problems problems;
    ObjectReader reader(&json, "outer", problems);

    ObjectReader wrong = reader.object("x");
    wrong.require("a");
    wrong.require("b");

    BOOST_TEST(to_text(problems) == "outer.x: must be an object");
}
