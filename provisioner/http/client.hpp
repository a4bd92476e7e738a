#pragma once

#include <chrono>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace provisioner::http {

/// One request to somebody else's server.
struct Request {
    std::string method = "POST";
    /// http or https.
    std::string url;
    std::vector<std::pair<std::string, std::string>> headers;
    std::string body;
    /// How long it may take in all.
    std::chrono::milliseconds limit{10'000};
};

/// What came back.
struct Reply {
    /// 0 when there was no answer.
    int status = 0;
    /// At most its first MiB.
    std::string body;
    /// Why there was no answer; empty when there was one.
    std::string error;
};

/// Sends requests. One object per thread.
class Client {
 public:
    virtual ~Client() = default;

    /// Sends them side by side and returns their replies in the same order, once all have come or
    /// run out of time. Redirections are not followed. Never throws for what the other side does.
    virtual std::vector<Reply> send(std::span<const Request> requests) = 0;
};

}  // namespace provisioner::http
