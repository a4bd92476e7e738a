#pragma once

#include <memory>

#include "provisioner/http_client/message.hpp"

namespace provisioner::http_client {

/// Sends requests one after the other and waits for each, on a connection that is kept: for files,
/// on threads that may block. One object per thread.
class Transfers {
 public:
    Transfers();
    ~Transfers();
    Transfers(const Transfers&) = delete;
    Transfers& operator=(const Transfers&) = delete;

    /// Redirections are not followed. An upload takes the place of the request's body. Throws only
    /// what `upload` throws; what the other side does is in the reply.
    Reply send(const Request& request, const Upload* upload = nullptr);

 private:
    struct Connection;
    std::unique_ptr<Connection> connection_;
};

}  // namespace provisioner::http_client
