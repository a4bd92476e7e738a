#include "fcgi/auth/sessions.hpp"

#include "provisioner/identity/tokens.hpp"
#include "provisioner/store/sign_in/session_store.hpp"

namespace fcgi::auth {

using provisioner::base::Secret;

namespace {

namespace identity = provisioner::identity;
namespace store = provisioner::store;

std::string cookie_name(const http::Request& request) {
    if (!request.secure) return "cooperage";
    return request.prefix.empty() ? "__Host-cooperage" : "__Secure-cooperage";
}

std::string cookie_path(const http::Request& request) {
    return request.prefix.empty() ? "/" : request.prefix;
}

}  // namespace

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

http::Cookie session_cookie(const Secret& token, const http::Request& request,
                            std::chrono::seconds length) {
    return {.name = cookie_name(request),
            .value = token.reveal(),
            .max_age = length,
            .secure = request.secure,
            .path = cookie_path(request)};
}

std::optional<Secret> departure_token(const http::Request& request) {
    const auto value =
        http::cookie_value(request.header("cookie"), cookie_name(request) + "-login");
    if (!value || !identity::looks_like_token(*value)) return std::nullopt;
    return Secret(*value);
}

http::Cookie departure_cookie(const Secret& token, const http::Request& request) {
    constexpr std::chrono::minutes lasts{10};
    return {.name = cookie_name(request) + "-login",
            .value = token.reveal(),
            .max_age = lasts,
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
