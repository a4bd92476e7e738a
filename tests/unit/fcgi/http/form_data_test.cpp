#include "fcgi/http/form_data.hpp"

#include <boost/test/unit_test.hpp>

using namespace fcgi::http;
using namespace std::string_literals;

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

namespace {

/// A form as Chromium sends it, with a file whose bytes are no text and look like a boundary.
const std::string with_a_file =
    "--xyz\r\nContent-Disposition: form-data; name=\"csrf\"\r\n\r\n5f3c\r\n"
    "--xyz\r\nContent-Disposition: form-data; name=\"file\"; filename=\"C:\\a %22b.sh\"\r\n"
    "Content-Type: application/x-sh\r\n\r\n\r\n--xy\0\xff\r\n"
    "--xyz\r\ncontent-disposition: FORM-DATA; NAME=do\r\n\r\nü\xff&=\r\n--xyz--\r\n"
    ""s;

}  // namespace

BOOST_AUTO_TEST_CASE(a_form_with_a_file_is_its_fields_and_the_bytes_of_the_file) {
    const auto form = parse_multipart(with_a_file, "xyz");

    BOOST_REQUIRE(form.has_value());
    BOOST_TEST(form->fields.first("csrf").value() == "5f3c");
    BOOST_TEST(form->fields.first("do").value() == "ü\xEF\xBF\xBD&=");
    BOOST_TEST(form->fields.first("file").value() == "a %22b.sh");
    BOOST_REQUIRE(form->files.size() == 1U);
    BOOST_TEST(form->files[0].field == "file");
    BOOST_TEST(form->files[0].name == "a %22b.sh");
    BOOST_TEST((form->files[0].bytes == "\r\n--xy\0\xff"s));
    BOOST_TEST((parse_form(urlencoded(form->fields)) == form->fields));
}

BOOST_AUTO_TEST_CASE(a_form_with_a_file_that_was_cut_off_is_none) {
    for (std::size_t size = 0; size < with_a_file.size() - 4; ++size) {
        BOOST_TEST(!parse_multipart(with_a_file.substr(0, size), "xyz").has_value());
    }
    BOOST_TEST(!parse_multipart(with_a_file, "xy").has_value());
    BOOST_TEST(parse_multipart("--xyz--", "xyz")->fields.fields.empty());
}

BOOST_AUTO_TEST_CASE(a_form_with_files_has_no_more_fields_than_another) {
    std::string body = "--x";
    for (std::size_t i = 0; i <= most_fields; ++i) body += "\r\n\r\n\r\n--x";

    BOOST_CHECK_THROW(parse_multipart(body + "--", "x"), TooManyFields);
}

BOOST_AUTO_TEST_CASE(only_a_form_with_files_has_a_boundary) {
    BOOST_TEST(boundary_in("multipart/form-data; boundary=----W7").value() == "----W7");
    BOOST_TEST(boundary_in("Multipart/Form-Data;charset=utf-8; BOUNDARY=\"a;b\"").value() == "a;b");
    BOOST_TEST(!boundary_in("multipart/form-data").has_value());
    BOOST_TEST(!boundary_in("multipart/form-data; boundary=").has_value());
    BOOST_TEST(!boundary_in("multipart/form-data; boundary=" + std::string(71, 'x')).has_value());
    BOOST_TEST(!boundary_in("application/x-www-form-urlencoded; boundary=x").has_value());
    BOOST_TEST(!boundary_in("").has_value());
}

BOOST_AUTO_TEST_SUITE_END()
