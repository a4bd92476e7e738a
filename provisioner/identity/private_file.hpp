#pragma once

#include <string>

namespace provisioner::identity {

/// The text of a file that holds keys. Throws VaultError when it cannot be read, and when everybody
/// may read it.
std::string private_file(const std::string& path);

}  // namespace provisioner::identity
