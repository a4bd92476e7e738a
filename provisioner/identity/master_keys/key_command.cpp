#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <thread>

#include "provisioner/identity/master_keys/key_source.hpp"
#include "provisioner/identity/sealing.hpp"

extern char** environ;

namespace provisioner::identity {

namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::size_t longest_output = 64 * 1024;
constexpr std::chrono::milliseconds poll_pause{5};

/// The reading end of the command's output, and its process; both end with the object.
class RunningCommand {
 public:
    explicit RunningCommand(const std::vector<std::string>& words) {
        std::array<int, 2> ends{};
        if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail(words, std::strerror(errno));
        output_ = ends[0];
        const int error = spawn(words, ends[1]);
        ::close(ends[1]);
        if (error != 0) fail(words, std::strerror(error));
    }
    ~RunningCommand() {
        if (output_ >= 0) ::close(output_);
        if (pid_ <= 0) return;
        ::kill(-pid_, SIGKILL);
        ::waitpid(pid_, nullptr, 0);
    }
    RunningCommand(const RunningCommand&) = delete;
    RunningCommand& operator=(const RunningCommand&) = delete;

    int output() const { return output_; }

    /// Its status as waitpid() has it; nothing while it runs.
    std::optional<int> status() {
        int status = 0;
        const pid_t ended = ::waitpid(pid_, &status, WNOHANG);
        if (ended == 0 || (ended < 0 && errno == EINTR)) return std::nullopt;
        const bool was_there = ended == pid_;
        pid_ = 0;
        return was_there ? status : -1;
    }

    [[noreturn]] static void fail(const std::vector<std::string>& words, const std::string& why) {
        throw VaultError("the command for keys (" + words.front() + "): " + why);
    }

 private:
    /// In a process group of its own, so that what it starts is killed with it.
    int spawn(const std::vector<std::string>& words, int write_end) {
        std::vector<char*> arguments;
        for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
        arguments.push_back(nullptr);
        posix_spawn_file_actions_t actions;
        posix_spawnattr_t attributes;
        posix_spawn_file_actions_init(&actions);
        posix_spawnattr_init(&attributes);
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_adddup2(&actions, write_end, STDOUT_FILENO);
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
        sigset_t none;
        sigemptyset(&none);
        posix_spawnattr_setsigmask(&attributes, &none);
        posix_spawnattr_setpgroup(&attributes, 0);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
        const int error = ::posix_spawn(&pid_, words.front().c_str(), &actions, &attributes,
                                        arguments.data(), environ);
        posix_spawn_file_actions_destroy(&actions);
        posix_spawnattr_destroy(&attributes);
        if (error != 0) pid_ = 0;
        return error;
    }

    int output_ = -1;
    pid_t pid_ = 0;
};

}  // namespace

std::string output_of_key_command(const std::vector<std::string>& words,
                                  std::chrono::milliseconds limit) {
    RunningCommand command(words);
    const auto until = SteadyClock::now() + limit;
    std::string text;
    std::array<char, 4096> piece{};
    for (bool is_open = true; is_open;) {
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(until - SteadyClock::now());
        if (left.count() <= 0) RunningCommand::fail(words, "takes too long");
        pollfd ready{.fd = command.output(), .events = POLLIN, .revents = 0};
        if (::poll(&ready, 1, static_cast<int>(left.count())) <= 0) continue;
        const ssize_t size = ::read(command.output(), piece.data(), piece.size());
        if (size < 0 && errno != EINTR) RunningCommand::fail(words, std::strerror(errno));
        if (size > 0) text.append(piece.data(), static_cast<std::size_t>(size));
        if (text.size() > longest_output) RunningCommand::fail(words, "prints too much");
        is_open = size != 0;
    }
    std::optional<int> status = command.status();
    for (; !status && SteadyClock::now() < until; status = command.status()) {
        std::this_thread::sleep_for(poll_pause);
    }
    if (!status) RunningCommand::fail(words, "takes too long");
    if (*status == -1 || !WIFEXITED(*status)) RunningCommand::fail(words, "was ended by a signal");
    if (WEXITSTATUS(*status) != 0) {
        RunningCommand::fail(words, "ended with exit code " + std::to_string(WEXITSTATUS(*status)));
    }
    return text;
}

}  // namespace provisioner::identity
