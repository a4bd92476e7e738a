#include "provisioner/daemon/metrics/measured_connector.hpp"

namespace provisioner::daemon {

using boost::asio::awaitable;

namespace {

/// The session with a count that ends with it. The pool asks for the number of references: the
/// pointer that is returned has its own.
std::shared_ptr<remote::Session> counted(std::shared_ptr<remote::Session> session,
                                         metrics::Level& open) {
    remote::Session* const plain = session.get();
    open.change(1);
    return {plain, [session = std::move(session), &open](remote::Session*) mutable {
                session.reset();
                open.change(-1);
            }};
}

}  // namespace

awaitable<std::shared_ptr<remote::Session>> MeasuredConnector::connect(
    const remote::Endpoint& endpoint, std::chrono::milliseconds patience) {
    std::shared_ptr<remote::Session> session;
    try {
        session = co_await connector_.connect(endpoint, patience);
    } catch (const remote::UntrustedHost&) {
        metrics_.untrusted_hosts.add();
        throw;
    } catch (const remote::TransportError&) {
        metrics_.failed_logins.add();
        throw;
    }
    metrics_.logins.add();
    co_return counted(std::move(session), metrics_.sessions);
}

}  // namespace provisioner::daemon
