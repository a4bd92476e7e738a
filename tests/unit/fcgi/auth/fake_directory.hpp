#pragma once

#include <map>
#include <set>

#include "fcgi/auth/directory.hpp"
#include "fcgi/http/message.hpp"

namespace tests {

/// Tenant "acme" with the users admin, olga (operator), bob and rita (auditor), tenant "other" with
/// an admin and a bob of its own, and the installation's superadmin. Everybody has an API key and a
/// session, both with the token token_of(tenant, user).
class FakeDirectory final : public fcgi::auth::Directory {
 public:
    FakeDirectory();

    fcgi::auth::KeyLookup by_key(const std::string& tenant, const std::string& key_hash) override;
    fcgi::auth::KeyLookup by_name(const std::string& tenant, const std::string& user) override;
    std::optional<provisioner::model::OpenSession> find_session(
        const std::string& token_hash) override;
    std::optional<provisioner::model::Tenant> find_tenant(const std::string& name) override;
    bool is_viewing(const provisioner::model::OpenSession& seen,
                    const provisioner::model::Tenant& viewed, bool is_look) override;
    void forget() override { ++forgotten; }

    /// How far every key reaches.
    provisioner::model::KeyLimits limits{};

    /// What every session is, apart from its caller: open, and proven just now.
    provisioner::model::Session session{};

    /// Views that were begun: "admin views other".
    std::set<std::string> views{};

    /// How often a page of them was looked at.
    std::size_t looks = 0;

    /// How often a key or session was looked up.
    int lookups = 0;

    /// How often it was told that something was written.
    int forgotten = 0;

 private:
    void add(const provisioner::model::Tenant& tenant, const std::string& name,
             provisioner::model::Role role);

    std::map<std::string, provisioner::model::Tenant> tenants_;
    std::map<std::string, provisioner::model::Caller> callers_;
};

/// "coop_" and 64 hexadecimal digits, made of the two names.
std::string token_of(const std::string& tenant, const std::string& user);

/// A request for `path` from a script that says it is this user, with this user's key.
fcgi::http::Request from_script(const std::string& method, const std::string& path,
                                const std::string& tenant, const std::string& user);

/// A request for `path` from a browser in which this user is logged in.
fcgi::http::Request from_browser(const std::string& method, const std::string& path,
                                 const std::string& tenant, const std::string& user);

}  // namespace tests
