#pragma once

#include <string>
#include <vector>

#include "provisioner/providers/cloud/cloud.hpp"
#include "provisioner/providers/cloudstack/replies.hpp"
#include "provisioner/providers/cloudstack/requests.hpp"

namespace provisioner::providers::cloudstack {

/// "<api key> at <address>": the account as people name it.
std::string name_of(const Account& account);

/// Calls of an account, within its limits. Throws what failures.hpp has. Any thread.
class Api {
 public:
    explicit Api(cloud::Tools tools) : tools_(tools) {}

    /// The reply, whatever it says.
    boost::asio::awaitable<http_client::Reply> send(const Account& account, std::string command,
                                                    Params params);
    /// What is inside the answer; an error is thrown.
    boost::asio::awaitable<base::Json> ask(const Account& account, std::string command,
                                           Params params);
    /// All entries of a listing, page after page.
    boost::asio::awaitable<std::vector<base::Json>> list(const Account& account,
                                                         std::string command, Params params,
                                                         std::string member);

    /// The entry of a listing with that id or name, kept for five minutes: a cluster asks for the
    /// same ones again and again. Throws cloud::Refusal with near names.
    boost::asio::awaitable<Named> find(const Account& account, std::string command, Params params,
                                       std::string member, std::string what, std::string wanted);

    base::Timestamp now() const { return tools_.calls.now(); }

 private:
    cloud::Tools tools_;
};

}  // namespace provisioner::providers::cloudstack
