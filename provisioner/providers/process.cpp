#include "provisioner/providers/process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cerrno>
#include <memory>
#include <system_error>

extern char** environ;

namespace provisioner::providers {
namespace asio = boost::asio;

namespace {

using Descriptor = asio::posix::stream_descriptor;

[[noreturn]] void fail(const std::string& what) {
    throw std::system_error(errno, std::generic_category(), what);
}

/// One output of the program: the reading end of its pipe and the text that is kept.
struct Output {
    explicit Output(const asio::any_io_executor& executor) : end(executor) {}

    /// Reads what the pipe holds, without waiting; false if no more can come.
    bool take() {
        std::array<char, 8192> buffer{};
        boost::system::error_code error;
        while (true) {
            const std::size_t count = end.read_some(asio::buffer(buffer), error);
            if (error) return error == asio::error::would_block;
            text.append(buffer.data(), std::min(most - text.size(), count));
        }
    }

    Descriptor end;
    std::size_t most = 0;
    std::string text;
};

/// The writing end of a pipe whose reading end `output` has; closed at the end of its scope.
class WritingEnd {
 public:
    explicit WritingEnd(Output& output) {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) != 0) fail("cannot make a pipe");
        fd_ = ends[1];
        output.end.assign(ends[0]);
        output.end.non_blocking(true);
    }
    ~WritingEnd() { close(fd_); }
    WritingEnd(const WritingEnd&) = delete;
    WritingEnd& operator=(const WritingEnd&) = delete;

    int fd() const { return fd_; }

 private:
    int fd_ = -1;
};

/// The attributes and file actions of posix_spawn; frees them.
class Spawn {
 public:
    Spawn(int out, int err) {
        posix_spawn_file_actions_init(&actions_);
        posix_spawn_file_actions_addopen(&actions_, 0, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_adddup2(&actions_, out, 1);
        posix_spawn_file_actions_adddup2(&actions_, err, 2);
        posix_spawn_file_actions_addclosefrom_np(&actions_, 3);
        sigset_t all;
        sigset_t none;
        sigfillset(&all);
        sigemptyset(&none);
        posix_spawnattr_init(&attributes_);
        posix_spawnattr_setsigdefault(&attributes_, &all);
        posix_spawnattr_setsigmask(&attributes_, &none);
        posix_spawnattr_setpgroup(&attributes_, 0);
        posix_spawnattr_setflags(
            &attributes_, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
    }
    ~Spawn() {
        posix_spawnattr_destroy(&attributes_);
        posix_spawn_file_actions_destroy(&actions_);
    }
    Spawn(const Spawn&) = delete;
    Spawn& operator=(const Spawn&) = delete;

    pid_t run(const std::vector<std::string>& command) {
        std::vector<char*> words;
        for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
        words.push_back(nullptr);
        pid_t pid = 0;
        errno = posix_spawn(&pid, words[0], &actions_, &attributes_, words.data(), environ);
        if (errno != 0) fail("cannot run " + command.front());
        return pid;
    }

 private:
    posix_spawn_file_actions_t actions_{};
    posix_spawnattr_t attributes_{};
};

/// The running program. All handlers run on one strand and hold the object. It lives until the last
/// of them has run, or until the loop is destroyed with them; the destructor then kills the
/// program.
class Child : public std::enable_shared_from_this<Child> {
 public:
    Child(const asio::any_io_executor& executor, const ProcessRequest& request)
        : out(executor), err(executor), ended(executor), limit(executor) {
        out.most = err.most = request.most_output;
        start(request.command);
        limit.expires_after(request.limit);
    }
    ~Child() {
        if (pid_ == 0) return;
        kill(-pid_, SIGKILL);
        reap();
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    /// Waits for readiness and then reads at once. So no read is under way when the program ends,
    /// and result() may take the rest.
    void read_on(Output& output) {
        const auto self = shared_from_this();
        output.end.async_wait(Descriptor::wait_read,
                              [self, &output](boost::system::error_code error) {
                                  if (!error && output.take()) self->read_on(output);
                              });
    }

    /// The process number is valid until reap(): an unreaped child keeps its number. After that
    /// pid_ is 0, and a handler that comes late kills nothing.
    void watch_the_time() {
        const auto self = shared_from_this();
        limit.async_wait([self](boost::system::error_code error) {
            if (error || self->pid_ == 0) return;
            self->timed_out_ = true;
            kill(-self->pid_, SIGKILL);
        });
    }

    /// To be called once, after the program has ended.
    ProcessResult result() {
        limit.cancel();
        // A process that the program left running may hold the other end open; it is not waited
        // for.
        for (Output* output : {&out, &err}) {
            output->take();
            output->end.close();
        }
        const siginfo_t info = reap();
        const bool exited = info.si_code == CLD_EXITED;
        return {.exit_code = exited ? info.si_status : -1,
                .signal = exited ? 0 : info.si_status,
                .timed_out = timed_out_,
                .out = std::move(out.text),
                .err = std::move(err.text)};
    }

    Output out;
    Output err;
    /// A pidfd; readable once the program has ended.
    Descriptor ended;
    asio::steady_timer limit;

 private:
    void start(const std::vector<std::string>& command) {
        {
            const WritingEnd to_out(out);
            const WritingEnd to_err(err);
            pid_ = Spawn(to_out.fd(), to_err.fd()).run(command);
        }
        const auto handle = static_cast<int>(syscall(SYS_pidfd_open, pid_, 0));
        if (handle < 0) {
            kill(-pid_, SIGKILL);
            reap();
            fail("cannot watch " + command.front());
        }
        ended.assign(handle);
    }

    siginfo_t reap() {
        siginfo_t info{};
        while (waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED) != 0 && errno == EINTR) {
        }
        pid_ = 0;
        return info;
    }

    pid_t pid_ = 0;
    bool timed_out_ = false;
};

asio::awaitable<ProcessResult> run_on_strand(ProcessRequest request) {
    const asio::any_io_executor executor = co_await asio::this_coro::executor;
    const auto child = std::make_shared<Child>(executor, request);
    child->read_on(child->out);
    child->read_on(child->err);
    child->watch_the_time();
    co_await child->ended.async_wait(Descriptor::wait_read, asio::use_awaitable);
    co_return child->result();
}

}  // namespace

asio::awaitable<ProcessResult> run_process(ProcessRequest request) {
    const asio::any_io_executor executor = co_await asio::this_coro::executor;
    const asio::any_io_executor strand = asio::make_strand(executor);
    co_return co_await asio::co_spawn(strand, run_on_strand(std::move(request)),
                                      asio::use_awaitable);
}

}  // namespace provisioner::providers
