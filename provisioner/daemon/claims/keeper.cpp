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

// The child's status as waitpid() returns it. Before: the signals are blocked, so one that arrives
// between waitpid() and sigwait() is not lost but ends sigwait() at once. A SIGTERM that arrives
// between two children stays pending and reaches the next child.
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

// Before: one thread. The signals are blocked before the fork, so that none is lost between a
// child's start and the first wait. The child restores the mask: it blocks and reads signals by
// itself. After a kill of the keeper the child goes on and holds the instance lock; a keeper that
// cron starts then makes a child that waits for this lock. So two children never work at once.
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
        // A child that only stands by does not handle SIGTERM, so the signal ends it. That was
        // asked for and is no crash.
        if (WTERMSIG(status) == SIGTERM) return 0;
        log.error("daemon.died", {{"pid", child}, {"signal", WTERMSIG(status)}});
        const bool short_life = std::chrono::steady_clock::now() - began < timing::short_life;
        short_lives = short_life ? short_lives + 1 : 0;
    }
    log.error("daemon.given_up", {{"deaths", timing::most_short_lives}});
    return 1;
}

}  // namespace provisioner::daemon
