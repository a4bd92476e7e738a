#include "fcgi/forms/change_cluster.hpp"

#include <boost/test/unit_test.hpp>

#include "fcgi/http/json_body.hpp"

using namespace fcgi;
using namespace provisioner::operations;
using provisioner::base::Json;

BOOST_AUTO_TEST_SUITE(change_cluster)

namespace {

using Form = forms::ChangeForm(const Json&);

/// "field: message; field: message", or "none".
std::string problems_of(Form& form, const std::string& body) {
    const auto read = form(http::read_json(body).value());
    return read ? "none" : provisioner::base::to_text(read.error());
}

template <class Change>
Change read(Form& form, const std::string& body) {
    return std::get<Change>(form(http::read_json(body).value()).value().change);
}

}  // namespace

BOOST_AUTO_TEST_CASE(services_are_named) {
    const std::vector<std::string> expected{"a", "b"};

    BOOST_TEST(read<AddServices>(forms::add_services, R"({"services":["a","b","a"]})").services ==
                   expected,
               boost::test_tools::per_element());
    BOOST_TEST(read<RemoveServices>(forms::remove_services, R"({"services":["a","b"]})").services ==
                   expected,
               boost::test_tools::per_element());
    BOOST_TEST(!read<RemoveServices>(forms::remove_services, R"({"services":["a"]})").force);
    BOOST_TEST(
        read<RemoveServices>(forms::remove_services, R"({"services":["a"],"force":true})").force);
    for (Form* form : {&forms::add_services, &forms::remove_services}) {
        BOOST_TEST(problems_of(*form, "{}") == "services: must name at least 1 service");
        BOOST_TEST(problems_of(*form, R"({"services":[]})") ==
                   "services: must name at least 1 service");
        BOOST_TEST(problems_of(*form, "[]") != "none");
    }
}

BOOST_AUTO_TEST_CASE(no_change_names_more_than_there_can_be) {
    const auto names = [](std::size_t count) {
        Json array = Json::array();
        for (std::size_t i = 0; i < count; ++i) array.push_back(std::to_string(i));
        return array;
    };

    BOOST_TEST(forms::add_services({{"services", names(1000)}}).has_value());
    const auto services = forms::remove_services({{"services", names(1001)}});
    BOOST_REQUIRE(!services.has_value());
    BOOST_TEST(services.error().front().field == "services");
    BOOST_TEST(services.error().front().message == "must name at most 1000");
    const auto nodes = forms::shrink_cluster({{"nodes", names(10001)}});
    BOOST_REQUIRE(!nodes.has_value());
    BOOST_TEST(nodes.error().front().message == "must name at most 10000");
}

BOOST_AUTO_TEST_CASE(a_retry_names_machines_or_is_of_all) {
    BOOST_TEST(!forms::retry_job(Json()).value().has_value());
    BOOST_TEST(!forms::retry_job(Json::object()).value().has_value());
    const auto some = forms::retry_job({{"nodes", {1003, "a-b"}}}).value();
    BOOST_REQUIRE(some.has_value());
    BOOST_TEST((*some == std::vector<std::string>{"1003", "a-b"}));
    for (const char* wrong : {R"({"nodes":[]})", R"({"nodes":null})", R"({"nodes":[{}]})",
                              R"({"nodes":"1003"})", "[1003]"}) {
        BOOST_TEST(!forms::retry_job(Json::parse(wrong)).has_value(), wrong);
    }
}

BOOST_AUTO_TEST_CASE(a_cluster_grows_by_a_number_of_machines) {
    const auto wanted =
        read<GrowCluster>(forms::grow_cluster, R"({"numMachines":"2","hardwaretype":"large"})");

    BOOST_TEST(wanted.machines == 2);
    BOOST_TEST(wanted.hardware_type.value() == "large");
    BOOST_TEST(!wanted.image_type.has_value());
    BOOST_TEST(problems_of(forms::grow_cluster, "{}") == "numMachines: must be given");
    BOOST_TEST(problems_of(forms::grow_cluster, R"({"numMachines":"many"})") ==
               "numMachines: must be a whole number of at most 2147483647");
}

BOOST_AUTO_TEST_CASE(a_cluster_shrinks_by_a_number_or_by_names) {
    BOOST_TEST(read<ShrinkCluster>(forms::shrink_cluster, R"({"numMachines":2})").machines == 2);
    const auto named =
        read<ShrinkCluster>(forms::shrink_cluster, R"({"nodes":[1003,"a-b"],"force":true})");
    BOOST_REQUIRE(named.nodes.size() == 2U);
    BOOST_TEST(named.nodes[0] == "1003");
    BOOST_TEST(named.nodes[1] == "a-b");
    BOOST_TEST(named.force);
    BOOST_TEST(!named.keep);
    BOOST_TEST(read<ShrinkCluster>(forms::shrink_cluster, R"({"nodes":[1003],"keep":true})").keep);
}

BOOST_AUTO_TEST_CASE(a_node_is_replaced_without_a_body) {
    const auto wanted = forms::replace_node(Json(), "1003").value();

    BOOST_TEST((std::get<ReplaceNodes>(wanted.change).nodes == std::vector<std::string>{"1003"}));
    BOOST_TEST(wanted.restart);
    BOOST_TEST(!forms::replace_node({{"restart", false}}, "1003")->restart);
    BOOST_TEST(!forms::replace_node({{"providerFields", 1}}, "1003").has_value());
}

BOOST_AUTO_TEST_SUITE_END()
