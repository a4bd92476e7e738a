#include "provisioner/privileges/call_filter.hpp"

#include <sched.h>
#include <seccomp.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <type_traits>

namespace provisioner::privileges {

namespace {

constexpr std::array denied_to_all{
    // file systems
    "mount", "umount2", "pivot_root", "chroot", "fsopen", "fsconfig", "fsmount", "fspick",
    "open_tree", "move_mount", "mount_setattr", "open_by_handle_at", "quotactl", "quotactl_fd",
    "swapon", "swapoff", "acct",
    // namespaces
    "unshare", "setns",
    // other processes
    "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "kcmp", "pidfd_getfd",
    // what runs in the kernel
    "bpf", "perf_event_open", "userfaultfd", "init_module", "finit_module", "delete_module",
    "kexec_load", "kexec_file_load", "io_uring_setup", "io_uring_enter", "io_uring_register",
    "add_key", "request_key", "keyctl", "lookup_dcookie", "modify_ldt",
    // the machine
    "reboot", "sethostname", "setdomainname", "settimeofday", "clock_settime", "clock_adjtime",
    "adjtimex", "iopl", "ioperm", "syslog", "vhangup"};

constexpr std::array denied_to_web{"execve", "execveat"};

constexpr std::array namespace_flags{CLONE_NEWNS,   CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC,
                                     CLONE_NEWUSER, CLONE_NEWPID,    CLONE_NEWNET};

/// Of clone(); the first argument on all machines but s390.
constexpr unsigned flags_argument = 0;

DeniedCall call_named(const char* name) {
    return {.name = name, .number = seccomp_syscall_resolve_name(name)};
}

struct Release {
    void operator()(void* filter) const { seccomp_release(filter); }
};
using Filter = std::unique_ptr<std::remove_pointer_t<scmp_filter_ctx>, Release>;

int deny(const Filter& filter, const DeniedCall& call) {
    // A call that this version of the library does not know is one that it cannot deny.
    if (call.number == __NR_SCMP_ERROR) return 0;
    return seccomp_rule_add(filter.get(), SCMP_ACT_ERRNO(EPERM), call.number, 0);
}

int deny_namespaces(const Filter& filter) {
    for (const int flag : namespace_flags) {
        const auto bit = static_cast<scmp_datum_t>(static_cast<unsigned>(flag));
        const scmp_arg_cmp has_flag{
            .arg = flags_argument, .op = SCMP_CMP_MASKED_EQ, .datum_a = bit, .datum_b = bit};
        const int error = seccomp_rule_add_array(filter.get(), SCMP_ACT_ERRNO(EPERM),
                                                 SCMP_SYS(clone), 1, &has_flag);
        if (error != 0) return error;
    }
    return seccomp_rule_add(filter.get(), SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
}

/// 0, or a negative error number.
int load(const Filter& filter, Profile profile) {
    for (const DeniedCall& call : denied_calls(profile)) {
        if (const int error = deny(filter, call); error != 0) return error;
    }
    if (const int error = deny_namespaces(filter); error != 0) return error;
    return seccomp_load(filter.get());
}

}  // namespace

std::vector<DeniedCall> denied_calls(Profile profile) {
    std::vector<DeniedCall> calls;
    for (const char* name : denied_to_all) calls.push_back(call_named(name));
    if (profile == Profile::daemon) return calls;
    for (const char* name : denied_to_web) calls.push_back(call_named(name));
    return calls;
}

std::string filter_calls(Profile profile) {
    const Filter filter(seccomp_init(SCMP_ACT_ALLOW));
    if (!filter) return "out of memory";
    const int error = load(filter, profile);
    return error == 0 ? "" : std::strerror(-error);
}

}  // namespace provisioner::privileges
