#pragma once

#include <optional>
#include <string>

#include "provisioner/base/clock.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/store/database/database.hpp"

namespace fcgi::auth {

/// What a script's headers stand for, each as far as it is there.
struct KeyLookup {
    std::optional<provisioner::model::Tenant> tenant;
    /// Whose key it is: not necessarily a user of that tenant.
    std::optional<provisioner::model::User> owner;
    /// Whether the key may only be used to read.
    bool only_reads = false;
};

/// What is looked up to know who sent a request. An interface so that the checks are tested without
/// a database.
class Directory {
 public:
    virtual ~Directory() = default;

    /// The tenant of that name and the user whose API key has this hash and has not expired; an
    /// empty hash is nobody's and is not looked up.
    virtual KeyLookup by_key(const std::string& tenant, const std::string& key_hash) = 0;

    /// The same for a user whose word is taken for it: the one of that name in that tenant.
    virtual KeyLookup by_name(const std::string& tenant, const std::string& user) = 0;

    /// Who is logged in with the session of this hash, unless it has expired.
    virtual std::optional<provisioner::model::Caller> caller_by_session(
        const std::string& token_hash) = 0;

    /// Something was written: what is remembered about people and tenants may be true no more.
    virtual void forget() {}
};

/// The one that asks the database. `database` and `clock` must outlive it.
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
