#include "fcgi/forms/delete_cluster.hpp"

#include <boost/test/unit_test.hpp>

#include "fcgi/http/json_body.hpp"

using namespace fcgi;

BOOST_AUTO_TEST_SUITE(delete_cluster)

namespace {

provisioner::base::Checked<forms::DeleteCluster> form(const std::string& body) {
    return forms::delete_cluster(http::read_json(body).value());
}

}  // namespace

BOOST_AUTO_TEST_CASE(nothing_has_to_be_said_to_delete_a_cluster) {
    for (const char* body : {"null", "{}", R"({"force":false})", R"({"force":"no"})"}) {
        BOOST_TEST(!form(body)->force);
        BOOST_TEST(form(body)->provider_fields.empty());
    }
    BOOST_TEST(form(R"({"force":"true"})")->force);
    BOOST_TEST(form(R"({"providerFields":{"key":"x"}})")->provider_fields.at("key") == "x");
}

BOOST_AUTO_TEST_CASE(what_cannot_be_read_is_a_problem) {
    BOOST_TEST(to_text(form(R"({"providerFields":[],"force":[]})").error()) ==
               "providerFields: must be an object; force: must be true or false");
    BOOST_TEST(to_text(form("[]").error()) == "must be an object");
}

BOOST_AUTO_TEST_SUITE_END()
