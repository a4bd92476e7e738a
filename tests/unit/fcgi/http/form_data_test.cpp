#include "fcgi/http/form_data.hpp"

#include <boost/test/unit_test.hpp>

using namespace fcgi::http;

BOOST_AUTO_TEST_SUITE(form_data)

BOOST_AUTO_TEST_CASE(percent_escapes_become_bytes_and_anything_else_stays) {
    BOOST_TEST(percent_decode("a%20b%2Fc") == "a b/c");
    BOOST_TEST(percent_decode("a+b") == "a+b");
    BOOST_TEST(percent_decode("%c3%A9") == "\xC3\xA9");
    BOOST_TEST(percent_decode("100%") == "100%");
    BOOST_TEST(percent_decode("%4") == "%4");
    BOOST_TEST(percent_decode("%zz%41") == "%zzA");
}

BOOST_AUTO_TEST_CASE(what_is_encoded_decodes_to_itself) {
    const std::string hard = "a b/c?d=e&f%g+\xC3\xA9\r\n~";

    BOOST_TEST(percent_encode(hard) == "a%20b%2Fc%3Fd%3De%26f%25g%2B%C3%A9%0D%0A~");
    BOOST_TEST(percent_decode(percent_encode(hard)) == hard);
}

BOOST_AUTO_TEST_CASE(fields_keep_their_order_and_repetitions) {
    const FormData form = parse_form("name=web+1&service=a&service=b%26c&empty=&flag&&=x");

    const FormData expected{{{"name", "web 1"},
                             {"service", "a"},
                             {"service", "b&c"},
                             {"empty", ""},
                             {"flag", ""},
                             {"", "x"}}};
    BOOST_TEST((form == expected));
    BOOST_TEST(form.all("service").size() == 2U);
    BOOST_TEST(form.has("flag"));
    BOOST_TEST(!form.has("absent"));
}

BOOST_AUTO_TEST_CASE(values_are_read_with_and_without_blanks_around_them) {
    const FormData form = parse_form("name=++web%0D%0A&blank=+&a=b=c");

    BOOST_TEST(form.first("name").value() == "  web\r\n");
    BOOST_TEST(form.trimmed("name") == "web");
    BOOST_TEST(form.trimmed("blank") == "");
    BOOST_TEST(form.trimmed("absent") == "");
    BOOST_TEST(form.first("a").value() == "b=c");
    BOOST_TEST(parse_form("").fields.empty());
}

BOOST_AUTO_TEST_CASE(bytes_that_are_no_utf8_are_replaced) {
    BOOST_TEST(parse_form("a=x%FFy").first("a").value() == "x\xEF\xBF\xBDy");
    BOOST_TEST(parse_form("a=%C3%A9").first("a").value() == "\xC3\xA9");
}

/// Eight megabytes of "a&" took 323 MiB.
BOOST_AUTO_TEST_CASE(a_form_with_too_many_fields_is_not_read) {
    const auto form = [](std::size_t fields) {
        std::string text;
        for (std::size_t i = 0; i < fields; ++i) text += "a&&";
        return text;
    };

    BOOST_TEST(parse_form(form(most_fields)).fields.size() == most_fields);
    BOOST_CHECK_EXCEPTION(parse_form(form(most_fields + 1)), TooManyFields, [](const auto& error) {
        return std::string_view(error.what()) == "The form has more than 20000 fields.";
    });
}

BOOST_AUTO_TEST_SUITE_END()
