#pragma once

#include <string>
#include <utility>
#include <vector>

#include "provisioner/remote/session.hpp"

namespace provisioner::remote {

/// Passes each endpoint to one of several connectors, chosen by the beginning of its known host
/// key. A provider whose machines are not reached by SSH reports host keys with a prefix of its
/// own. The daemon routes simulated machines this way.
///
/// connect() only reads the table, so threads may call it at once after the last add().
class RoutingConnector final : public Connector {
 public:
    /// `otherwise` opens endpoints that no prefix fits, those without a host key included. All
    /// connectors must outlive this object.
    explicit RoutingConnector(Connector& otherwise) : otherwise_(otherwise) {}

    /// Passes host keys that begin with `prefix` to `connector`. The first prefix added that fits
    /// is taken. Not thread-safe; the composition root calls it before any loop starts.
    void add(std::string prefix, Connector& connector);

    /// As Connector::connect(), by the chosen connector.
    boost::asio::awaitable<std::shared_ptr<Session>> connect(
        const Endpoint& endpoint, std::chrono::milliseconds patience) override;

 private:
    Connector& otherwise_;
    /// Prefix and connector, in the order they were added.
    std::vector<std::pair<std::string, Connector*>> routes_;
};

}  // namespace provisioner::remote
