#pragma once

#include <filesystem>
#include <mutex>

#include "provisioner/identity/sealing.hpp"

namespace provisioner::identity {

/// The master keys of an installation: a file as master_keys_in() reads it, which others must not
/// be able to read. It is read when the first secret asks for it, and again when it has changed.
/// Safe from any thread.
class Vault {
 public:
    /// Without a file (empty) nothing can be sealed or opened.
    explicit Vault(std::filesystem::path key_file);

    /// As the functions of these names in sealing.hpp, with the keys of the file; throws VaultError
    /// also when it cannot be read.
    std::string seal(const base::Secret& secret, std::string_view place) const;
    base::Secret open(std::string_view sealed, std::string_view place) const;
    std::optional<std::string> rewrapped(std::string_view sealed) const;

    /// Adds a master key, which is the newest from then on, and returns its number; makes the file
    /// (mode 0600) when it is not there.
    int add_key();

 private:
    MasterKeys keys() const;

    std::filesystem::path key_file_;
    mutable std::mutex mutex_;
    mutable std::filesystem::file_time_type read_at_{};
    mutable MasterKeys keys_;
};

}  // namespace provisioner::identity
