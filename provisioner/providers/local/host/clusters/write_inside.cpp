#include "provisioner/providers/local/host/clusters/write_inside.hpp"

#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "provisioner/providers/local/host/isolation/user_namespace.hpp"

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

/// A namespace cannot be entered twice, and hosts without isolation have the machine's.
bool has_own_users(pid_t host) {
    struct stat theirs {};
    struct stat ours {};
    const std::string path = "/proc/" + std::to_string(host) + "/ns/user";
    return stat(path.c_str(), &theirs) == 0 && stat("/proc/self/ns/user", &ours) == 0 &&
           theirs.st_ino != ours.st_ino;
}

/// setns() also makes the namespace's root the root of this process. With the user namespace go all
/// rights on the machine.
[[noreturn]] void replace_there(const Fd& host, int namespaces, const std::string& path,
                                const std::string& text) {
    signal(SIGALRM, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    alarm(patience);
    if (setns(host.get(), namespaces) != 0) _exit(host_is_gone);
    try {
        if ((namespaces & CLONE_NEWUSER) != 0) take_ids_of_root();
        if (!give_up_capabilities()) _exit(1);
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
    // The handle was opened first, so if the number means another process by now, setns() fails.
    const int namespaces = CLONE_NEWNS | (has_own_users(host.pid) ? CLONE_NEWUSER : 0);
    const pid_t child = fork();
    if (child < 0) fail("cannot make a process");
    if (child == 0) replace_there(handle, namespaces, path, text);
    int status = -1;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) fail("cannot wait for a process");
    }
    if (status == 0) return Written::done;
    const bool is_gone = WIFEXITED(status) && WEXITSTATUS(status) == host_is_gone;
    return is_gone ? Written::gone : Written::prevented;
}

}  // namespace provisioner::providers::local
