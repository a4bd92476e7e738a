#pragma once

#include <string>

#include "provisioner/remote/steps.hpp"

namespace provisioner::automators {

/// A program an automator needs on nodes, and where nodes may get it.
struct Tool {
    /// Script that succeeds when the tool is there, for example "command -v puppet".
    std::string is_there;
    /// What people call it.
    std::string name;
    /// Packages that bring it, the best first, parted by blanks: of apt, and of dnf and yum.
    std::string apt;
    std::string yum;
    /// The lowest version of an apt package that will do; any when empty.
    std::string apt_least{};
    /// Script that tries another way when no package has brought it; may be empty.
    std::string otherwise;
    /// Script that runs once the tool was installed; may be empty.
    std::string afterwards{};
    /// How a person provides it, for the error: "put the package x into the image".
    std::string advice;
};

/// The step that installs the tool where it is missing, and touches nothing where it is there. The
/// lists of packages are only refreshed, which needs the network, when they do not have it.
remote::Run install_step(const Tool& tool);

}  // namespace provisioner::automators
