#include "provisioner/providers/local/host/clusters/write_inside.hpp"

#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

namespace provisioner::providers::local {

namespace {

/// Seconds; a host can mount file systems that never answer.
constexpr unsigned patience = 5;

/// Exit code of the child when there are no mounts to enter any more.
constexpr int host_is_gone = 2;

bool give_up_capabilities() {
    __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
    const __user_cap_data_struct nothing[_LINUX_CAPABILITY_U32S_3]{};
    return syscall(SYS_capset, &header, nothing) == 0;
}

/// setns() also makes the namespace's root the root of this process.
[[noreturn]] void replace_there(const Fd& host, const std::string& path, const std::string& text) {
    signal(SIGALRM, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    alarm(patience);
    if (setns(host.get(), CLONE_NEWNS) != 0) _exit(host_is_gone);
    if (!give_up_capabilities()) _exit(1);
    try {
        replace_file(path, text);
    } catch (const std::exception&) {
        _exit(1);
    }
    _exit(0);
}

}  // namespace

Written write_inside(const ProcessId& host, const std::string& path, const std::string& text) {
    const Fd handle = handle_of(host);
    if (handle.get() < 0) return Written::gone;
    const pid_t child = fork();
    if (child < 0) fail("cannot make a process");
    if (child == 0) replace_there(handle, path, text);
    int status = -1;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) fail("cannot wait for a process");
    }
    if (status == 0) return Written::done;
    const bool is_gone = WIFEXITED(status) && WEXITSTATUS(status) == host_is_gone;
    return is_gone ? Written::gone : Written::prevented;
}

}  // namespace provisioner::providers::local
