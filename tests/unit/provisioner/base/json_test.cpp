#include "provisioner/base/json.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner::base;

BOOST_AUTO_TEST_CASE(keys_keep_their_order) {
    const auto json = parse_json(R"({"z":1,"a":{"y":[],"b":null}})");

    BOOST_REQUIRE(json.has_value());
    BOOST_TEST(to_text(*json) == R"({"z":1,"a":{"y":[],"b":null}})");
}

BOOST_AUTO_TEST_CASE(of_two_equal_keys_the_last_counts) {
    BOOST_TEST(to_text(parse_json(R"({"a":1,"a":2})").value()) == R"({"a":2})");
}

BOOST_AUTO_TEST_CASE(what_is_no_json_is_nothing) {
    for (const char* text : {"", "{", "{'a':1}", "[1,]", "{} x", "nul"}) {
        BOOST_TEST(!parse_json(text).has_value(), text);
    }
}

BOOST_AUTO_TEST_CASE(nesting_counts_brackets_outside_of_strings) {
    BOOST_TEST(nesting_of("1") == 0);
    BOOST_TEST(nesting_of(R"([{"a":[]},[]])") == 3);
    BOOST_TEST(nesting_of(R"(["[[[\"[["])") == 1);
}

BOOST_AUTO_TEST_CASE(what_is_nested_too_deeply_is_not_read) {
    const auto nested = [](std::size_t depth) {
        return std::string(depth, '[') + std::string(depth, ']');
    };

    BOOST_TEST(parse_json(nested(200)).has_value());
    BOOST_TEST(!parse_json(nested(201)).has_value());
    BOOST_TEST(!parse_json(nested(1'000'000)).has_value());
}

/// Such a document of a megabyte took minutes.
BOOST_AUTO_TEST_CASE(what_has_too_many_members_is_not_read) {
    const auto object = [](int members) {
        std::string text = "{\"a:b\":{}";
        for (int i = 0; i < members; ++i) text += ",\"" + std::to_string(i) + "\":1";
        return text + "}";
    };

    const auto small = parse_json("[" + object(1000) + "," + object(1000) + "]");
    BOOST_REQUIRE(small.has_value());
    BOOST_TEST(small->at(1).size() == 1001U);
    BOOST_TEST(!parse_json(object(30'000)).has_value());
    BOOST_TEST(!parse_json(object(500'000)).has_value());
    // Many of middling size come to the same.
    std::string list = "[{}";
    for (int i = 0; i < 50; ++i) list += "," + object(5000);
    BOOST_TEST(!parse_json(list + "]").has_value());
}

BOOST_AUTO_TEST_CASE(bytes_that_are_no_utf8_become_a_replacement_character) {
    BOOST_TEST(to_text(Json("a\xff"
                            "b")) ==
               "\"a\xef\xbf\xbd"
               "b\"");
}

BOOST_AUTO_TEST_CASE(why_text_is_no_json_is_said_with_line_and_column) {
    BOOST_TEST(problem_with_json("{\"a\": 1}") == "");
    BOOST_TEST(problem_with_json("{\n  \"a\": 1,\n}") ==
               "Line 3, column 1: expected the name of a member in double quotes, found }.");
    // Columns are characters, not bytes.
    BOOST_TEST(problem_with_json("[\"\u00e4\u00e4\", x]").starts_with("Line 1, column 8: "));
    BOOST_TEST(problem_with_json("").starts_with("Line 1, column 1: "));
    BOOST_TEST(problem_with_json(std::string(500, '[')) ==
               "It is nested more than 200 levels deep.");
}

BOOST_AUTO_TEST_CASE(a_reason_is_in_words_of_whoever_wrote_the_text) {
    const auto reason = [](const std::string& text) {
        const auto problem = problem_with_json(text);
        return problem.substr(problem.find(": ") + 2);
    };

    BOOST_TEST(reason(R"({"a": 1 "b": 2})") ==
               "expected a comma or }, found a text in double quotes.");
    BOOST_TEST(reason("[1 2]") == "expected a comma or ], found a number.");
    BOOST_TEST(reason(R"({"a" 1})") == "expected a colon, found a number.");
    BOOST_TEST(reason(R"({"a": })") == "expected a value, found }.");
    BOOST_TEST(reason("{") ==
               "expected the name of a member in double quotes, found the end of the text.");
    BOOST_TEST(reason("") == "expected a value, found the end of the text.");
    BOOST_TEST(reason(R"({"a": yes})") == "expected a value; texts stand in double quotes.");
    BOOST_TEST(reason("{a: 1}") == "expected the name of a member in double quotes.");
    BOOST_TEST(reason(R"({"a": 1, 'b': 2})") == "expected the name of a member in double quotes.");
    BOOST_TEST(reason(R"({"a" x})") == "expected a colon; texts stand in double quotes.");
    BOOST_TEST(reason("{\"a\": \"x - unexpected y\n\"}") ==
               "a text must not contain line breaks, tabs or other control characters; "
               "write \\n or \\t.");
    BOOST_TEST(problem_with_json("[1e999]") == "A number is too large.");
    BOOST_TEST(reason(R"({"a": "b)") == "a text has no closing quote.");
    BOOST_TEST(reason("{\"a\": \"b\nc\"}") ==
               "a text must not contain line breaks, tabs or other control characters; "
               "write \\n or \\t.");
    BOOST_TEST(reason("{} {}") == "expected the end of the text, found {.");
    BOOST_TEST(reason("[01]") == "expected a comma or ], found a number.");
    BOOST_TEST(reason("[-]") == "invalid number.");
    BOOST_TEST(reason("[1e]") == "invalid number.");
}

BOOST_AUTO_TEST_CASE(a_reason_has_none_of_the_text_that_was_read) {
    const std::string secret = "[\"" + std::string(1000, 's');

    const auto reason = problem_with_json(secret);

    BOOST_TEST(!reason.empty());
    BOOST_TEST(reason.find("sss") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_member_is_found_in_objects_only) {
    const Json json = {{"a", 1}};

    BOOST_REQUIRE(member(json, "a") != nullptr);
    BOOST_TEST(member(json, "a")->get<int>() == 1);
    BOOST_TEST((member(json, "b") == nullptr));
    BOOST_TEST((member(Json::array({"a"}), "a") == nullptr));
    BOOST_TEST((member(Json("a"), "a") == nullptr));
}

BOOST_AUTO_TEST_CASE(the_text_of_a_member_that_is_none_is_empty) {
    const Json json = {{"text", "a"}, {"number", 1}};

    BOOST_TEST(text_at(json, "text") == "a");
    BOOST_TEST(text_at(json, "number") == "");
    BOOST_TEST(text_at(json, "absent") == "");
    BOOST_TEST(text_at(Json("text"), "text") == "");
}

BOOST_AUTO_TEST_CASE(strings_of_an_array_leave_out_what_is_none) {
    const Json array = Json::array({"a", 1, nullptr, "b"});
    const Json text = "a";

    BOOST_TEST(strings_of(&array) == (std::vector<std::string>{"a", "b"}),
               boost::test_tools::per_element());
    BOOST_TEST(strings_of(&text).empty());
    BOOST_TEST(strings_of(nullptr).empty());
}
