#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "provisioner/model/machines/account.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/operations/refusal.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

/// Where the login key of a provider's machines comes from.
enum class LoginKeySource {
    /// A key of the vault, for this provider.
    provider_key,
    /// A key of the vault, for all providers of the tenant.
    tenant_key,
    /// The file that the provider names (`ssh_key_resource`).
    file,
    /// The installation's key, or one derived from it for the tenant.
    installation,
    /// Machines that carry keys of their owners, or are not reached by keys.
    none
};

/// A provider of a tenant and the key that its new machines get.
struct ProviderLogin {
    std::string provider;
    std::string provider_type;
    LoginKeySource source = LoginKeySource::installation;
    /// Of the two sources in the vault.
    std::optional<model::LoginKeyRow> key{};
};

/// A key of the vault and how far it has come.
struct LoginKeyView {
    model::LoginKeyRow row;
    /// Of current keys.
    model::LoginProgress progress{};
};

/// What a tenant's providers log in with.
struct LoginKeysView {
    /// By name.
    std::vector<ProviderLogin> providers;
    /// Those that are not retired, newest first.
    std::vector<LoginKeyView> keys;
};

/// Reads it. Costs a look at the tenant's nodes for each current key.
LoginKeysView login_keys_of(store::Connection& connection, model::TenantId tenant);

/// Makes a new login key for a provider of the caller's tenant, or for all of them without a name.
/// New machines get it at once; daemons bring running nodes to it
/// (daemon/machines/key_rotation.hpp) and keep the ones before until no node needs them. Refused
/// for a provider whose machines carry no keys of ours, and while two older keys are still needed.
Result<model::LoginKeyRow> rotate_login_key(store::Database& database, const model::Caller& caller,
                                            const std::string& provider, base::Timestamp now);

/// Has the nodes of these ids count no more on their way to the key: older keys of the vault are
/// deleted although these nodes may have nothing else. Daemons go on trying. For nodes that will
/// not be reached again; holds until another key is made. Returns how many. Refused, with all of
/// them, for nodes that are not on their way to the key.
Result<int> give_up_older_keys(store::Database& database, const model::Caller& caller,
                               model::LoginKeyId id, const std::vector<std::string>& nodes);

/// Adds the keys of the vault to an account whose machines get such keys. A replaced one that
/// cannot be opened has no private half. Throws identity::VaultError for a current one.
void add_login_keys(store::Connection& connection, model::Account& account);

/// Marks keys that all nodes have and retires those that none needs, and records both in the audit
/// log. The daemon calls it. Returns what was settled.
std::vector<model::LoginKeyRow> settle_login_keys(store::Database& database);

}  // namespace provisioner::operations

namespace provisioner::base {

/// Words of sources, as the API writes them.
template <>
inline constexpr std::array words<operations::LoginKeySource>{
    std::pair{operations::LoginKeySource::provider_key, std::string_view("provider")},
    std::pair{operations::LoginKeySource::tenant_key, std::string_view("tenant")},
    std::pair{operations::LoginKeySource::file, std::string_view("file")},
    std::pair{operations::LoginKeySource::installation, std::string_view("installation")},
    std::pair{operations::LoginKeySource::none, std::string_view("none")}};

}  // namespace provisioner::base
