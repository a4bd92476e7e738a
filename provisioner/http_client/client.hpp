#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

// After <utility>: this header of Boost 1.74 uses std::exchange without including it.
#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>

#include "provisioner/http_client/message.hpp"

namespace provisioner::http_client {

/// Sends HTTP requests without blocking the event loop of the caller. The callback sender holds
/// one. It is an interface, so that tests can replace the network.
///
/// One object serves any number of loops and threads, as long as one thread runs each loop at a
/// time. A proxy is taken from the environment (`https_proxy`, `no_proxy`), as libcurl does by
/// default.
class Client {
 public:
    virtual ~Client() = default;

    /// Sends a request and completes with its reply. The request carries all its limits.
    ///
    /// * Whatever the other side does is in the reply: a failure has status 0 and an error.
    /// * Throws std::runtime_error only when libcurl cannot take the request at all, or a header
    /// has
    ///   a line break.
    /// * A redirection is returned and not followed, so no credential reaches another host.
    /// * Destroying the coroutine cancels the request; the other side may have received it.
    /// * libcurl repeats a request when a kept connection was closed before the first byte of an
    ///   answer, unless it has `at_most_once`.
    virtual boost::asio::awaitable<Reply> send(Request request) = 0;
};

/// Whether requests with Request::forbids_own_network are kept from there. Open only where all who
/// name servers are trusted with this host: in tests, and where a cloud is on the daemon's host.
enum class OwnNetwork { closed, open };

/// A client based on libcurl. Each loop keeps its connections for later requests, with at most 32
/// to one host. Further requests to that host wait, and the wait counts towards their limits.
std::unique_ptr<Client> make_curl_client(OwnNetwork own_network = OwnNetwork::closed);

/// Sends the requests concurrently, blocks until all have completed, and returns their replies in
/// the same order. Runs `loop` on the calling thread; nothing else may run it meanwhile. Other work
/// queued on `loop` runs too. A request that throws yields a reply with an error. `client` and
/// `requests` must live until the return. The callback sender calls it on its own thread.
std::vector<Reply> send_all(boost::asio::io_context& loop, Client& client,
                            std::span<const Request> requests);

}  // namespace provisioner::http_client
