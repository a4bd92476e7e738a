#pragma once

#include <boost/test/unit_test.hpp>

#include <iostream>
#include <map>
#include <sstream>

#include "provisioner/http_client/transfers.hpp"
#include "provisioner/identity/passwords.hpp"
#include "provisioner/identity/tokens.hpp"
#include "provisioner/identity/vault.hpp"
#include "provisioner/operations/access/groups.hpp"
#include "provisioner/operations/identity_providers/edit.hpp"
#include "provisioner/operations/identity_providers/providers.hpp"
#include "provisioner/operations/sign_in/passwords.hpp"
#include "provisioner/store/access/group_store.hpp"
#include "provisioner/store/audit/audit_store.hpp"
#include "provisioner/store/sign_in/session_store.hpp"
#include "provisioner/store/tenants/user_store.hpp"
#include "tests/integration/provisioner/fixture.hpp"
#include "tests/support/python_server.hpp"

namespace tests {

/// A site with the tenants acme and barrels, a superadmin who edits providers, and a log that can
/// be read.
struct ProviderSite {
    ProviderSite() { tests::add_keys(fresh.config); }

    /// Stores a provider; fails with its problems.
    void save(const provisioner::model::IdentityProvider& provider, const std::string& secret) {
        const auto saved = provisioner::operations::save_identity_provider(
            fresh.database, root, provider, provisioner::base::Secret(secret), true, now());
        BOOST_REQUIRE_MESSAGE(saved.has_value(), (saved ? "" : to_text(saved.error().problems)));
    }

    /// Actors and documents of the newest event of that action in a chain.
    provisioner::model::audit::Event newest(provisioner::model::TenantId chain,
                                            const std::string& action) {
        const auto events = fresh.database.read([&](provisioner::store::Connection& connection) {
            return provisioner::store::list_events(connection, {.chain = chain, .action = action},
                                                   0, 1);
        });
        BOOST_REQUIRE_MESSAGE(!events.empty(), "no event " << action);
        return events.front();
    }

    /// The groups of a user, and a new group without members.
    std::vector<std::string> groups_of(const provisioner::model::User& user) {
        return fresh.database.read([&](provisioner::store::Connection& connection) {
            return provisioner::store::groups_of(connection, user.id);
        });
    }
    void make_group(const provisioner::model::Caller& in, const std::string& name) {
        BOOST_REQUIRE(
            provisioner::operations::create_group(fresh.database, in, {.name = name}, now())
                .has_value());
    }

    static provisioner::base::Timestamp now() { return provisioner::base::SystemClock().now(); }

    std::optional<provisioner::model::User> user(const provisioner::model::Caller& in,
                                                 const std::string& name) {
        return fresh.database.read([&](provisioner::store::Connection& connection) {
            return provisioner::store::find_user(connection, in.tenant.id, name);
        });
    }

    /// The caller of a session's token, if that still lets in.
    std::optional<provisioner::model::OpenSession> session(const provisioner::base::Secret& token) {
        return provisioner::operations::use_session(
            fresh.database, provisioner::identity::hash_of_token(token), rules, now());
    }

    FreshDatabase fresh;
    provisioner::model::Caller root =
        a_caller(fresh.database, "root", provisioner::model::Role::superadmin);
    provisioner::model::Caller acme = a_caller(fresh.database, "acme");
    provisioner::model::Caller barrels = a_caller(fresh.database, "barrels");
    provisioner::operations::SignInRules rules{};
    provisioner::operations::Client client{.address = "192.0.2.7", .agent = "a browser"};
    std::ostringstream lines{};
    provisioner::base::SystemClock clock{};
    provisioner::base::Log log{lines, clock};
};

/// Asks a peer's controls.
inline std::string tell(int port, const std::string& path, const std::string& body = "") {
    provisioner::http_client::Request request;
    request.url = "http://127.0.0.1:" + std::to_string(port) + path;
    request.body = body;
    request.limit = std::chrono::seconds{20};
    const auto reply = provisioner::http_client::Transfers().send(request);
    BOOST_REQUIRE_MESSAGE(reply.status == 200,
                          path << ": " << reply.status << ' ' << reply.error << reply.body);
    return reply.body;
}

}  // namespace tests
