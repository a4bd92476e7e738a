#include "provisioner/operations/access/membership_rules.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(membership_rules)

BOOST_AUTO_TEST_CASE(a_provider_that_is_on_ends_with_the_only_tenant_of_its_rules) {
    using namespace provisioner;
    const model::MembershipRule here{.value = "*", .tenant = "uid-1"};
    const model::MembershipRule there{.value = "staff", .tenant = "uid-2"};
    std::vector<model::IdentityProvider> providers(4);
    providers[0].name = "both";
    providers[0].rules = {here, there};
    providers[1].name = "only";
    providers[1].rules = {here, here};
    providers[2].name = "off";
    providers[2].enabled = false;
    providers[2].rules = {here};
    providers[3].name = "other";
    providers[3].rules = {there};

    const auto found = operations::providers_with_rules_for(providers, "uid-1");

    const std::vector<operations::ProviderOfTenant> wanted{
        {.name = "both", .rules = 1, .ends = false},
        {.name = "only", .rules = 2, .ends = true},
        {.name = "off", .rules = 1, .ends = false}};
    BOOST_TEST((found == wanted));
}

BOOST_AUTO_TEST_SUITE_END()
