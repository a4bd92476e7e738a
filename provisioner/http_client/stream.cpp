#include "provisioner/http_client/stream.hpp"

#include <linux/sockios.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "provisioner/http_client/curl_handle.hpp"

namespace provisioner::http_client {

namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

/// How long the other side is given to break a connection whose bytes it has taken.
constexpr milliseconds grace{200};
/// How long it is given to answer the end of a connection without TLS by its own end.
constexpr milliseconds patience_for_end{2000};
constexpr milliseconds look_every{10};

/// Waits for events; the events that came, 0 after the time.
short wait_for(curl_socket_t socket, short events, milliseconds time) {
    pollfd wanted{.fd = socket, .events = events, .revents = 0};
    const int ready = ::poll(&wanted, 1, static_cast<int>(std::max<long>(0, time.count())));
    return ready > 0 ? wanted.revents : static_cast<short>(0);
}

milliseconds until(steady_clock::time_point end) {
    return std::chrono::duration_cast<milliseconds>(end - steady_clock::now());
}

void set_options(CURL* handle, const StreamTarget& target, std::array<char, CURL_ERROR_SIZE>& why) {
    const bool is_v6 = target.host.find(':') != std::string::npos;
    const std::string url = std::string(target.is_tls ? "https://" : "http://") +
                            (is_v6 ? '[' + target.host + ']' : target.host) + ':' +
                            std::to_string(target.port);
    curl_easy_setopt(handle, CURLOPT_URL, url.c_str());
    curl_easy_setopt(handle, CURLOPT_CONNECT_ONLY, 1L);
    curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(handle, CURLOPT_PROXY, "");
    curl_easy_setopt(handle, CURLOPT_SSL_ENABLE_ALPN, 0L);
    curl_easy_setopt(handle, CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2);
    curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(target.limit.count()));
    curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, why.data());
    if (target.authorities.empty()) return;
    curl_easy_setopt(handle, CURLOPT_CAINFO, target.authorities.c_str());
    curl_easy_setopt(handle, CURLOPT_CAPATH, nullptr);
}

/// Why the bytes could not be handed to the system.
std::string send_all_bytes(CURL* handle, curl_socket_t socket, std::string_view bytes,
                           steady_clock::time_point end) {
    while (!bytes.empty()) {
        std::size_t sent = 0;
        const CURLcode code = curl_easy_send(handle, bytes.data(), bytes.size(), &sent);
        if (code == CURLE_AGAIN) {
            const auto left = until(end);
            if (left.count() <= 0) return "the receiver does not take the bytes";
            wait_for(socket, POLLOUT, left);
            continue;
        }
        if (code != CURLE_OK) return curl_easy_strerror(code);
        bytes.remove_prefix(sent);
    }
    return "";
}

std::string error_of(curl_socket_t socket) {
    int error = 0;
    socklen_t size = sizeof(error);
    ::getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size);
    return error == 0 ? "" : std::strerror(error);
}

/// Why the other side may not have the bytes.
std::string await_acknowledgement(curl_socket_t socket, bool is_tls, steady_clock::time_point end) {
    int waiting = 0;
    while (::ioctl(socket, SIOCOUTQ, &waiting) == 0 && waiting > 0) {
        if (until(end).count() <= 0) return "the receiver does not acknowledge the bytes";
        if ((wait_for(socket, 0, look_every) & (POLLERR | POLLHUP)) != 0) break;
    }
    if (!is_tls) ::shutdown(socket, SHUT_WR);
    const short events = wait_for(socket, POLLIN | POLLRDHUP, is_tls ? grace : patience_for_end);
    if ((events & (POLLERR | POLLHUP)) == 0) return waiting > 0 ? "not acknowledged" : "";
    return error_of(socket);
}

}  // namespace

std::string send_stream(const StreamTarget& target, std::string_view bytes) {
    const auto handle = make_easy_handle();
    std::array<char, CURL_ERROR_SIZE> why{};
    set_options(handle.get(), target, why);
    const CURLcode connected = curl_easy_perform(handle.get());
    if (connected != CURLE_OK) return why[0] != '\0' ? why.data() : curl_easy_strerror(connected);
    curl_socket_t socket = CURL_SOCKET_BAD;
    curl_easy_getinfo(handle.get(), CURLINFO_ACTIVESOCKET, &socket);
    const auto end = steady_clock::now() + target.limit;
    auto failed = send_all_bytes(handle.get(), socket, bytes, end);
    if (failed.empty()) failed = await_acknowledgement(socket, target.is_tls, end);
    return failed;
}

}  // namespace provisioner::http_client
