#pragma once

#include <optional>
#include <string>
#include <vector>

#include "provisioner/providers/cloud/cloud.hpp"
#include "provisioner/providers/google/replies.hpp"
#include "provisioner/providers/google/service_key.hpp"

namespace provisioner::providers::google {

/// "Google project acme-1", with the API's address if it is not the usual one.
std::string name_of(const Account& account);
/// What Compute Engine allows a project in every region: 25 calls a second of either kind.
cloud::Rates usual_rates();

/// A call of Compute Engine.
struct Call {
    std::string method = "GET";
    /// Below the project: "zones/us-central1-a/instances".
    std::string path{};
    /// Name and plain value.
    std::vector<std::pair<std::string, std::string>> query{};
    /// Null: none.
    base::Json body{};
    /// "read", or "create" for a machine that is made.
    std::string lane = "read";
    /// Another project than the account's, for public images.
    std::string project{};
};

/// What a call came to.
struct Answer {
    /// The body of an answer of 2xx.
    base::Json body = base::Json::object();
    /// Instead of a body, for statuses that depend on the call: 400, 404, 409.
    std::optional<ApiError> error{};

    bool has_reason(std::string_view reason) const { return error && error->reason == reason; }
    bool is_not_found() const { return error && error->status == 404; }
    bool is_conflict() const { return error && error->status == 409; }
};

/// Calls with the login of a service account. Every function throws what failures.hpp has: NotYet
/// for calls that come too fast, Lost for 5xx, Refusal for a login or a permission that is missing
/// and for quotas.
class Api {
 public:
    explicit Api(cloud::Tools tools) : tools_(tools) {}

    /// A token that Google does not take any more is replaced once.
    boost::asio::awaitable<Answer> call(const Account& account, Call call);
    /// All entries of a listing, over all pages. With `is_aggregated` those of all scopes under
    /// `noun`. Throws Refusal for errors of every kind, Lost for what is no list and where a scope
    /// is missing in it.
    boost::asio::awaitable<std::vector<base::Json>> all(const Account& account, Call call,
                                                        bool is_aggregated = false,
                                                        std::string noun = "");

    base::Timestamp now() const { return tools_.calls.now(); }
    const cloud::Tools& tools() const { return tools_; }

 private:
    /// The access token of the account, from memory or from the token endpoint.
    boost::asio::awaitable<std::string> token(const Account& account);
    boost::asio::awaitable<http_client::Reply> send(const Account& account, const Call& call);
    /// For answers that say with another status that calls come too fast; throws NotYet.
    boost::asio::awaitable<void> slow_down(const Account& account, const Call& call,
                                           const http_client::Reply& reply);

    cloud::Tools tools_;
};

}  // namespace provisioner::providers::google
