#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>

#include "provisioner/providers/local/host/isolation/isolation.hpp"
#include "provisioner/providers/local/host/network/addresses.hpp"
#include "provisioner/providers/local/host/processes.hpp"
#include "provisioner/providers/local/host/system.hpp"

namespace provisioner::providers::local {

/// File name of the program that is a host's first process, and the name it runs under. It must lie
/// beside cooperage-local-host.
inline constexpr const char* init_name = "cooperage-local-init";

/// What a host is made of. All directories must exist.
struct SpawnSpec {
    /// The machine's name; only for the command line of the init, by which hosts_of() finds it.
    std::string name;
    /// Short name that the host gets.
    std::string hostname;
    /// The user that the host's init creates.
    std::string ssh_user;
    /// Its address; the cable must be plugged in before release().
    Place place;
    /// The state directory, for the command line of the init.
    std::filesystem::path state_dir;
    /// The shared root; nothing is written to it.
    std::filesystem::path base;
    /// The machine's own directory, which holds upper, work, root and log. `upper` is given to the
    /// host's root and not written to from then on.
    std::filesystem::path machine;
    /// What keeps the host from this machine; must be complete, or say why it is not.
    Isolation isolation{};
};

/// A host whose first process exists in its own namespaces and waits for permission to go on. The
/// maker needs its number to store the record, set limits and plug in the cable before anything
/// runs inside.
///
/// A process between mounts the host's file system, which takes the rights of root, gives them up
/// by entering the host's user namespace, makes the first process there and ends:
///
///     maker ── clone ──▶ between: mounts the overlay, enters the user namespace
///       ▲                   └── clone(CLONE_PARENT) ──▶ first process, in namespaces that belong
///       └───────────────────── its number ──────────        to the user namespace
///
/// The first process waits on a socket. If the maker dies, the socket closes and it ends. A pipe
/// carries the reason if one of them fails before the init runs.
class HeldProcess {
 public:
    /// Clones the calling process; only a program with a single thread may do so. Needs root.
    /// Mounts the host's file system where only the host sees it. Throws Failure.
    explicit HeldProcess(const SpawnSpec& spec);

    /// Kills and reaps the process, unless release() has returned.
    ~HeldProcess();
    HeldProcess(const HeldProcess&) = delete;
    HeldProcess& operator=(const HeldProcess&) = delete;

    /// The process, in the machine's own PID namespace.
    const ProcessId& process() const { return process_; }

    /// Lets the process go on and waits until the host's init runs. Throws Failure with the reason
    /// the process gave, or if it has died.
    void release();

 private:
    ProcessId process_;
    /// Writing end of the socket that the process waits on.
    Fd go_;
    /// Reading end of the pipe with the reason of a failure; closes when the init starts.
    Fd trouble_;
    bool released_ = false;
};

}  // namespace provisioner::providers::local
