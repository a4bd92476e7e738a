#include "fcgi/http/fastcgi.hpp"

#include <fcgiapp.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstring>
#include <stdexcept>
#include <thread>
#include <vector>

#include "fcgi/http/incoming.hpp"
#include "fcgi/http/params.hpp"
#include "fcgi/http/security_headers.hpp"

namespace fcgi::http {
namespace {

using namespace std::chrono_literals;

// With a queue of 64, a burst of 512 clients got errors for most of them.
constexpr int backlog = 1024;
constexpr std::size_t written_at_once = 64UL * 1024UL;

constexpr long most_threads = 1000;

unsigned mode_in(const std::string& text) {
    unsigned mode = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), mode, 8);
    const bool is_whole = error == std::errc() && end == text.data() + text.size();
    if (!is_whole || mode > 0777) {
        throw std::runtime_error("web.socket_mode is octal, like 0660, not " + text);
    }
    return mode;
}

int listen_on(const ServeOptions& options) {
    // Nobody may connect between bind and chmod, which sets the final permissions.
    const mode_t before = umask(0177);
    unlink(options.socket.c_str());
    const int socket = FCGX_OpenSocket(options.socket.c_str(), backlog);
    umask(before);
    if (socket < 0 || chmod(options.socket.c_str(), options.mode) != 0) {
        throw std::runtime_error("cannot listen on " + options.socket + ": " +
                                 std::strerror(errno));
    }
    return socket;
}

/// The body as nginx sends it. It ends after the announced length, whatever the connection still
/// holds.
class FastcgiBody final : public provisioner::contents::Source {
 public:
    FastcgiBody(FCGX_Stream* in, std::uint64_t size) : in_(in), left_(size) {}

    std::size_t read(char* into, std::size_t size) override {
        const auto wanted = static_cast<int>(std::min<std::uint64_t>({size, left_, most_at_once}));
        if (wanted == 0) return 0;
        const int got = FCGX_GetStr(into, wanted, in_);
        if (got <= 0) throw BodyTooShort();
        left_ -= static_cast<std::uint64_t>(got);
        return static_cast<std::size_t>(got);
    }

 private:
    static constexpr std::uint64_t most_at_once = 1 << 20;

    FCGX_Stream* in_;
    std::uint64_t left_;
};

void write(FCGX_Stream* out, const std::string& bytes) {
    std::size_t sent = 0;
    while (sent < bytes.size()) {
        const std::size_t wanted = std::min(written_at_once, bytes.size() - sent);
        // A client that has gone away is not an error of this program.
        if (FCGX_PutStr(bytes.data() + sent, static_cast<int>(wanted), out) < 0) return;
        sent += wanted;
    }
}

/// Ends the answer. libfcgi waits until the web server closes, so that the server can still send
/// the unread rest of the request. If the whole request has been read, detaching skips that wait.
void finish(FCGX_Request& raw) {
    const bool is_read = FCGX_GetChar(raw.in) == EOF && FCGX_GetError(raw.in) == 0;
    if (is_read) FCGX_Detach(&raw);
    FCGX_Finish_r(&raw);
}

Response answer_to(FCGX_Request& raw, const Answer& answer) {
    Request request = request_from_params(raw.envp);
    const auto size = content_length(request);
    if (!size) return with_security_headers(text(400, "Content-Length is no number"), request);
    FastcgiBody body(raw.in, static_cast<std::uint64_t>(*size));
    request.incoming = &body;
    request.incoming_size = static_cast<std::uint64_t>(*size);
    return answer(request);
}

void answer_requests(int socket, const Answer& answer, const std::atomic<bool>& stopping,
                     const provisioner::base::Log& log) {
    FCGX_Request raw;
    FCGX_InitRequest(&raw, socket, FCGI_FAIL_ACCEPT_ON_INTR);
    while (!stopping) {
        const int accepted = FCGX_Accept_r(&raw);
        if (stopping && accepted < 0) break;
        if (accepted < 0) {
            // For example, out of file descriptors. That passes when other requests end.
            log.warn("web.accept_failed", {{"error", std::strerror(-accepted)}});
            std::this_thread::sleep_for(100ms);
            continue;
        }
        const Response response = answer_to(raw, answer);
        write(raw.out, head_of(response));
        write(raw.out, response.body);
        finish(raw);
    }
    FCGX_Free(&raw, 1);
}

sigset_t block_end_signals() {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    return signals;
}

}  // namespace

ServeOptions serve_options(const provisioner::base::Config& config) {
    const long threads = config.number_or("web.threads", 8);
    if (threads < 1 || threads > most_threads) {
        throw std::runtime_error("web.threads is a number from 1 to " +
                                 std::to_string(most_threads));
    }
    return {.socket = config.get("web.socket"),
            .mode = mode_in(config.get_or("web.socket_mode", "0660")),
            .threads = static_cast<int>(threads)};
}

void serve(const ServeOptions& options, const Answer& answer, const provisioner::base::Log& log) {
    // The signal handler of libfcgi does not end a program with several threads. This thread
    // therefore waits for the signal. It then sets `stopping` before it shuts the socket down. Each
    // thread leaves accept, sees the flag and ends; a thread with a request under way finishes it
    // first.
    const sigset_t signals = block_end_signals();
    if (FCGX_Init() != 0) throw std::runtime_error("libfcgi cannot be started");
    const int socket = listen_on(options);
    std::atomic<bool> stopping = false;
    std::vector<std::thread> threads;
    threads.reserve(static_cast<std::size_t>(options.threads));
    for (int i = 0; i < options.threads; ++i) {
        threads.emplace_back([&] { answer_requests(socket, answer, stopping, log); });
    }
    log.info("web.started", {{"socket", options.socket}, {"threads", options.threads}});

    int signal = 0;
    sigwait(&signals, &signal);
    stopping = true;
    FCGX_ShutdownPending();
    shutdown(socket, SHUT_RD);
    for (std::thread& thread : threads) thread.join();
    close(socket);
    log.info("web.stopped", {{"signal", signal}});
}

}  // namespace fcgi::http
