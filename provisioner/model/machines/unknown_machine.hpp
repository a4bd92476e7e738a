#pragma once

#include <map>
#include <optional>
#include <string>

#include "provisioner/model/clusters/cluster.hpp"
#include "provisioner/model/machines/price.hpp"

namespace provisioner::model {

/// Key of table provider_account.
using ProviderAccountId = base::Id<struct ProviderAccountTag>;

/// An account at a provider that the daemon searches for orphans: machines that belong to no node.
/// Several providers may lead to one account; it is searched once. A row of provider_account, with
/// what is known of the latest search.
struct ProviderAccount {
    ProviderAccountId id{};
    /// Owner of the account. 0: the installation itself, for machines on the daemon's own host.
    TenantId tenant{};
    /// Empty when `tenant` is 0.
    std::string tenant_name{};
    /// The plugin that lists the machines.
    std::string provider_type{};
    /// Name that people recognise, chosen by the plugin; at most 255 bytes; never a secret. Unique
    /// with tenant and type.
    std::string name{};
    /// Name of a provider in the catalogue whose fields lead to this account. Empty when `tenant`
    /// is 0.
    std::string provider{};
    /// When its machines were last listed successfully; nothing: never.
    std::optional<base::Timestamp> looked_at{};
    /// Searches that failed since `looked_at`; the pause before the next search grows with it.
    int failures = 0;
    /// Why the latest search failed, with secrets masked; empty when it succeeded.
    std::string error{};
};

/// A machine that carries the mark of this installation although no node has it. A row of
/// unknown_machine, replaced by each search of its account. The search
/// (daemon/machines/orphans.hpp) decides by the machine's name:
///
///     node is gone for good                     the daemon deletes the machine
///     node has it, or may be getting it         nothing to do
///     no such node, or it has another machine   UnknownMachine: left alone, an admin decides
struct UnknownMachine {
    /// Key of the row; 0 before it is stored. Lists are paged by it.
    std::int64_t id = 0;
    /// The account it was found in. Without `tenant_name` and `error`: not everybody who sees the
    /// machine may see those.
    ProviderAccount account{};
    /// The tenant whose admins see it; 0: superadmins only.
    TenantId tenant{};
    /// Empty when `tenant` is 0.
    std::string tenant_name{};
    /// The provider's id of the machine, at most 255 bytes; unique in its account.
    std::string machine{};
    /// Its name at the provider, usually that of a node (MachineName), but any text is possible.
    std::string name{};
    /// Address type -> address; empty when the provider does not report any.
    std::map<std::string, std::string> addresses{};
    /// First of an unbroken series of searches that found it.
    base::Timestamp first_seen{};
    /// "disk", "address", "security group" ... for what is left of a machine or a cluster; empty
    /// for a machine.
    std::string part{};
    /// Of a disk; 0: not known.
    int size_gb = 0;
    /// What it was made as, if its name is that of a node that is still stored; else all empty.
    MachineKind kind{};
    /// The tenant of that node; 0 without one.
    TenantId kind_tenant{};
    /// What it costs per hour. Nothing if its kind is not known, or without any price list, and for
    /// parts that providers do not bill.
    /// operations::add_costs sets it.
    std::optional<HourlyCost> cost{};
    /// The latest search that found it; a search that does not find it deletes the row.
    base::Timestamp last_seen{};
};

}  // namespace provisioner::model
