#pragma once

#include "provisioner/programs/command_line.hpp"

namespace provisioner::providers::local {

/// What cooperage-local-host says about itself.
const programs::Manual& manual();

/// The text of --help, or the manual page.
std::string manual_text(bool is_page);

}  // namespace provisioner::providers::local
