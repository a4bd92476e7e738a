#include "fcgi/auth/permissions.hpp"

#include <boost/test/unit_test.hpp>
#include <map>
#include <set>

#include "fcgi/routes.hpp"

using namespace fcgi;
using auth::Need;
using provisioner::model::Role;

BOOST_AUTO_TEST_SUITE(permissions)

namespace {

auth::Visitor visitor_with(std::optional<Role> role) {
    auth::Visitor visitor;
    if (!role) return visitor;
    visitor.caller.emplace();
    visitor.caller->user.role = *role;
    return visitor;
}

http::Request a_request(const std::string& method, const std::string& path) {
    http::Request request;
    request.method = method;
    request.path = path;
    return request;
}

bool may(std::optional<Role> role, Need need, bool changes) {
    return auth::satisfies(visitor_with(role), need, changes);
}

/// What the wire contract and the site promise, said once more in other words than the table's.
Need expected_need(const Route& route) {
    const std::string& path = route.pattern;
    if (path == "/status" || path == "/login" || path == "/logout") return Need::nobody;
    if (path == "/healthz" || path == "/readyz" || path == "/metrics") return Need::nobody;
    if (path == "/v2/openapi.json" || path == "/docs/api") return Need::nobody;
    if (path == "/login/code") return Need::nobody;
    const bool is_own = path.starts_with("/profile") || path.starts_with("/v2/profile/");
    if (is_own || path == "/permissions" || path == "/" || path == "/forms/{id}")
        return Need::account;
    if (path == "/v2/profile") return route.method == "GET" ? Need::account : Need::user;
    if (path.starts_with("/people") || path.starts_with("/groups")) return Need::admin;
    if (path.starts_with("/permissions/")) return Need::admin;
    if (path.starts_with("/v2/groups") || path.starts_with("/v2/permissions")) return Need::admin;
    if (path.starts_with("/login/with/") || path.starts_with("/login/callback") ||
        path == "/login/backchannel")
        return Need::nobody;
    if (path.starts_with("/new-identity-provider/") || path == "/new-tenant")
        return Need::superadmin;
    if (path.starts_with("/identity-providers") || path.starts_with("/v2/identityproviders"))
        return Need::superadmin;
    if (path.starts_with("/catalogue/") || path.starts_with("/builder/") ||
        path.starts_with("/history/") || path.starts_with("/exchange"))
        return Need::admin;
    if (path == "/clusters/{id}/give-up" || path == "/unknown-machines") return Need::admin;
    if (path == "/v2/unknownmachines" || path == "/v2/lostmachines" ||
        path == "/v2/provideraccounts")
        return Need::admin;
    if (path.starts_with("/v2/providertests/")) return Need::admin;
    if (path.starts_with("/v2/machineleases")) return Need::admin;
    if (path.starts_with("/v2/loginkeys") || path.starts_with("/login-keys")) return Need::admin;
    if (path == "/prices") return Need::admin;
    if (path.starts_with("/audit") || path.starts_with("/v2/audit")) return Need::admin;
    if (path == "/v2/prices/default" && route.method != "GET") return Need::superadmin;
    if (path.starts_with("/daemons") || path == "/v2/daemons") return Need::superadmin;
    if (path.starts_with("/tenants") || path == "/queues") return Need::superadmin;
    if (path.starts_with("/viewing/")) return Need::superadmin;
    const bool is_api = path.starts_with("/v2/");
    // The forms of what changes clusters, and what they show before.
    const bool asks = path.starts_with("/clusters/") && !route.changes();
    const std::set<std::string> shows{"/clusters/{id}",
                                      "/clusters/{id}/machines",
                                      "/clusters/{id}/machines/{node}",
                                      "/clusters/{id}/jobs",
                                      "/clusters/{id}/jobs/{job}",
                                      "/clusters/{id}/jobs/{job}/graph",
                                      "/clusters/{id}/jobs/{job}/timeline",
                                      "/clusters/{id}/services",
                                      "/clusters/{id}/settings",
                                      "/clusters/{id}/tasks/{task}",
                                      "/clusters/{id}/tasks/{task}/log"};
    if (asks && !shows.contains(path)) return Need::cluster_user;
    const bool is_about_clusters =
        path.starts_with("/v2/clusters") || path.starts_with("/v2/tasks");
    if (path.starts_with("/v2/tenants") || path.starts_with("/v2/provisioners")) {
        return Need::superadmin;
    }
    const bool is_type = path.ends_with("types/{plugin}") || path.ends_with("/{resourcetype}");
    if (is_type) return route.method == "DELETE" ? Need::superadmin : Need::user;
    if (path.starts_with("/v2/plugins/") && path.find("/{name}") != std::string::npos) {
        return Need::admin;
    }
    if (path == "/v2/metrics/queues") return Need::admin;
    if (path == "/v2/getNodeProperties") return Need::user;
    if (path.starts_with("/v2/nodes") && route.method != "GET") return Need::superadmin;
    if (path == "/v2/resolve") return Need::user;
    if (is_api && !is_about_clusters && route.method != "GET") return Need::admin;
    return Need::user;
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_role_meets_the_needs_of_its_rights) {
    // Letters: r reads, c changes.
    const std::vector<std::pair<Need, std::map<Role, std::string>>> table{
        {Need::account,
         {{Role::user, "rc"},
          {Role::cluster_operator, "rc"},
          {Role::auditor, "rc"},
          {Role::admin, "rc"},
          {Role::superadmin, "rc"}}},
        {Need::user,
         {{Role::user, "rc"},
          {Role::cluster_operator, "rc"},
          {Role::auditor, "r"},
          {Role::admin, "rc"},
          {Role::superadmin, "rc"}}},
        {Need::cluster_user,
         {{Role::user, "rc"},
          {Role::cluster_operator, "rc"},
          {Role::auditor, ""},
          {Role::admin, "rc"},
          {Role::superadmin, "rc"}}},
        {Need::admin,
         {{Role::user, ""},
          {Role::cluster_operator, ""},
          {Role::auditor, "r"},
          {Role::admin, "rc"},
          {Role::superadmin, "rc"}}},
        {Need::superadmin,
         {{Role::user, ""},
          {Role::cluster_operator, ""},
          {Role::auditor, ""},
          {Role::admin, ""},
          {Role::superadmin, "rc"}}}};

    for (const auto& [need, of_roles] : table) {
        BOOST_TEST(!may(std::nullopt, need, false));
        BOOST_TEST(!may(std::nullopt, need, true));
        BOOST_REQUIRE(of_roles.size() == provisioner::model::all_roles.size());
        for (const auto& [role, letters] : of_roles) {
            const std::string who = provisioner::base::to_word(role);
            BOOST_TEST(may(role, need, false) == (letters.find('r') != std::string::npos), who);
            BOOST_TEST(may(role, need, true) == (letters.find('c') != std::string::npos), who);
        }
    }
    BOOST_TEST(may(std::nullopt, Need::nobody, true));
}

BOOST_AUTO_TEST_CASE(every_route_of_the_site_needs_what_was_promised) {
    BOOST_TEST(routes().size() > 50U);
    for (const Route& route : routes()) {
        BOOST_TEST((route.need == expected_need(route)), route.method << ' ' << route.pattern);
        BOOST_TEST((route.handler != nullptr), route.method << ' ' << route.pattern);
    }
}

BOOST_AUTO_TEST_CASE(scripts_are_refused_with_the_texts_of_the_wire_contract) {
    const auto request = a_request("POST", "/v2/providers");
    const auto user = visitor_with(Role::user);

    BOOST_TEST(auth::refusal(request, user, Need::admin).status == 403);
    BOOST_TEST(auth::refusal(request, user, Need::admin).body ==
               "user unauthorized, must be admin.");
    BOOST_TEST(auth::refusal(request, user, Need::superadmin).body ==
               "user unauthorized, must be superadmin.");
    BOOST_TEST(auth::refusal(request, user, Need::user).body ==
               "user unauthorized, auditors change nothing.");
}

BOOST_AUTO_TEST_CASE(browsers_log_in_and_come_back_to_the_page_they_wanted) {
    auto wanted = a_request("GET", "/clusters/7");
    wanted.query = "a=b&c";

    const auto to_login = auth::refusal(wanted, {}, Need::user);
    BOOST_TEST(to_login.status == 303);
    BOOST_TEST(to_login.header("Location") == "/login?next=%2Fclusters%2F7%3Fa%3Db%26c");
    BOOST_TEST(auth::refusal(a_request("POST", "/clusters"), {}, Need::user).header("Location") ==
               "/login");
    BOOST_TEST(auth::refusal(a_request("GET", "/"), {}, Need::user).header("Location") == "/login");
    BOOST_TEST(auth::refusal(wanted, visitor_with(Role::user), Need::admin).status == 403);
}

BOOST_AUTO_TEST_SUITE_END()
