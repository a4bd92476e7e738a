#include "fcgi/forms/create_cluster.hpp"

#include <boost/test/unit_test.hpp>

#include "fcgi/forms/provider_fields.hpp"
#include "fcgi/http/json_body.hpp"

using namespace fcgi;
using namespace std::chrono_literals;
using provisioner::base::Json;
using provisioner::operations::CreateCluster;
using Names = std::vector<std::string>;

namespace {

Json parsed(const std::string& body) {
    return http::read_json(body).value();
}

CreateCluster wanted(const std::string& body) {
    return forms::create_cluster(parsed(body)).value();
}

/// "field: message; field: message", or "none".
std::string problems_of(const std::string& body) {
    const auto form = forms::create_cluster(parsed(body));
    return form ? "none" : provisioner::base::to_text(form.error());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(create_cluster)

BOOST_AUTO_TEST_CASE(every_member_is_read) {
    const CreateCluster read = wanted(R"({
        "name": "c1", "clusterTemplate": "webapp", "numMachines": 3, "description": "first",
        "provider": "cloud", "providerFields": {"key": "k"}, "services": ["web", "db", "web"],
        "hardwaretype": "tiny", "imagetype": "deb12", "initialLeaseDuration": 60000,
        "dnsSuffix": "example.com", "config": {"web": {"port": 8080}}})");

    BOOST_TEST(read.name == "c1");
    BOOST_TEST(read.cluster_template == "webapp");
    BOOST_TEST(read.machines == 3);
    BOOST_TEST(read.description == "first");
    BOOST_TEST(read.provider.value() == "cloud");
    BOOST_TEST(read.provider_fields.dump() == R"({"key":"k"})");
    BOOST_TEST((read.services == Names{"web", "db"}));
    BOOST_TEST(read.hardware_type.value() == "tiny");
    BOOST_TEST(read.image_type.value() == "deb12");
    BOOST_TEST((read.lease == 60s));
    BOOST_TEST(read.dns_suffix.value() == "example.com");
    BOOST_TEST(read.config.dump() == R"({"web":{"port":8080}})");
}

BOOST_AUTO_TEST_CASE(absent_null_and_empty_members_are_their_defaults) {
    for (const char* body :
         {"{}", R"({"name":null,"provider":null,"config":null,"services":null})",
          R"({"provider":"","hardwaretype":"","imagetype":"","dnsSuffix":""})"}) {
        const CreateCluster read = wanted(body);

        BOOST_TEST(read.name == "");
        BOOST_TEST(read.machines == 0);
        BOOST_TEST(!read.provider.has_value());
        BOOST_TEST(!read.hardware_type.has_value());
        BOOST_TEST(!read.image_type.has_value());
        BOOST_TEST(!read.dns_suffix.has_value());
        BOOST_TEST(!read.lease.has_value());
        BOOST_TEST(read.services.empty());
        BOOST_TEST(read.config.is_null());
        BOOST_TEST(read.provider_fields.dump() == "{}");
    }
}

BOOST_AUTO_TEST_CASE(numbers_may_be_strings_and_strings_numbers) {
    const CreateCluster read =
        wanted("{name:5,clusterTemplate='t',numMachines:'3';initialLeaseDuration:'45000'}");

    BOOST_TEST(read.name == "5");
    BOOST_TEST(read.machines == 3);
    BOOST_TEST((read.lease == 45s));
}

BOOST_AUTO_TEST_CASE(leases_are_milliseconds_durations_or_minus_one) {
    BOOST_TEST(!wanted("{initialLeaseDuration:-1}").lease.has_value());
    BOOST_TEST(!wanted("{initialLeaseDuration:'-1'}").lease.has_value());
    BOOST_TEST((wanted("{initialLeaseDuration:0}").lease == 0ms));
    BOOST_TEST((wanted("{initialLeaseDuration:-2}").lease == -2ms));
    BOOST_TEST((wanted("{initialLeaseDuration:'2h'}").lease == 2h));
    BOOST_TEST(problems_of("{initialLeaseDuration:'5x'}").starts_with("initialLeaseDuration: "));
    BOOST_TEST(problems_of("{initialLeaseDuration:true}").starts_with("initialLeaseDuration: "));
    for (const char* too_large : {"9223372036854775808", "18446744073709551615", "1e400"}) {
        BOOST_TEST(problems_of(std::string("{initialLeaseDuration:") + too_large + '}')
                       .starts_with("initialLeaseDuration: "));
    }
}

BOOST_AUTO_TEST_CASE(every_member_of_a_wrong_shape_is_told) {
    const std::string problems = problems_of(
        R"({"name":{},"numMachines":"many","services":"web","config":[],"providerFields":1})");

    for (const char* field : {"name: ", "numMachines: ", "services: ", "config: must be an object",
                              "providerFields: must be an object"}) {
        BOOST_TEST(problems.find(field) != std::string::npos, field << " in " << problems);
    }
    BOOST_TEST(problems_of("{description:'" + std::string(65536, 'x') + "'}") ==
               "description: must not be longer than 65535 bytes");
    BOOST_TEST(problems_of("[]") != "none");
    BOOST_TEST(problems_of("null") == "must be an object");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(provider_fields)

BOOST_AUTO_TEST_CASE(an_operation_may_come_without_fields) {
    BOOST_TEST(forms::provider_fields(parsed("null")).value().dump() == "{}");
    BOOST_TEST(forms::provider_fields(parsed("{}")).value().dump() == "{}");
    BOOST_TEST(forms::provider_fields(parsed("{providerFields:{a:1}}")).value().dump() ==
               R"({"a":1})");
    BOOST_TEST(!forms::provider_fields(parsed("{providerFields:[]}")).has_value());
    BOOST_TEST(!forms::provider_fields(parsed("[]")).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
