#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "provisioner/base/expected.hpp"
#include "provisioner/federation/oidc/addresses.hpp"
#include "provisioner/federation/oidc/tokens.hpp"
#include "provisioner/federation/trouble.hpp"
#include "provisioner/http_client/message.hpp"
#include "provisioner/model/tenants/identity_provider.hpp"

namespace provisioner::federation {

/// What a provider says about itself (OpenID Connect Discovery, 3).
struct Discovery {
    std::string issuer{};
    std::string authorization{};
    std::string token{};
    std::string keys{};
    /// May be empty.
    std::string userinfo{};
    std::string end_session{};
    /// How clients may authenticate at the token endpoint; empty if it does not say.
    std::vector<std::string> client_auths{};
    /// Values of acr that it knows; empty if it does not say.
    std::vector<std::string> acr_values{};
    /// Whether its answers name the issuer (RFC 9207); then one without is refused.
    bool states_issuer = false;
};

/// Reads a discovery document. It has to be that of `issuer`, and every address in it has to have
/// TLS; plain ones are allowed on loopback with `plain_loopback`.
base::expected<Discovery, Trouble> discovery_from(const std::string& text,
                                                  const std::string& issuer, bool plain_loopback);

/// The text if it has the form of an error of OAuth ("invalid_scope"), else empty: it comes from
/// elsewhere.
std::string oauth_error_word(const std::string& text);

/// What came for a code.
struct Tokens {
    std::string id_token{};
    base::Secret access_token{};
    /// Empty: none.
    base::Secret refresh_token{};
};

/// Lets requests of this process go only to the servers of this list
/// (http_client/allowed_servers.hpp). Call it before any thread starts. Throws std::runtime_error
/// that names every wrong entry.
void allow_only(const std::string& list);

/// Sends one request over libcurl and waits.
http_client::Reply fetch_by_curl(const http_client::Request& request);

/// Asks OpenID Connect providers. Keeps discovery documents and keys for an hour. Keys are fetched
/// again when a token names one that is not there, at most twice a minute for each provider, so
/// that forged tokens cannot make us ask without end. Any thread may call any function.
class OidcClient {
 public:
    /// Sends a request and waits for the reply.
    using Fetch = std::function<http_client::Reply(const http_client::Request&)>;

    explicit OidcClient(Fetch fetch, bool plain_loopback = false)
        : fetch_(std::move(fetch)), plain_loopback_(plain_loopback) {}

    bool allows_plain_loopback() const { return plain_loopback_; }

    base::expected<Discovery, Trouble> discover(const model::IdentityProvider& provider,
                                                const Deadline& deadline);

    /// The keys; anew when `token_problem` says that one is missing, and the last time was long
    /// ago.
    base::expected<KeySet, Trouble> keys(const model::IdentityProvider& provider,
                                         const Discovery& discovery, const Deadline& deadline,
                                         bool anew = false);

    /// Asks for the document and the keys, whatever is kept, and keeps both if sign-ins can work
    /// with them. What is kept stays otherwise. Gives the document. For tests of a provider, which
    /// nobody but its administrators can begin.
    base::expected<Discovery, Trouble> renew(const model::IdentityProvider& provider,
                                             const Deadline& deadline);

    /// The tokens for a code, or for a refresh token.
    base::expected<Tokens, Trouble> exchange(const model::IdentityProvider& provider,
                                             const Discovery& discovery, Parameters grant,
                                             const Deadline& deadline);

    /// The claims of the userinfo endpoint.
    base::expected<base::Json, Trouble> userinfo(const model::IdentityProvider& provider,
                                                 const Discovery& discovery,
                                                 const base::Secret& access_token,
                                                 const Deadline& deadline);

    /// Runs `check` on the keys, and once more on new ones when it misses a key.
    template <class Check>
    auto checked(const model::IdentityProvider& provider, const Discovery& discovery,
                 const Deadline& deadline, Check&& check)
        -> base::expected<typename std::invoke_result_t<Check, const KeySet&>::value_type,
                          Trouble> {
        for (const bool anew : {false, true}) {
            const auto set = keys(provider, discovery, deadline, anew);
            if (!set) return base::unexpected(set.error());
            auto result = check(*set);
            if (result) return *std::move(result);
            if (anew || !result.error().lacks_key) {
                return base::unexpected(Trouble{Trouble::Kind::wrong, result.error().reason});
            }
        }
        throw std::logic_error("no check of a token");
    }

 private:
    struct Kept {
        std::optional<Discovery> discovery{};
        std::chrono::steady_clock::time_point discovered{};
        std::optional<KeySet> keys{};
        std::chrono::steady_clock::time_point fetched{};
    };

    base::expected<Discovery, Trouble> fetch_discovery(const model::IdentityProvider& provider,
                                                       const Deadline& deadline);
    base::expected<KeySet, Trouble> fetch_keys(const model::IdentityProvider& provider,
                                               const Discovery& discovery,
                                               const Deadline& deadline);

    base::expected<std::string, Trouble> get(const model::IdentityProvider& provider,
                                             const std::string& address, const Deadline& deadline,
                                             http_client::Headers headers = {});

    Fetch fetch_;
    bool plain_loopback_;
    std::mutex mutex_;
    /// By issuer and authorities: other settings are another provider.
    std::map<std::string, Kept> kept_;
};

}  // namespace provisioner::federation
