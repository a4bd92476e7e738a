#pragma once

#include <string>

#include "provisioner/base/secret.hpp"

namespace provisioner::identity {

/// The whole text of a file that holds keys. Throws VaultError when it cannot be read. Also throws
/// when its mode gives any right to users outside its owner and group. The group may read it: web
/// process and daemon can run as different users. Used for master keys (Vault) and the secret key
/// of the S3 store.
std::string private_file(const std::string& path);

/// The first line of such a file, without blanks at its end: the form of files with one key or
/// token. Throws as private_file(), and for an empty one: what it signs or seals would be open
/// without a word.
base::Secret private_line(const std::string& path);

}  // namespace provisioner::identity
