#include "fcgi/auth/remembering_directory.hpp"

#include <mutex>

namespace fcgi::auth {

namespace {

// At this size expired entries are removed; if all are valid, new ones are not cached.
constexpr std::size_t most_remembered = 1000;

}  // namespace

KeyLookup RememberingDirectory::by_key(const std::string& tenant, const std::string& key_hash) {
    const Key key{tenant, key_hash};
    if (auto known = recall(key)) return *std::move(known);
    // The era is read before the lookup. If forget() runs in between, the result may be stale and
    // is not cached.
    const std::uint64_t era = era_now();
    auto lookup = directory_.by_key(tenant, key_hash);
    if (lookup.tenant && lookup.owner) remember(key, lookup, era);
    return lookup;
}

KeyLookup RememberingDirectory::by_name(const std::string& tenant, const std::string& user) {
    return directory_.by_name(tenant, user);
}

std::optional<provisioner::model::OpenSession> RememberingDirectory::find_session(
    const std::string& token_hash) {
    return directory_.find_session(token_hash);
}

std::optional<provisioner::model::Tenant> RememberingDirectory::find_tenant(
    const std::string& name) {
    return directory_.find_tenant(name);
}

bool RememberingDirectory::is_viewing(const provisioner::model::OpenSession& session,
                                      const provisioner::model::Tenant& viewed,
                                      const std::optional<std::string>& looked_from) {
    return directory_.is_viewing(session, viewed, looked_from);
}

std::vector<provisioner::model::RunningView> RememberingDirectory::running_views(
    const provisioner::model::OpenSession& session) {
    return directory_.running_views(session);
}

int RememberingDirectory::count_wrong_key(const std::string& who) {
    return directory_.count_wrong_key(who);
}

void RememberingDirectory::forget() {
    const std::unique_lock lock(mutex_);
    remembered_.clear();
    ++era_;
}

std::uint64_t RememberingDirectory::era_now() {
    const std::shared_lock lock(mutex_);
    return era_;
}

std::optional<KeyLookup> RememberingDirectory::recall(const Key& key) {
    const std::shared_lock lock(mutex_);
    const auto found = remembered_.find(key);
    if (found == remembered_.end() || found->second.until <= clock_.now()) return std::nullopt;
    return found->second.lookup;
}

void RememberingDirectory::remember(const Key& key, const KeyLookup& lookup, std::uint64_t era) {
    const auto now = clock_.now();
    const std::unique_lock lock(mutex_);
    if (era != era_) return;
    if (remembered_.size() >= most_remembered) {
        std::erase_if(remembered_, [&](const auto& entry) { return entry.second.until <= now; });
    }
    if (remembered_.size() < most_remembered)
        remembered_[key] = {.lookup = lookup, .until = now + kept};
}

}  // namespace fcgi::auth
