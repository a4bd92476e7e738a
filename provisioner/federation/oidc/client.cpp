#include "provisioner/federation/oidc/client.hpp"

#include <algorithm>

#include "provisioner/base/clock.hpp"
#include "provisioner/base/utf8.hpp"
#include "provisioner/federation/certificates.hpp"
#include "provisioner/http_client/allowed_servers.hpp"
#include "provisioner/http_client/transfers.hpp"

namespace provisioner::federation {

using base::Json;
using base::unexpected;
using http_client::Reply;
using http_client::Request;
using Kind = Trouble::Kind;

namespace {

constexpr std::size_t longest_document = 1 << 20;
constexpr std::chrono::hours kept_for{1};
constexpr std::chrono::seconds between_fetches{30};
constexpr std::size_t most_kept = 100;

unexpected<Trouble> trouble(Kind kind, std::string reason) {
    return unexpected(Trouble{.kind = kind, .reason = std::move(reason)});
}

std::string key_of(const model::IdentityProvider& provider) {
    return provider.issuer + '\n' + provider.authorities;
}

/// "sso.example.com:8443" of an address.
std::string_view server_of(std::string_view address) {
    const auto scheme = address.find("://");
    if (scheme == std::string_view::npos) return {};
    address.remove_prefix(scheme + 3);
    return address.substr(0, address.find_first_of("/?#"));
}

Request request_to(const model::IdentityProvider& provider, const std::string& method,
                   const std::string& address, const Deadline& deadline) {
    Request request;
    request.method = method;
    request.url = address;
    request.headers = {{"Accept", "application/json"}};
    request.authorities = provider.authorities;
    request.connect_limit = std::min(connect_limit, deadline.left());
    request.limit = deadline.left();
    request.longest_reply = longest_document;
    request.keeps_certificate = true;
    // Superadmins choose the issuer. The other addresses stand in its document, which must not lead
    // to this host or its cloud's metadata.
    request.forbids_own_network = server_of(address) != server_of(provider.issuer);
    return request;
}

/// The word of an OAuth error in a reply; empty for none.
std::string error_word(const std::string& body) {
    const auto json = base::parse_json(body);
    return json ? oauth_error_word(base::text_at(*json, "error")) : "";
}

/// `stated` is what the document says; it may be anything.
std::string problem_with_issuer(const std::string& stated, const std::string& wanted) {
    constexpr std::size_t shown_at_most = 200;
    if (stated.empty()) return "the discovery document states no issuer";
    return "the discovery document states the issuer \"" + base::printable(stated, shown_at_most) +
           "\", not \"" + base::printable(wanted, shown_at_most) + '"';
}

/// A certificate that libcurl did not accept.
Trouble trouble_with_certificate(const Reply& reply, const std::string& address) {
    std::string host(server_of(address));
    if (const auto port = host.rfind(':'); port != std::string::npos && !host.ends_with(']')) {
        host.resize(port);
    }
    // With another name the chain was fine: the result is 0, or 1 where libcurl had set none.
    const long result = *reply.certificate_result;
    const bool is_name = result <= 1 && reply.error.find("subject name") != std::string::npos;
    if (result <= 1 && !is_name) {
        return {
            .kind = Kind::wrong, .reason = address + ": " + reply.error, .is_certificate = true};
    }
    auto problem = problem_of_verification(host, is_name ? std::nullopt : std::optional(result),
                                           reply.certificate, base::SystemClock().now());
    return {.kind = Kind::wrong,
            .reason = std::move(problem.words),
            .is_certificate = true,
            .setting = problem.is_untrusted ? "authorities" : ""};
}

/// Why there was no answer, in words that say what to look at.
std::string why_no_answer(const std::string& error, const std::string& address,
                          bool plain_loopback) {
    const auto has = [&](const char* part) { return error.find(part) != std::string::npos; };
    if (has("wrong version number") || has("unexpected TLS packet")) {
        std::string plain = address;
        if (plain.starts_with("https://")) plain.erase(4, 1);
        const bool may_be_plain = model::is_secure_address(plain, "http", plain_loopback);
        return std::string("it answers without TLS: is the port right") +
               (may_be_plain ? ", or should the address begin with http?" : "?");
    }
    if (has("connect to server") || has("Failed to connect")) {
        return "it does not answer: does it run, and is the port right?";
    }
    return error;
}

std::optional<Trouble> trouble_in(const Reply& reply, const std::string& address,
                                  bool plain_loopback) {
    if (reply.status == 200) return std::nullopt;
    if (reply.certificate_result) return trouble_with_certificate(reply, address);
    if (reply.status == 0) {
        const bool is_lie = reply.error.find("certificate") != std::string::npos ||
                            reply.error.find("SSL") != std::string::npos;
        return Trouble{is_lie ? Kind::wrong : Kind::away,
                       address + ": " + why_no_answer(reply.error, address, plain_loopback)};
    }
    const std::string status = std::to_string(reply.status);
    const std::string word = error_word(reply.body);
    const bool is_away = reply.status >= 500 || reply.status == 429;
    return Trouble{is_away ? Kind::away : Kind::refused,
                   address + " answers " + status + (word.empty() ? "" : " " + word)};
}

}  // namespace

std::string oauth_error_word(const std::string& text) {
    constexpr std::size_t longest = 64;
    const bool is_word = text.size() <= longest &&
                         text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == std::string::npos;
    return is_word ? text : "";
}

Reply fetch_by_curl(const Request& request) {
    return http_client::Transfers().send(request);
}

base::expected<Discovery, Trouble> discovery_from(const std::string& text,
                                                  const std::string& issuer, bool plain_loopback) {
    const auto json = base::parse_json(text);
    if (!json || !json->is_object()) {
        return trouble(Kind::wrong, "the discovery document is no JSON object");
    }
    Discovery found{.issuer = base::text_at(*json, "issuer"),
                    .authorization = base::text_at(*json, "authorization_endpoint"),
                    .token = base::text_at(*json, "token_endpoint"),
                    .keys = base::text_at(*json, "jwks_uri"),
                    .userinfo = base::text_at(*json, "userinfo_endpoint"),
                    .end_session = base::text_at(*json, "end_session_endpoint")};
    std::string wrong;
    const auto add = [&](const std::string& reason) {
        wrong += (wrong.empty() ? "" : "; ") + reason;
    };
    if (found.issuer != issuer) add(problem_with_issuer(found.issuer, issuer));
    for (const auto& [name, address] :
         {std::pair{"authorization_endpoint", found.authorization},
          std::pair{"token_endpoint", found.token}, std::pair{"jwks_uri", found.keys},
          std::pair{"userinfo_endpoint", found.userinfo},
          std::pair{"end_session_endpoint", found.end_session}}) {
        const bool may_lack = std::string_view(name) == "userinfo_endpoint" ||
                              std::string_view(name) == "end_session_endpoint";
        if (address.empty() && may_lack) continue;
        if (!model::is_secure_address(address, "http", plain_loopback)) {
            add(std::string(name) + " is no https address");
        }
    }
    const Json* methods = base::member(*json, "code_challenge_methods_supported");
    if (methods != nullptr) {
        const auto all = base::strings_of(methods);
        if (std::find(all.begin(), all.end(), "S256") == all.end()) {
            add("code challenges by S256 are not supported");
        }
    }
    if (!wrong.empty()) return trouble(Kind::wrong, wrong);
    found.client_auths =
        base::strings_of(base::member(*json, "token_endpoint_auth_methods_supported"));
    found.acr_values = base::strings_of(base::member(*json, "acr_values_supported"));
    const Json* states = base::member(*json, "authorization_response_iss_parameter_supported");
    found.states_issuer = states != nullptr && *states == true;
    return found;
}

base::expected<std::string, Trouble> OidcClient::get(const model::IdentityProvider& provider,
                                                     const std::string& address,
                                                     const Deadline& deadline,
                                                     http_client::Headers headers) {
    if (deadline.is_over()) return trouble(Kind::away, address + ": no time is left");
    Request request = request_to(provider, "GET", address, deadline);
    for (auto& header : headers) request.headers.push_back(std::move(header));
    Reply reply = fetch_(request);
    if (auto wrong = trouble_in(reply, address, plain_loopback_))
        return unexpected(*std::move(wrong));
    return std::move(reply.body);
}

base::expected<Discovery, Trouble> OidcClient::discover(const model::IdentityProvider& provider,
                                                        const Deadline& deadline) {
    const auto now = std::chrono::steady_clock::now();
    const std::string key = key_of(provider);
    {
        const std::lock_guard lock(mutex_);
        const auto kept = kept_.find(key);
        if (kept != kept_.end() && kept->second.discovery &&
            now - kept->second.discovered < kept_for) {
            return *kept->second.discovery;
        }
    }
    auto found = fetch_discovery(provider, deadline);
    if (!found) return found;
    const std::lock_guard lock(mutex_);
    if (kept_.size() >= most_kept) kept_.clear();
    kept_[key].discovery = *found;
    kept_[key].discovered = now;
    return found;
}

base::expected<Discovery, Trouble> OidcClient::fetch_discovery(
    const model::IdentityProvider& provider, const Deadline& deadline) {
    std::string address = provider.issuer;
    if (address.ends_with('/')) address.pop_back();
    const auto text = get(provider, address + "/.well-known/openid-configuration", deadline);
    if (!text) return unexpected(text.error());
    return discovery_from(*text, provider.issuer, plain_loopback_);
}

base::expected<KeySet, Trouble> OidcClient::fetch_keys(const model::IdentityProvider& provider,
                                                       const Discovery& discovery,
                                                       const Deadline& deadline) {
    const auto text = get(provider, discovery.keys, deadline);
    if (!text) return unexpected(text.error());
    auto set = key_set_from(*text);
    if (!set) return trouble(Kind::wrong, discovery.keys + " has no keys");
    return *std::move(set);
}

base::expected<Discovery, Trouble> OidcClient::renew(const model::IdentityProvider& provider,
                                                     const Deadline& deadline) {
    const auto now = std::chrono::steady_clock::now();
    auto discovery = fetch_discovery(provider, deadline);
    if (!discovery) return unexpected(discovery.error());
    auto keys = fetch_keys(provider, *discovery, deadline);
    if (!keys) return unexpected(keys.error());
    if (keys->keys.empty()) {
        return trouble(Kind::wrong, discovery->keys + " has no key for RS256, PS256 or ES256.");
    }
    const std::lock_guard lock(mutex_);
    if (kept_.size() >= most_kept) kept_.clear();
    kept_[key_of(provider)] = {.discovery = *discovery,
                               .discovered = now,
                               .keys = *std::move(keys),
                               .fetched = now - between_fetches};
    return discovery;
}

base::expected<KeySet, Trouble> OidcClient::keys(const model::IdentityProvider& provider,
                                                 const Discovery& discovery,
                                                 const Deadline& deadline, bool anew) {
    const auto now = std::chrono::steady_clock::now();
    const std::string key = key_of(provider);
    {
        const std::lock_guard lock(mutex_);
        Kept& kept = kept_[key];
        const auto age = now - kept.fetched;
        if (kept.keys && age < (anew ? std::chrono::seconds{between_fetches} : kept_for)) {
            return *kept.keys;
        }
        // Counted before the answer, so that many at once ask once. The first keys are no such
        // question.
        if (kept.keys) kept.fetched = now;
    }
    auto set = fetch_keys(provider, discovery, deadline);
    if (!set) return set;
    const std::lock_guard lock(mutex_);
    const bool is_first = !kept_[key].keys;
    kept_[key].keys = *set;
    // Keys that were just fetched may be older than a token that follows at once.
    kept_[key].fetched = is_first ? now - between_fetches : now;
    return set;
}

base::expected<Tokens, Trouble> OidcClient::exchange(const model::IdentityProvider& provider,
                                                     const Discovery& discovery, Parameters grant,
                                                     const Deadline& deadline) {
    if (deadline.is_over()) return trouble(Kind::away, discovery.token + ": no time is left");
    Request request = request_to(provider, "POST", discovery.token, deadline);
    request.at_most_once = true;
    if (provider.client_auth == "basic") {
        request.headers.emplace_back(
            "Authorization", basic_credentials(provider.client_id, provider.secret).reveal());
    } else {
        grant.emplace_back("client_id", provider.client_id);
        if (provider.client_auth == "post") {
            grant.emplace_back("client_secret", provider.secret.reveal());
        }
    }
    request.headers.emplace_back("Content-Type", "application/x-www-form-urlencoded");
    request.body = form_text(grant);
    const Reply reply = fetch_(request);
    if (auto wrong = trouble_in(reply, discovery.token, plain_loopback_)) {
        return unexpected(*std::move(wrong));
    }
    const auto json = base::parse_json(reply.body);
    if (!json) return trouble(Kind::wrong, discovery.token + " does not answer with JSON");
    return Tokens{.id_token = base::text_at(*json, "id_token"),
                  .access_token = base::Secret(base::text_at(*json, "access_token")),
                  .refresh_token = base::Secret(base::text_at(*json, "refresh_token"))};
}

base::expected<Json, Trouble> OidcClient::userinfo(const model::IdentityProvider& provider,
                                                   const Discovery& discovery,
                                                   const base::Secret& access_token,
                                                   const Deadline& deadline) {
    const auto text = get(provider, discovery.userinfo, deadline,
                          {{"Authorization", "Bearer " + access_token.reveal()}});
    if (!text) return unexpected(text.error());
    auto json = base::parse_json(*text);
    if (!json || !json->is_object()) {
        return trouble(Kind::wrong, discovery.userinfo + " does not answer with JSON");
    }
    return *std::move(json);
}

void allow_only(const std::string& list) {
    http_client::allow_only(http_client::AllowedServers(list));
}

}  // namespace provisioner::federation
