#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

namespace provisioner::providers::local {

/// What a host may use; 0 means no limit.
///
/// Limits are control groups: all later processes of the host inherit them. The host keeps running
/// if the machine has no controllers; its facts then say which limits are missing. Functions over
/// the text of /proc files are pure, so tests need no control groups.
struct Limits {
    /// Mebibytes of memory.
    long memory_mb = 0;
    /// Processors; fractions are allowed.
    double cpus = 0;
    /// Processes and threads.
    long processes = 0;

    bool operator==(const Limits&) const = default;
};

/// Where the kernel's cgroup controllers are mounted; an empty path means that there is none.
struct Controllers {
    /// Whether they belong to cgroup v2: one tree with files memory.max and cpu.max. Otherwise v1,
    /// with memory.limit_in_bytes and cpu.cfs_quota_us; pids.max in both.
    bool unified = false;
    /// Mount point of the memory controller.
    std::string memory;
    /// Mount point of the CPU controller.
    std::string cpu;
    /// Mount point of the controller of processes.
    std::string pids{};

    bool operator==(const Controllers&) const = default;
};

/// Finds the controllers in the text of /proc/self/mounts. `v2_controllers` is the text of
/// cgroup.controllers at the top of the cgroup2 mount; empty if there is none. v1 is taken as soon
/// as it has one of the three; v2 is not looked at then. A v1 controller is not offered by v2 as
/// well.
Controllers find_controllers(std::string_view mounts, std::string_view v2_controllers);

/// The first mount point of type cgroup2 in the text of /proc/self/mounts; empty if there is none.
std::string unified_mount(std::string_view mounts);

/// CPU time in microseconds per period of 100 ms: 1.5 processors are 150000.
long quota_of(double cpus);

/// Why limits could not be set although there is a controller; empty texts if they were.
struct LimitTroubles {
    std::string memory;
    std::string cpu;
    std::string processes{};
};

/// Which limits hold, as text for the host's facts: "memory 512 MB, 1 cpus, 4096 processes",
/// "none asked for", or "none: this machine has no memory controller".
std::string describe(const Limits& limits, const Controllers& controllers,
                     const LimitTroubles& troubles = {});

/// Puts the process into control groups of its own, <mount>/cooperage/<group>, and returns which
/// limits hold, as text. A machine without controllers, or one that forbids new groups, is no
/// error: the text says so. Each limit is set for itself: one that cannot be set leaves the other.
/// With no limits, no groups are made.
std::string confine(pid_t pid, const Limits& limits, const std::string& group);

/// Removes these control groups; missing ones are fine. The processes in them must have ended. The
/// kernel releases a group late, so this waits up to 2 s for each and then leaves it.
void unconfine(const std::string& group);

/// Removes the groups below cooperage/<parent>, then that group and "cooperage" itself if they are
/// empty.
void remove_groups_below(const std::string& parent);

}  // namespace provisioner::providers::local
