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

/// Sends requests without blocking the loop it is asked on. One object serves all loops and
/// threads, as long as each loop is run by one thread at a time.
class Client {
 public:
    virtual ~Client() = default;

    /// Redirections are an answer and are not followed: nothing that was meant for one host goes to
    /// another. Never throws for what the other side does. When the coroutine is destroyed, the
    /// request is given up.
    virtual boost::asio::awaitable<Reply> send(Request request) = 0;
};

/// A client on libcurl. Every loop keeps its connections for the next time and has at most 32 to
/// one host; what is beyond waits, within its limit.
std::unique_ptr<Client> make_curl_client();

/// For threads that may block: sends the requests side by side on `loop`, which nobody else runs,
/// and returns their replies in the same order once all have come.
std::vector<Reply> send_all(boost::asio::io_context& loop, Client& client,
                            std::span<const Request> requests);

}  // namespace provisioner::http_client
