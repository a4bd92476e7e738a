#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "provisioner/providers/local/host/system.hpp"

namespace provisioner::providers::local {

/// Identifies a process beyond its number, which the kernel reuses. Signals go through a pidfd: it
/// is opened first and its process compared afterwards. So a number that was reused in between is
/// noticed, and no other process is ever killed.
struct ProcessId {
    /// The number in this machine's first PID namespace; 0 means no process.
    pid_t pid = 0;
    /// When it began, in clock ticks since the machine's start (proc(5), field 22 of stat).
    long long started = 0;
    /// this_boot() of the run of the machine in which it began.
    std::string boot;

    bool operator==(const ProcessId&) const = default;
};

/// The random id of the machine's current run (/proc/sys/kernel/random/boot_id). Read once.
const std::string& this_boot();

/// When the process began, from the text of /proc/<pid>/stat; nothing for a zombie or a malformed
/// text.
std::optional<long long> start_of(std::string_view stat);

/// Whether the process is number 1 of a PID namespace inside another, from the text of
/// /proc/<pid>/status.
bool is_first_of_namespace(std::string_view status);

/// The process that has the number at this moment; nothing if there is none or only a zombie.
std::optional<ProcessId> process_now(pid_t pid);

/// A pidfd of this very process (close-on-exec); none if it does not run.
Fd handle_of(const ProcessId& process);

/// Whether this very process runs. It may end at any time after.
bool is_running(const ProcessId& process);

/// Sends SIGKILL to this very process if it runs, and does not wait.
void shoot(const ProcessId& process);

/// Kills this very process and waits until it is gone. If it is number 1 of a PID namespace, the
/// kernel kills all others of that namespace first. Throws Failure after 20 s. A process that does
/// not run is fine.
void end_process(const ProcessId& process);

/// The first processes of all hosts of a state directory, found by their command lines in /proc.
/// For state directories whose records are lost.
std::vector<ProcessId> hosts_of(const std::string& state_dir);

}  // namespace provisioner::providers::local
