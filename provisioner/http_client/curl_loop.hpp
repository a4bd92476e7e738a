#pragma once

#include <map>
#include <memory>
#include <utility>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/execution_context.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>

#include "provisioner/http_client/curl_handle.hpp"

namespace provisioner::http_client {

/// libcurl at work on one event loop: it says which sockets and which moment it waits for, the loop
/// waits for them in its place. Lives as long as the loop, with the connections that are kept.
class CurlLoop final : public boost::asio::execution_context::service {
 public:
    /// How Asio tells services apart.
    static boost::asio::execution_context::id id;

    /// For boost::asio::use_service; the context is an io_context.
    explicit CurlLoop(boost::asio::execution_context& context);

    /// The one of the loop the calling coroutine runs on.
    static boost::asio::awaitable<CurlLoop*> here();

    /// Lets libcurl carry out what the handle was set up for and returns how it ended; the handle
    /// must outlive that. When the coroutine is destroyed, so is the transfer.
    boost::asio::awaitable<CURLcode> carry_out(CURL* handle);

 private:
    struct Watch;
    class Transfer;

    struct MultiDeleter {
        void operator()(CURLM* handle) const { curl_multi_cleanup(handle); }
    };

    void shutdown() noexcept override;
    static int on_socket(CURL*, curl_socket_t socket, int what, void* self, void*);
    static int on_timer(CURLM*, long millis, void* self);
    void watch(curl_socket_t socket, int wanted);
    void forget(curl_socket_t socket);
    void arm(const std::shared_ptr<Watch>& watch);
    void wait(const std::shared_ptr<Watch>& watch, boost::asio::posix::descriptor_base::wait_type,
              bool Watch::*waits, int event);
    void set_timer(long millis);
    /// Tells libcurl what has happened, and the transfers that ended so.
    void act(curl_socket_t socket, int event);

    boost::asio::io_context& loop_;
    boost::asio::steady_timer timer_;
    std::map<curl_socket_t, std::shared_ptr<Watch>> watches_;
    std::map<CURL*, Transfer*> under_way_;
    std::unique_ptr<CURLM, MultiDeleter> multi_;
};

}  // namespace provisioner::http_client
