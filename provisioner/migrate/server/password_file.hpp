#pragma once

#include <string>

namespace provisioner::migrate {

/// The password in a file, without the last line end. Makes the file with a random password when it
/// is not there: mode 0640 and, if the system has a group `group`, of that group; mode 0600 for an
/// empty `group`. Throws std::runtime_error naming the path and the reason.
std::string password_in(const std::string& path, const std::string& group);

/// Where the next password of `path` is kept until it counts. `account` says at which server and
/// for whom: the file of another one is never taken for it.
std::string next_password_file(const std::string& path, const std::string& account);

/// A new random password in that file, where it stays until take_next_password(): an interrupted
/// change of the password goes on with it. Owner, group and mode are those of `path`. Throws as
/// password_in().
std::string next_password(const std::string& path, const std::string& account);

/// Puts that file in the place of `path`: a reader finds the old password or the new one.
void take_next_password(const std::string& path, const std::string& account);

}  // namespace provisioner::migrate
