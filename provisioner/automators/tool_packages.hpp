#pragma once

#include <string>

#include "provisioner/remote/steps.hpp"

namespace provisioner::automators {

/// A program that an automator needs on nodes, and the ways to install it. The image may hold it
/// already; then nothing else is tried.
struct Tool {
    /// Shell command that succeeds if the tool is there, for example "command -v puppet".
    std::string is_there;
    /// Name for people.
    std::string name;
    /// Packages of apt that contain the tool, best first, separated by blanks. One that installs is
    /// enough.
    std::string apt;
    /// The same for dnf and yum.
    std::string yum;
    /// The lowest acceptable version of an apt package; empty accepts any.
    std::string apt_least{};
    /// Script that tries another way if no package has brought the tool; may be empty. Ends with a
    /// line end.
    std::string otherwise;
    /// Script that runs once the tool has been installed; may be empty. Ends with a line end.
    std::string afterwards{};
    /// What a person can do, for the error message: "put the package x into the image".
    std::string advice;
};

/// The step that installs the tool if it is missing and changes nothing if it is there. It first
/// tries the package lists that the node has; only if that fails it refreshes them, which needs the
/// network. The step fails if the tool is still missing.
remote::Run install_step(const Tool& tool);

}  // namespace provisioner::automators
