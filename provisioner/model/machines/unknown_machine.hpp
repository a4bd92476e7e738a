#pragma once

#include <map>
#include <optional>
#include <string>

#include "provisioner/model/clusters/cluster.hpp"

namespace provisioner::model {

using ProviderAccountId = base::Id<struct ProviderAccountTag>;

/// Where the fields of a provider lead: what is looked through for machines that no node has.
struct ProviderAccount {
    ProviderAccountId id{};
    /// 0: of the installation, as hosts of a daemon are.
    TenantId tenant{};
    /// The tenant's name; empty for the installation.
    std::string tenant_name{};
    std::string provider_type{};
    /// What people know it by.
    std::string name{};
    /// The provider whose fields lead there; empty for the installation.
    std::string provider{};
    /// When its machines were last listed; nothing: never.
    std::optional<base::Timestamp> looked_at{};
    /// Looks that failed since then.
    int failures = 0;
    /// Why the last look failed; empty when it did not.
    std::string error{};
};

/// A machine of this installation that is there although no node has it.
struct UnknownMachine {
    std::int64_t id = 0;
    /// The account it is in; without `tenant_name` and `error`, which are not for everybody who
    /// sees the machine.
    ProviderAccount account{};
    /// Whose admins see it; 0: superadmins only.
    TenantId tenant{};
    std::string tenant_name{};
    /// The provider's own id.
    std::string machine{};
    std::string name{};
    /// Address type -> address; empty where the provider does not say.
    std::map<std::string, std::string> addresses{};
    base::Timestamp first_seen{};
    base::Timestamp last_seen{};
};

}  // namespace provisioner::model
