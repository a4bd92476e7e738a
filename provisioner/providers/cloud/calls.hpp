#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>

#include "provisioner/base/clock.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/http_client/client.hpp"
#include "provisioner/providers/cloud/failures.hpp"
#include "provisioner/providers/cloud/rate_limits.hpp"

namespace provisioner::providers::cloud {

/// Logins that last: access tokens and what came with them, in memory until shortly before they
/// expire. Keys are fingerprints of all fields that the login depends on. At most 1,000 are kept.
/// Any thread; two that find none both log in.
class Tokens {
 public:
    /// What a login gave.
    struct Token {
        base::Secret text;
        /// Such as a service catalogue.
        base::Json details = base::Json::object();
        base::Timestamp expires_at{};
    };

    /// The token, if it holds for another minute at `now`.
    std::optional<Token> find(const std::string& key, base::Timestamp now);
    void keep(const std::string& key, Token token);
    /// After the cloud refused it: it was revoked.
    void forget(const std::string& key);

 private:
    std::mutex mutex_;
    std::unordered_map<std::string, Token> tokens_;
};

/// Sends requests to clouds within what their accounts allow.
class Calls {
 public:
    /// All must outlive it.
    Calls(http_client::Client& client, RateLimits& limits, const base::Clock& clock)
        : client_(client), limits_(limits), clock_(clock) {}

    /// The reply, whatever its status, after a wait of at most `longest_wait` for the lane. Throws
    /// NotYet when the lane is taken for longer, and when the cloud asks to slow down: 429, 420,
    /// and 413 or 503 with Retry-After, but not 413 with "0": a quota of old OpenStacks. It waits
    /// for as long as that says, or RateLimit-Reset. Throws Lost without a usable answer. Nothing
    /// was done if NotYet was thrown. Calls of the lane "create" are sent at most once.
    boost::asio::awaitable<http_client::Reply> send(Lane lane, http_client::Request request);

    /// For clouds that say so in the body: pauses the lane for `length` and throws NotYet.
    boost::asio::awaitable<void> slow_down(Lane lane, std::chrono::milliseconds length,
                                           std::string words);

    /// Pauses the lane for `length` before the account is used up: for clouds that say how much is
    /// left.
    boost::asio::awaitable<void> ease(Lane lane, std::chrono::milliseconds length);

    base::Timestamp now() const { return clock_.now(); }

    /// The longest a call waits inside a verb; a longer wait is left to the queue.
    static constexpr std::chrono::milliseconds longest_wait{1000};
    /// The pause after a request to slow down that names none.
    static constexpr std::chrono::milliseconds usual_pause{2000};

 private:
    http_client::Client& client_;
    RateLimits& limits_;
    const base::Clock& clock_;
};

/// What all clouds of a daemon share. Owned by the composition root.
struct Tools {
    Calls& calls;
    Tokens& tokens;
    /// What accounts may lead to. The client behind `calls` must have been made with the same.
    http_client::OwnNetwork own_network = http_client::OwnNetwork::closed;
};

/// The JSON of a reply; throws Lost when there is none: a proxy's page, or a cut-off body. Members
/// named in `left_out` are not kept: listings of a thousand machines are long.
base::Json json_in(const http_client::Reply& reply, const std::set<std::string>& left_out = {});

/// Percent-encodes all but the unreserved characters (RFC 3986, section 2.3).
std::string percent_encoded(std::string_view text);

}  // namespace provisioner::providers::cloud
