#pragma once

#include <filesystem>
#include <mutex>

#include "provisioner/identity/sealing.hpp"

namespace provisioner::identity {

/// Seals and opens secrets with the master keys of this installation. The keys are in a file
/// (setting secrets.keys) that only the programs' users can read. Web process, daemon and
/// cooperage-migrate share that file. Each Database owns one vault (store/database/database.hpp).
///
///     1 5f2c...   64 hexadecimal digits: opens what was sealed under it
///     2 90aa...   the highest number: also seals
///
/// An old key may be removed after `cooperage-migrate rewrap` has ended without problems.
///
/// The file is read on first use, so that an installation without secrets needs none. It is read
/// again when its modification time changes. So a key added by `cooperage-migrate new-key` is used
/// without a restart. Each call costs one stat() and a copy of the keys. All const functions are
/// safe from any thread.
class Vault {
 public:
    /// `key_file` is not read here and may be missing. With an empty path every other function
    /// throws VaultError.
    explicit Vault(std::filesystem::path key_file);

    /// The functions of these names in sealing.hpp with the keys of the file. They also throw
    /// VaultError when the file cannot be read, is malformed, or gives rights to other users.
    std::string seal(const base::Secret& secret, std::string_view place) const;
    base::Secret open(std::string_view sealed, std::string_view place) const;
    std::optional<std::string> rewrapped(std::string_view sealed) const;

    /// Appends a new master key to the file and returns its number; seal() uses it from then on.
    /// Creates the file with mode 0600 when it does not exist; otherwise keeps owner and mode.
    /// Holds a lock on "<file>.lock", so concurrent calls get different numbers. Readers see the
    /// old file or the new one. Throws VaultError.
    int add_key();

 private:
    /// The current keys, by value: another thread may replace the cached ones at any time.
    MasterKeys keys() const;

    std::filesystem::path key_file_;
    /// Guards the two members below.
    mutable std::mutex mutex_;
    /// Modification time of the file when `keys_` was read.
    mutable std::filesystem::file_time_type read_at_{};
    /// Empty until the file was first read.
    mutable MasterKeys keys_;
};

}  // namespace provisioner::identity
