#include "fcgi/http/params.hpp"

#include <boost/test/unit_test.hpp>

using namespace fcgi::http;

BOOST_AUTO_TEST_SUITE(params)

BOOST_AUTO_TEST_CASE(a_request_is_read_from_fastcgi_parameters) {
    const char* const sent[] = {"REQUEST_METHOD=POST",
                                "REQUEST_URI=/v2//clusters%2Fx?status=a&b",
                                "DOCUMENT_URI=/v2/clusters/x",
                                "CONTENT_TYPE=text/plain",
                                "CONTENT_LENGTH=12",
                                "HTTP_COOPR_USERID=bob",
                                "HTTP_COOKIE=a=b; c=d",
                                "HTTPS=on",
                                "REMOTE_ADDR=127.0.0.1",
                                "nonsense",
                                nullptr};

    const Request request = request_from_params(sent);

    BOOST_TEST(request.method == "POST");
    BOOST_TEST(request.path == "/v2//clusters%2Fx");
    BOOST_TEST(request.query == "status=a&b");
    BOOST_TEST(request.uri() == "/v2//clusters%2Fx?status=a&b");
    BOOST_TEST(request.header("content-type") == "text/plain");
    BOOST_TEST(request.header("coopr-userid") == "bob");
    BOOST_TEST(request.header("cookie") == "a=b; c=d");
    BOOST_TEST(request.secure);
    BOOST_TEST(request.client == "127.0.0.1");
    BOOST_TEST(request.id.size() == 32U);
    BOOST_TEST(content_length(request).value() == 12);
}

BOOST_AUTO_TEST_CASE(only_the_web_server_says_that_it_keeps_the_body_back) {
    const char* const said[] = {"BODY_WITHHELD=PUT", "REQUEST_METHOD=ASK", nullptr};
    const char* const otherwise[] = {"REQUEST_METHOD=ASK", "BODY_WITHHELD=PUT", nullptr};
    const char* const claimed[] = {"REQUEST_METHOD=POST", "HTTP_BODY_WITHHELD=on",
                                   "BODY_WITHHELD=", nullptr};

    for (const auto* params : {said, otherwise}) {
        BOOST_TEST(request_from_params(params).is_body_withheld);
        BOOST_TEST(request_from_params(params).method == "PUT");
    }
    BOOST_TEST(!request_from_params(claimed).is_body_withheld);
    BOOST_TEST(request_from_params(claimed).method == "POST");
}

BOOST_AUTO_TEST_CASE(every_request_has_its_own_id_and_is_not_secure_by_itself) {
    const char* const sent[] = {"REQUEST_METHOD=GET", "HTTPS=", nullptr};

    const Request first = request_from_params(sent);
    const Request second = request_from_params(sent);

    BOOST_TEST(first.id != second.id);
    BOOST_TEST(!first.secure);
}

BOOST_AUTO_TEST_CASE(a_request_keeps_the_id_it_came_with_only_if_that_is_a_short_name) {
    const auto id_with = [](const std::string& value) {
        const std::string header = "HTTP_X_REQUEST_ID=" + value;
        const char* const sent[] = {"REQUEST_METHOD=GET", header.c_str(), nullptr};
        return request_from_params(sent).id;
    };

    for (const std::string& good : {std::string("4cdd7f8c9db347768b7c364928f6c6cc"),
                                    std::string("550e8400-e29b-41d4-a716-446655440000"),
                                    std::string("Job-0042"), std::string(64, 'a')}) {
        BOOST_TEST(id_with(good) == good);
    }
    for (const std::string& bad :
         {std::string(), std::string("short-1"), std::string(65, 'a'), std::string("a b c d e f"),
          std::string("12345678\n"), std::string("12345678\"<x>"),
          std::string("caf\xc3\xa9 12345")}) {
        BOOST_TEST(id_with(bad) != bad);
        BOOST_TEST(id_with(bad).size() == 32U, bad);
    }
}

BOOST_AUTO_TEST_CASE(a_length_is_absent_a_number_or_wrong) {
    const auto length_of = [](const std::string& text) {
        Request request;
        request.headers["content-length"] = text;
        return content_length(request).value_or(-1);
    };

    BOOST_TEST(length_of("") == 0);
    BOOST_TEST(length_of("157286401") == 157286401);
    for (const char* wrong : {"-1", "1x", "0x10", " 1", "99999999999999999999"}) {
        BOOST_TEST(length_of(wrong) == -1, wrong);
    }
}

BOOST_AUTO_TEST_CASE(the_head_ends_with_the_length_and_no_value_can_add_a_header) {
    Response response = text(404, "gone");
    response.headers.emplace_back("Location", "/a\r\nSet-Cookie: x=y");

    BOOST_TEST(head_of(response) ==
               "Status: 404 Not Found\r\n"
               "Content-Type: text/plain; charset=utf-8\r\n"
               "Location: /aSet-Cookie: x=y\r\n"
               "Content-Length: 4\r\n\r\n");
    BOOST_TEST(head_of(empty(200)) == "Status: 200 OK\r\nContent-Length: 0\r\n\r\n");
}

BOOST_AUTO_TEST_SUITE_END()
