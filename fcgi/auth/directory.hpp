#pragma once

#include <optional>
#include <string>

#include "provisioner/base/clock.hpp"
#include "provisioner/model/tenants/api_key.hpp"
#include "provisioner/model/tenants/session.hpp"
#include "provisioner/operations/sign_in/rules.hpp"
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
    /// How far the key reaches; nothing for a lookup by name.
    std::optional<provisioner::model::KeyLimits> limits{};
    /// Id of the key; 0 for by_name.
    std::int64_t key = 0;
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
    /// only. No user who is disabled, or of an identity provider that is switched off.
    virtual KeyLookup by_name(const std::string& tenant, const std::string& user) = 0;

    /// The session with this token hash, of any stage; nothing if it is unknown or over.
    virtual std::optional<provisioner::model::OpenSession> find_session(
        const std::string& token_hash) = 0;

    /// The tenant of that name, which a superadmin views; nothing without one.
    virtual std::optional<provisioner::model::Tenant> find_tenant(const std::string& name) = 0;

    /// Whether the session views the tenant (operations::is_viewing).
    virtual bool is_viewing(const provisioner::model::OpenSession& session,
                            const provisioner::model::Tenant& viewed,
                            const std::optional<std::string>& looked_from) = 0;

    /// What the session views (operations::running_views). None by default.
    virtual std::vector<provisioner::model::RunningView> running_views(
        const provisioner::model::OpenSession&) {
        return {};
    }

    /// Counts a wrong API key of `who` and returns how many all processes have counted in the last
    /// minute. 0: not known.
    virtual int count_wrong_key(const std::string&) { return 0; }

    /// Drops everything cached. Site calls it after every write of this process; the default has no
    /// cache.
    virtual void forget() {}
};

/// Reads from the database: one read for each call, no cache. The use of a session is written every
/// few minutes. `database` and `clock` must outlive it.
class StoreDirectory final : public Directory {
 public:
    StoreDirectory(provisioner::store::Database& database, const provisioner::base::Clock& clock,
                   const provisioner::operations::SignInRules& rules = {})
        : database_(database), clock_(clock), rules_(rules) {}

    KeyLookup by_key(const std::string& tenant, const std::string& key_hash) override;
    KeyLookup by_name(const std::string& tenant, const std::string& user) override;
    std::optional<provisioner::model::OpenSession> find_session(
        const std::string& token_hash) override;
    std::optional<provisioner::model::Tenant> find_tenant(const std::string& name) override;
    bool is_viewing(const provisioner::model::OpenSession& session,
                    const provisioner::model::Tenant& viewed,
                    const std::optional<std::string>& looked_from) override;
    std::vector<provisioner::model::RunningView> running_views(
        const provisioner::model::OpenSession& session) override;
    int count_wrong_key(const std::string& who) override;

 private:
    /// Records now and then that a key is used.
    void touch(std::int64_t key, const std::optional<provisioner::base::Timestamp>& last_used_at);

    provisioner::store::Database& database_;
    const provisioner::base::Clock& clock_;
    provisioner::operations::SignInRules rules_;
};

}  // namespace fcgi::auth
