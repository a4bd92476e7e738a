#include "provisioner/providers/local/helper/server.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <vector>

#include "provisioner/providers/local/helper/listener.hpp"

namespace provisioner::providers::local {

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

/// A client whose request is not carried out yet.
struct Connection {
    Fd fd;
    std::string request;
    Clock::time_point since;
    /// Whether the request has its line end.
    bool is_whole = false;
    /// Whether it can be forgotten.
    bool is_over = false;
};

struct Child {
    pid_t pid = 0;
    /// Whether it carries out no request.
    bool is_watch = false;
    Clock::time_point until;
    bool is_shot = false;
};

/// Blocks the signals for good; poll() sees them at the descriptor.
class Signals {
 public:
    Signals() {
        sigset_t ours;
        sigemptyset(&ours);
        for (const int number : {SIGTERM, SIGINT, SIGCHLD}) sigaddset(&ours, number);
        sigprocmask(SIG_BLOCK, &ours, nullptr);
        fd_ = Fd(signalfd(-1, &ours, SFD_CLOEXEC | SFD_NONBLOCK));
        if (fd_.get() < 0) fail("cannot watch signals");
    }

    int fd() const { return fd_.get(); }
    /// Takes all that have arrived; whether one of them asks for the end.
    bool take_end() {
        bool ends = false;
        signalfd_siginfo info;
        while (read(fd_.get(), &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
            ends = ends || info.ssi_signo != SIGCHLD;
        }
        return ends;
    }

 private:
    Fd fd_;
};

/// What a host inherits: nothing is blocked or ignored, whatever the helper was started with.
void reset_signals() {
    for (int number = 1; number < NSIG; ++number) signal(number, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
}

class Server {
 public:
    Server(const ServeCommand& command, const CarryOut& carry_out,
           const std::function<void()>& closed, const std::function<void()>& watch)
        : carry_out_(carry_out),
          closed_(closed),
          watch_(watch),
          user_(user_named(command.user)),
          listener_(listen_at(command.socket, group_named(command.group))) {}

    void run() {
        while (listener_.get() >= 0 || !connections_.empty() || !children_.empty()) {
            wait();
            if (signals_.take_end()) close();
            reap();
            for (Connection& connection : connections_) receive(connection);
            if (listener_.get() >= 0) accept_all();
            begin_some();
            if (listener_.get() >= 0) watch_at_times();
            std::erase_if(connections_, [](const Connection& one) { return one.is_over; });
            shoot_late_children();
        }
    }

 private:
    /// At most a second, so that limits of time are seen.
    void wait() {
        const bool takes_more = connections_.size() < most_connections || makes_room();
        std::vector<pollfd> watched = {
            {.fd = signals_.fd(), .events = POLLIN, .revents = 0},
            {.fd = takes_more ? listener_.get() : -1, .events = POLLIN, .revents = 0}};
        for (const Connection& connection : connections_) {
            const int fd = connection.is_whole ? -1 : connection.fd.get();
            watched.push_back({.fd = fd, .events = POLLIN, .revents = 0});
        }
        poll(watched.data(), watched.size(), 1000);
    }

    /// Whether a client who was silent for a second has been cut off.
    bool makes_room() {
        const auto now = Clock::now();
        const auto silent = std::find_if(
            connections_.begin(), connections_.end(),
            [&](const Connection& one) { return !one.is_whole && now - one.since > 1s; });
        if (silent == connections_.end()) return false;
        connections_.erase(silent);
        return true;
    }

    void accept_all() {
        while (connections_.size() < most_connections) {
            Fd fd(accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
            if (fd.get() < 0) return;
            const uid_t peer = peer_of(fd);
            if (peer != 0 && peer != user_) {
                std::cerr << "cooperage-local-host: user " << peer << " was refused\n";
                continue;
            }
            Connection connection;
            connection.fd = std::move(fd);
            connection.since = Clock::now();
            receive(connection);
            connections_.push_back(std::move(connection));
        }
    }

    /// Takes what has arrived, without waiting.
    static void receive(Connection& connection) {
        char buffer[8192];
        while (!connection.is_whole && !connection.is_over) {
            const ssize_t count = read(connection.fd.get(), buffer, sizeof buffer);
            if (count < 0 && errno == EINTR) continue;
            if (count < 0 && errno == EAGAIN) {
                connection.is_over = Clock::now() - connection.since > request_patience;
                return;
            }
            if (count <= 0) {
                connection.is_over = true;
                return;
            }
            connection.request.append(buffer, static_cast<std::size_t>(count));
            connection.is_whole = connection.request.find('\n') != std::string::npos;
            connection.is_over = connection.request.size() > longest_request;
        }
    }

    /// A client who has gone asks for nothing any more: it does not know of what would be made.
    static bool is_gone(const Connection& connection) {
        pollfd watched{.fd = connection.fd.get(), .events = 0, .revents = 0};
        return poll(&watched, 1, 0) > 0 && (watched.revents & POLLHUP) != 0;
    }

    void begin_some() {
        for (Connection& connection : connections_) {
            if (children_.size() >= most_children) return;
            if (!connection.is_whole || connection.is_over) continue;
            if (!is_gone(connection)) begin(connection);
            connection.is_over = true;
        }
    }

    void watch_at_times() {
        const auto now = Clock::now();
        const bool is_under_way = std::any_of(children_.begin(), children_.end(),
                                              [](const Child& child) { return child.is_watch; });
        if (is_under_way || now < watched_ + watch_interval) return;
        watched_ = now;
        const pid_t pid = fork();
        if (pid == 0) {
            setpgid(0, 0);
            close_range(3, ~0U, 0);
            reset_signals();
            watch_();
            _exit(0);
        }
        if (pid > 0)
            children_.push_back({.pid = pid, .is_watch = true, .until = now + child_limit});
    }

    void begin(const Connection& connection) {
        const pid_t pid = fork();
        if (pid == 0) work_for(connection);
        if (pid < 0) {
            std::cerr << "cooperage-local-host: cannot make a process for a request\n";
            return;
        }
        children_.push_back({.pid = pid, .until = Clock::now() + child_limit, .is_shot = false});
    }

    /// In the child, whose group is its own and its tools': shoot_late_children() means all of
    /// them. Its answer is bounded in time, because the client need not read it.
    [[noreturn]] void work_for(const Connection& connection) const {
        setpgid(0, 0);
        const int client = connection.fd.get();
        const timeval patience{.tv_sec = request_patience.count(), .tv_usec = 0};
        setsockopt(client, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
        fcntl(client, F_SETFL, 0);
        const std::string request = connection.request;
        if (dup2(client, STDOUT_FILENO) < 0) _exit(1);
        close_range(3, ~0U, 0);
        reset_signals();
        const int code = carry_out_(request);
        std::cout.flush();
        _exit(code);
    }

    void reap() {
        int status = 0;
        for (pid_t pid = 0; (pid = waitpid(-1, &status, WNOHANG)) > 0;) {
            std::erase_if(children_, [&](const Child& child) { return child.pid == pid; });
            if (!WIFSIGNALED(status)) continue;
            std::cerr << "cooperage-local-host: a request ended by signal " << WTERMSIG(status)
                      << "\n";
        }
    }

    /// The number of a child that was not reaped is still its own.
    void shoot_late_children() {
        const auto now = Clock::now();
        for (Child& child : children_) {
            if (child.is_shot || now < child.until) continue;
            kill(-child.pid, SIGKILL);
            child.is_shot = true;
        }
    }

    /// Who has connected already gets a second more for the rest of the request.
    void close() {
        if (listener_.get() < 0) return;
        // From here on nobody connects, and those who have can still be accepted.
        shutdown(listener_.get(), SHUT_RDWR);
        accept_all();
        listener_.close();
        for (Connection& connection : connections_) {
            connection.since = std::min(connection.since, Clock::now() - request_patience + 1s);
        }
        closed_();
    }

    const CarryOut& carry_out_;
    const std::function<void()>& closed_;
    const std::function<void()>& watch_;
    Clock::time_point watched_ = Clock::now();
    /// First, so that no signal is lost and children inherit nothing half-made.
    Signals signals_;
    uid_t user_;
    Fd listener_;
    std::vector<Connection> connections_;
    std::vector<Child> children_;
};

}  // namespace

void serve(const ServeCommand& command, const CarryOut& carry_out,
           const std::function<void()>& closed, const std::function<void()>& watch) {
    Server(command, carry_out, closed, watch).run();
}

}  // namespace provisioner::providers::local
