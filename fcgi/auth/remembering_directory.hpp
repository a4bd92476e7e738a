#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <shared_mutex>
#include <utility>

#include "fcgi/auth/directory.hpp"

namespace fcgi::auth {

/// Caches the owner of an API key for one second. A polling script then does not cost a lookup for
/// each request.
///
/// Only lookups by key that found both tenant and owner are cached. Sessions, lookups by name and
/// unknown keys always go to the inner directory. Every successful write of this process clears the
/// cache. A key that another process revokes may therefore be accepted for up to one second more.
///
/// An era counter closes the race between a lookup and forget(): a result read before forget() is
/// not cached after it. At most 1000 entries are kept. Safe to use from any thread; a hit takes a
/// shared lock only.
class RememberingDirectory final : public Directory {
 public:
    /// Lifetime of an entry.
    static constexpr std::chrono::seconds kept{1};

    /// `directory` and `clock` must outlive it.
    RememberingDirectory(Directory& directory, const provisioner::base::Clock& clock)
        : directory_(directory), clock_(clock) {}

    /// Answers from the cache if the entry is still valid, else asks the inner directory and caches
    /// a full result.
    KeyLookup by_key(const std::string& tenant, const std::string& key_hash) override;
    /// Passed through.
    KeyLookup by_name(const std::string& tenant, const std::string& user) override;
    /// Passed through: a logout must count at once.
    std::optional<provisioner::model::OpenSession> find_session(
        const std::string& token_hash) override;
    /// Passed through.
    std::optional<provisioner::model::Tenant> find_tenant(const std::string& name) override;
    /// Passed through.
    bool is_viewing(const provisioner::model::OpenSession& session,
                    const provisioner::model::Tenant& viewed,
                    const std::optional<std::string>& looked_from) override;
    /// Passed through.
    std::vector<provisioner::model::RunningView> running_views(
        const provisioner::model::OpenSession& session) override;
    /// Passed through.
    int count_wrong_key(const std::string& who) override;
    /// Clears the cache. A lookup that is under way is not cached when it returns.
    void forget() override;

 private:
    /// One entry; valid while `until` is in the future.
    struct Remembered {
        KeyLookup lookup;
        provisioner::base::Timestamp until{};
    };
    /// (tenant name, key hash)
    using Key = std::pair<std::string, std::string>;

    /// The valid entry of `key`; nothing if there is none.
    std::optional<KeyLookup> recall(const Key& key);
    /// Stores `lookup` unless forget() ran since `era` was read, or the cache is full of valid
    /// entries.
    void remember(const Key& key, const KeyLookup& lookup, std::uint64_t era);
    /// The current era, to be read before the lookup.
    std::uint64_t era_now();

    Directory& directory_;
    const provisioner::base::Clock& clock_;
    /// Guards remembered_ and era_. It is not held during a lookup.
    std::shared_mutex mutex_;
    std::map<Key, Remembered> remembered_;
    /// Number of calls to forget().
    std::uint64_t era_ = 0;
};

}  // namespace fcgi::auth
