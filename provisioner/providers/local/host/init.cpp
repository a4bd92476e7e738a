// The first process of a local host. It mounts what every system expects, starts sshd and keeps it
// running, and reaps orphaned processes. It is linked statically and started through an open file,
// so the host needs no copy of it. In the host's namespaces and root it is called as
//     cooperage-local-init <state dir> <machine> <hostname> <ssh user>
// It uses neither exceptions nor the standard library's streams, to keep each host small.

#include <fcntl.h>
#include <linux/capability.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
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
    if (result == 0 || errno == EEXIST) return;
    std::fprintf(stderr, "cooperage-local-init: %s: %s\n", what, std::strerror(errno));
    std::exit(1);
}

struct Device {
    const char* path;
    unsigned major;
    unsigned minor;
};

constexpr Device devices[] = {{"/dev/null", 1, 3},   {"/dev/zero", 1, 5},    {"/dev/full", 1, 7},
                              {"/dev/random", 1, 8}, {"/dev/urandom", 1, 9}, {"/dev/tty", 5, 0}};

struct Link {
    const char* path;
    const char* target;
};

constexpr Link links[] = {{"/dev/ptmx", "/dev/pts/ptmx"},
                          {"/dev/fd", "/proc/self/fd"},
                          {"/dev/stdin", "/proc/self/fd/0"},
                          {"/dev/stdout", "/proc/self/fd/1"},
                          {"/dev/stderr", "/proc/self/fd/2"}};

/// Capabilities that could disturb the whole machine by mistake: its clock, modules, restart. This
/// is no barrier against an attacker.
constexpr int dropped[] = {CAP_SYS_TIME, CAP_SYS_MODULE, CAP_SYS_BOOT, CAP_SYS_RAWIO,
                           CAP_WAKE_ALARM};

/// The limits that init systems set: services raise the soft limit themselves.
constexpr rlimit open_files{1024, 1024 * 1024};

void fill_dev() {
    check(mount("tmpfs", "/dev", "tmpfs", MS_NOSUID, "mode=755,size=64k"), "/dev");
    for (const Device& device : devices) {
        check(mknod(device.path, S_IFCHR | 0666, makedev(device.major, device.minor)), device.path);
    }
    check(mkdir("/dev/pts", 0755), "/dev/pts");
    check(mkdir("/dev/shm", 01777), "/dev/shm");
    check(mount("devpts", "/dev/pts", "devpts", MS_NOSUID | MS_NOEXEC,
                "newinstance,ptmxmode=0666,mode=620,gid=5"),
          "/dev/pts");
    check(mount("tmpfs", "/dev/shm", "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777"), "/dev/shm");
    for (const Link& link : links) check(symlink(link.target, link.path), link.path);
}

void mount_everything() {
    umask(0);
    check(mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr), "/proc");
    check(mount("sysfs", "/sys", "sysfs", MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RDONLY, nullptr),
          "/sys");
    // Container engines look for this directory before they run anything, even without limits.
    const int groups = mount("tmpfs", "/sys/fs/cgroup", "tmpfs",
                             MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RDONLY, "mode=755,size=4k");
    if (groups != 0 && errno != ENOENT) check(groups, "/sys/fs/cgroup");
    fill_dev();
    check(mount("tmpfs", "/run", "tmpfs", MS_NOSUID | MS_NODEV, "mode=755"), "/run");
    check(mkdir("/run/sshd", 0755), "/run/sshd");
    check(mkdir("/run/lock", 01777), "/run/lock");
    umask(022);
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
    if (count != 5 || getpid() != 1) {
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
    mount_everything();
    for (const int capability : dropped) prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
    setrlimit(RLIMIT_NOFILE, &open_files);
    make_user(words[4]);
    keep_running(signals);
}
