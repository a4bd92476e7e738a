#include "fcgi/auth/key_scope.hpp"

#include <boost/test/unit_test.hpp>

#include "fcgi/routes.hpp"
#include "provisioner/model/tenants/key_rights.hpp"

using namespace fcgi;
using namespace provisioner::model;

BOOST_AUTO_TEST_SUITE(key_scope)

BOOST_AUTO_TEST_CASE(every_call_of_the_api_is_about_something_that_rights_can_name) {
    for (const Route& route : routes()) {
        if (!route.pattern.starts_with("/v2/") || route.need == auth::Need::nobody) continue;
        BOOST_TEST(auth::kind_of_route(route.pattern).has_value(), route.pattern);
    }
    BOOST_TEST(!auth::kind_of_route("/v2/clustersandmore").has_value());
}

BOOST_AUTO_TEST_CASE(a_role_has_the_rights_of_keys_whose_calls_it_may_make) {
    for (const Role role : all_roles) {
        for (const auto& [kind, word] : provisioner::base::words<ResourceKind>) {
            for (const bool changes : {false, true}) {
                bool has_calls = false;
                bool may_make_one = false;
                for (const Route& route : routes()) {
                    const bool is_meant = route.pattern.starts_with("/v2/") &&
                                          auth::kind_of_route(route.pattern) == kind &&
                                          route.changes() == changes;
                    if (!is_meant) continue;
                    has_calls = true;
                    may_make_one |= has(role, auth::right_for(route.need, changes));
                }
                // Auditors may change their account, but none of their keys may change anything.
                if (!has_calls || (role == Role::auditor && changes)) may_make_one = false;
                const bool is_offered = has(role, needed_for({kind, changes}));
                if (has_calls) BOOST_TEST(is_offered == may_make_one, word << changes);
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(a_key_for_clusters_makes_only_calls_about_them) {
    const KeyLimits key{.clusters = {12}};
    const auto refused = [&](const std::string& pattern, const std::string& id) {
        return auth::refused_by_key(key, pattern, {{"id", id}}, true);
    };

    BOOST_TEST(refused("/v2/clusters/{id}/grow", "00000012") == "");
    BOOST_TEST(refused("/v2/clusters/{id}", "12") == "");
    BOOST_TEST(refused("/v2/clusters/{id}", "13") != "");
    BOOST_TEST(refused("/v2/clusters/{id}", "x") != "");
    BOOST_TEST(refused("/v2/clusters", "12") != "");
    BOOST_TEST(refused("/v2/nodes/{id}", "12") != "");
    BOOST_TEST(refused("/v2/profile/apikeys/{id}", "12") != "");
}

BOOST_AUTO_TEST_CASE(a_key_with_rights_is_told_which_it_lacks) {
    const KeyLimits key{.scope = KeyScope::some, .rights = {{ResourceKind::clusters, false}}};

    BOOST_TEST(auth::refused_by_key(key, "/v2/clusters", {}, false) == "");
    BOOST_TEST(auth::refused_by_key(key, "/v2/clusters", {}, true) ==
               "This API key lacks the right clusters:write.");
    BOOST_TEST(auth::refused_by_key(key, "/v2/tenants", {}, false) ==
               "This API key lacks the right people:read.");
    BOOST_TEST(auth::refused_by_key(key, "/v2/else", {}, false) ==
               "This API key has no right to this call.");
}

BOOST_AUTO_TEST_SUITE_END()
