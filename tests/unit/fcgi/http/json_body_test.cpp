#include "fcgi/http/json_body.hpp"

#include <boost/test/unit_test.hpp>

using fcgi::http::json_depth_limit;
using fcgi::http::json_value_limit;
using fcgi::http::long_json_value_limit;
using fcgi::http::read_json;
using provisioner::base::Json;

BOOST_AUTO_TEST_SUITE(json_body)

namespace {

/// The body read and written again, or the message why not.
std::string result_of(const std::string& body) {
    const auto json = read_json(body);
    return json ? provisioner::base::to_text(*json) : json.error().front().message;
}

std::string nested(int depth) {
    const auto levels = static_cast<std::size_t>(depth);
    return std::string(levels, '[') + std::string(levels, ']');
}

struct Case {
    std::string body;
    std::string result;
};

const std::vector<Case> leniencies{
    {R"({"a":"b"})", R"({"a":"b"})"},
    {R"({'a':'b'})", R"({"a":"b"})"},
    {R"({a:b})", R"({"a":"b"})"},
    {R"({a:b c})", "a comma or } is missing at byte 5"},
    {R"({"a"="b"})", R"({"a":"b"})"},
    {R"({"a"=>"b"})", R"({"a":"b"})"},
    {R"({a:1;b:2})", R"({"a":1,"b":2})"},
    {R"([1;2])", R"([1,2])"},
    {"// first\n{a:1}", R"({"a":1})"},
    {"{a:1} // last", R"({"a":1})"},
    {"{a:1}\n# last", R"({"a":1})"},
    {"{ /* * / */ a /**/ : /* x */ 1 }", R"({"a":1})"},
    {"# only\n[ # in\n1 ]", "[1]"},
    {R"({a:1,a:2})", R"({"a":2})"},
    {R"({"a":1,"b":0,"a":2})", R"({"a":2,"b":0})"},
    {R"({a:null,b:NULL,c:True,d:FALSE})", R"({"a":null,"b":null,"c":true,"d":false})"},
    {R"({a:1,b:-2.5,c:1e2,d:007,e:1.2.3})", R"({"a":1,"b":-2.5,"c":100.0,"d":"007","e":"1.2.3"})"},
    {R"({a:1e999,b:NaN})", R"({"a":"1e999","b":"NaN"})"},
    {R"({'a':'it\'s "x"\n\\\/'})", R"({"a":"it's \"x\"\n\\/"})"},
    {R"({'a':'\u0041\u00e9\u20ac\ud83d\ude00'})",
     "{\"a\":\"A\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\"}"},
    {"'a\nb'", R"("a\nb")"},
    {"\xEF\xBB\xBF{'a':1}", R"({"a":1})"},
    {"{}", "{}"},
    {"'// no comment'", R"("// no comment")"},
    {"word", R"("word")"},
    {"null", "null"},
};

const std::vector<Case> refusals{
    {"", "the body is empty"},
    {" \r\n\t", "the body is empty"},
    {"# comment", "a value is missing at byte 9"},
    {"{a:1} x", "unexpected text after the value at byte 6"},
    {"{}{}", "unexpected text after the value at byte 2"},
    {"{", "a name or value is missing at byte 1"},
    {"{a", "a colon is missing at byte 2"},
    {"{a:", "a value is missing at byte 3"},
    {"{a:1", "a comma or } is missing at byte 4"},
    {"{a:1,}", "a name or value is missing at byte 5"},
    {"{:1}", "a name or value is missing at byte 1"},
    {"{a:}", "a name or value is missing at byte 3"},
    {"[1", "a comma or ] is missing at byte 2"},
    {"[1,]", "a name or value is missing at byte 3"},
    {"[,]", "a name or value is missing at byte 1"},
    {"]", "a name or value is missing at byte 0"},
    {"'abc", "a string that does not end at byte 4"},
    {"\"abc'", "a string that does not end at byte 5"},
    {R"('\x41')", "an unknown escape at byte 2"},
    {R"('\u12g4')", "\\u needs four hexadecimal digits at byte 3"},
    {R"('\u12)", "\\u needs four hexadecimal digits at byte 3"},
    {R"('\ud800')", "half a surrogate pair at byte 7"},
    {R"('\ud800\u0041')", "half a surrogate pair at byte 13"},
    {R"('\udc00')", "half a surrogate pair at byte 7"},
    {"{a:1 /* never", "a comment that does not end at byte 5"},
    {"{a:1 / 2}", "a comma or } is missing at byte 5"},
    {"\"\xFF\"", "the body is not UTF-8"},
    {"{a:\xC3}", "the body is not UTF-8"},
    {"'\\", "an unknown escape at byte 2"},
};

}  // namespace

BOOST_AUTO_TEST_CASE(bodies_are_read_as_leniently_as_clients_rely_on) {
    for (const auto& [body, result] : leniencies) BOOST_TEST(result_of(body) == result, body);
}

BOOST_AUTO_TEST_CASE(every_refusal_says_what_is_wrong_and_where) {
    for (const auto& [body, result] : refusals) {
        BOOST_TEST(!read_json(body).has_value(), body);
        BOOST_TEST(result_of(body) == result, body);
    }
}

BOOST_AUTO_TEST_CASE(a_deep_body_is_refused_strict_or_not) {
    BOOST_TEST(read_json(nested(json_depth_limit)).has_value());
    BOOST_TEST(read_json("#\n" + nested(json_depth_limit)).has_value());
    BOOST_TEST(result_of(nested(json_depth_limit + 1)) == "nested too deeply at byte 30");
    BOOST_TEST(result_of("#\n" + nested(json_depth_limit + 1)) == "nested too deeply at byte 32");
    BOOST_TEST(result_of(std::string(1'000'000, '[')) == "nested too deeply at byte 30");
}

/// A body of eight megabytes held a thread for an hour.
BOOST_AUTO_TEST_CASE(a_body_with_too_many_members_is_refused_strict_or_not) {
    const auto object = [](int members) {
        std::string text = "{\"a\":{}";
        for (int i = 0; i < members; ++i) text += ",\"" + std::to_string(i) + "\":1";
        return text + "}";
    };
    BOOST_TEST(read_json(object(1000)).has_value());
    BOOST_TEST(read_json("#\n" + object(1000)).has_value());
    for (const std::string before : {"", "#\n"}) {
        const std::string result = result_of(before + object(700'000));
        BOOST_TEST(result.starts_with("the objects have too many members at byte "), result);
    }
}

/// Six megabytes of empty arrays took 290 MiB and seven seconds.
BOOST_AUTO_TEST_CASE(a_body_with_too_many_values_is_refused_strict_or_not) {
    const auto array = [](std::size_t values) {
        std::string text = "[[]";
        for (std::size_t i = 2; i < values; ++i) text += ",[]";
        return text + "]";
    };
    for (const std::string before : {"", "#\n"}) {
        BOOST_TEST(read_json(before + array(json_value_limit)).has_value());
        BOOST_TEST(result_of(before + array(json_value_limit + 1)) ==
                   "more than 100000 values at byte " +
                       std::to_string(before.size() + 1 + 3 * (json_value_limit - 1)));
        BOOST_TEST(result_of(before + array(2'000'000)).starts_with("more than 100000 values"));
    }
    BOOST_TEST(read_json(array(json_value_limit + 1), long_json_value_limit).has_value());
    BOOST_TEST(!read_json(array(long_json_value_limit + 1), long_json_value_limit).has_value());
    BOOST_TEST(result_of("{a:" + array(2'000'000)).starts_with("more than 100000 values"));
    std::string members = "{";
    for (int i = 0; i < 60'000; ++i) members += "\"a\":{\"b\":1},";
    BOOST_TEST(!read_json(members + "\"a\":1}").has_value());
}

BOOST_AUTO_TEST_CASE(commas_in_strings_are_no_values) {
    const std::string many(1'000'000, ',');

    BOOST_TEST(read_json("\"" + many + "\\\"" + many + "\"").has_value());
    BOOST_TEST(read_json("'" + many + "'").has_value());
}

BOOST_AUTO_TEST_CASE(brackets_in_strings_are_not_depth) {
    const std::string many(500, '[');

    BOOST_TEST(read_json("\"" + many + "\\\"" + many + "\"").has_value());
    BOOST_TEST(read_json("'" + many + "'").has_value());
}

BOOST_AUTO_TEST_CASE(strict_and_lenient_reading_agree) {
    const std::string strict =
        R"({"n":[1,-2,3.5,1e3],"s":"a\"b\\c\u00e9","t":true,"f":false,"z":null,"o":{"k":{}}})";

    BOOST_TEST(result_of(strict) == result_of("#\n" + strict));
}

BOOST_AUTO_TEST_SUITE_END()
