#include "fcgi/auth/sessions.hpp"

#include "provisioner/identity/passwords.hpp"
#include "provisioner/identity/tokens.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"
#include "provisioner/store/tenants/user_store.hpp"

namespace fcgi::auth {

using provisioner::base::Secret;
using provisioner::base::Timestamp;

namespace {

namespace identity = provisioner::identity;
namespace model = provisioner::model;
namespace store = provisioner::store;

std::string cookie_name(const http::Request& request) {
    if (!request.secure) return "cooperage";
    return request.prefix.empty() ? "__Host-cooperage" : "__Secure-cooperage";
}

std::string cookie_path(const http::Request& request) {
    return request.prefix.empty() ? "/" : request.prefix;
}

std::optional<model::User> find_user(store::Database& database, const std::string& tenant_name,
                                     const std::string& user) {
    return database.read([&](store::Connection& connection) -> std::optional<model::User> {
        const auto tenant = store::find_tenant(connection, tenant_name);
        if (!tenant) return std::nullopt;
        return store::find_user(connection, tenant->id, user);
    });
}

}  // namespace

std::optional<Secret> log_in(store::Database& database, const std::string& tenant,
                             const std::string& user_name, const Secret& password, Timestamp now) {
    const auto user = find_user(database, tenant, user_name);
    // The slow comparison always runs. Otherwise the time of an answer would show which users
    // exist.
    const bool has_password = user && !user->password_hash.empty();
    const std::string& hash = has_password ? user->password_hash : identity::decoy_hash();
    if (!identity::password_matches(password, hash) || !has_password) return std::nullopt;
    Secret token = identity::new_token();
    const std::string token_hash = identity::hash_of_token(token);
    database.write([&](store::Connection& connection) {
        store::insert_session(connection, token_hash, user->id, now, now + session_length);
    });
    return token;
}

void log_out(store::Database& database, const Secret& token) {
    const std::string token_hash = identity::hash_of_token(token);
    database.write(
        [&](store::Connection& connection) { store::delete_session(connection, token_hash); });
}

std::optional<Secret> session_token(const http::Request& request) {
    const auto value = http::cookie_value(request.header("cookie"), cookie_name(request));
    if (!value || !identity::looks_like_token(*value)) return std::nullopt;
    return Secret(*value);
}

http::Cookie session_cookie(const Secret& token, const http::Request& request) {
    return {.name = cookie_name(request),
            .value = token.reveal(),
            .max_age = session_length,
            .secure = request.secure,
            .path = cookie_path(request)};
}

http::Cookie no_session_cookie(const http::Request& request) {
    return {.name = cookie_name(request),
            .value = "",
            .max_age = std::chrono::seconds{0},
            .secure = request.secure,
            .path = cookie_path(request)};
}

}  // namespace fcgi::auth
