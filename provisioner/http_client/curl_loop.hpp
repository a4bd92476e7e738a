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

/// Runs libcurl's multi interface on one event loop. libcurl reports the sockets and the timeout it
/// waits for. The loop waits for them in its place and calls libcurl back. So any number of
/// transfers share one thread, and nothing blocks.
///
/// It is a service of its io_context: created at the first request, destroyed with the loop. The
/// connections it keeps live as long. Only the thread that runs the loop may call it. Callbacks of
/// libcurl must not enter libcurl again. So on_socket() and on_timer() only start or end waits.
/// Source: https://curl.se/libcurl/c/libcurl-multi.html.
class CurlLoop final : public boost::asio::execution_context::service {
 public:
    /// The key by which Asio finds the service in its context.
    static boost::asio::execution_context::id id;

    /// Called by boost::asio::use_service. `context` must be an io_context. Throws
    /// std::runtime_error when libcurl cannot allocate a multi handle.
    explicit CurlLoop(boost::asio::execution_context& context);

    /// The instance of the loop that runs the calling coroutine. Owned by that loop.
    static boost::asio::awaitable<CurlLoop*> here();

    /// Performs the transfer that `handle` is set up for and completes with its result. The handle
    /// must outlive the coroutine, and one handle can be in one transfer only. Beyond 32
    /// connections to a host the transfer waits for one; the handle's own limits include that wait.
    /// Destroying the coroutine cancels the transfer. Throws std::runtime_error when libcurl does
    /// not accept the handle.
    boost::asio::awaitable<CURLcode> carry_out(CURL* handle);

 private:
    /// A socket of libcurl and the waits on it, and a transfer under way.
    struct Watch;
    class Transfer;

    struct MultiDeleter {
        void operator()(CURLM* handle) const { curl_multi_cleanup(handle); }
    };

    /// Detaches all transfers and closes all connections. Asio calls it when the loop is destroyed.
    void shutdown() noexcept override;
    /// Callbacks of libcurl. `self` is the CurlLoop.
    static int on_socket(CURL*, curl_socket_t socket, int what, void* self, void*);
    static int on_timer(CURLM*, long millis, void* self);
    /// Starts or changes the watch on a socket; `wanted` is a set of CURL_POLL_* bits.
    void watch(curl_socket_t socket, int wanted);
    /// Ends the watch on a socket without closing it.
    void forget(curl_socket_t socket);
    /// Starts the waits that are wanted and not yet running.
    void arm(const std::shared_ptr<Watch>& watch);
    /// Waits once for readiness, then reports `event` to libcurl and arms the watch again. `waits`
    /// is the flag of the watch for this direction: at most one wait per direction is under way.
    void wait(const std::shared_ptr<Watch>& watch, boost::asio::posix::descriptor_base::wait_type,
              bool Watch::*waits, int event);
    /// Replaces the timer. A negative number stops it.
    void set_timer(long millis);
    /// Reports an event or the timeout to libcurl, then ends the transfers that completed.
    void act(curl_socket_t socket, int event);

    /// The event loop, which owns this object.
    boost::asio::io_context& loop_;
    /// The one timeout that libcurl asked for; replaced by each request for another.
    boost::asio::steady_timer timer_;
    /// The sockets that libcurl waits for. libcurl owns them; forget() releases a descriptor
    /// unclosed.
    std::map<curl_socket_t, std::shared_ptr<Watch>> watches_;
    /// The transfers under way, by handle. A transfer enters and leaves the map itself.
    std::map<CURL*, Transfer*> under_way_;
    /// Holds the kept connections, at most 128. Its clean-up may call on_socket(), so it must be
    /// destroyed before the members above.
    std::unique_ptr<CURLM, MultiDeleter> multi_;
};

}  // namespace provisioner::http_client
