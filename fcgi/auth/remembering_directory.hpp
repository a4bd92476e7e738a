#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <shared_mutex>
#include <utility>

#include "fcgi/auth/directory.hpp"

namespace fcgi::auth {

/// Remembers for a second whose key it was, so that a script that polls does not ask the database
/// who it is each time. What this process writes makes it forget, so a key that is revoked lives on
/// that long only if another process revoked it. Sessions, and keys that are nobody's, are not
/// remembered. May be used from any thread.
class RememberingDirectory final : public Directory {
 public:
    static constexpr std::chrono::seconds kept{1};

    /// Both must outlive it.
    RememberingDirectory(Directory& directory, const provisioner::base::Clock& clock)
        : directory_(directory), clock_(clock) {}

    KeyLookup by_key(const std::string& tenant, const std::string& key_hash) override;
    KeyLookup by_name(const std::string& tenant, const std::string& user) override;
    std::optional<provisioner::model::Caller> caller_by_session(
        const std::string& token_hash) override;
    void forget() override;

 private:
    struct Remembered {
        KeyLookup lookup;
        provisioner::base::Timestamp until{};
    };
    using Key = std::pair<std::string, std::string>;

    std::optional<KeyLookup> recall(const Key& key);
    void remember(const Key& key, const KeyLookup& lookup, std::uint64_t era);
    std::uint64_t era_now();

    Directory& directory_;
    const provisioner::base::Clock& clock_;
    std::shared_mutex mutex_;
    std::map<Key, Remembered> remembered_;
    /// Grows when everything is forgotten: what was looked up before that is not remembered after.
    std::uint64_t era_ = 0;
};

}  // namespace fcgi::auth
