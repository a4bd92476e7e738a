#include "provisioner/providers/local/host/spawn.hpp"

#include <fcntl.h>
#include <linux/close_range.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "provisioner/providers/local/host/hosts_file.hpp"
#include "provisioner/providers/local/host/network.hpp"

namespace provisioner::providers::local {
namespace fs = std::filesystem;

namespace {

constexpr int own_namespaces =
    CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWNET;

struct Pipe {
    Fd read;
    Fd write;
};

Pipe make_pipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) fail("cannot make a pipe");
    return {Fd(ends[0]), Fd(ends[1])};
}

/// Like a pipe, but send() can write to it without SIGPIPE. That signal must not be ignored
/// instead: the host and all its programs would inherit that.
Pipe make_socket_pipe() {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) fail("cannot make a socket");
    return {Fd(ends[0]), Fd(ends[1])};
}

/// It lies beside this program where both were built, and in lib/cooperage where they are
/// installed.
fs::path init_path() {
    const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path();
    const fs::path installed = folder.parent_path() / "lib/cooperage" / init_name;
    return fs::exists(installed) ? installed : folder / init_name;
}

Fd open_init() {
    const fs::path init = init_path();
    Fd file(open(init.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.get() < 0) fail("cannot open " + init.string() + ", which belongs to this program");
    return file;
}

Fd open_log(const fs::path& machine) {
    const fs::path path = machine / "log";
    Fd file(open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
    if (file.get() < 0) fail("cannot write " + path.string());
    return file;
}

void mount_overlay(const SpawnSpec& spec) {
    const std::string layers = "lowerdir=" + spec.base.string() +
                               ",upperdir=" + (spec.machine / "upper").string() +
                               ",workdir=" + (spec.machine / "work").string();
    const std::string root = spec.machine / "root";
    // volatile: no fsync reaches the disk, so packages install faster. A host does not survive a
    // restart of the machine anyway. Older kernels do not know the option.
    if (mount("overlay", root.c_str(), "overlay", 0, (layers + ",volatile").c_str()) == 0) return;
    if (mount("overlay", root.c_str(), "overlay", 0, layers.c_str()) == 0) return;
    fail("cannot mount an overlay of " + spec.base.string() + " and " + spec.machine.string() +
         " (a file system that is an overlay itself cannot hold the state directory)");
}

void move_into_root(const SpawnSpec& spec) {
    if (mount("", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0)
        fail("cannot make mounts private");
    mount_overlay(spec);
    const fs::path root = spec.machine / "root";
    // With "." twice, the old root lies on top of the new one and goes with the unmount. Source:
    // pivot_root(2).
    if (chdir(root.c_str()) != 0 || syscall(SYS_pivot_root, ".", ".") != 0 ||
        umount2(".", MNT_DETACH) != 0 || chdir("/") != 0) {
        fail("cannot enter " + root.string());
    }
}

void use_as_output(const Fd& log) {
    const Fd nothing(open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (dup2(nothing.get(), 0) < 0 || dup2(log.get(), 1) < 0 || dup2(log.get(), 2) < 0) {
        fail("cannot set up standard input and output");
    }
}

[[noreturn]] void become_init(const SpawnSpec& spec, const Fd& init) {
    const std::string state_dir = spec.state_dir;
    const char* words[] = {init_name,
                           state_dir.c_str(),
                           spec.name.c_str(),
                           spec.hostname.c_str(),
                           spec.ssh_user.c_str(),
                           nullptr};
    const char* environment[] = {
        "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8",
        "HOME=/root", nullptr};
    // A host must not hold inherited descriptors, locks among them.
    close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
    syscall(SYS_execveat, init.get(), "", words, environment, AT_EMPTY_PATH);
    fail("cannot start the host's init");
}

/// In the new process: whether the maker gave permission; false if it died before.
bool may_go_on(const Fd& go) {
    char letter = 0;
    return read(go.get(), &letter, 1) == 1;
}

[[noreturn]] void run_child(const SpawnSpec& spec, const Pipe& go, const Pipe& trouble,
                            const Fd& init) {
    try {
        setsid();
        if (!may_go_on(go.read)) _exit(1);
        // Only here the process is in its own control groups, which become the root of the
        // namespace. A kernel without these namespaces is fine.
        unshare(CLONE_NEWCGROUP);
        const Fd log = open_log(spec.machine);
        set_up_inside(spec.place);
        use_as_output(log);
        move_into_root(spec);
        become_init(spec, init);
    } catch (const std::exception& error) {
        const std::string reason = error.what();
        if (write(trouble.write.get(), reason.data(), reason.size()) < 0) _exit(2);
        _exit(1);
    }
}

}  // namespace

HeldProcess::HeldProcess(const SpawnSpec& spec) {
    const Fd init = open_init();
    Pipe go = make_socket_pipe();
    Pipe trouble = make_pipe();
    const auto pid = static_cast<pid_t>(syscall(SYS_clone, own_namespaces | SIGCHLD, 0, 0, 0, 0));
    if (pid < 0) fail("cannot make the host's namespaces (is this root?)");
    if (pid == 0) {
        // If the child held this end open, it would never notice that the maker died.
        go.write.close();
        trouble.read.close();
        run_child(spec, go, trouble, init);
    }
    const auto process = process_now(pid);
    if (!process) throw Failure("the host's first process ended at once");
    process_ = *process;
    go_ = std::move(go.write);
    trouble_ = std::move(trouble.read);
}

HeldProcess::~HeldProcess() {
    if (released_) return;
    shoot(process_);
    waitpid(process_.pid, nullptr, 0);
}

void HeldProcess::release() {
    if (send(go_.get(), "g", 1, MSG_NOSIGNAL) != 1) fail("the host's first process is gone");
    char text[1024];
    std::string reason;
    for (ssize_t count = 0; (count = read(trouble_.get(), text, sizeof text)) > 0;) {
        reason.append(text, static_cast<std::size_t>(count));
    }
    if (!reason.empty()) throw Failure(reason);
    if (!is_running(process_)) throw Failure("the host ended while it started");
    released_ = true;
}

}  // namespace provisioner::providers::local
