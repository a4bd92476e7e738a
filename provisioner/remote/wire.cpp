#include "provisioner/remote/wire.hpp"

#include <libssh2.h>
#include <poll.h>

#include <algorithm>
#include <array>

#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "provisioner/remote/host_key.hpp"

namespace provisioner::remote {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;
using SteadyClock = std::chrono::steady_clock;

namespace {

constexpr std::chrono::seconds keep_alive_every{15};
constexpr std::chrono::seconds longest_silence{45};
constexpr std::size_t piece_size = 256 * 1024;
/// Bytes sent and received before the other sessions of the loop get a turn.
constexpr std::size_t turn_size = 1024 * 1024;
constexpr std::chrono::milliseconds longest_turn{10};

/// Whether the server refused the key, as opposed to a connection that broke.
bool is_refusal(int result) {
    return result == LIBSSH2_ERROR_AUTHENTICATION_FAILED ||
           result == LIBSSH2_ERROR_PUBLICKEY_UNVERIFIED;
}

}  // namespace

/// Wakes the waiting coroutine: handlers cancel the timer that it waits on. Shared with these
/// handlers, which may run after the Wire is gone.
struct Wire::Waker {
    explicit Waker(const asio::any_io_executor& executor) : timer(executor) {}
    asio::steady_timer timer;
};

Wire::Wire(asio::any_io_executor executor, std::string peer)
    : peer_(std::move(peer)), socket_(executor), waker_(std::make_shared<Waker>(executor)) {}

Wire::~Wire() {
    if (alive()) libssh2_session_disconnect(session_.get(), "done");
    error_code ignored;
    // The session is freed before the socket, and must not wait for it.
    socket_.shutdown(tcp::socket::shutdown_both, ignored);
}

asio::awaitable<void> Wire::open(tcp::endpoint address, Deadline deadline) {
    error_code error;
    socket_.open(address.protocol(), error);
    if (error) throw TransportError(peer_ + ": " + error.message());
    auto alarm = std::make_shared<asio::steady_timer>(socket_.get_executor(), deadline);
    // Shared with the handler: once the flag is false, the handler must not touch the socket,
    // because the Wire may be gone. The guard clears it on every way out, an abandoned coroutine
    // included.
    auto waiting = std::make_shared<bool>(true);
    alarm->async_wait([this, waiting, alarm](error_code stopped) {
        if (stopped || !*waiting) return;
        error_code ignored;
        socket_.close(ignored);
    });
    auto settle = [](bool* flag) { *flag = false; };
    const std::unique_ptr<bool, decltype(settle)> guard(waiting.get(), settle);
    co_await socket_.async_connect(address, asio::redirect_error(asio::use_awaitable, error));
    alarm->cancel();
    if (!socket_.is_open()) throw TransportError(peer_ + ": no answer to the TCP connection");
    if (error) throw TransportError(peer_ + ": " + error.message());
    socket_.set_option(tcp::no_delay(true), error);
    socket_.non_blocking(true, error);
}

asio::awaitable<void> Wire::shake_hands(std::string host_key_algorithms, Deadline deadline) {
    LIBSSH2_SESSION* session = session_.get();
    if (libssh2_session_method_pref(session, LIBSSH2_METHOD_HOSTKEY, host_key_algorithms.c_str())) {
        fail("host key type " + host_key_algorithms + " is not supported");
    }
    session_.offer_strong_methods();
    last_heard_ = SteadyClock::now();
    const int fd = socket_.native_handle();
    auto handshake = [session, fd] { return libssh2_session_handshake(session, fd); };
    const int result = co_await repeat(handshake, deadline);
    if (result != 0) fail("handshake failed");
}

std::string Wire::host_key() const {
    std::size_t size = 0;
    int type = 0;
    const char* key = libssh2_session_hostkey(session_.get(), &size, &type);
    if (key == nullptr) return {};
    return host_key_line(std::string_view(key, size));
}

asio::awaitable<std::optional<std::size_t>> Wire::log_in(std::string user,
                                                         std::vector<base::Secret> private_keys,
                                                         Deadline deadline) {
    LIBSSH2_SESSION* session = session_.get();
    int result = LIBSSH2_ERROR_AUTHENTICATION_FAILED;
    for (std::size_t i = 0; i < private_keys.size(); ++i) {
        const std::string& key = private_keys[i].reveal();
        auto authenticate = [session, &user, &key] {
            return libssh2_userauth_publickey_frommemory(session, user.data(), user.size(), nullptr,
                                                         0, key.data(), key.size(), nullptr);
        };
        result = co_await repeat(authenticate, deadline);
        const bool is_last = i + 1 == private_keys.size();
        if (session_.had_too_many_tries() && is_last) throw_refusal();
        if (session_.had_too_many_tries()) co_return i + 1;
        // Servers that say nothing when they have enough: this key on a connection of its own.
        if (i > 0 && result != 0 && is_over()) co_return i;
        if (!is_refusal(result)) break;
    }
    if (is_refusal(result)) throw_refusal();
    if (result != 0) fail("login failed");
    libssh2_keepalive_config(session, 1, keep_alive_every.count());
    ready_ = true;
    co_return std::nullopt;
}

bool Wire::is_over() const {
    pollfd hung_up{const_cast<tcp::socket&>(socket_).native_handle(), POLLRDHUP, 0};
    return ::poll(&hung_up, 1, 0) != 0;
}

asio::awaitable<int> Wire::exchange(Command command) {
    begin_command();
    last_heard_ = SteadyClock::now();
    LIBSSH2_CHANNEL* channel = co_await start(command);
    co_await pump(channel, command);
    const int exit_code = co_await finish(channel, command.deadline);
    ready_ = true;
    co_return exit_code;
}

asio::awaitable<void> Wire::open_kept(Command command) {
    begin_command();
    last_heard_ = SteadyClock::now();
    kept_ = co_await start(command);
    ready_ = true;
}

asio::awaitable<bool> Wire::talk(Command command) {
    begin_command();
    co_await pump(kept_, command);
    ready_ = true;
    co_return libssh2_channel_eof(kept_) == 0;
}

asio::awaitable<int> Wire::close_kept(Deadline deadline) {
    begin_command();
    const int exit_code = co_await finish(kept_, deadline);
    kept_ = nullptr;
    ready_ = true;
    co_return exit_code;
}

// Between begin_command() and the end of a command ready_ is false. An exception or an abandoned
// coroutine leaves it false: a packet may be half sent, so nothing else may use the connection.
void Wire::begin_command() {
    if (!ready_) throw TransportError(peer_ + ": the connection is broken or in use");
    ready_ = false;
}

bool Wire::alive() const {
    return ready_ && socket_.is_open() && !is_over();
}

std::string Wire::message_of(const std::string& what) const {
    if (session_.has_sent_too_much()) {
        return peer_ + ": the node sent more than " +
               std::to_string(LibrarySession::most_held >> 20) + " MiB that nobody asked for";
    }
    char* message = nullptr;
    libssh2_session_last_error(session_.get(), &message, nullptr, 0);
    const std::string cause = message == nullptr || *message == '\0' ? "no reason given" : message;
    return peer_ + ": " + what + ": " + cause;
}

void Wire::fail(const std::string& what) const {
    throw TransportError(message_of(what));
}

void Wire::throw_refusal() const {
    throw LoginRefused(message_of("login failed"));
}

template <class Call>
asio::awaitable<int> Wire::repeat(Call call, Deadline deadline) {
    for (;;) {
        session_.begin_turn();
        const int result = call();
        if (session_.has_sent_too_much()) fail("too much");
        if (result != LIBSSH2_ERROR_EAGAIN) co_return result;
        co_await wait(deadline);
    }
}

asio::awaitable<void> Wire::wait(Deadline deadline, Deadline until) {
    const auto next = std::min<Deadline>({deadline, until, SteadyClock::now() + keep_alive_every});
    const bool woken = co_await wait_for_socket(next);
    const auto now = SteadyClock::now();
    // Also when something came: a node may send for ever what is no answer.
    if (now >= deadline) throw NoAnswer(peer_ + ": no answer in time");
    if (woken) {
        last_heard_ = now;
        co_return;
    }
    if (now >= until) co_return;
    if (now - last_heard_ >= longest_silence) throw TransportError(peer_ + ": went silent");
    keep_alive();
}

// A timer is the only thing awaited; readiness of the socket cancels it. Waits that are left over
// are cancelled here, else they would end the next wait too. A wake-up without cause is harmless,
// because every caller repeats its call.
asio::awaitable<bool> Wire::wait_for_socket(Deadline until) {
    const int directions = libssh2_session_block_directions(session_.get());
    const bool outbound = half_sent();
    const bool inbound = !outbound || (directions & LIBSSH2_SESSION_BLOCK_INBOUND) != 0;
    const auto wake = [waker = waker_](error_code error) {
        if (error != asio::error::operation_aborted) waker->timer.cancel();
    };
    waker_->timer.expires_at(until);
    if (inbound) socket_.async_wait(tcp::socket::wait_read, wake);
    if (outbound) socket_.async_wait(tcp::socket::wait_write, wake);
    error_code cancelled;
    co_await waker_->timer.async_wait(asio::redirect_error(asio::use_awaitable, cancelled));
    error_code ignored;
    if (!cancelled || (inbound && outbound)) socket_.cancel(ignored);
    co_return cancelled.failed();
}

bool Wire::half_sent() const {
    const int directions = libssh2_session_block_directions(session_.get());
    return (directions & LIBSSH2_SESSION_BLOCK_OUTBOUND) != 0;
}

void Wire::keep_alive() {
    // libssh2 refuses another packet while one is half sent, and keepalives before the login.
    if (half_sent()) return;
    if (libssh2_userauth_authenticated(session_.get()) == 0) return;
    int seconds_to_next = 0;
    const int result = libssh2_keepalive_send(session_.get(), &seconds_to_next);
    if (result != 0 && result != LIBSSH2_ERROR_EAGAIN) fail("keepalive failed");
}

asio::awaitable<LIBSSH2_CHANNEL*> Wire::start(const Command& command) {
    LIBSSH2_SESSION* session = session_.get();
    LIBSSH2_CHANNEL* channel = nullptr;
    auto open_channel = [session, &channel] {
        channel = libssh2_channel_open_session(session);
        return channel != nullptr ? 0 : libssh2_session_last_errno(session);
    };
    const int opened = co_await repeat(open_channel, command.deadline);
    if (opened != 0) fail("no channel");
    auto execute = [channel, &command] {
        return libssh2_channel_process_startup(channel, "exec", 4, command.line.data(),
                                               static_cast<unsigned>(command.line.size()));
    };
    const int started = co_await repeat(execute, command.deadline);
    if (started != 0) fail("the command was refused");
    co_return channel;
}

asio::awaitable<void> Wire::pump(LIBSSH2_CHANNEL* channel, const Command& command) {
    std::string_view input = command.input;
    if (input.empty() && command.more) input = command.more();
    bool input_open = true;
    std::size_t since_others = 0;
    auto turn_began = SteadyClock::now();
    for (;;) {
        const std::size_t fed = input_open ? feed(channel, command, input) : 0;
        if (input_open && input.empty() && command.enough) input_open = false;
        if (input_open && input.empty()) {
            auto send_eof = [channel] { return libssh2_channel_send_eof(channel); };
            const int result = co_await repeat(send_eof, command.deadline);
            if (result != 0) fail("standard input could not be closed");
            input_open = false;
        }
        // A half-sent packet must go out first: reading may want to send a window adjustment.
        const std::size_t drained = input_open && half_sent() ? 0 : drain(channel, command.sink);
        since_others += fed + drained;
        const bool is_long = SteadyClock::now() - turn_began >= longest_turn;
        if (fed + drained > 0 && (since_others >= turn_size || is_long)) {
            // A node that takes or prints data without pause would keep the loop for itself.
            since_others = 0;
            if (SteadyClock::now() >= command.deadline)
                throw NoAnswer(peer_ + ": prints without end");
            auto executor = co_await asio::this_coro::executor;
            co_await asio::post(executor, asio::use_awaitable);
            last_heard_ = turn_began = SteadyClock::now();
        }
        if (!input_open && command.enough && command.enough()) co_return;
        if (fed + drained > 0) continue;
        if (libssh2_channel_eof(channel) != 0 || SteadyClock::now() >= command.until) co_return;
        co_await wait(command.deadline, command.until);
        turn_began = SteadyClock::now();
    }
}

asio::awaitable<int> Wire::finish(LIBSSH2_CHANNEL* channel, Deadline deadline) {
    auto close = [channel] { return libssh2_channel_close(channel); };
    const int closed = co_await repeat(close, deadline);
    if (closed != 0) fail("the channel does not close");
    char* signal = nullptr;
    std::size_t size = 0;
    libssh2_channel_get_exit_signal(channel, &signal, &size, nullptr, nullptr, nullptr, nullptr);
    const int exit_code = signal != nullptr ? -1 : libssh2_channel_get_exit_status(channel);
    if (signal != nullptr) libssh2_free(session_.get(), signal);
    auto release = [channel] { return libssh2_channel_free(channel); };
    co_await repeat(release, deadline);
    co_return exit_code;
}

std::size_t Wire::feed(LIBSSH2_CHANNEL* channel, const Command& command, std::string_view& input) {
    if (input.empty()) return 0;
    session_.begin_turn();
    const auto written =
        libssh2_channel_write(channel, input.data(), std::min(input.size(), piece_size));
    if (session_.has_sent_too_much()) fail("too much");
    if (written == LIBSSH2_ERROR_EAGAIN) return 0;
    // The command has ended without reading all of its input. That is no failure here: its output
    // and exit code say why.
    if (written == LIBSSH2_ERROR_CHANNEL_CLOSED || written == LIBSSH2_ERROR_CHANNEL_EOF_SENT) {
        const std::size_t left = input.size();
        input = {};
        return left;
    }
    if (written < 0) fail("standard input could not be sent");
    input.remove_prefix(static_cast<std::size_t>(written));
    if (input.empty() && command.more) input = command.more();
    return static_cast<std::size_t>(written);
}

std::size_t Wire::drain(LIBSSH2_CHANNEL* channel, const OutputSink& sink) {
    thread_local std::array<char, 64 * 1024> buffer;
    std::size_t drained = 0;
    for (const auto& [id, stream] : {std::pair{0, Stream::out}, std::pair{1, Stream::err}}) {
        session_.begin_turn();
        const auto size = libssh2_channel_read_ex(channel, id, buffer.data(), buffer.size());
        if (session_.has_sent_too_much()) fail("too much");
        if (size == LIBSSH2_ERROR_EAGAIN || size == 0) continue;
        if (size < 0) fail("output could not be read");
        sink(stream, std::string_view(buffer.data(), static_cast<std::size_t>(size)));
        drained += static_cast<std::size_t>(size);
    }
    return drained;
}

}  // namespace provisioner::remote
