#include "fcgi/http/errors.hpp"

#include <boost/test/unit_test.hpp>
#include <sstream>

using namespace fcgi::http;
using namespace provisioner::base;

BOOST_AUTO_TEST_SUITE(errors)

namespace {

Request a_request(const std::string& path, const std::string& accept = "*/*") {
    Request request;
    request.method = "GET";
    request.path = path;
    request.headers = {{"accept", accept}};
    request.id = "0123abcd";
    return request;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_api_is_v2_and_status_however_many_slashes_it_is_written_with) {
    for (const char* path : {"/v2", "/v2/", "/v2/clusters", "//v2/x", "/v2//x", "/status",
                             "/%76%32/x", "/v%32", "/%73tatus"}) {
        BOOST_TEST(is_for_api(a_request(path)), path);
    }
    for (const char* path : {"/", "/clusters", "/v20", "/x/v2", "/statuses", "", "/%2576%32/x"}) {
        BOOST_TEST(!is_for_api(a_request(path)), path);
    }
}

BOOST_AUTO_TEST_CASE(an_unknown_route_is_told_by_text_to_scripts_and_by_a_page_to_browsers) {
    Request request = a_request("/v2/nope", "text/html,*/*");
    request.query = "a=b";

    BOOST_TEST(not_found(request).body == "Problem accessing: /v2/nope?a=b. Reason: Not Found");
    BOOST_TEST(not_found(a_request("/nope")).body == "Problem accessing: /nope. Reason: Not Found");
    const Response page = not_found(a_request("/nope", "text/html,*/*"));
    BOOST_TEST(page.status == 404);
    BOOST_TEST(page.body.find("<h1>404 Not Found</h1>") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_wrong_method_is_answered_with_the_uri) {
    const Response response = wrong_method(a_request("/v2/clusters"), {"POST", "GET"});
    BOOST_TEST(response.status == 405);
    BOOST_TEST(response.body == "/v2/clusters");
    BOOST_TEST(response.header("Allow") == "GET, POST");
    const Response page = wrong_method(a_request("/login"), {"GET"});
    BOOST_TEST(page.header("Content-Type").starts_with("text/html"));
    BOOST_TEST(page.header("Allow") == "GET, HEAD");
}

BOOST_AUTO_TEST_CASE(what_broke_is_logged_and_not_told) {
    std::ostringstream lines;
    const SystemClock clock;
    const Log log(lines, clock);
    const std::runtime_error error("password of root is hunter2");

    const Response api = broken(a_request("/v2/clusters"), error, log);
    const Response page = broken(a_request("/clusters"), error, log);

    BOOST_TEST(api.status == 500);
    BOOST_TEST(api.body ==
               "Exception Encountered while processing request : see request 0123abcd in the "
               "server's log");
    BOOST_TEST(page.body.find("0123abcd") != std::string::npos);
    BOOST_TEST((api.body + page.body).find("hunter2") == std::string::npos);
    BOOST_TEST(lines.str().find("request=0123abcd") != std::string::npos);
    BOOST_TEST(lines.str().find("hunter2") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(problems_become_one_answer) {
    const Response response = unprocessable({{"name", "is taken"}, {"", "no layout"}});

    BOOST_TEST(response.status == 422);
    BOOST_TEST(response.body == R"({"problems":[{"field":"name","message":"is taken"},)"
                                R"({"field":"","message":"no layout"}]})");
}

BOOST_AUTO_TEST_CASE(a_bare_page_escapes_its_sentence) {
    BOOST_TEST(plain_page(403, "<b>&\"").body.find("<p>&lt;b&gt;&amp;&quot;</p>") !=
               std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
