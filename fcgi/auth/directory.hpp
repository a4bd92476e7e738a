#pragma once

#include <optional>
#include <string>

#include "provisioner/base/clock.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/store/database/database.hpp"

namespace fcgi::auth {

/// Result of a lookup by the headers of a script. Each part is set as far as it was found.
/// identify_script compares the parts; the lookup itself accepts nobody.
struct KeyLookup {
    /// The tenant named in the request; nothing if it is unknown or deleted.
    std::optional<provisioner::model::Tenant> tenant;
    /// Owner of the key. The owner may belong to another tenant than `tenant`: the caller must
    /// compare.
    std::optional<provisioner::model::User> owner;
    /// True if the key has the scope "read".
    bool only_reads = false;
};

/// Lookups that identify the sender of a request. As an interface it lets tests of identification
/// run without a database, and lets RememberingDirectory cache in front of StoreDirectory.
///
/// Implementations must be safe to use from any thread. Lookups throw what store::Database::read
/// throws.
class Directory {
 public:
    virtual ~Directory() = default;

    /// Looks up the tenant by its exact name, and the user by the hash of an API key
    /// (identity::hash_of_token). An expired key has no owner. An empty hash is not looked up.
    /// `tenant` must be UTF-8.
    virtual KeyLookup by_key(const std::string& tenant, const std::string& key_hash) = 0;

    /// Looks up the user of that name in that tenant, without any proof. For TrustedHeaders::on
    /// only.
    virtual KeyLookup by_name(const std::string& tenant, const std::string& user) = 0;

    /// The user of the session with this token hash, and the user's tenant; nothing if the session
    /// is unknown or expired.
    virtual std::optional<provisioner::model::Caller> caller_by_session(
        const std::string& token_hash) = 0;

    /// Drops everything cached. Site calls it after every write of this process; the default has no
    /// cache.
    virtual void forget() {}
};

/// Reads from the database: one read transaction for each call, no cache. `database` and `clock`
/// must outlive it.
class StoreDirectory final : public Directory {
 public:
    StoreDirectory(provisioner::store::Database& database, const provisioner::base::Clock& clock)
        : database_(database), clock_(clock) {}

    KeyLookup by_key(const std::string& tenant, const std::string& key_hash) override;
    KeyLookup by_name(const std::string& tenant, const std::string& user) override;
    std::optional<provisioner::model::Caller> caller_by_session(
        const std::string& token_hash) override;

 private:
    provisioner::store::Database& database_;
    const provisioner::base::Clock& clock_;
};

}  // namespace fcgi::auth
