#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>

#include "provisioner/base/secret.hpp"
#include "provisioner/remote/library_session.hpp"
#include "provisioner/remote/session.hpp"

struct _LIBSSH2_CHANNEL;

namespace provisioner::remote {

/// One SSH connection by libssh2 in non-blocking mode, driven by an asio loop with one thread. The
/// order of calls is open(), shake_hands(), host_key(), log_in(), then commands. The caller checks
/// host_key() before log_in().
///
/// libssh2 returns EAGAIN instead of waiting, and must then be called again with the same
/// arguments. So each call repeats until it is done, and waits for the socket in between. A
/// keepalive goes out after 15 seconds without data; 45 seconds of silence end the connection.
///
/// One call at a time. When the connection fails, a call throws TransportError with the peer's name
/// and the cause. It throws NoAnswer when its deadline passes. An interrupted command leaves the
/// connection dead. A node that sends more than LibrarySession::most_held that nobody takes loses
/// its connection, too.
class Wire {
 public:
    /// A time by which a call must have ended.
    using Deadline = std::chrono::steady_clock::time_point;

    /// One command on the other side, or one conversation with the command that stays.
    struct Command {
        /// The command line, for exchange() and open_kept().
        std::string line;
        /// Bytes for standard input; they must live until the call has completed.
        std::string_view input;
        /// Returns the bytes that follow `input`, piece by piece; may be empty. After the last
        /// piece standard input is closed, except in talk().
        Pieces more;
        /// Receives output as it comes; must not start another call.
        OutputSink sink;
        /// By then the whole call must have ended, else NoAnswer is thrown.
        Deadline deadline;
        /// For talk(): whether the conversation is over. Asked after all input has been sent.
        std::function<bool()> enough = {};
        /// For talk(): when to return if `enough` has not become true. This is no error.
        Deadline until = Deadline::max();
    };

    /// Opens nothing yet. `peer` names the other side in messages, for example "root@10.0.0.7:22".
    /// The executor's loop must run on one thread.
    Wire(boost::asio::any_io_executor executor, std::string peer);
    /// Sends a goodbye if that needs no waiting, and closes the socket. Never blocks.
    ~Wire();
    Wire(const Wire&) = delete;
    Wire& operator=(const Wire&) = delete;

    /// Opens the TCP connection.
    boost::asio::awaitable<void> open(boost::asio::ip::tcp::endpoint address, Deadline deadline);

    /// Exchanges keys. `host_key_algorithms` are the only accepted types of host key, joined by
    /// commas.
    boost::asio::awaitable<void> shake_hands(std::string host_key_algorithms, Deadline deadline);

    /// The key the host proved in shake_hands(), as in known_hosts; empty if there is none.
    std::string host_key() const;

    /// Logs in by public key, with the first of these keys that the server takes; only then are
    /// keepalives sent. Returns nothing then. A server ends a connection after so many refusals
    /// (sshd's MaxAuthTries): then returns the place of the first key that it has not refused, for
    /// a connection of its own. Throws LoginRefused when it takes none.
    boost::asio::awaitable<std::optional<std::size_t>> log_in(
        std::string user, std::vector<base::Secret> private_keys, Deadline deadline);

    /// Runs one command in a channel of its own. Returns its exit code, or -1 when a signal ended
    /// it. An interruption, an exception of the sink included, leaves the connection dead.
    boost::asio::awaitable<int> exchange(Command command);

    /// Starts the command that stays; one per connection. Other commands can be exchanged between
    /// conversations with it.
    boost::asio::awaitable<void> open_kept(Command command);

    /// Sends input to the command that stays and passes on its output until `enough` or `until`.
    /// False: the command has ended. Unlike exchange() it does not set last_heard() at its
    /// beginning.
    boost::asio::awaitable<bool> talk(Command command);

    /// Closes the channel of the command that stayed and returns its exit code, as exchange() does.
    boost::asio::awaitable<int> close_kept(Deadline deadline);

    /// Whether the connection can take a command: it is logged in, no command is under way, and the
    /// other side has not hung up. One poll(2) without waiting.
    bool alive() const;

    /// When the socket last became ready, which usually means that data came from the other side;
    /// the beginning of the last command if nothing has happened since.
    std::chrono::steady_clock::time_point last_heard() const { return last_heard_; }

    /// Throws TransportError "<peer>: <what>: <libssh2's last error>".
    [[noreturn]] void fail(const std::string& what) const;

 private:
    /// Whether the other side has hung up. One poll(2) without waiting.
    bool is_over() const;
    /// "<peer>: <what>: <libssh2's last error>".
    std::string message_of(const std::string& what) const;
    [[noreturn]] void throw_refusal() const;
    /// Shared with asio handlers that may run after the Wire is gone.
    struct Waker;

    template <class Call>
    /// Calls until the result is not EAGAIN, waiting for the socket in between. Returns that
    /// result.
    boost::asio::awaitable<int> repeat(Call call, Deadline deadline);
    /// Marks the connection as in use. A command that ends well resets the mark, so an interrupted
    /// one leaves alive() false.
    void begin_command();
    /// Returns when the socket may be ready or `until` has passed, and keeps the connection alive.
    boost::asio::awaitable<void> wait(Deadline deadline, Deadline until = Deadline::max());
    /// Waits for what libssh2 needs next, reading or writing; false when `until` came first.
    boost::asio::awaitable<bool> wait_for_socket(Deadline until);
    /// Whether a packet is partly sent. libssh2 then refuses any other packet with BAD_USE.
    bool half_sent() const;
    /// Sends a keepalive if one is due and may be sent.
    void keep_alive();
    /// Opens a channel and executes the command's line in it. The channel belongs to the session.
    boost::asio::awaitable<_LIBSSH2_CHANNEL*> start(const Command& command);
    /// Sends input and passes on output, in turn, until the channel has ended or the command is
    /// over.
    boost::asio::awaitable<void> pump(_LIBSSH2_CHANNEL* channel, const Command& command);
    /// Closes and frees the channel; returns the exit code, or -1 for a signal.
    boost::asio::awaitable<int> finish(_LIBSSH2_CHANNEL* channel, Deadline deadline);
    /// Sends one piece of input and shortens `input` by it; returns the bytes taken.
    std::size_t feed(_LIBSSH2_CHANNEL* channel, const Command& command, std::string_view& input);
    /// Passes available output of both streams to the sink; returns its bytes.
    std::size_t drain(_LIBSSH2_CHANNEL* channel, const OutputSink& sink);

    std::string peer_;
    boost::asio::ip::tcp::socket socket_;
    std::shared_ptr<Waker> waker_;
    LibrarySession session_;
    /// The channel of the command that stays; owned by the session.
    _LIBSSH2_CHANNEL* kept_ = nullptr;
    std::chrono::steady_clock::time_point last_heard_{};
    /// Whether the login has succeeded and no command is under way or was interrupted.
    bool ready_ = false;
};

}  // namespace provisioner::remote
