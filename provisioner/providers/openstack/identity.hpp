#pragma once

#include <string>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/http_client/message.hpp"
#include "provisioner/providers/cloud/calls.hpp"
#include "provisioner/providers/provider.hpp"

namespace provisioner::providers::openstack {

/// How accounts of one kind of OpenStack log in, and where their services are. Pure: Api sends.
class Identity {
 public:
    virtual ~Identity() = default;

    /// As cloud::Cloud::account_name().
    virtual std::string account_name(const Account& account) const = 0;
    /// A fingerprint of what the login depends on.
    virtual std::string key(const Account& account) const = 0;
    /// The request for a token.
    virtual http_client::Request login(const Account& account) const = 0;
    /// The token in its reply; its details are an array of endpoints, as Endpoint writes them.
    /// Throws what failures.hpp has: wrong credentials, no such API, an unreadable answer.
    virtual cloud::Tokens::Token token_in(const Account& account, const http_client::Reply& reply,
                                          base::Timestamp now) const = 0;
    /// Base address of a service, without a slash at its end: "compute", "network", "image" or
    /// "volume". `endpoints` are a token's details. Throws Refusal with the regions or services
    /// that there are.
    virtual std::string base_url(const Account& account, const base::Json& endpoints,
                                 std::string_view service) const = 0;
};

/// One line of a service catalogue.
struct Endpoint {
    /// "compute", "volumev3".
    std::string type{};
    /// Name of the service, "nova"; clouds choose it.
    std::string name{};
    std::string region{};
    /// "public", "internal" or "admin".
    std::string interface {};
    std::string url{};
};

/// As details of a token.
base::Json to_json(const std::vector<Endpoint>& endpoints);
std::vector<Endpoint> endpoints_in(const base::Json& details);

/// The moment in a text of RFC 3339, with any number of decimals, "Z" or an offset
/// ("2026-11-23T19:05:43.999-05:00"). Throws cloud::Lost for another text: a token without an
/// expiry cannot be used.
base::Timestamp time_in(const std::string& text);

/// Host and port of an address, for names of accounts: "cloud.example.org:5000".
std::string host_of(const std::string& url);

/// `url` without what `ends` lists, as often as it ends with one of them, and without slashes.
std::string without_ends(std::string url, const std::vector<std::string>& ends);

}  // namespace provisioner::providers::openstack
