#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "provisioner/model/audit/event.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

// The audit log (model/audit/event.hpp): events are appended and read, and never changed.

/// Appends events to the chains they name, in their order, in the transaction of what they tell:
/// they are there if and only if it commits. Number, moment and hashes are given here; documents
/// that are too large are replaced by size and hash.
///
/// Locks the chains until the transaction ends, so call it last. Two inserts and an update per
/// chain. With several chains it locks them in the order of their numbers.
void record(Connection& connection, std::vector<model::audit::Event> events);

/// What of a chain is wanted. Empty members restrict nothing.
struct AuditFilter {
    model::TenantId chain{};
    /// Both inclusive.
    std::optional<base::Timestamp> from{};
    std::optional<base::Timestamp> to{};
    /// The exact name, and others of which an event may have one instead.
    std::string user{};
    std::vector<std::string> more_users{};
    /// The beginning of the action: "cluster." or "cluster.create".
    std::string action{};
    /// Whether `action` is meant as a whole.
    bool is_whole_action = false;
    /// Whether refusals of a whole action are meant, too: "sign-in.refused" of "sign-in", and
    /// refused requests that asked for it.
    bool has_refusals = false;
    /// Regular expression of those requests as they are recorded ("POST /clusters"); empty: none.
    std::string refused_requests{};
    /// A kind ("cluster"), and an exact id or name.
    std::string object_kind{};
    std::string object{};
    /// Other names of which an event may have one instead of `object`.
    std::vector<std::string> more_names{};
    std::optional<model::audit::Outcome> outcome{};
    /// The exact id of a request.
    std::string request{};
};

/// At most `limit` matching events with numbers below `before` (0: all), the newest first.
/// `has_documents` false leaves before and after empty, but where lists tell of them: of price
/// lists and of views that have ended.
std::vector<model::audit::Event> list_events(Connection& connection, const AuditFilter& filter,
                                             std::int64_t before, int limit,
                                             bool has_documents = true);

/// One event; nothing when there is none.
std::optional<model::audit::Event> find_event(Connection& connection, model::TenantId chain,
                                              std::int64_t number);

/// At most `limit` events after number `after`, the oldest first, documents included.
std::vector<model::audit::Event> events_after(Connection& connection, model::TenantId chain,
                                              std::int64_t after, int limit);

/// The end of a chain.
struct AuditChain {
    model::TenantId chain{};
    /// Name of the tenant, "" for the installation's own; a deleted tenant keeps its name.
    std::string tenant{};
    /// Of the last event; 0 without one.
    std::int64_t number = 0;
    std::string hash{};
    /// The last event that a seal covers; 0: none.
    std::int64_t sealed_number = 0;
};

/// All chains, by id. Also those that have no head but events, which nobody but an intruder makes:
/// number 0 then.
std::vector<AuditChain> list_chains(Connection& connection);

/// The chain of a tenant by its name, or by its uid if no tenant has that name. A deleted tenant is
/// found by its name while no other has it.
std::optional<model::TenantId> chain_of(Connection& connection, const std::string& tenant);

/// The name of the tenant whose chain it is, if it is not deleted; empty otherwise.
std::string tenant_of_chain(Connection& connection, model::TenantId chain);

}  // namespace provisioner::store
