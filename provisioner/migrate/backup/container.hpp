#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "provisioner/base/json.hpp"
#include "provisioner/identity/sha256.hpp"

namespace provisioner::migrate {

/// What a backup file holds after its header.
///
///     cooperage-backup 1
///     {"kind":"data", ...}
///     <bytes>
///     sha256 <64 hexadecimal digits of everything before this line>
struct Container {
    /// The second line. `kind` is "data" (a gzip'd dump) or "keys" (JSON).
    base::Json header;
    /// Where the bytes begin in the file, and how many there are.
    std::uint64_t begins = 0;
    std::uint64_t size = 0;
};

/// Writes a backup file under a temporary name beside `path`, mode 0600; finish() gives it its
/// name. Without finish() nothing is left.
class ContainerWriter {
 public:
    /// Throws std::runtime_error naming the path; also when the file exists.
    ContainerWriter(const std::string& path, const base::Json& header);
    ~ContainerWriter();
    ContainerWriter(const ContainerWriter&) = delete;
    ContainerWriter& operator=(const ContainerWriter&) = delete;

    void add(std::string_view bytes);

    /// Ends the file with its checksum, on the disk. Throws std::runtime_error, and when a file of
    /// that name has come meanwhile.
    void finish();

 private:
    void write(std::string_view bytes);
    [[noreturn]] void fail() const;

    std::string path_;
    std::string temporary_;
    int file_ = -1;
    identity::Sha256 hash_;
};

/// Reads a whole backup file and checks it. Throws std::runtime_error naming the file: not a
/// backup, of another `kind`, cut off or changed.
Container read_container(const std::string& path, const std::string& kind);

}  // namespace provisioner::migrate
