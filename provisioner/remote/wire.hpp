#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>

#include "provisioner/base/secret.hpp"
#include "provisioner/remote/session.hpp"

struct _LIBSSH2_SESSION;
struct _LIBSSH2_CHANNEL;

namespace provisioner::remote {

/// One SSH connection by libssh2 in non-blocking mode, waiting on an asio loop with one thread.
/// Everything here throws TransportError, with the peer's name and the cause, when the connection
/// fails or a deadline passes.
class Wire {
 public:
    using Deadline = std::chrono::steady_clock::time_point;

    /// One command on the other side.
    struct Command {
        std::string line;
        /// Sent to standard input; must outlive the exchange.
        std::string_view input;
        /// What is sent after it, unless it is empty; then standard input is closed.
        Pieces more;
        /// Receives output as it comes.
        OutputSink sink;
        /// The whole of it must have ended by then.
        Deadline deadline;
        /// For talk(): whether that was all.
        std::function<bool()> enough = {};
        /// For talk(): it is left alone then.
        Deadline until = Deadline::max();
    };

    /// `peer` names the other side in messages, for example "root@10.0.0.7:22".
    Wire(boost::asio::any_io_executor executor, std::string peer);
    /// Says goodbye if that needs no waiting, and closes.
    ~Wire();
    Wire(const Wire&) = delete;
    Wire& operator=(const Wire&) = delete;

    /// Opens the TCP connection.
    boost::asio::awaitable<void> open(boost::asio::ip::tcp::endpoint address, Deadline deadline);

    /// Exchanges keys; `host_key_algorithms` are the only types of host key to accept, joined by
    /// commas.
    boost::asio::awaitable<void> shake_hands(std::string host_key_algorithms, Deadline deadline);

    /// The key the host proved in shake_hands(), as in known_hosts.
    std::string host_key() const;

    /// Proves who we are.
    boost::asio::awaitable<void> log_in(std::string user, base::Secret private_key,
                                        Deadline deadline);

    /// Runs a command and returns its exit code, or -1 when a signal ended it. One at a time.
    /// Whatever interrupts it, an exception of the sink too, leaves the connection dead.
    boost::asio::awaitable<int> exchange(Command command);

    /// Opens a command that stays and is talked with; commands can be exchanged beside it.
    boost::asio::awaitable<void> open_kept(Command command);

    /// Sends input to the command that stays and passes on what it prints until that is enough, or
    /// for so long. False: it has ended. Keeps last_heard() as it is until something comes.
    boost::asio::awaitable<bool> talk(Command command);

    /// The exit code of a command that stayed and has ended.
    boost::asio::awaitable<int> close_kept(Deadline deadline);

    /// Whether nothing has been seen that ends the connection, and no command is under way.
    bool alive() const;

    /// When something came from the other side for the last time; the beginning of the last command
    /// where nothing has come since.
    std::chrono::steady_clock::time_point last_heard() const { return last_heard_; }

    /// Throws TransportError "<peer>: <what>: <libssh2's last error>".
    [[noreturn]] void fail(const std::string& what) const;

 private:
    struct Waker;

    template <class Call>
    boost::asio::awaitable<int> repeat(Call call, Deadline deadline);
    void begin_command();
    boost::asio::awaitable<void> wait(Deadline deadline, Deadline until = Deadline::max());
    boost::asio::awaitable<bool> wait_for_socket(Deadline until);
    bool half_sent() const;
    void keep_alive();
    boost::asio::awaitable<_LIBSSH2_CHANNEL*> start(const Command& command);
    boost::asio::awaitable<void> pump(_LIBSSH2_CHANNEL* channel, const Command& command);
    boost::asio::awaitable<int> finish(_LIBSSH2_CHANNEL* channel, Deadline deadline);
    /// Bytes that were taken.
    std::size_t feed(_LIBSSH2_CHANNEL* channel, const Command& command, std::string_view& input);
    /// Bytes that came.
    std::size_t drain(_LIBSSH2_CHANNEL* channel, const OutputSink& sink);

    std::string peer_;
    boost::asio::ip::tcp::socket socket_;
    std::shared_ptr<Waker> waker_;
    std::unique_ptr<_LIBSSH2_SESSION, void (*)(_LIBSSH2_SESSION*)> session_;
    /// Belongs to the session.
    _LIBSSH2_CHANNEL* kept_ = nullptr;
    std::chrono::steady_clock::time_point last_heard_{};
    bool ready_ = false;
};

}  // namespace provisioner::remote
