// The first process of a local host. It gives up what no service needs, starts sshd and keeps it
// running, and reaps orphaned processes. It is linked statically and started through an open file,
// so the host needs no copy of it. In the host's namespaces and root it is called as
//     cooperage-local-init <state dir> <machine> <hostname> <ssh user> isolated|not-isolated
// It uses neither exceptions nor the standard library's streams, to keep each host small.

#include <fcntl.h>
#include <linux/capability.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <initializer_list>

namespace {

void check(int result, const char* what) {
    if (result == 0) return;
    std::fprintf(stderr, "cooperage-local-init: %s: %s\n", what, std::strerror(errno));
    std::exit(1);
}

/// What Debian's sshd, apt, dpkg, sudo and services need. In an isolated host all of them are of
/// its user namespace only.
constexpr int kept[] = {
    CAP_CHOWN,     CAP_DAC_OVERRIDE, CAP_FOWNER,           CAP_FSETID,     CAP_KILL,
    CAP_SETGID,    CAP_SETUID,       CAP_SETPCAP,          CAP_SETFCAP,    CAP_NET_RAW,
    CAP_NET_ADMIN, CAP_SYS_CHROOT,   CAP_NET_BIND_SERVICE, CAP_AUDIT_WRITE};

/// Container engines, and tools that look at the processes of other users. Without a user namespace
/// these would be the way out.
constexpr int kept_if_isolated[] = {CAP_SYS_ADMIN, CAP_SYS_PTRACE};

struct CapabilitySet {
    unsigned words[_LINUX_CAPABILITY_U32S_3] = {};

    void add(int capability) { words[capability / 32] |= 1u << capability % 32; }
    bool has(int capability) const { return (words[capability / 32] >> capability % 32 & 1) != 0; }
};

CapabilitySet kept_capabilities(bool is_isolated) {
    CapabilitySet set;
    for (const int capability : kept) set.add(capability);
    if (!is_isolated) return set;
    for (const int capability : kept_if_isolated) set.add(capability);
    return set;
}

/// For this process and, through the bounding set, for all that it starts.
void give_up_capabilities(const CapabilitySet& keep) {
    constexpr int most = 64;
    for (int capability = 0; capability < most; ++capability) {
        if (prctl(PR_CAPBSET_READ, capability, 0, 0, 0) < 0) break;
        if (keep.has(capability)) continue;
        check(prctl(PR_CAPBSET_DROP, capability, 0, 0, 0), "capabilities");
    }
    __user_cap_header_struct header{};
    header.version = _LINUX_CAPABILITY_VERSION_3;
    __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3] = {};
    check(static_cast<int>(syscall(SYS_capget, &header, sets)), "capabilities");
    for (unsigned i = 0; i < _LINUX_CAPABILITY_U32S_3; ++i) {
        sets[i].permitted &= keep.words[i];
        sets[i].effective &= keep.words[i];
        sets[i].inheritable = 0;
    }
    check(static_cast<int>(syscall(SYS_capset, &header, sets)), "capabilities");
}

pid_t start(char* const* command) {
    const pid_t pid = fork();
    if (pid != 0) return pid;
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    setsid();
    execv(command[0], command);
    std::fprintf(stderr, "cooperage-local-init: %s: %s\n", command[0], std::strerror(errno));
    _exit(127);
}

/// A user who logs in by key and may do everything through sudo, as in cloud images.
void make_user(char* user) {
    if (std::strcmp(user, "root") == 0) return;
    char useradd[] = "/usr/sbin/useradd";
    char home[] = "-m";
    char shell_option[] = "-s";
    char shell[] = "/bin/bash";
    char password_option[] = "-p";
    char no_password[] = "*";
    char* command[] = {useradd,         home,        shell_option, shell,
                       password_option, no_password, user,         nullptr};
    const pid_t pid = start(command);
    waitpid(pid, nullptr, 0);
    mkdir("/etc/sudoers.d", 0750);
    const int file =
        open("/etc/sudoers.d/cooperage", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0440);
    if (file < 0) return;
    dprintf(file, "%s ALL=(ALL) NOPASSWD: ALL\n", user);
    close(file);
}

pid_t start_sshd() {
    char program[] = "/usr/sbin/sshd";
    char foreground[] = "-D";
    char log_option[] = "-E";
    char log[] = "/var/log/sshd.log";
    char* command[] = {program, foreground, log_option, log, nullptr};
    return start(command);
}

/// Reaps all processes that have ended; whether `daemon` was among them.
bool reap(pid_t daemon) {
    bool ended = false;
    for (pid_t pid = 0; (pid = waitpid(-1, nullptr, WNOHANG)) > 0;) ended = ended || pid == daemon;
    return ended;
}

[[noreturn]] void keep_running(const sigset_t& signals) {
    pid_t daemon = start_sshd();
    while (true) {
        // If sshd is down, try again each second; otherwise sleep until a process ends.
        const timespec second{1, 0};
        const int signal = sigtimedwait(&signals, nullptr, daemon > 0 ? nullptr : &second);
        if (signal == SIGTERM || signal == SIGINT) {
            kill(-1, SIGKILL);
            std::exit(0);
        }
        const bool a_second_passed = signal < 0 && errno == EAGAIN;
        const bool ended = reap(daemon);
        if (daemon <= 0 && a_second_passed) {
            daemon = start_sshd();
        } else if (ended) {
            daemon = 0;
        }
    }
}

}  // namespace

int main(int count, char** words) {
    if (count != 6 || getpid() != 1) {
        std::fprintf(stderr,
                     "cooperage-local-init: this is the init of a local host; "
                     "cooperage-local-host starts it\n");
        return 2;
    }
    sigset_t signals;
    sigemptyset(&signals);
    for (const int signal : {SIGCHLD, SIGTERM, SIGINT}) sigaddset(&signals, signal);
    sigprocmask(SIG_BLOCK, &signals, nullptr);
    const char* hostname = words[3];
    check(sethostname(hostname, std::strlen(hostname)), "hostname");
    give_up_capabilities(kept_capabilities(std::strcmp(words[5], "isolated") == 0));
    make_user(words[4]);
    keep_running(signals);
}
