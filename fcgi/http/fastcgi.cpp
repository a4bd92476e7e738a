#include "fcgi/http/fastcgi.hpp"

#include <fcgiapp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <thread>
#include <vector>

#include "fcgi/http/incoming.hpp"
#include "fcgi/http/params.hpp"
#include "fcgi/http/security_headers.hpp"
#include "provisioner/base/version.hpp"

namespace fcgi::http {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t written_at_once = 64UL * 1024UL;

/// How long clients that had connected before the end are still taken.
constexpr auto last_clients = 1s;

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

/// Tells all threads to end. Once told, it stays readable for poll(), so no thread misses it.
class Ending {
 public:
    Ending() : event_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
        if (event_ < 0) throw std::runtime_error("cannot make an eventfd");
    }
    ~Ending() { ::close(event_); }
    Ending(const Ending&) = delete;
    Ending& operator=(const Ending&) = delete;

    void tell() { ::eventfd_write(event_, 1); }

    /// Waits until a client has connected or the end was told; whether the end was told.
    bool wait_for_client(int socket) const {
        std::array<pollfd, 2> watched{pollfd{.fd = socket, .events = POLLIN, .revents = 0},
                                      pollfd{.fd = event_, .events = POLLIN, .revents = 0}};
        ::poll(watched.data(), watched.size(), -1);
        return watched[1].revents != 0;
    }

 private:
    int event_;
};

void answer_one(FCGX_Request& raw, const Answer& answer) {
    const Response response = answer_to(raw, answer);
    write(raw.out, head_of(response));
    write(raw.out, response.body);
    finish(raw);
}

/// Answers until the end is told and nobody waits to be answered any more. With a successor on the
/// same socket that takes longer under load, and it takes half the clients meanwhile.
void answer_requests(int socket, const Answer& answer, provisioner::metrics::Level& busy,
                     const Ending& ending, const provisioner::base::Log& log) {
    FCGX_Request raw;
    FCGX_InitRequest(&raw, socket, FCGI_FAIL_ACCEPT_ON_INTR);
    std::optional<std::chrono::steady_clock::time_point> latest;
    while (!latest || std::chrono::steady_clock::now() < *latest) {
        const bool is_ending = ending.wait_for_client(socket);
        if (is_ending && !latest) latest = std::chrono::steady_clock::now() + last_clients;
        // The socket does not block: another thread may have been faster.
        const int accepted = FCGX_Accept_r(&raw);
        const bool is_nobody = accepted == -EAGAIN || accepted == -EWOULDBLOCK;
        if (is_nobody && is_ending) break;
        if (is_nobody || accepted == -EINTR) continue;
        if (accepted < 0) {
            // For example, out of file descriptors. That passes when other requests end.
            log.warn("web.accept_failed", {{"error", std::strerror(-accepted)}});
            std::this_thread::sleep_for(100ms);
            continue;
        }
        const provisioner::metrics::Level::One at_work(busy);
        answer_one(raw, answer);
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
    const long threads = config.number("web.threads");
    if (threads < 1 || threads > most_threads) {
        throw std::runtime_error("web.threads is a number from 1 to " +
                                 std::to_string(most_threads));
    }
    return {.socket = config.get("web.socket"),
            .mode = mode_in(config.get("web.socket_mode")),
            .threads = static_cast<int>(threads)};
}

void serve(int socket, const ServeOptions& options, const Answer& answer,
           const provisioner::base::Log& log) {
    // The signal handler of libfcgi does not end a program with several threads. This thread
    // therefore waits for the signal and then tells the others. The socket is not shut down: a
    // successor may listen on it.
    const sigset_t signals = block_end_signals();
    if (FCGX_Init() != 0) throw std::runtime_error("libfcgi cannot be started");
    Ending ending;
    provisioner::metrics::Level uncounted;
    provisioner::metrics::Level& busy = options.busy == nullptr ? uncounted : *options.busy;
    std::vector<std::thread> threads;
    threads.reserve(static_cast<std::size_t>(options.threads));
    for (int i = 0; i < options.threads; ++i) {
        threads.emplace_back([&] { answer_requests(socket, answer, busy, ending, log); });
    }
    log.info("web.started", {{"pid", ::getpid()},
                             {"socket", options.socket},
                             {"threads", options.threads},
                             {"version", provisioner::base::version()}});

    int signal = 0;
    sigwait(&signals, &signal);
    ending.tell();
    for (std::thread& thread : threads) thread.join();
    log.info("web.stopped", {{"pid", ::getpid()}, {"signal", signal}});
}

}  // namespace fcgi::http
