#include "fcgi/pages/refusals.hpp"

#include <boost/test/unit_test.hpp>

using fcgi::pages::with_status_of;
using provisioner::operations::Refusal;

BOOST_AUTO_TEST_SUITE(refusals_of_pages)

namespace {

fcgi::http::Response page_for(Refusal::Kind kind) {
    Refusal refusal;
    refusal.kind = kind;
    return with_status_of(refusal, fcgi::http::html(200, "the form"));
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_a_person_can_correct_in_the_form_is_a_422) {
    for (const auto kind :
         {Refusal::Kind::invalid, Refusal::Kind::missing_fields, Refusal::Kind::unsatisfiable}) {
        BOOST_TEST(page_for(kind).status == 422);
    }
}

BOOST_AUTO_TEST_CASE(other_refusals_have_the_status_of_the_api) {
    BOOST_TEST(page_for(Refusal::Kind::forbidden).status == 403);
    BOOST_TEST(page_for(Refusal::Kind::not_found).status == 404);
    BOOST_TEST(page_for(Refusal::Kind::conflict).status == 409);
    BOOST_TEST(page_for(Refusal::Kind::too_often).status == 429);
    BOOST_TEST(page_for(Refusal::Kind::too_busy).status == 503);
}

BOOST_AUTO_TEST_CASE(a_busy_server_says_when_to_come_back) {
    const auto busy = page_for(Refusal::Kind::too_busy);

    BOOST_TEST(busy.header("Retry-After") == "3");
    BOOST_TEST(busy.body == "the form");
    BOOST_TEST(page_for(Refusal::Kind::conflict).header("Retry-After").empty());
}

BOOST_AUTO_TEST_SUITE_END()
