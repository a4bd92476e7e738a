#pragma once

#include <deque>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tests/unit/provisioner/providers/cloud/fake_cloud.hpp"

namespace tests {

/// Answers as it was told, and keeps what it was asked.
class ScriptedClient final : public http_client::Client {
 public:
    explicit ScriptedClient(SetClock& now) : clock(now) {}
    boost::asio::awaitable<http_client::Reply> send(http_client::Request request) override {
        requests.push_back(std::move(request));
        if (replies.empty()) {
            throw std::runtime_error("nobody expected " + requests.back().method + " " +
                                     requests.back().url);
        }
        auto reply = std::move(replies.front());
        replies.pop_front();
        clock.moment += takes;
        co_return reply;
    }
    SetClock& clock;
    /// How long each call takes.
    std::chrono::milliseconds takes{0};
    std::deque<http_client::Reply> replies;
    std::vector<http_client::Request> requests;
};

/// What a class of cloud::Cloud needs to send calls, and an account; replies come from a script.
struct ScriptedLine {
    /// The next reply. A status of 0 is a connection that broke.
    void answers(int status, std::string body, http_client::Headers headers = {}) {
        http_client::Reply reply;
        reply.status = status;
        reply.body = std::move(body);
        reply.headers = std::move(headers);
        if (status == 0) reply.error = "the connection broke";
        client.replies.push_back(std::move(reply));
    }
    /// "POST https://api.example.org/v1/servers {...}", the request of that number from 0.
    std::string asked(std::size_t number) const {
        const auto& request = client.requests.at(number);
        return request.method + " " + request.url +
               (request.body.empty() ? "" : " " + request.body);
    }

    SetClock clock;
    ScriptedClient client{clock};
    providers::cloud::LocalRateLimits limits{clock};
    providers::cloud::Calls calls{client, limits, clock};
    providers::cloud::Tokens tokens;
    providers::cloud::Tools tools{.calls = calls, .tokens = tokens};
    providers::Account account = an_account();
};

}  // namespace tests
