#include "fcgi/auth/identify.hpp"

#include "fcgi/auth/csrf.hpp"
#include "fcgi/auth/sessions.hpp"
#include "provisioner/base/utf8.hpp"
#include "provisioner/identity/csrf_token.hpp"
#include "provisioner/identity/tokens.hpp"

namespace fcgi::auth {

using provisioner::base::expected;
using provisioner::base::Secret;
using provisioner::base::unexpected;

namespace {

namespace identity = provisioner::identity;
namespace model = provisioner::model;

const std::string user_header = "coopr-userid";
const std::string tenant_header = "coopr-tenantid";
const std::string key_header = "coopr-apikey";

unexpected<http::Response> refused(int status, std::string message) {
    return unexpected(http::text(status, std::move(message)));
}

/// A cookie alone proves nothing: another site can make the browser send it. A GET needs the same
/// origin, everything else the csrf token.
bool is_from_our_page(const http::Request& request, const Visitor& visitor) {
    if (request.method == "GET") return is_same_origin(request);
    return identity::csrf_token_matches(visitor.session, request.header("x-csrf-token"));
}

bool is_key_of(const model::User& owner, const std::string& user, const model::Tenant& tenant) {
    return owner.name == user && owner.tenant == tenant.id;
}

/// Hash of the key; empty for a text that cannot be a key, which the directory does not look up.
std::string hash_of_key(const std::string& key) {
    if (!identity::looks_like_token(key)) return {};
    return identity::hash_of_token(Secret(key));
}

expected<Visitor, http::Response> identify_by_headers(const http::Request& request,
                                                      Directory& directory,
                                                      TrustedHeaders trusted) {
    const std::string& user = request.header(user_header);
    if (user.empty()) return refused(401, "Coopr-UserID not found in request headers.");
    const std::string& tenant_name = request.header(tenant_header);
    if (tenant_name.empty()) return refused(401, "Coopr-TenantID not found in request headers.");
    // The database refuses to compare with bytes that are not UTF-8.
    if (!provisioner::base::is_utf8(tenant_name)) return refused(404, "Tenant does not exist.");

    const std::string& key = request.header(key_header);
    const bool takes_their_word = trusted == TrustedHeaders::on && key.empty();
    const auto [tenant, owner, limits, key_id] =
        takes_their_word ? directory.by_name(tenant_name, user)
                         : directory.by_key(tenant_name, hash_of_key(key));
    if (!tenant) return refused(404, "Tenant does not exist.");
    if (takes_their_word && !owner) return refused(401, "Coopr-UserID is no user of this tenant.");
    if (key.empty() && !takes_their_word)
        return refused(401, "Coopr-ApiKey not found in request headers.");
    if (!owner || !is_key_of(*owner, user, *tenant)) {
        return refused(401, "Coopr-ApiKey is not valid for this user.");
    }
    Visitor visitor;
    visitor.caller = model::Caller{.user = *owner, .tenant = *tenant};
    visitor.caller->credential = takes_their_word ? "headers" : "key " + std::to_string(key_id);
    if (!takes_their_word) visitor.key = limits;
    visitor.caller->key = visitor.key;
    return visitor;
}

/// Makes the caller an auditor of the tenant that they view. The name cannot be that of a user of
/// the tenant, so nothing about such a user is taken for the caller's.
void view(Visitor& visitor, const model::Tenant& tenant) {
    visitor.behind = visitor.caller;
    model::Caller& caller = *visitor.caller;
    caller.user.name = caller.tenant.name + '/' + caller.user.name;
    caller.user.role = model::Role::auditor;
    caller.tenant = tenant;
}

}  // namespace

Visitor identify_browser(const http::Request& request, Directory& directory) {
    const auto token = session_token(request);
    if (!token) return {};
    auto found = directory.find_session(identity::hash_of_token(*token));
    if (!found) return {};
    Visitor visitor;
    visitor.session = *token;
    if (found->session.stage == model::SessionStage::code) {
        visitor.first_step = std::move(*found);
        return visitor;
    }
    visitor.caller = std::move(found->caller);
    visitor.caller->credential = "session";
    visitor.login = std::move(found->session);
    const bool views = !request.view.empty() && request.view != visitor.caller->tenant.name;
    if (!views || !visitor.caller->is_superadmin()) return visitor;
    if (const auto viewed = directory.find_tenant(request.view)) view(visitor, *viewed);
    return visitor;
}

expected<Visitor, http::Response> identify_script(const http::Request& request,
                                                  Directory& directory, TrustedHeaders trusted) {
    if (request.header(user_header).empty() && session_token(request)) {
        const Visitor visitor = identify_browser(request, directory);
        const bool may_do_all = visitor.login && visitor.login->stage == model::SessionStage::open;
        if (may_do_all && is_from_our_page(request, visitor)) return visitor;
    }
    return identify_by_headers(request, directory, trusted);
}

}  // namespace fcgi::auth
