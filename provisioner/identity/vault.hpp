#pragma once

#include <filesystem>
#include <mutex>
#include <optional>

#include "provisioner/base/config.hpp"
#include "provisioner/identity/master_keys/key_ring.hpp"

namespace provisioner::identity {

/// Seals and opens secrets with the keys of this installation, which come from files, credentials
/// of systemd or commands (master_keys/key_source.hpp):
///
/// * Master keys (setting secrets.keys): web process, daemons and cooperage-migrate have them. For
///   what the web must open: second factors, secrets of identity providers.
/// * Daemon keys (secrets.daemon_keys): daemons and cooperage-migrate have them, the web has their
///   public half (secrets.daemon_public_key). For what the web only takes in: passwords of
///   providers, login keys, files of keys. Which of them seals is decided by the database
///   (operations/daemon_secrets.hpp).
///
/// An old key may be removed after `rewrap` has ended without problems; `retire-key` does it and
/// looks first.
///
/// Keys are read on first use, so that an installation without secrets needs none. Every source is
/// asked again when a secret needs a key that is not there. Each Database owns one vault
/// (store/database/database.hpp). All const functions are safe from any thread.
class Vault {
 public:
    /// Reads settings and no key. Settings of the program "web" have no daemon keys. Throws
    /// VaultError for settings that exclude each other.
    explicit Vault(const base::Config& config);
    /// With master keys alone.
    explicit Vault(std::unique_ptr<KeySource> master_keys);

    // The functions of sealing.hpp with the keys of this installation. They also throw VaultError
    // when keys cannot be read, are malformed, or when their file gives rights to other users.

    /// Under the newest master key: for every program.
    std::string seal(const base::Secret& secret, std::string_view place) const;
    std::optional<std::string> rewrapped(std::string_view sealed) const;

    /// What seals for daemons where `newest` is their newest key: its public half, from the keys or
    /// from its file. Throws KeysOutOfStep where neither is of that key. Without a key of theirs:
    /// the newest master key.
    SealingKey key_for_daemons(const std::optional<KeyName>& newest) const;

    /// Puts a sealed text under that key, but never under an older one, nor one of daemons under a
    /// master key.
    std::optional<std::string> rewrapped_for_daemons(std::string_view sealed,
                                                     const SealingKey& key) const;

    /// What either of the two has sealed.
    base::Secret open(std::string_view sealed, std::string_view place) const;

    /// The key of the file of the public half; nothing where there is none. Costs one stat().
    std::optional<SealingKey> public_half() const;

    /// Makes that file anew if need be (KeyRing::publish_public_half). Does nothing where there are
    /// no daemon keys. For cooperage-migrate.
    bool publish_daemon_key() const;

    KeyRing& master_keys() { return master_keys_; }
    KeyRing& daemon_keys() { return daemon_keys_; }
    const KeyRing& master_keys() const { return master_keys_; }
    const KeyRing& daemon_keys() const { return daemon_keys_; }

 private:
    /// Calls `work` with the keys that a sealed text needs, and once more with fresh ones when one
    /// is lacking.
    template <class Work>
    auto with_keys_of(std::string_view sealed, Work&& work) const;

    KeyRing master_keys_;
    KeyRing daemon_keys_;
    /// Empty: none.
    std::filesystem::path public_file_;
    /// Guards the two members below.
    mutable std::mutex mutex_;
    mutable std::optional<SealingKey> public_half_;
    mutable std::filesystem::file_time_type read_at_{};
};

/// Throws VaultError when there are daemon keys, and they or the public half cannot be read. For
/// the check of a daemon's settings.
void check_daemon_keys(const base::Config& config);

}  // namespace provisioner::identity
