#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "provisioner/identity/master_keys/key_source.hpp"
#include "provisioner/identity/sealing.hpp"

namespace provisioner::identity {

/// Seals and opens secrets with the master keys of this installation. The keys come from a file
/// that only the programs' users can read (setting secrets.keys), a credential of systemd or a
/// command (master_keys/key_source.hpp). Web process, daemon and cooperage-migrate have the same
/// keys. Each Database owns one vault (store/database/database.hpp).
///
///     1 5f2c...   64 hexadecimal digits: opens what was sealed under it
///     2 90aa...   the highest number: also seals
///
/// An old key may be removed after `cooperage-migrate rewrap` has ended without problems;
/// `retire-key` does it and looks first.
///
/// The keys are read on first use, so that an installation without secrets needs none. A file is
/// read again when its modification time changes. So a key added by `cooperage-migrate new-key` is
/// used without a restart. Every source is asked again when a secret needs a key that is not there.
/// Each call costs one stat() and a copy of the keys. All const functions are safe from any thread.
class Vault {
 public:
    /// `key_file` is not read here and may be missing. With an empty path every other function
    /// throws VaultError.
    explicit Vault(std::filesystem::path key_file) : Vault(file_source(std::move(key_file))) {}
    explicit Vault(std::unique_ptr<KeySource> source) : source_(std::move(source)) {}

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

    /// The numbers of the keys; the last one seals.
    std::vector<int> numbers() const;

    /// Takes all keys but the newest out of the file, in the same way, unless `is_needed` says of
    /// one that a secret needs it. It is asked before and after: a program may have sealed under an
    /// old key meanwhile; then the file is put back. All keys are in "<file>.retired" until the
    /// end, from where the next call of a function that changes the file puts them back if this one
    /// was killed. Returns the numbers that were taken out, none if a key is needed. Throws
    /// VaultError.
    std::vector<int> retire_keys(const std::function<bool(int number)>& is_needed);

    /// Puts keys back that a killed retire_keys() has taken out. Does nothing where keys do not
    /// come from a file of their own.
    void put_back_retired_keys();

 private:
    /// The current keys, by value: another thread may replace the cached ones at any time.
    MasterKeys keys(bool is_lacking = false) const;
    /// Calls `work` with the keys, and once more with fresh ones when one is lacking.
    template <class Work>
    auto with_keys(Work&& work) const;

    /// Guards the two members below.
    mutable std::mutex mutex_;
    std::unique_ptr<KeySource> source_;
    /// Empty until the source was first asked.
    mutable MasterKeys keys_;
};

}  // namespace provisioner::identity
