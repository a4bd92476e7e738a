#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

namespace provisioner::providers::local {

/// What a host may use; 0 is no limit.
struct Limits {
    long memory_mb = 0;
    double cpus = 0;

    bool operator==(const Limits&) const = default;
};

/// Where the kernel's controllers are mounted; an empty path is a controller that is not there.
struct Controllers {
    /// cgroup v2: one tree with files memory.max and cpu.max. Else v1: memory.limit_in_bytes and
    /// cpu.cfs_quota_us.
    bool unified = false;
    std::string memory;
    std::string cpu;

    bool operator==(const Controllers&) const = default;
};

/// Finds them in the text of /proc/self/mounts. `v2_controllers` is the text of cgroup.controllers
/// at the top of the cgroup2 mount, empty when there is none. A v1 controller goes before v2.
Controllers find_controllers(std::string_view mounts, std::string_view v2_controllers);

/// The first mount point of a file system of type cgroup2 in that text; empty when there is none.
std::string unified_mount(std::string_view mounts);

/// A period and quota of the CPU controllers: microseconds of all processors together in 100 ms.
long quota_of(double cpus);

/// What holds for a host, for its facts: "memory 512 MB, 1 cpus", "none asked for", or "none: this
/// machine has no memory controller".
std::string describe(const Limits& limits, const Controllers& controllers);

/// Puts the process into control groups of its own at <mount>/cooperage/<group>, with those limits,
/// and says what holds. A machine without controllers, or one that forbids to make groups, is no
/// error.
std::string confine(pid_t pid, const Limits& limits, const std::string& group);

/// Removes these control groups; missing ones are fine. Waits up to 2 s for the kernel to let go of
/// them.
void unconfine(const std::string& group);

/// Removes the groups below "cooperage/<parent>", that group, and "cooperage" itself, as far as no
/// process is left in them.
void remove_groups_below(const std::string& parent);

}  // namespace provisioner::providers::local
