#pragma once

#include <string>
#include <vector>

#include "provisioner/providers/cloud/cloud.hpp"
#include "provisioner/providers/openstack/identity.hpp"

namespace provisioner::providers::openstack {

/// One call of a service.
struct Call {
    std::string method = "GET";
    /// "compute", "network", "image" or "volume".
    std::string service = "compute";
    /// Path and query below the service's address, "/servers".
    std::string path{};
    /// Null: no body.
    base::Json body{};
    /// Further headers.
    http_client::Headers headers{};
    /// Lane of the rate limits: "read" or "create".
    std::string lane = "read";
};

/// Calls of OpenStack's services with a token: logs in when there is none, and once more when a
/// service refuses it, because tokens can be revoked. Tokens and catalogues are kept in
/// cloud::Tokens. Any thread.
class Api {
 public:
    /// `identity` must outlive it. `microversion` is asked of Nova; empty: none.
    Api(cloud::Tools tools, const Identity& identity, cloud::Rates rates, std::string microversion)
        : tools_(tools),
          identity_(identity),
          rates_(rates),
          microversion_(std::move(microversion)) {}

    /// The reply, whatever its status but 401. Throws what failures.hpp has.
    boost::asio::awaitable<http_client::Reply> send(const Account& account, Call call);

    /// The JSON of a reply 200; throws for all others, as throw_refusal(). `what` names the call.
    boost::asio::awaitable<base::Json> get(const Account& account, std::string service,
                                           std::string path, std::string what);

    /// All things of a listing, over all its pages: the array `key` of the reply. `path` may have a
    /// query.
    boost::asio::awaitable<std::vector<base::Json>> list(const Account& account,
                                                         std::string service, std::string path,
                                                         std::string key);

    /// The same, up to a minute old: for what rarely changes, such as flavors.
    boost::asio::awaitable<std::vector<base::Json>> list_kept(const Account& account,
                                                              std::string service, std::string path,
                                                              std::string key);

    /// Deletes what has that path; one that does not exist is none the less gone. Returns false if
    /// it is in use (409, or 400 of Cinder).
    boost::asio::awaitable<bool> remove(const Account& account, std::string service,
                                        std::string path, std::string what);

    /// Logs in and says whether the catalogue has the service.
    boost::asio::awaitable<bool> has_service(const Account& account, std::string service);

    base::Timestamp now() const { return tools_.calls.now(); }

 private:
    /// A token that holds for another minute.
    boost::asio::awaitable<cloud::Tokens::Token> token(const Account& account);
    boost::asio::awaitable<http_client::Reply> send_with(const Account& account, const Call& call,
                                                         cloud::Tokens::Token token);
    cloud::Lane lane(const Account& account, const std::string& kind) const;

    cloud::Tools tools_;
    const Identity& identity_;
    cloud::Rates rates_;
    std::string microversion_;
};

/// The next page's marker, if the listing has one: services link to it in different ways
/// ("servers_links", "networks_links", Glance's "next"). The address of the link is not used,
/// because behind a proxy it is often wrong.
std::string next_marker(const base::Json& page, const std::string& key);

}  // namespace provisioner::providers::openstack
