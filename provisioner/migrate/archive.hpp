#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace provisioner::migrate {

/// One file or directory of an archive. Links and devices do not occur.
struct ArchiveEntry {
    /// Relative, with slashes, without one at the end. At most 100 bytes, or up to 256 with a slash
    /// that leaves at most 155 bytes before and 100 after it.
    std::string path;
    bool is_directory = false;
    bool is_executable = false;
    /// Bytes of the file; empty for a directory.
    std::string content = {};
};

/// The entries as a tar file, in the order given. Owner and time are 0 and modes are 0755 or 0644,
/// so equal entries give equal bytes on every machine. Then seeding again changes nothing. Throws
/// std::runtime_error naming a path that is too long. Pure.
/// Source: POSIX.1-2017, pax, "ustar Interchange Format".
std::string tar_of(const std::vector<ArchiveEntry>& entries);

/// The folder as an archive for automators: a gzip'd tar whose only top entry has the folder's
/// name. Entries are sorted by path. Reads all files into memory. Throws std::runtime_error naming
/// an entry that is neither a file nor a directory, or cannot be read.
std::string archive_of(const std::filesystem::path& folder);

}  // namespace provisioner::migrate
