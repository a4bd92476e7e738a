#include "fcgi/api/refusals.hpp"

#include <boost/test/unit_test.hpp>

using namespace fcgi;
using provisioner::operations::Refusal;

BOOST_AUTO_TEST_SUITE(refusals)

namespace {

Refusal a_refusal(Refusal::Kind kind) {
    Refusal refusal;
    refusal.kind = kind;
    refusal.problems = {{"name", "first"}, {"", "second"}};
    return refusal;
}

std::string said(const http::Response& response) {
    return std::to_string(response.status) + ' ' + response.body;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_wire_contract_tells_the_first_message_as_text) {
    BOOST_TEST(said(api::refused(a_refusal(Refusal::Kind::invalid))) == "400 first");
    BOOST_TEST(said(api::refused(a_refusal(Refusal::Kind::not_found))) == "404 first");
    BOOST_TEST(said(api::refused(a_refusal(Refusal::Kind::conflict))) == "409 first");
    BOOST_TEST(said(api::refused(a_refusal(Refusal::Kind::unsatisfiable))) == "422 first\nsecond");
    BOOST_TEST(api::refused(a_refusal(Refusal::Kind::invalid)).header("Content-Type") ==
               "text/plain; charset=utf-8");
}

BOOST_AUTO_TEST_CASE(missing_fields_are_the_one_structured_error) {
    Refusal refusal = a_refusal(Refusal::Kind::missing_fields);
    refusal.missing_fields = {{{"key", {{"label", "Key"}}}}};

    const auto response = api::refused(refusal);

    BOOST_TEST(said(response) == R"(400 {"missingFields":[{"key":{"label":"Key"}}]})");
    BOOST_TEST(response.header("Content-Type") == "application/json");
}

BOOST_AUTO_TEST_CASE(our_own_calls_tell_every_problem) {
    BOOST_TEST(api::problems_json(a_refusal(Refusal::Kind::unsatisfiable)).dump() ==
               R"({"problems":[{"field":"name","message":"first"},)"
               R"({"field":"","message":"second"}]})");
    Refusal missing = a_refusal(Refusal::Kind::missing_fields);
    missing.missing_fields = provisioner::base::Json::array();
    BOOST_TEST(api::problems_json(missing).dump().ends_with(R"("missingFields":[]})"));
}

BOOST_AUTO_TEST_CASE(our_own_calls_tell_what_would_help_and_who_can_do_it) {
    Refusal refusal = a_refusal(Refusal::Kind::unsatisfiable);
    refusal.remedies = {{true, "Ask for 3 machines."}, {false, "Drop the minimum of db."}};
    BOOST_TEST(api::problems_json(refusal)["remedies"].dump() ==
               R"([{"in":"request","text":"Ask for 3 machines."},)"
               R"({"in":"template","text":"Drop the minimum of db."}])");
}

BOOST_AUTO_TEST_CASE(a_wrong_shape_is_invalid_input_and_a_broken_rule_says_which) {
    BOOST_TEST(said(api::invalid_input({{"name", "must be a text"}})) == "400 invalid input");
    BOOST_TEST(said(api::invalid_input({{"name", "invalid name."}})) ==
               "400 invalid input: invalid name.");
}

BOOST_AUTO_TEST_SUITE_END()
