#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace provisioner::privileges {

/// Which program: what it never does differs.
enum class Profile {
    /// cooperage-web; it starts no other program.
    web,
    /// cooperage-provisioner.
    daemon
};

/// A call of the kernel that fails with EPERM.
struct DeniedCall {
    std::string_view name;
    /// On this machine; negative where it has no such call.
    int number = 0;
};

/// The calls that are denied to the program whatever their arguments are: mounts, namespaces, the
/// memory of other processes, modules, keys, clocks, io_uring and others that no server needs and
/// that have often been a way into the kernel. Programs of the web profile cannot start others
/// either.
std::vector<DeniedCall> denied_calls(Profile profile);

/// Denies them to this thread and to what it starts, for good; also clone() with any flag of a
/// namespace. clone3() is unknown from then on (ENOSYS), because its flags cannot be looked at; the
/// C library then uses clone(). no_new_privs must be set before. Returns why it could not be done;
/// empty after success.
[[nodiscard]] std::string filter_calls(Profile profile);

}  // namespace provisioner::privileges
