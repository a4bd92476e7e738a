#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace provisioner::migrate {

/// One file or directory of an archive.
struct ArchiveEntry {
    /// Relative, with slashes; of at most 100 characters, or 255 that a slash parts in 155 and 100.
    std::string path;
    bool is_directory = false;
    bool is_executable = false;
    std::string content = {};
};

/// The entries as a tar in the order given. Owner, time and modes say nothing of the machine: the
/// same entries give the same bytes. Throws std::runtime_error naming a path that is too long.
/// Source: POSIX.1-2017, pax, "ustar Interchange Format".
std::string tar_of(const std::vector<ArchiveEntry>& entries);

/// What an automator takes for an archive: the folder as a gzip'd tar whose only top entry has the
/// folder's name. Throws std::runtime_error naming what is neither a file nor a directory.
std::string archive_of(const std::filesystem::path& folder);

}  // namespace provisioner::migrate
