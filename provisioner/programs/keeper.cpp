#include "provisioner/programs/keeper.hpp"

#include <signal.h>
#include <sys/prctl.h>
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
        ::signal(SIGHUP, SIG_IGN);
        sigprocmask(SIG_SETMASK, &before_, nullptr);
        return keeping_.work(is_successor);
    }

    // The child's status as waitpid() returns it. Before: the signals are blocked, so one that
    // arrives between waitpid() and sigwait() is not lost but ends sigwait() at once. A SIGTERM
    // that arrives between two children stays pending and reaches the next child.
    int wait_for(pid_t child) {
        while (true) {
            int status = 0;
            if (::waitpid(child, &status, WNOHANG) == child) return status;
            if (predecessor_ != 0 && ::waitpid(predecessor_, nullptr, WNOHANG) != 0) {
                predecessor_ = 0;
            }
            int arrived = 0;
            sigwait(&signals_, &arrived);
            if (arrived == SIGHUP) reload(child);
            if (arrived != SIGTERM && arrived != SIGINT) continue;
            ended(0);
            ::kill(child, SIGTERM);
        }
    }

    /// Does not return when the program is executed anew.
    void reload(pid_t child) {
        const base::Problems problems = keeping_.check();
        for (const base::Problem& problem : problems) {
            log_.error("settings.refused",
                       {{"setting", problem.field}, {"reason", problem.message}});
        }
        if (!problems.empty()) return;
        log_.info("settings.reloading", {{"program", path_}});
        for (const auto& [name, value] : keeping_.for_successor) {
            ::setenv(name.c_str(), value.c_str(), 1);
        }
        ::setenv(predecessor_variable, std::to_string(child).c_str(), 1);
        std::vector<std::string> arguments = own_arguments();
        std::vector<char*> words;
        for (std::string& argument : arguments) words.push_back(argument.data());
        words.push_back(nullptr);
        ::execv(path_.c_str(), words.data());
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
};

}  // namespace

int keep_running(const Keeping& keeping, const base::Log& log) {
    return Keeper(keeping, log).run();
}

}  // namespace provisioner::programs
