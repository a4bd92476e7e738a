#pragma once

#include <map>
#include <string>

namespace provisioner::programs {

/// A descriptor that a program leaves to the one it executes on a reload, by its environment.
struct Inherited {
    /// -1: none was left.
    int descriptor = -1;
    /// What the descriptor was opened for.
    std::string path;
};

/// What the environment names under `variable`, which is removed from it. The descriptor is not
/// looked at: it may be closed, or be another file.
Inherited take_inherited(const char* variable);

/// What the environment must name for take_inherited() to find it.
std::map<std::string, std::string> to_inherit(const char* variable, const Inherited& left);

}  // namespace provisioner::programs
