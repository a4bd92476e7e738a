#include "provisioner/providers/cloud/calls.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace provisioner::providers::cloud {
namespace asio = boost::asio;

namespace {

using std::chrono::milliseconds;

constexpr std::size_t most_tokens = 1000;
constexpr std::chrono::minutes renewed_before{1};

bool asks_to_slow_down(const http_client::Reply& reply) {
    if (reply.status == 429 || reply.status == 420) return true;
    const std::string after = reply.header("retry-after");
    // Old Novas, Rackspace's too, refuse by 413 what a quota forbids, with "Retry-After: 0".
    if (reply.status == 413) return !after.empty() && after != "0";
    return reply.status == 503 && !after.empty();
}

}  // namespace

std::optional<Tokens::Token> Tokens::find(const std::string& key, base::Timestamp now) {
    const std::lock_guard lock(mutex_);
    const auto found = tokens_.find(key);
    if (found == tokens_.end() || found->second.expires_at < now + renewed_before) {
        return std::nullopt;
    }
    return found->second;
}

void Tokens::keep(const std::string& key, Token token) {
    const std::lock_guard lock(mutex_);
    if (tokens_.size() >= most_tokens) tokens_.clear();
    tokens_[key] = std::move(token);
}

void Tokens::forget(const std::string& key) {
    const std::lock_guard lock(mutex_);
    tokens_.erase(key);
}

asio::awaitable<http_client::Reply> Calls::send(Lane lane, http_client::Request request) {
    const milliseconds wait = co_await limits_.take(lane, longest_wait);
    if (wait > longest_wait) {
        // A little early, so that the turn is not over before the task is back from the queue.
        throw NotYet(wait - longest_wait / 2,
                     "the account's calls to the provider are used up for now");
    }
    if (wait > milliseconds{0}) {
        asio::steady_timer timer(co_await asio::this_coro::executor, wait);
        co_await timer.async_wait(asio::use_awaitable);
    }
    const std::string what = request.method + " " + request.url.substr(0, request.url.find('?'));
    const bool is_creation = lane.kind == "create";
    if (is_creation) request.at_most_once = true;
    http_client::Reply reply = co_await client_.send(std::move(request));
    if (reply.status == 0) throw Lost("no answer to " + what + ": " + reply.error);
    if (asks_to_slow_down(reply)) {
        milliseconds asked = retry_after(reply, clock_.now());
        if (asked == milliseconds{0}) asked = until_reset(reply, clock_.now());
        // Whoever answers for a service that is overloaded need not know what that has begun.
        if (is_creation && reply.status == 503) {
            co_await limits_.pause(std::move(lane), asked > milliseconds{0} ? asked : usual_pause);
            throw Lost("the provider is overloaded (503) after " + what);
        }
        co_await slow_down(std::move(lane), asked > milliseconds{0} ? asked : usual_pause,
                           "the provider asks to slow down (" + std::to_string(reply.status) + ")");
    }
    co_return reply;
}

asio::awaitable<void> Calls::slow_down(Lane lane, milliseconds length, std::string words) {
    co_await limits_.pause(std::move(lane), length);
    throw NotYet(length, words);
}

asio::awaitable<void> Calls::ease(Lane lane, milliseconds length) {
    co_await limits_.pause(std::move(lane), length);
}

base::Json json_in(const http_client::Reply& reply, const std::set<std::string>& left_out) {
    auto json = base::parse_json(reply.body, left_out);
    if (!json) {
        throw Lost("the provider's answer is not JSON (" + form_of(reply) + ")");
    }
    return *std::move(json);
}

std::string percent_encoded(std::string_view text) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string encoded;
    for (const char c : text) {
        const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                              (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_' ||
                              c == '~';
        if (is_plain) {
            encoded += c;
        } else {
            const auto byte = static_cast<unsigned char>(c);
            encoded += '%';
            encoded += digits[byte >> 4];
            encoded += digits[byte & 15];
        }
    }
    return encoded;
}

}  // namespace provisioner::providers::cloud
