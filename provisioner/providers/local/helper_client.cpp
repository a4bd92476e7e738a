#include "provisioner/providers/local/helper_client.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <memory>
#include <stdexcept>

namespace provisioner::providers::local {
namespace asio = boost::asio;

namespace {

/// Shared with the timer's handler, which may run after the coroutine has ended.
struct Conversation {
    explicit Conversation(const asio::any_io_executor& executor)
        : socket(executor), limit(executor) {}

    asio::local::stream_protocol::socket socket;
    asio::steady_timer limit;
    bool is_late = false;
    std::string answer;
};

void watch_the_time(const std::shared_ptr<Conversation>& conversation,
                    std::chrono::milliseconds limit) {
    conversation->limit.expires_after(limit);
    conversation->limit.async_wait([conversation](boost::system::error_code stopped) {
        if (stopped) return;
        conversation->is_late = true;
        conversation->socket.close(stopped);
    });
}

[[noreturn]] void fail(const std::string& socket, const std::string& why) {
    throw std::runtime_error("the helper for local hosts at " + socket + " " + why);
}

asio::local::stream_protocol::endpoint endpoint_at(const std::string& socket) {
    try {
        return {socket};
    } catch (const boost::system::system_error& error) {
        fail(socket, std::string("cannot be asked: ") + error.what());
    }
}

}  // namespace

asio::awaitable<std::string> ask_helper(std::string socket, std::string request,
                                        std::chrono::milliseconds limit) {
    const asio::any_io_executor executor = co_await asio::this_coro::executor;
    const auto conversation = std::make_shared<Conversation>(executor);
    const asio::local::stream_protocol::endpoint door = endpoint_at(socket);
    watch_the_time(conversation, limit);
    boost::system::error_code error;
    auto token = asio::redirect_error(asio::use_awaitable, error);
    co_await conversation->socket.async_connect(door, token);
    const auto line = asio::buffer(request);
    if (!error) co_await asio::async_write(conversation->socket, line, token);
    if (error) {
        conversation->limit.cancel();
        fail(socket, "cannot be asked: " + error.message());
    }
    auto into = asio::dynamic_buffer(conversation->answer, longest_answer + 1);
    co_await asio::async_read(conversation->socket, into, asio::transfer_all(), token);
    conversation->limit.cancel();
    if (conversation->is_late) {
        fail(socket, "gave no answer in " + std::to_string(limit.count()) + " ms");
    }
    if (conversation->answer.size() > longest_answer) fail(socket, "answered too much");
    co_return std::move(conversation->answer);
}

}  // namespace provisioner::providers::local
