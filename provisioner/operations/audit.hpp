#pragma once

#include <exception>
#include <optional>
#include <string>

#include "provisioner/model/audit/event.hpp"
#include "provisioner/model/clusters/cluster.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

/// Something that was done, for the audit log.
struct Act {
    /// "cluster.create".
    std::string action{};
    model::audit::Object object{};
    /// Null where there is nothing. Secrets in them are masked here (model::audit::masked_deeply).
    base::Json before{};
    base::Json after{};
    /// Why, as the caller said; may be empty.
    std::string reason{};
    /// By default that of the caller's tenant; 0 is the installation's.
    std::optional<model::TenantId> chain{};
};

/// Thrown by audit() and its kin for a caller who must prove first who they are. Everything that is
/// done is recorded last in its transaction, so every check was passed and nothing stays.
struct ProofNeeded : std::exception {
    const char* what() const noexcept override { return "a proof is needed first"; }
};

/// Records what the caller has done, in the transaction that does it and as the last thing in it:
/// the chain stays locked until its end.
void audit(store::Connection& connection, const model::Caller& caller, Act act);

/// The same for an actor that is no caller, such as an identity provider at a sign-in.
/// `act.chain` is needed.
void audit_as(store::Connection& connection, model::audit::Actor actor, Act act);

/// The same for what the daemon does by itself; `act.chain` is needed.
void audit_own(store::Connection& connection, Act act);

/// Several acts of one caller, in order.
void audit_all(store::Connection& connection, const model::Caller& caller, std::vector<Act> acts);

/// The act in that chain and in that of `tenant`: who reads only one of them has it, too.
std::vector<Act> in_chain_of_tenant_too(Act act, const model::Tenant& tenant);

/// "user.lock", "user.unlock", "user.change-role"; "user.change-access" for both in one act.
const char* action_of_access(const model::User& before, const model::User& after);

/// Records an act on a user in the chain of that user's tenant, whoever did it.
void audit_user(store::Connection& connection, const model::Caller& caller, const char* action,
                const model::User& user, const base::Json& before = {},
                const base::Json& after = {});

/// What the audit log says about a user: role, whether they are locked and may log in.
base::Json audited(const model::User& user);

/// A cluster as an object: its id and name.
model::audit::Object object_of(const model::Cluster& cluster);

/// The action of an operation on a cluster: "cluster.grow", "cluster.start-services".
std::string audited(model::Operation operation);

/// What the audit log says about a cluster: name, template, services, size, end of the lease,
/// status. Not its configuration.
base::Json audited(const model::Cluster& cluster);

}  // namespace provisioner::operations
