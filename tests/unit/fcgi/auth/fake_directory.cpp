#include "tests/unit/fcgi/auth/fake_directory.hpp"

#include "provisioner/identity/tokens.hpp"

namespace tests {

using fcgi::http::Request;
using provisioner::base::Secret;
using provisioner::identity::hash_of_token;
using provisioner::model::Caller;
using provisioner::model::OpenSession;
using provisioner::model::Role;
using provisioner::model::Tenant;
using provisioner::model::TenantId;
using provisioner::model::User;
using provisioner::model::UserId;

namespace {

Tenant a_tenant(long long id, const std::string& name) {
    Tenant tenant;
    tenant.id = TenantId{id};
    tenant.name = name;
    return tenant;
}

}  // namespace

FakeDirectory::FakeDirectory() {
    session.proven_at = provisioner::base::SystemClock().now();
    const Tenant root = a_tenant(1, "superadmin");
    const Tenant acme = a_tenant(2, "acme");
    const Tenant other = a_tenant(3, "other");
    add(root, "admin", Role::superadmin);
    add(acme, "admin", Role::admin);
    add(acme, "olga", Role::cluster_operator);
    add(acme, "bob", Role::user);
    add(acme, "rita", Role::auditor);
    add(other, "bob", Role::user);
    add(other, "admin", Role::admin);
}

void FakeDirectory::add(const Tenant& tenant, const std::string& name, Role role) {
    User user;
    user.id = UserId{static_cast<std::int64_t>(callers_.size()) + 1};
    user.tenant = tenant.id;
    user.name = name;
    user.role = role;
    tenants_[tenant.name] = tenant;
    callers_[hash_of_token(Secret(token_of(tenant.name, name)))] = Caller{user, tenant};
}

fcgi::auth::KeyLookup FakeDirectory::by_key(const std::string& tenant,
                                            const std::string& key_hash) {
    fcgi::auth::KeyLookup lookup;
    const auto found = tenants_.find(tenant);
    if (found != tenants_.end()) lookup.tenant = found->second;
    if (key_hash.empty()) return lookup;
    if (const auto found_session = find_session(key_hash))
        lookup.owner = found_session->caller.user;
    lookup.limits = limits;
    return lookup;
}

fcgi::auth::KeyLookup FakeDirectory::by_name(const std::string& tenant, const std::string& user) {
    return by_key(tenant, hash_of_token(Secret(token_of(tenant, user))));
}

std::optional<OpenSession> FakeDirectory::find_session(const std::string& token_hash) {
    ++lookups;
    const auto found = callers_.find(token_hash);
    if (found == callers_.end()) return std::nullopt;
    return OpenSession{.session = session, .caller = found->second};
}

std::optional<Tenant> FakeDirectory::find_tenant(const std::string& name) {
    const auto found = tenants_.find(name);
    return found == tenants_.end() ? std::nullopt : std::optional(found->second);
}

bool FakeDirectory::is_viewing(const OpenSession& seen, const Tenant& viewed, bool is_look) {
    const bool is_there = views.contains(seen.caller.user.name + " views " + viewed.name);
    looks += is_there && is_look ? 1 : 0;
    return is_there;
}

std::string token_of(const std::string& tenant, const std::string& user) {
    const std::string names = hash_of_token(Secret(tenant + '/' + user));
    return "coop_" + names;
}

Request from_script(const std::string& method, const std::string& path, const std::string& tenant,
                    const std::string& user) {
    Request request;
    request.method = method;
    request.path = path;
    request.headers = {{"coopr-userid", user},
                       {"coopr-tenantid", tenant},
                       {"coopr-apikey", token_of(tenant, user)}};
    return request;
}

Request from_browser(const std::string& method, const std::string& path, const std::string& tenant,
                     const std::string& user) {
    Request request;
    request.method = method;
    request.path = path;
    request.headers = {{"host", "cooperage.example.com"},
                       {"accept", "text/html"},
                       {"cookie", "cooperage=" + token_of(tenant, user)}};
    return request;
}

}  // namespace tests
