#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "provisioner/identity/master_keys/key_source.hpp"
#include "provisioner/identity/sealing.hpp"

namespace provisioner::identity {

/// What a file gets that is made anew.
struct RightsOfNew {
    /// A file whose owner and mode it gets. If there is none: `mode`, and the owner is the caller.
    std::filesystem::path like{};
    mode_t mode = 0600;
};

/// Replaces a file by rename, so that a reader sees the old or the new text and never a part. Keeps
/// owner and mode of a file that was there, so that the other programs can still read the keys. The
/// caller holds a lock. Throws VaultError.
void replace_key_file(const std::string& path, const std::string& text,
                      const RightsOfNew& rights = {});

/// The whole text of a file that is no secret. Throws VaultError when it cannot be read.
std::string text_of_file(const std::string& path);

/// The master keys of this installation, or the private keys of its daemons (sealing.hpp), with
/// their file:
///
///     1 5f2c...   64 hexadecimal digits: opens what was sealed under it
///     2 90aa...   the highest number: also seals
///
/// The keys are read on first use. A file is read again when its modification time changes. So a
/// key that is added is used without a restart. Each call costs one stat() and a copy of the keys.
/// All const functions are safe from any thread.
class KeyRing {
 public:
    /// `file` is not read here and may be missing. With an empty path every other function throws
    /// VaultError.
    explicit KeyRing(std::filesystem::path file);
    explicit KeyRing(std::unique_ptr<KeySource> source) : source_(std::move(source)) {}

    /// The current keys, by value: another thread may replace the cached ones at any time.
    /// `is_lacking`: a secret needs a key that the last ones did not have. Throws VaultError when
    /// they cannot be read, are malformed, or the file gives rights to other users.
    Keys keys(bool is_lacking = false) const;

    /// As KeySource has them.
    std::filesystem::path own_file() const;
    bool is_there() const;

    /// Appends a new key to the file and returns its number; it seals from then on. Creates the
    /// file when it does not exist, with owner and mode of the file at `like` (without that 0600);
    /// otherwise keeps owner and mode. Holds a lock on "<file>.lock", so concurrent calls get
    /// different numbers. Readers see the old file or the new one. Throws VaultError.
    int add_key(const std::filesystem::path& like = {});

    /// The numbers of the keys; the last one seals.
    std::vector<int> numbers() const;

    /// Takes all keys but the newest out of the file, in the same way, unless `is_needed` says of
    /// one that a secret needs it. It is asked before and after: a program may have sealed under an
    /// old key meanwhile; then the file is put back. All keys are in "<file>.retired" until the
    /// end, from where the next call of a function that changes the file puts them back if this one
    /// was killed. Returns the numbers that were taken out, none if a key is needed. Throws
    /// VaultError.
    std::vector<int> retire_keys(const std::function<bool(int number)>& is_needed);

    /// Makes the file of the public half of the newest key, for rings of daemons, if another one or
    /// none is there. Returns whether it did. Throws VaultError also where the file is that of a
    /// key with a higher number.
    bool publish_public_half(const std::filesystem::path& file) const;

    /// Puts keys back that a killed retire_keys() has taken out. Does nothing where keys do not
    /// come from a file of their own.
    void put_back_retired_keys();

 private:
    /// Guards the two members below.
    mutable std::mutex mutex_;
    std::unique_ptr<KeySource> source_;
    /// Empty until the source was first asked.
    mutable Keys keys_;
};

}  // namespace provisioner::identity
