#pragma once

#include "provisioner/daemon/metrics/daemon_metrics.hpp"
#include "provisioner/remote/session.hpp"

namespace provisioner::daemon {

/// A connector whose logins are counted, and whose sessions while they are open.
class MeasuredConnector final : public remote::Connector {
 public:
    /// Both must outlive it, and `metrics` every session it opened.
    MeasuredConnector(remote::Connector& connector, DaemonMetrics& metrics)
        : connector_(connector), metrics_(metrics) {}

    boost::asio::awaitable<std::shared_ptr<remote::Session>> connect(
        const remote::Endpoint& endpoint, std::chrono::milliseconds patience) override;

 private:
    remote::Connector& connector_;
    DaemonMetrics& metrics_;
};

}  // namespace provisioner::daemon
