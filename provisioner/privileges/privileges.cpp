#include "provisioner/privileges/privileges.hpp"

#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>

namespace provisioner::privileges {

namespace {

[[noreturn]] void fail(const char* what) {
    throw std::runtime_error(std::string("cannot give up ") + what + ": " + std::strerror(errno));
}

/// Number of capabilities that were taken from the bounding set. Without CAP_SETPCAP it stays, and
/// with no_new_privs it gives nothing.
int empty_bounding_set() {
    int dropped = 0;
    for (unsigned long number = 0; prctl(PR_CAPBSET_READ, number, 0, 0, 0) >= 0; ++number) {
        if (prctl(PR_CAPBSET_DROP, number, 0, 0, 0) == 0) ++dropped;
    }
    return dropped;
}

/// Root keeps those at hand: who allows a program to run as root wants them.
void give_up_capabilities() {
    __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
    __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3]{};
    if (geteuid() == 0 && syscall(SYS_capget, &header, sets) != 0) fail("capabilities");
    for (__user_cap_data_struct& set : sets) set.inheritable = 0;
    if (syscall(SYS_capset, &header, sets) != 0) fail("capabilities");
}

}  // namespace

void refuse_root(bool is_allowed) {
    if (is_allowed || (getuid() != 0 && geteuid() != 0)) return;
    throw std::runtime_error(
        "this program does not need root and will not run as root: start it as a user of its own, "
        "or with --allow-root");
}

void drop(Profile profile, const base::Log& log) {
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) fail("new privileges");
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    const int dropped = empty_bounding_set();
    give_up_capabilities();
    const std::string trouble = filter_calls(profile);
    if (!trouble.empty()) log.warn("privileges.not_filtered", {{"error", trouble}});
    const std::size_t denied = trouble.empty() ? denied_calls(profile).size() : 0;
    log.info("privileges.dropped", {{"uid", static_cast<long long>(getuid())},
                                    {"denied_calls", denied},
                                    {"bounding_capabilities", dropped}});
}

}  // namespace provisioner::privileges
