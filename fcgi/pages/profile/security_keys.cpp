#include "fcgi/pages/profile/security_keys.hpp"

#include <algorithm>
#include <cctype>

#include "fcgi/auth/sign_ins.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/profile/factor.hpp"
#include "fcgi/pages/refusals.hpp"
#include "fcgi/pages/tenants/login.hpp"
#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using http::Request;
using http::Response;
using provisioner::base::Json;
using provisioner::messages::translated;
namespace identity = provisioner::identity;
namespace operations = provisioner::operations;

namespace {

std::string without_port(const std::string& host) {
    const auto end = host.starts_with('[') ? host.find(']') : std::string::npos;
    if (end != std::string::npos) return host.substr(0, end + 1);
    return host.substr(0, host.rfind(':'));
}

}  // namespace

Json to_json(const KeyPrompt& prompt) {
    Json json;
    json["challenge"] = prompt.challenge;
    json["host"] = prompt.host;
    json["account"] = prompt.account;
    json["handle"] = prompt.handle;
    std::string credentials;
    for (const auto& one : prompt.credentials) {
        credentials += (credentials.empty() ? "" : " ") + one;
    }
    json["credentials"] = credentials;
    return json;
}

identity::KeySite key_site(const Request& request, const std::string& address) {
    const std::string& host = request.header("host");
    identity::KeySite site{.origin = (request.secure ? "https://" : "http://") + host,
                           .host = without_port(host)};
    // As browsers write it.
    std::string own = address.substr(0, address.find('/', sizeof "https://" - 1));
    std::ranges::transform(own, own.begin(), [](unsigned char c) { return std::tolower(c); });
    if (own.starts_with("https://") && own.ends_with(":443")) own.resize(own.size() - 4);
    const auto behind_scheme = own.find("://");
    if (behind_scheme == std::string::npos) return site;
    // Another port of the same host is another site, whose pages must not ask for our keys.
    if (without_port(own.substr(behind_scheme + 3)) == site.host) site.origin = own;
    return site;
}

identity::KeyCeremony key_ceremony(const Request& request, const auth::Visitor& visitor, App& app) {
    return {
        .site = key_site(request, app.address), .session = visitor.session, .now = app.clock.now()};
}

std::vector<std::string> credentials_of(const operations::FactorView& factor,
                                        const std::string& host) {
    std::vector<std::string> credentials;
    for (const auto& key : factor.keys) {
        if (key.host == host) credentials.push_back(key.credential);
    }
    return credentials;
}

std::optional<KeyPrompt> key_question(const operations::FactorView& factor,
                                      const identity::KeyCeremony& ceremony) {
    KeyPrompt prompt{.host = ceremony.site.host,
                     .credentials = credentials_of(factor, ceremony.site.host)};
    if (prompt.credentials.empty()) return std::nullopt;
    prompt.challenge = identity::key_challenge(ceremony);
    return prompt;
}

bool has_key_answer(const http::FormData& sent) {
    return !sent.trimmed("credential").empty();
}

identity::KeyAnswer key_answer_in(const http::FormData& sent) {
    return {.credential = sent.trimmed("credential"),
            .client_data = sent.trimmed("client_data"),
            .authenticator_data = sent.trimmed("authenticator_data"),
            .signature = sent.trimmed("signature")};
}

Response add_security_key(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto sent = http::parse_form(request.body);
    const operations::NewSecurityKey wanted{.name = sent.trimmed("name"),
                                            .answer = {.client_data = sent.trimmed("client_data"),
                                                       .attestation = sent.trimmed("attestation")}};
    auto confirmed =
        operations::add_security_key(app.database, visitor.open_session(), wanted,
                                     key_ceremony(request, visitor, app), auth::client_of(request));
    return show_new_factor(request, visitor, app, std::move(confirmed), "security-key",
                           wanted.name);
}

Response remove_own_security_key(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto id = provisioner::base::parse_number(request.path_value("id"));
    const auto removed = operations::remove_security_key(app.database, visitor.open_session(),
                                                         id.value_or(0), app.sign_in);
    if (!removed) return nothing_there(translated("security key"));
    return http::see_other("/profile/factor");
}

}  // namespace fcgi::pages
