#pragma once

#include <string>

namespace provisioner::migrate {

/// The password in a file, without the last line end. Makes the file with a random password when it
/// is not there: mode 0640 and, if the system has a group `group`, of that group; mode 0600 for an
/// empty `group`. Throws std::runtime_error naming the path and the reason.
std::string password_in(const std::string& path, const std::string& group);

}  // namespace provisioner::migrate
