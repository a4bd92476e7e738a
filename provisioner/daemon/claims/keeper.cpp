#include "provisioner/daemon/claims/keeper.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <stdexcept>

#include "provisioner/daemon/timing.hpp"

namespace provisioner::daemon {

namespace {

sigset_t signals_of_a_keeper() {
    sigset_t signals;
    sigemptyset(&signals);
    for (const int signal : {SIGTERM, SIGINT, SIGCHLD}) sigaddset(&signals, signal);
    return signals;
}

// How the child ended, in the words of waitpid.
int wait_for(pid_t child, const sigset_t& signals) {
    while (true) {
        int status = 0;
        if (::waitpid(child, &status, WNOHANG) == child) return status;
        int arrived = 0;
        sigwait(&signals, &arrived);
        if (arrived != SIGCHLD) ::kill(child, SIGTERM);
    }
}

}  // namespace

int keep_running(const std::function<int()>& work, const base::Log& log) {
    const sigset_t signals = signals_of_a_keeper();
    sigset_t before;
    sigprocmask(SIG_BLOCK, &signals, &before);
    for (int short_lives = 0; short_lives < timing::most_short_lives;) {
        const auto began = std::chrono::steady_clock::now();
        const pid_t child = ::fork();
        if (child < 0) throw std::runtime_error("cannot start a process");
        if (child == 0) {
            sigprocmask(SIG_SETMASK, &before, nullptr);
            return work();
        }
        const int status = wait_for(child, signals);
        if (WIFEXITED(status)) return WEXITSTATUS(status);
        // One that stands by has nothing to finish: SIGTERM simply ends it, and it was meant.
        if (WTERMSIG(status) == SIGTERM) return 0;
        log.error("daemon.died", {{"pid", child}, {"signal", WTERMSIG(status)}});
        const bool short_life = std::chrono::steady_clock::now() - began < timing::short_life;
        short_lives = short_life ? short_lives + 1 : 0;
    }
    log.error("daemon.given_up", {{"deaths", timing::most_short_lives}});
    return 1;
}

}  // namespace provisioner::daemon
