#include "fcgi/http/problem_details.hpp"

#include <boost/test/unit_test.hpp>

using namespace fcgi::http;

BOOST_AUTO_TEST_SUITE(problem_details_of_errors)

namespace {

Request accepting(const std::string& types) {
    Request request;
    request.method = "GET";
    request.path = "/v2/clusters/7";
    request.id = "r1";
    if (!types.empty()) request.headers["accept"] = types;
    return request;
}

const std::string wanted = "application/json, application/problem+json";

}  // namespace

BOOST_AUTO_TEST_CASE(a_text_becomes_the_detail_for_who_accepts_that) {
    const auto response = problem_details(text(404, "cluster 7 not found"), accepting(wanted));
    BOOST_TEST(response.status == 404);
    BOOST_TEST(response.header("Content-Type") == "application/problem+json");
    BOOST_TEST(response.body ==
               R"({"type":"about:blank","title":"Not Found","status":404,)"
               R"("detail":"cluster 7 not found","instance":"/v2/clusters/7","requestId":"r1"})");
}

BOOST_AUTO_TEST_CASE(members_of_a_structured_error_stay) {
    const auto error = json(422, {{"problems", {{{"field", "name"}, {"message", "Too long."}}}},
                                  {"remedies", provisioner::base::Json::array()}});
    const auto body =
        provisioner::base::Json::parse(problem_details(error, accepting(wanted)).body);
    BOOST_TEST(body["detail"] == "Too long.");
    BOOST_TEST(body["problems"][0]["field"] == "name");
    BOOST_TEST(body.contains("remedies"));
}

BOOST_AUTO_TEST_CASE(everybody_else_gets_what_the_wire_contract_says) {
    BOOST_TEST(problem_details(text(404, "gone"), accepting("*/*")).body == "gone");
    BOOST_TEST(problem_details(text(404, "gone"), accepting("")).body == "gone");
    BOOST_TEST(problem_details(text(200, "fine"), accepting(wanted)).body == "fine");
}

BOOST_AUTO_TEST_CASE(a_text_that_is_no_utf8_is_still_an_answer) {
    const auto response = problem_details(text(400, "bad \xff"), accepting(wanted));
    BOOST_TEST(response.body.find("bad") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
