#include "provisioner/programs/keeper.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <thread>
#include <vector>

#include "provisioner/programs/timing.hpp"

namespace provisioner::programs {

namespace {

/// Names the child of the program that was executed before in this process.
constexpr auto predecessor_variable = "COOPERAGE_PREDECESSOR";

sigset_t signals_of_a_keeper() {
    sigset_t signals;
    sigemptyset(&signals);
    for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGCHLD}) sigaddset(&signals, signal);
    return signals;
}

/// The path this process was started from. Read at start: after an upgrade the link says
/// "(deleted)", and the same path holds the new program.
std::string own_path() {
    return std::filesystem::read_symlink("/proc/self/exe");
}

std::vector<std::string> own_arguments() {
    std::ifstream file("/proc/self/cmdline");
    std::vector<std::string> arguments;
    std::string argument;
    while (std::getline(file, argument, '\0')) arguments.push_back(argument);
    return arguments;
}

/// The child that the program before a reload left; 0 for none.
pid_t take_predecessor() {
    const char* const text = std::getenv(predecessor_variable);
    const pid_t pid = text ? static_cast<pid_t>(std::atol(text)) : 0;
    ::unsetenv(predecessor_variable);
    // Only a child that has not ended counts: the number may have got here in another way.
    return pid > 0 && ::waitpid(pid, nullptr, WNOHANG) == 0 ? pid : 0;
}

/// For the handler below.
pid_t keeper_of_this_child = 0;

/// A child whose keeper was killed gets the signals of a reload itself. It cannot take new
/// settings, so it ends, and who stands by takes over with them.
void end_orphan(int) {
    if (::getppid() != keeper_of_this_child) ::kill(::getpid(), SIGTERM);
}

