#pragma once

#include <memory>

#include "provisioner/http_client/message.hpp"

namespace provisioner::http_client {

/// Sends requests one after the other and blocks for each. For file transfers on threads that may
/// block; everything else uses Client. An event loop would gain nothing there: files are read and
/// written by blocking calls anyway.
///
/// It keeps its connection, so a series of requests to one host connects once. One object per
/// thread.
class Transfers {
 public:
    /// Throws std::runtime_error when libcurl cannot allocate a handle. Does not connect.
    Transfers();
    ~Transfers();
    Transfers(const Transfers&) = delete;
    Transfers& operator=(const Transfers&) = delete;

    /// Sends the request and returns its reply. Redirections are not followed. An upload replaces
    /// the request's body. Whatever the other side does is in the reply; the only exceptions are
    /// those of `upload`, and std::runtime_error for a header with a line break.
    Reply send(const Request& request, const Upload* upload = nullptr);

 private:
    /// Keeps libcurl's header out of this one.
    struct Connection;
    std::unique_ptr<Connection> connection_;
};

}  // namespace provisioner::http_client
