#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>

#include "provisioner/providers/local/host/addresses.hpp"
#include "provisioner/providers/local/host/processes.hpp"
#include "provisioner/providers/local/host/system.hpp"

namespace provisioner::providers::local {

/// The file name of the program that is a host's first process, and the name it runs under.
inline constexpr const char* init_name = "cooperage-local-init";

/// What a host is made of.
struct SpawnSpec {
    std::string name;
    std::string hostname;
    std::string ssh_user;
    Place place;
    std::filesystem::path state_dir;
    /// The shared root; nothing is written to it.
    std::filesystem::path base;
    /// The machine's own directory, with upper, work and root in it.
    std::filesystem::path machine;
    /// Shown inside as /etc/cooperage, read only.
    std::filesystem::path cluster;
};

/// A host whose first process exists in its own namespaces and waits. If this program dies now, it
/// ends by itself.
class HeldProcess {
 public:
    /// Clones it. Only a program with a single thread may do so. Throws Failure.
    explicit HeldProcess(const SpawnSpec& spec);

    /// Kills it, unless release() has returned.
    ~HeldProcess();
    HeldProcess(const HeldProcess&) = delete;
    HeldProcess& operator=(const HeldProcess&) = delete;

    /// The process, in the machine's own numbers.
    const ProcessId& process() const { return process_; }

    /// Lets it go on and waits until the host's init runs. Throws Failure with the reason it gave.
    void release();

 private:
    ProcessId process_;
    Fd go_;
    Fd trouble_;
    bool released_ = false;
};

}  // namespace provisioner::providers::local
