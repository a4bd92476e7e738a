#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "provisioner/base/secret.hpp"
#include "provisioner/http/client.hpp"

namespace provisioner::http {

/// Who signs a request, as AWS wants it (Signature Version 4).
struct Signing {
    std::string region;
    std::string service;
    std::string access_key;
    base::Secret secret_key;
};

/// A body that is pulled while it is sent, so that nobody holds the whole of it.
struct Upload {
    std::uint64_t size = 0;
    /// Fills in up to that many bytes and returns how many there were. What it throws ends the
    /// transfer and is thrown on.
    std::function<std::size_t(char*, std::size_t)> read;
};

/// One request that may carry much either way.
struct Transfer {
    std::string method = "GET";
    /// http or https.
    std::string url;
    /// "Host" is signed as it is given here.
    std::vector<std::pair<std::string, std::string>> headers;
    std::optional<Signing> signing;
    std::optional<Upload> upload;
    /// How long it may take in all; 0: as long as bytes flow.
    std::chrono::milliseconds limit{0};
    /// A reply with a longer body is given up.
    std::size_t longest_reply = 1 << 20;
};

/// Sends requests one after the other and waits for each, on a connection that is kept. A transfer
/// may take as long as bytes flow: nothing for a minute ends it. One object per thread.
class Transfers {
 public:
    Transfers();
    ~Transfers();
    Transfers(const Transfers&) = delete;
    Transfers& operator=(const Transfers&) = delete;

    /// Redirections are not followed. Throws only what `upload` throws; what the other side does
    /// is in the reply.
    Reply send(const Transfer& transfer);

 private:
    struct Connection;
    std::unique_ptr<Connection> connection_;
};

}  // namespace provisioner::http