/// One keeper: its child, the child before a reload, and the signals it waits for.
class Keeper {
 public:
    Keeper(const Keeping& keeping, const base::Log& log)
        : keeping_(keeping),
          log_(log),
          path_(own_path()),
          signals_(signals_of_a_keeper()),
          predecessor_(take_predecessor()) {
        sigprocmask(SIG_BLOCK, &signals_, &before_);
        // A program that was executed on SIGHUP got the mask of its keeper.
        for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGCHLD}) sigdelset(&before_, signal);
    }

    int run() {
        bool is_successor = predecessor_ != 0;
        for (int short_lives = 0; short_lives < timing::most_short_lives;) {
            const auto began = std::chrono::steady_clock::now();
            const pid_t keeper = ::getpid();
            const pid_t child = ::fork();
            if (child < 0) throw std::runtime_error("cannot start a process");
            if (child == 0) return work(keeper, is_successor);
            if (predecessor_ != 0) ::kill(predecessor_, SIGTERM);
            predecessor_until_ = began + keeping_.predecessor_limit;
            is_successor = false;
            const int status = wait_for(child);
            if (WIFEXITED(status)) return ended(WEXITSTATUS(status));
            // A child that only stands by does not handle SIGTERM, so the signal ends it. That was
            // asked for and is no crash.
            if (WTERMSIG(status) == SIGTERM) return ended(0);
            log_.error("child.died", {{"pid", child}, {"signal", WTERMSIG(status)}});
            const bool is_short = std::chrono::steady_clock::now() - began < timing::short_life;
            short_lives = is_short ? short_lives + 1 : 0;
        }
        log_.error("child.given_up", {{"deaths", timing::most_short_lives}});
        return ended(1);
    }

 private:
    int ended(int code) {
        if (keeping_.ending) keeping_.ending();
        return code;
    }

    int work(pid_t keeper, bool is_successor) {
        if (keeping_.child_ends_with_keeper) {
            ::prctl(PR_SET_PDEATHSIG, SIGTERM);
            // It may have been killed before that.
            if (::getppid() != keeper) return 0;
        }
        keeper_of_this_child = keeper;
        ::signal(SIGHUP, end_orphan);
        sigprocmask(SIG_SETMASK, &before_, nullptr);
        return keeping_.work(is_successor);
    }

    // The child's status as waitpid() returns it. Before: the signals are blocked, so one that
    // arrives between waitpid() and sigwait() is not lost but ends sigwait() at once. A SIGTERM
    // that arrives between two children stays pending and reaches the next child.
    int wait_for(pid_t child) {
        while (true) {
            // All that have ended: before the last reload there may have been others.
            int status = 0;
            for (pid_t ended = 0; (ended = ::waitpid(-1, &status, WNOHANG)) > 0;) {
                if (ended == child) return status;
                if (ended == predecessor_) predecessor_ = 0;
            }
            const int arrived = wait_for_signal();
            if (arrived == SIGHUP) reload(child);
            if (arrived != SIGTERM && arrived != SIGINT) continue;
            ended(0);
            ::kill(child, SIGTERM);
        }
    }

    /// The next signal; 0 after a second while a predecessor is about to end.
    int wait_for_signal() {
        if (predecessor_ == 0) {
            int arrived = 0;
            sigwait(&signals_, &arrived);
            return arrived;
        }
        if (std::chrono::steady_clock::now() >= predecessor_until_) {
            log_.error("child.hangs", {{"pid", predecessor_}});
            ::kill(predecessor_, SIGKILL);
            predecessor_until_ += std::chrono::hours{1};
        }
        const timespec second{.tv_sec = 1, .tv_nsec = 0};
        const int arrived = sigtimedwait(&signals_, nullptr, &second);
        return arrived > 0 ? arrived : 0;
    }

    /// Whether the program as it is now starts, and takes the settings as they are now; it says why
    /// not on standard error, which is the log.
    bool is_program_fine() {
        std::vector<std::string> arguments{path_};
        arguments.insert(arguments.end(), keeping_.trial.begin(), keeping_.trial.end());
        const pid_t trial = ::fork();
        if (trial < 0) return false;
        if (trial == 0) {
            sigprocmask(SIG_SETMASK, &before_, nullptr);
            execute(arguments);
            ::_exit(127);
        }
        const auto until = std::chrono::steady_clock::now() + timing::trial_limit;
        int status = 0;
        while (::waitpid(trial, &status, WNOHANG) == 0) {
            if (std::chrono::steady_clock::now() >= until) ::kill(trial, SIGKILL);
            std::this_thread::sleep_for(timing::trial_poll);
        }
        return WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }

    /// Returns only when the program cannot be executed.
    void execute(std::vector<std::string> arguments) {
        std::vector<char*> words;
        for (std::string& argument : arguments) words.push_back(argument.data());
        words.push_back(nullptr);
        ::execv(path_.c_str(), words.data());
    }

    /// Does not return when the program is executed anew.
    void reload(pid_t child) {
        if (!is_program_fine()) {
            log_.error("settings.not_reloaded", {{"program", path_}});
            return;
        }
        log_.info("settings.reloading", {{"program", path_}});
        for (const auto& [name, value] : keeping_.for_successor) {
            ::setenv(name.c_str(), value.c_str(), 1);
        }
        ::setenv(predecessor_variable, std::to_string(child).c_str(), 1);
        execute(own_arguments());
        log_.error("settings.not_reloaded", {{"program", path_}, {"error", std::strerror(errno)}});
        ::unsetenv(predecessor_variable);
        for (const auto& [name, value] : keeping_.for_successor) ::unsetenv(name.c_str());
    }

    const Keeping& keeping_;
    const base::Log& log_;
    const std::string path_;
    const sigset_t signals_;
    /// The mask of a child.
    sigset_t before_{};
    pid_t predecessor_;
    /// When it is killed.
    std::chrono::steady_clock::time_point predecessor_until_{};
};

}  // namespace

void leave_no_core() {
    ::prctl(PR_SET_DUMPABLE, 0);
    // Holds for what it executes, too, which is dumpable again.
    const rlimit none{.rlim_cur = 0, .rlim_max = 0};
    ::setrlimit(RLIMIT_CORE, &none);
}

void begin_process() {
    leave_no_core();
    sigset_t reload;
    sigemptyset(&reload);
    sigaddset(&reload, SIGHUP);
    sigprocmask(SIG_BLOCK, &reload, nullptr);
}

int keep_running(const Keeping& keeping, const base::Log& log) {
    return Keeper(keeping, log).run();
}

}  // namespace provisioner::programs
