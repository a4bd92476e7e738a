#include "provisioner/providers/local/host/isolation/user_namespace.hpp"

#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace provisioner::providers::local {

namespace {

/// In the namespace: it has no namespaces of users below it, whose roots could do more than calls
/// are filtered for. Only who has CAP_SYS_RESOURCE there could allow them again; hosts have it not.
void forbid_more() {
    try {
        write_into("/proc/sys/user/max_user_namespaces", "0");
    } catch (const Failure&) {
        // The filter of calls forbids them, too.
    }
}

/// A process that only waits, in a user namespace of its own. Killed when this object goes.
class Holder {
 public:
    Holder() {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) != 0) return;
        const Fd ready(ends[0]);
        Fd to_say(ends[1]);
        const pid_t maker = getpid();
        pid_ = static_cast<pid_t>(syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0));
        const int error = errno;
        if (pid_ != 0) {
            to_say.close();
            char nothing = 0;
            while (pid_ > 0 && read(ready.get(), &nothing, 1) < 0 && errno == EINTR) continue;
            errno = error;
            return;
        }
        // It inherits locks, so it must not outlive its maker.
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        forbid_more();
        to_say.close();
        while (getppid() == maker) pause();
        _exit(0);
    }
    ~Holder() {
        if (pid_ <= 0) return;
        kill(pid_, SIGKILL);
        waitpid(pid_, nullptr, 0);
    }
    Holder(const Holder&) = delete;
    Holder& operator=(const Holder&) = delete;

    bool exists() const { return pid_ > 0; }
    std::string file(const char* name) const {
        return "/proc/" + std::to_string(pid_) + "/" + name;
    }

 private:
    pid_t pid_ = -1;
};

std::string why_none(int error) {
    switch (error) {
        case ENOSPC:
        case EUSERS:
            return "this computer allows no user namespaces "
                   "(/proc/sys/user/max_user_namespaces)";
        case EINVAL:
            return "this kernel has no user namespaces (CONFIG_USER_NS)";
        default:
            return std::string("no user namespace can be made here: ") + std::strerror(error);
    }
}

}  // namespace

base::expected<Fd, std::string> make_user_namespace(const IdRange& ids) {
    const Holder holder;
    if (!holder.exists()) return base::unexpected(why_none(errno));
    const std::string map =
        "0 " + std::to_string(ids.first) + " " + std::to_string(ids.count) + "\n";
    try {
        write_into(holder.file("uid_map"), map);
        write_into(holder.file("gid_map"), map);
    } catch (const Failure& failure) {
        return base::unexpected("the ids of hosts cannot be set: " + std::string(failure.what()));
    }
    Fd space(open(holder.file("ns/user").c_str(), O_RDONLY | O_CLOEXEC));
    if (space.get() < 0) return base::unexpected(why_none(errno));
    return space;
}

void become_root_of(const Fd& space) {
    if (setns(space.get(), CLONE_NEWUSER) != 0) fail("cannot enter the host's user namespace");
}

void take_ids_of_root() {
    if (setgroups(0, nullptr) != 0 || setresgid(0, 0, 0) != 0 || setresuid(0, 0, 0) != 0) {
        fail("cannot become the host's root");
    }
}

}  // namespace provisioner::providers::local
