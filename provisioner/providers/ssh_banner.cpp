#include "provisioner/providers/ssh_banner.hpp"

#include <array>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <memory>

namespace provisioner::providers {
namespace asio = boost::asio;

namespace {

constexpr std::chrono::seconds patience{1};

/// Shared with the timer's handler, which may run after the coroutine has ended.
struct Probe {
    explicit Probe(const asio::any_io_executor& executor) : socket(executor), limit(executor) {}

    asio::ip::tcp::socket socket;
    asio::steady_timer limit;
};

}  // namespace

asio::awaitable<bool> answers_with_ssh(std::string address, int port) {
    const asio::any_io_executor executor = co_await asio::this_coro::executor;
    const auto probe = std::make_shared<Probe>(executor);
    probe->limit.expires_after(patience);
    probe->limit.async_wait([probe](boost::system::error_code stopped) {
        if (!stopped) probe->socket.close(stopped);
    });
    boost::system::error_code error;
    auto token = asio::redirect_error(asio::use_awaitable, error);
    const asio::ip::tcp::endpoint door(asio::ip::make_address(address),
                                       static_cast<unsigned short>(port));
    co_await probe->socket.async_connect(door, token);
    std::array<char, 4> banner{};
    const auto into = asio::buffer(banner);
    if (!error) co_await asio::async_read(probe->socket, into, token);
    probe->limit.cancel();
    co_return !error && std::string(banner.data(), banner.size()) == "SSH-";
}

}  // namespace provisioner::providers
