#pragma once

#include <memory>
#include <optional>
#include <string_view>

namespace provisioner::transcript {

/// Why `tar -xz` could not unpack a file, or would unpack nothing.
enum class ArchiveFault {
    /// No gzip file.
    not_gzip,
    /// A gzip file with something else than a tar in it.
    not_tar,
    /// Bytes are missing at its end.
    cut_off,
    /// Bytes of it are wrong.
    damaged,
    /// An entry is above the folder that it is unpacked into ("../x"); tar refuses it.
    leaves_folder,
    /// No entries.
    empty
};

/// Checks a .tar.gz that comes in pieces. Looks at the headers of its entries, not at what is in
/// them, and keeps no more than a header in memory: at most 1 MiB of an extended one. It stops
/// after `most` unpacked bytes: what small files can expand to has no limit. Source: RFC 1952;
/// POSIX.1-2017, pax, "ustar Interchange Format" and "pax Interchange Format"; GNU tar, "Basic Tar
/// Format".
class ArchiveCheck {
 public:
    /// Throws std::runtime_error when zlib has no memory.
    explicit ArchiveCheck(unsigned long long most = 1ULL << 30);
    ~ArchiveCheck();
    ArchiveCheck(const ArchiveCheck&) = delete;
    ArchiveCheck& operator=(const ArchiveCheck&) = delete;

    /// The next bytes of the file. Returns whether more of them matter.
    bool take(std::string_view bytes);

    /// After the last bytes: what is wrong; nothing if nothing was found.
    std::optional<ArchiveFault> finish() const;

 private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace provisioner::transcript
