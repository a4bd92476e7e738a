#pragma once

#include <filesystem>
#include <string>

namespace provisioner::providers::local {

/// The first part of the path that the user could replace, with the reason, as a sentence; empty if
/// there is none. A user could replace what lies in a directory that the user owns or may write to,
/// unless the directory is sticky. Parts that do not exist are the business of who makes them.
///
/// The path must be absolute and without links, as std::filesystem::weakly_canonical() makes it; a
/// link in it was put there meanwhile and is named, too.
///
/// The helper works with the rights of root below such paths. If the user it works for could put a
/// link in the place of one of their directories, the user would have these rights, too.
std::string exchangeable_part(const std::filesystem::path& path, const std::string& user);

}  // namespace provisioner::providers::local
