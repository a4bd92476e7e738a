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

constexpr std::array denied_to_hosts{
    // files that no path leads to
    "open_by_handle_at", "name_to_handle_at", "quotactl", "quotactl_fd", "swapon", "swapoff",
    "acct",
    // what runs in the kernel
    "bpf", "perf_event_open", "userfaultfd", "init_module", "finit_module", "delete_module",
    "create_module", "kexec_load", "kexec_file_load", "lookup_dcookie", "modify_ldt", "nfsservctl",
    "uselib", "ustat", "sysfs", "_sysctl", "get_kernel_syms", "query_module",
    // the machine
    "reboot", "settimeofday", "stime", "clock_settime", "clock_settime64", "iopl", "ioperm",
    "syslog", "vhangup", "kcmp", "migrate_pages", "move_pages", "set_mempolicy_home_node"};

/// Programs that ask for these know of kernels without them. The newer calls for mounts would set
/// up file systems in steps that no older rule knows.
constexpr std::array unknown_to_hosts{
    "fsopen",         "fsconfig",          "fsmount",        "fspick",  "open_tree",
    "move_mount",     "mount_setattr",     "io_uring_setup", "add_key", "request_key",
    "io_uring_enter", "io_uring_register", "keyctl"};

/// open_tree_attr(), which the library does not know yet; the same on all machines.
constexpr int open_tree_attr = 467;

/// Families of sockets below AF_PACKET (17) that hosts have no use for; all above it are denied.
constexpr std::array denied_families{3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15};
constexpr scmp_datum_t last_family = 17;

constexpr std::array denied_to_web{"execve", "execveat"};

constexpr std::array namespace_flags{CLONE_NEWNS,   CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC,
                                     CLONE_NEWUSER, CLONE_NEWPID,    CLONE_NEWNET};

/// Of clone(); the first argument on all machines but s390.
constexpr unsigned flags_argument = 0;

DeniedCall call_named(const char* name, int error = EPERM) {
    return {.name = name, .number = seccomp_syscall_resolve_name(name), .error = error};
}

struct Release {
    void operator()(void* filter) const { seccomp_release(filter); }
};
using Filter = std::unique_ptr<std::remove_pointer_t<scmp_filter_ctx>, Release>;

int deny(const Filter& filter, const DeniedCall& call) {
    // A call that this version of the library does not know is one that it cannot deny.
    if (call.number == __NR_SCMP_ERROR) return 0;
    return seccomp_rule_add(filter.get(), SCMP_ACT_ERRNO(static_cast<unsigned>(call.error)),
                            call.number, 0);
}

int deny_argument(const Filter& filter, int number, int error, const scmp_arg_cmp& argument) {
    return seccomp_rule_add_array(filter.get(), SCMP_ACT_ERRNO(static_cast<unsigned>(error)),
                                  number, 1, &argument);
}

int deny_flag(const Filter& filter, int number, int flag) {
    const auto bit = static_cast<scmp_datum_t>(static_cast<unsigned>(flag));
    return deny_argument(
        filter, number, EPERM,
        {.arg = flags_argument, .op = SCMP_CMP_MASKED_EQ, .datum_a = bit, .datum_b = bit});
}

/// The flags of clone3() lie in memory, where no filter can look.
int hide_clone3(const Filter& filter) {
    return seccomp_rule_add(filter.get(), SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
}

int deny_namespaces(const Filter& filter) {
    for (const int flag : namespace_flags) {
        if (const int error = deny_flag(filter, SCMP_SYS(clone), flag); error != 0) return error;
    }
    return hide_clone3(filter);
}

int deny_user_namespaces(const Filter& filter) {
    for (const int call : {SCMP_SYS(clone), SCMP_SYS(unshare)}) {
        if (const int error = deny_flag(filter, call, CLONE_NEWUSER); error != 0) return error;
    }
    return hide_clone3(filter);
}

int deny_families(const Filter& filter) {
    for (const int family : denied_families) {
        const int error = deny_argument(filter, SCMP_SYS(socket), EAFNOSUPPORT,
                                        {.arg = 0,
                                         .op = SCMP_CMP_EQ,
                                         .datum_a = static_cast<scmp_datum_t>(family),
                                         .datum_b = 0});
        if (error != 0) return error;
    }
    return deny_argument(filter, SCMP_SYS(socket), EAFNOSUPPORT,
                         {.arg = 0, .op = SCMP_CMP_GT, .datum_a = last_family, .datum_b = 0});
}

int prepare_for_host(const Filter& filter) {
    int error = seccomp_attr_set(filter.get(), SCMP_FLTATR_CTL_NNP, 0);
    if (error == 0) {
        error = seccomp_attr_set(filter.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ERRNO(ENOSYS));
    }
    if (error == 0) {
        error = seccomp_rule_add(filter.get(), SCMP_ACT_ERRNO(ENOSYS), open_tree_attr, 0);
    }
    if (error == 0) error = deny_families(filter);
    return error == 0 ? deny_user_namespaces(filter) : error;
}

/// 0, or a negative error number.
int load(const Filter& filter, Profile profile) {
    for (const DeniedCall& call : denied_calls(profile)) {
        if (const int error = deny(filter, call); error != 0) return error;
    }
    const int error = profile == Profile::host ? prepare_for_host(filter) : deny_namespaces(filter);
    return error == 0 ? seccomp_load(filter.get()) : error;
}

std::vector<DeniedCall> denied_calls_of_hosts() {
    std::vector<DeniedCall> calls;
    for (const char* name : denied_to_hosts) calls.push_back(call_named(name));
    for (const char* name : unknown_to_hosts) calls.push_back(call_named(name, ENOSYS));
    return calls;
}

}  // namespace

std::vector<DeniedCall> denied_calls(Profile profile) {
    if (profile == Profile::host) return denied_calls_of_hosts();
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
