#include "provisioner/remote/routing_connector.hpp"

namespace provisioner::remote {

void RoutingConnector::add(std::string prefix, Connector& connector) {
    routes_.emplace_back(std::move(prefix), &connector);
}

boost::asio::awaitable<std::shared_ptr<Session>> RoutingConnector::connect(
    const Endpoint& endpoint, std::chrono::milliseconds patience) {
    for (const auto& [prefix, connector] : routes_) {
        if (endpoint.host_key.starts_with(prefix)) return connector->connect(endpoint, patience);
    }
    return otherwise_.connect(endpoint, patience);
}

}  // namespace provisioner::remote
