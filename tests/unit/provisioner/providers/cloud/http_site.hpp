#pragma once

#include <functional>

#include "tests/unit/provisioner/providers/cloud/fake_cloud.hpp"

namespace tests {

/// Answers each request by a function, and keeps what was asked.
struct AnsweringClient final : http_client::Client {
    awaitable<http_client::Reply> send(http_client::Request request) override {
        requests.push_back(request);
        http_client::Reply reply = answer(request);
        co_return reply;
    }
    /// Requests with that method whose address contains `part`.
    int count(std::string_view method, std::string_view part) const {
        int found = 0;
        for (const auto& request : requests) {
            if (request.method == method && request.url.find(part) != std::string::npos) ++found;
        }
        return found;
    }
    std::function<http_client::Reply(const http_client::Request&)> answer;
    std::vector<http_client::Request> requests;
};

inline http_client::Reply reply_with(int status, std::string body) {
    http_client::Reply reply;
    reply.status = status;
    reply.body = std::move(body);
    return reply;
}

inline http_client::Reply json_reply(int status, const base::Json& body) {
    return reply_with(status, base::to_text(body));
}

/// What a cloud needs in one daemon. Several at one client and one clock are several daemons.
struct CloudTools {
    CloudTools(http_client::Client& client, const base::Clock& clock)
        : limits(clock), calls(client, limits, clock) {}
    operator providers::cloud::Tools() { return {.calls = calls, .tokens = tokens}; }

    providers::cloud::LocalRateLimits limits;
    providers::cloud::Calls calls;
    providers::cloud::Tokens tokens;
};

}  // namespace tests
