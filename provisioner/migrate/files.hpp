#pragma once

#include <filesystem>
#include <string>

namespace provisioner::migrate {

/// All bytes of a file, in memory. Throws std::runtime_error naming the file when it cannot be
/// opened.
std::string read_file(const std::filesystem::path& path);

/// Writes the folder of a file to the disk: a rename outlasts a crash only then.
void sync_folder_of(const std::filesystem::path& path);

}  // namespace provisioner::migrate
