#include <boost/asio/co_spawn.hpp>

#include "provisioner/http_client/client.hpp"
#include "provisioner/http_client/curl_loop.hpp"
#include "provisioner/http_client/exchange.hpp"

namespace provisioner::http_client {
namespace asio = boost::asio;

namespace {

class CurlClient final : public Client {
 public:
    explicit CurlClient(OwnNetwork own_network) : own_network_(own_network) {}

    asio::awaitable<Reply> send(Request request) override {
        if (own_network_ == OwnNetwork::open) request.forbids_own_network = false;
        CurlLoop* curl = co_await CurlLoop::here();
        const auto handle = make_easy_handle();
        // Declared in this order, so that a cancelled transfer leaves the loop first. Then the
        // exchange resets the handle, and last the handle is freed.
        Exchange exchange(handle.get(), request);
        const CURLcode code = co_await curl->carry_out(handle.get());
        Reply reply = exchange.end(code);
        co_return reply;
    }

 private:
    OwnNetwork own_network_;
};

}  // namespace

std::unique_ptr<Client> make_curl_client(OwnNetwork own_network) {
    return std::make_unique<CurlClient>(own_network);
}

std::vector<Reply> send_all(asio::io_context& loop, Client& client,
                            std::span<const Request> requests) {
    std::vector<Reply> replies(requests.size());
    for (std::size_t i = 0; i < requests.size(); ++i) {
        asio::co_spawn(loop, client.send(requests[i]),
                       [&reply = replies[i]](const std::exception_ptr& broken, Reply came) {
                           reply = std::move(came);
                           if (broken) reply.error = "the request could not be made";
                       });
    }
    loop.restart();
    loop.run();
    return replies;
}

}  // namespace provisioner::http_client
