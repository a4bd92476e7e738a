#pragma once

#include <filesystem>
#include <string>

namespace provisioner::migrate {

/// All of a file; throws std::runtime_error naming one that cannot be read.
std::string read_file(const std::filesystem::path& path);

}  // namespace provisioner::migrate
