#pragma once

#include <cerrno>
#include <string>
#include <string_view>
#include <vector>

namespace provisioner::privileges {

/// Which program: what it never does differs.
enum class Profile {
    /// cooperage-web; it starts no other program.
    web,
    /// cooperage-provisioner.
    daemon,
    /// Everything in a local host: its root has capabilities, in a user namespace.
    host
};

/// A call of the kernel that fails.
struct DeniedCall {
    std::string_view name;
    /// On this machine; negative where it has no such call.
    int number = 0;
    /// What the caller gets: EPERM, or ENOSYS where programs then use an older call.
    int error = EPERM;
};

/// The calls that are denied to the program whatever their arguments are: mounts, namespaces, the
/// memory of other processes, modules, keys, clocks, io_uring and others that no server needs and
/// that have often been a way into the kernel. Programs of the web profile cannot start others
/// either. A host keeps mount(), namespaces and ptrace(), which are bounded by its own namespaces:
/// container engines and debuggers need them.
std::vector<DeniedCall> denied_calls(Profile profile);

/// Denies them to this thread and to what it starts, for good; also clone() with any flag of a
/// namespace. clone3() is unknown from then on (ENOSYS), because its flags cannot be looked at; the
/// C library then uses clone(). no_new_privs must be set before. Returns why it could not be done;
/// empty after success.
///
/// Profile::host differs: only user namespaces are denied, also to unshare(); sockets are of the
/// families unix, IPv4, IPv6, netlink and packet only, because others (vsock) know no network
/// namespaces; programs of another architecture get ENOSYS for every call. The caller needs
/// CAP_SYS_ADMIN in its user namespace instead of no_new_privs: sudo works in a host.
[[nodiscard]] std::string filter_calls(Profile profile);

}  // namespace provisioner::privileges
