#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace provisioner::providers::local {

/// A process that cannot be mistaken for a later one of the same number: when it began (clock ticks
/// since the machine's start, proc(5) field 22) and in which run of the machine.
struct ProcessId {
    pid_t pid = 0;
    long long started = 0;
    std::string boot;

    bool operator==(const ProcessId&) const = default;
};

/// The running machine's own random name of this run (/proc/sys/kernel/random/boot_id).
const std::string& this_boot();

/// When the process began, from the text of /proc/<pid>/stat; nothing for a zombie or an unknown
/// text.
std::optional<long long> start_of(std::string_view stat);

/// Whether the process is the first of a PID namespace inside another, from the text of
/// /proc/<pid>/status.
bool is_first_of_namespace(std::string_view status);

/// The process of that number as it is now; nothing when there is none, or only its zombie.
std::optional<ProcessId> process_now(pid_t pid);

/// Whether this very process runs.
bool is_running(const ProcessId& process);

/// Sends SIGKILL to this very process, if it runs, and does not wait.
void shoot(const ProcessId& process);

/// Kills this very process and waits until it is gone, with all the others of its PID namespace
/// when it is the first of one. Throws Failure after 20 s.
void end_process(const ProcessId& process);

/// The first processes of local hosts of a state directory, found by their command lines.
std::vector<ProcessId> hosts_of(const std::string& state_dir);

}  // namespace provisioner::providers::local
