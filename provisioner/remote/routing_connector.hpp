#pragma once

#include <string>
#include <utility>
#include <vector>

#include "provisioner/remote/session.hpp"

namespace provisioner::remote {

/// Leaves each endpoint to one of several connectors, by how its known host key begins: a provider
/// whose machines are not reached by SSH says so with the host key it tells.
class RoutingConnector final : public Connector {
 public:
    /// `otherwise` opens what no prefix fits; it and every other must outlive this.
    explicit RoutingConnector(Connector& otherwise) : otherwise_(otherwise) {}

    /// Leaves host keys that begin with `prefix` to `connector`. The first that fits is taken.
    void add(std::string prefix, Connector& connector);

    boost::asio::awaitable<std::shared_ptr<Session>> connect(
        const Endpoint& endpoint, std::chrono::milliseconds patience) override;

 private:
    Connector& otherwise_;
    std::vector<std::pair<std::string, Connector*>> routes_;
};

}  // namespace provisioner::remote
