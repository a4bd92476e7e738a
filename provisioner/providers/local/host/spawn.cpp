#include "provisioner/providers/local/host/spawn.hpp"

#include <fcntl.h>
#include <linux/close_range.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "provisioner/privileges/call_filter.hpp"
#include "provisioner/providers/local/host/isolation/file_system.hpp"
#include "provisioner/providers/local/host/isolation/furnish.hpp"
#include "provisioner/providers/local/host/isolation/user_namespace.hpp"
#include "provisioner/providers/local/host/network/network.hpp"

namespace provisioner::providers::local {
namespace fs = std::filesystem;

namespace {

constexpr int own_namespaces =
    CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWNET;

/// The limits that init systems set: services raise the soft limit themselves.
constexpr rlimit open_files{1024, 1024 * 1024};

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

/// From the working directory, which is the root of a mount. With "." twice, the old root lies on
/// top of the new one and goes with the unmount. Source: pivot_root(2).
void move_into_root() {
    if (syscall(SYS_pivot_root, ".", ".") != 0 || umount2(".", MNT_DETACH) != 0 ||
        chdir("/") != 0) {
        fail("cannot enter the host's root");
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
                           spec.isolation.is_complete() ? "isolated" : "not-isolated",
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

/// What the processes of a start have in common.
struct Shared {
    /// Closes when the maker dies.
    Pipe go;
    /// Carries the reason of a failure.
    Pipe trouble;
    /// Carries the number of the first process.
    Pipe made;
    Fd init;
    Fd log;
};

[[noreturn]] void tell_and_exit(const Shared& shared, const std::string& reason) {
    const ssize_t written = write(shared.trouble.write.get(), reason.data(), reason.size());
    _exit(written < 0 ? 2 : 1);
}

void filter_calls_of_host(const Isolation& isolation) {
    const std::string trouble = privileges::filter_calls(privileges::Profile::host);
    if (trouble.empty()) return;
    // A host that is not isolated anyway does with what there is.
    if (isolation.is_complete()) throw Failure("cannot filter the host's calls: " + trouble);
}

[[noreturn]] void run_first_process(const SpawnSpec& spec, const Shared& shared) {
    try {
        setsid();
        if (!may_go_on(shared.go.read)) _exit(1);
        // Only here the process is in its own control groups, which become the root of the
        // namespace. A kernel without these namespaces is fine.
        unshare(CLONE_NEWCGROUP);
        const bool is_isolated = spec.isolation.is_complete();
        if (is_isolated) take_ids_of_root();
        set_up_inside(spec.place);
        use_as_output(shared.log);
        if (is_isolated) unlock_root();
        furnish();
        move_into_root();
        filter_calls_of_host(spec.isolation);
        become_init(spec, shared.init);
    } catch (const std::exception& error) {
        tell_and_exit(shared, error.what());
    }
}

/// Inherited by the host. A machine that forbids it leaves its own limits.
void raise_limits() {
    setrlimit(RLIMIT_NOFILE, &open_files);
}

/// In the process between. The first process becomes the maker's child (CLONE_PARENT).
pid_t make_first_process(const SpawnSpec& spec, const Shared& shared) {
    const Isolation& isolation = spec.isolation;
    raise_limits();
    if (isolation.is_complete()) give_to(spec.machine / "upper", isolation.ids.first);
    mount_layers(spec.base, spec.machine, isolation.shifted);
    const std::string root = spec.machine / "root";
    if (chdir(root.c_str()) != 0) fail("cannot enter " + root);
    if (isolation.is_complete()) become_root_of(isolation.space);
    constexpr int flags = own_namespaces | CLONE_PARENT | SIGCHLD;
    const auto pid = static_cast<pid_t>(syscall(SYS_clone, flags, 0, 0, 0, 0));
    if (pid < 0) fail("cannot make the host's namespaces");
    if (pid == 0) run_first_process(spec, shared);
    return pid;
}

[[noreturn]] void run_between(const SpawnSpec& spec, Shared& shared, pid_t maker) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != maker) _exit(1);
    // If the first process held this end open, it would never notice that the maker died.
    shared.go.write.close();
    try {
        const pid_t pid = make_first_process(spec, shared);
        _exit(write(shared.made.write.get(), &pid, sizeof pid) == sizeof pid ? 0 : 2);
    } catch (const std::exception& error) {
        tell_and_exit(shared, error.what());
    }
}

/// All that comes until the other ends are closed.
std::string rest_of(const Fd& pipe) {
    char text[1024];
    std::string all;
    for (ssize_t count = 0; (count = read(pipe.get(), text, sizeof text)) > 0;) {
        all.append(text, static_cast<std::size_t>(count));
    }
    return all;
}

}  // namespace

HeldProcess::HeldProcess(const SpawnSpec& spec) {
    Shared shared{.go = make_socket_pipe(),
                  .trouble = make_pipe(),
                  .made = make_pipe(),
                  .init = open_init(),
                  .log = open_log(spec.machine)};
    const pid_t maker = getpid();
    const auto between = static_cast<pid_t>(syscall(SYS_clone, CLONE_NEWNS | SIGCHLD, 0, 0, 0, 0));
    if (between < 0) fail("cannot make the host's namespaces (is this root?)");
    if (between == 0) run_between(spec, shared, maker);
    shared.trouble.write.close();
    shared.made.write.close();
    waitpid(between, nullptr, 0);
    pid_t pid = 0;
    if (read(shared.made.read.get(), &pid, sizeof pid) != sizeof pid) {
        const std::string reason = rest_of(shared.trouble.read);
        throw Failure(reason.empty() ? "the host's file system was not made" : reason);
    }
    const auto process = process_now(pid);
    if (!process) {
        waitpid(pid, nullptr, 0);
        throw Failure("the host's first process ended at once");
    }
    process_ = *process;
    go_ = std::move(shared.go.write);
    trouble_ = std::move(shared.trouble.read);
}

HeldProcess::~HeldProcess() {
    if (released_) return;
    shoot(process_);
    waitpid(process_.pid, nullptr, 0);
}

void HeldProcess::release() {
    if (send(go_.get(), "g", 1, MSG_NOSIGNAL) != 1) fail("the host's first process is gone");
    const std::string reason = rest_of(trouble_);
    if (!reason.empty()) throw Failure(reason);
    if (!is_running(process_)) throw Failure("the host ended while it started");
    released_ = true;
}

}  // namespace provisioner::providers::local
