#include "provisioner/http_client/curl_loop.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <stdexcept>

namespace provisioner::http_client {
namespace asio = boost::asio;

namespace {

constexpr long most_connections_to_a_host = 32;
constexpr long most_kept_connections = 128;

}  // namespace

asio::execution_context::id CurlLoop::id;

/// A socket that libcurl waits for. Waits under way share it, so it lives until they have returned.
struct CurlLoop::Watch {
    Watch(asio::io_context& loop, curl_socket_t which) : socket(which), descriptor(loop, which) {}

    curl_socket_t socket;
    asio::posix::stream_descriptor descriptor;
    /// CURL_POLL_* bits; CURL_POLL_NONE once the socket was forgotten.
    int wanted = CURL_POLL_NONE;
    bool waits_to_read = false;
    bool waits_to_write = false;
};

/// A transfer under way. It lives in the frame of the coroutine that waits for it. Its destructor
/// removes the handle from libcurl, so destroying the coroutine cancels the transfer.
class CurlLoop::Transfer {
 public:
    Transfer(CurlLoop& curl, CURL* handle)
        : curl_(curl), handle_(handle), ended_(curl.loop_, asio::steady_timer::time_point::max()) {
        if (curl_multi_add_handle(curl_.multi_.get(), handle_) != CURLM_OK) {
            throw std::runtime_error("libcurl does not take a request");
        }
        curl_.under_way_[handle_] = this;
    }
    ~Transfer() { leave(); }
    Transfer(const Transfer&) = delete;
    Transfer& operator=(const Transfer&) = delete;

    asio::awaitable<CURLcode> end() {
        boost::system::error_code ignored;
        auto token = asio::redirect_error(asio::use_awaitable, ignored);
        if (!has_ended_) co_await ended_.async_wait(token);
        co_return code_;
    }

    void end_with(CURLcode code) {
        leave();
        has_ended_ = true;
        code_ = code;
        ended_.cancel();
    }

 private:
    void leave() {
        // The transfer has ended, or shutdown() has detached it and freed the multi handle.
        if (curl_.under_way_.erase(handle_) == 0) return;
        curl_multi_remove_handle(curl_.multi_.get(), handle_);
        if (curl_.under_way_.empty()) curl_.timer_.cancel();
    }

    CurlLoop& curl_;
    CURL* handle_;
    /// Never expires; cancelled when the transfer has ended.
    asio::steady_timer ended_;
    bool has_ended_ = false;
    CURLcode code_ = CURLE_OK;
};

CurlLoop::CurlLoop(asio::execution_context& context)
    : asio::execution_context::service(context),
      loop_(static_cast<asio::io_context&>(context)),
      timer_(loop_) {
    initialise_curl();
    multi_.reset(curl_multi_init());
    if (!multi_) throw std::runtime_error("libcurl gives no handle");
    CURLM* multi = multi_.get();
    curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, on_socket);
    curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, this);
    curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, on_timer);
    curl_multi_setopt(multi, CURLMOPT_TIMERDATA, this);
    curl_multi_setopt(multi, CURLMOPT_MAX_HOST_CONNECTIONS, most_connections_to_a_host);
    curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, most_kept_connections);
}

// Asio calls this before it destroys the coroutines that wait. Their transfers then find nothing to
// remove and do not touch the freed multi handle.
void CurlLoop::shutdown() noexcept {
    for (const auto& [handle, transfer] : under_way_)
        curl_multi_remove_handle(multi_.get(), handle);
    under_way_.clear();
    multi_.reset();
    watches_.clear();
}

asio::awaitable<CurlLoop*> CurlLoop::here() {
    const auto executor = co_await asio::this_coro::executor;
    asio::execution_context& context = asio::query(executor, asio::execution::context);
    co_return &asio::use_service<CurlLoop>(context);
}

asio::awaitable<CURLcode> CurlLoop::carry_out(CURL* handle) {
    Transfer transfer(*this, handle);
    const CURLcode code = co_await transfer.end();
    co_return code;
}

int CurlLoop::on_socket(CURL*, curl_socket_t socket, int what, void* self, void*) {
    auto& curl = *static_cast<CurlLoop*>(self);
    if (what == CURL_POLL_REMOVE) {
        curl.forget(socket);
    } else {
        curl.watch(socket, what);
    }
    return 0;
}

int CurlLoop::on_timer(CURLM*, long millis, void* self) {
    static_cast<CurlLoop*>(self)->set_timer(millis);
    return 0;
}

void CurlLoop::watch(curl_socket_t socket, int wanted) {
    auto& watch = watches_[socket];
    if (!watch) watch = std::make_shared<Watch>(loop_, socket);
    watch->wanted = wanted;
    arm(watch);
}

// libcurl owns the socket: it closes it or keeps it for later. So the descriptor must release it
// and never close it. A wait still under way finds CURL_POLL_NONE and does nothing.
void CurlLoop::forget(curl_socket_t socket) {
    const auto found = watches_.find(socket);
    if (found == watches_.end()) return;
    found->second->wanted = CURL_POLL_NONE;
    found->second->descriptor.release();
    watches_.erase(found);
}

void CurlLoop::arm(const std::shared_ptr<Watch>& watch) {
    using asio::posix::descriptor_base;
    if ((watch->wanted & CURL_POLL_IN) != 0 && !watch->waits_to_read) {
        wait(watch, descriptor_base::wait_read, &Watch::waits_to_read, CURL_CSELECT_IN);
    }
    if ((watch->wanted & CURL_POLL_OUT) != 0 && !watch->waits_to_write) {
        wait(watch, descriptor_base::wait_write, &Watch::waits_to_write, CURL_CSELECT_OUT);
    }
}

void CurlLoop::wait(const std::shared_ptr<Watch>& watch,
                    asio::posix::descriptor_base::wait_type what, bool Watch::*waits, int event) {
    watch.get()->*waits = true;
    watch->descriptor.async_wait(what,
                                 [this, watch, waits, event](boost::system::error_code error) {
                                     watch.get()->*waits = false;
                                     if (watch->wanted == CURL_POLL_NONE) return;
                                     act(watch->socket, error ? CURL_CSELECT_ERR : event);
                                     arm(watch);
                                 });
}

void CurlLoop::set_timer(long millis) {
    timer_.cancel();
    if (millis < 0) return;
    timer_.expires_after(std::chrono::milliseconds(millis));
    timer_.async_wait([this](boost::system::error_code cancelled) {
        if (!cancelled) act(CURL_SOCKET_TIMEOUT, 0);
    });
}

void CurlLoop::act(curl_socket_t socket, int event) {
    int running = 0;
    curl_multi_socket_action(multi_.get(), socket, event, &running);
    int left = 0;
    while (const CURLMsg* message = curl_multi_info_read(multi_.get(), &left)) {
        if (message->msg != CURLMSG_DONE) continue;
        // Removing the handle invalidates the message, so its values are copied first.
        CURL* handle = message->easy_handle;
        const CURLcode code = message->data.result;
        under_way_.at(handle)->end_with(code);
    }
}

}  // namespace provisioner::http_client
