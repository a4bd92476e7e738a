#include "fcgi/http/message.hpp"

#include <boost/test/unit_test.hpp>

using namespace fcgi::http;

BOOST_AUTO_TEST_SUITE(message)

BOOST_AUTO_TEST_CASE(headers_and_query_values_are_read) {
    Request request;
    request.query = "status=a%2Cb&x=1+2&x=3";
    request.headers = {{"coopr-userid", "bob"}};

    BOOST_TEST(request.header("coopr-userid") == "bob");
    BOOST_TEST(request.header("absent") == "");
    BOOST_TEST(request.query_value("status").value() == "a,b");
    BOOST_TEST(request.query_value("x").value() == "1 2");
    BOOST_TEST(!request.query_value("y").has_value());
}

BOOST_AUTO_TEST_CASE(asking_for_a_placeholder_the_route_lacks_is_a_bug) {
    Request request;
    request.path_values = {{"id", "7"}};

    BOOST_TEST(request.path_value("id") == "7");
    BOOST_CHECK_THROW(request.path_value("name"), std::logic_error);
}

BOOST_AUTO_TEST_CASE(the_uri_is_as_sent) {
    Request sent;
    sent.path = "/a";
    sent.target = "/a?";
    Request made;
    made.path = "/a";
    made.query = "b=c";

    BOOST_TEST(sent.uri() == "/a?");
    BOOST_TEST(made.uri() == "/a?b=c");
}

BOOST_AUTO_TEST_CASE(answers_have_the_content_types_of_the_wire_contract) {
    BOOST_TEST(json(200, {{"id", "00000001"}}).body == R"({"id":"00000001"})");
    BOOST_TEST(json(200, {}).header("Content-Type") == "application/json");
    BOOST_TEST(text(400, "x").header("Content-Type") == "text/plain; charset=utf-8");
    BOOST_TEST(html(200, "x").header("Content-Type") == "text/html; charset=utf-8");
    BOOST_TEST(empty(200).headers.empty());
    BOOST_TEST(see_other("/x").status == 303);
    BOOST_TEST(see_other("/x").header("Location") == "/x");
    BOOST_TEST(with_header(empty(200), "A", "b").header("A") == "b");
}

BOOST_AUTO_TEST_CASE(statuses_have_their_phrases) {
    BOOST_TEST(reason_phrase(200) == "OK");
    BOOST_TEST(reason_phrase(404) == "Not Found");
    BOOST_TEST(reason_phrase(418) == "Unknown");
}

BOOST_AUTO_TEST_SUITE_END()
