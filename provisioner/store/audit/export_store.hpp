#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "provisioner/model/audit/event.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

// How far receivers of audit events are: per receiver and chain the last event that it has
// acknowledged. `target` is the address from the settings, at most 255 bytes.

/// Takes the target for `hold` if nobody holds it and no pause after a failure is left; or prolongs
/// what `holder` has. False: another daemon sends, or it is too early.
bool hold_target(Connection& connection, const std::string& target, const std::string& holder,
                 std::chrono::seconds hold);

/// Events of a chain that a target lacks.
struct AuditBatch {
    model::TenantId chain{};
    /// Name of the tenant; "" for the installation's chain.
    std::string tenant{};
    std::vector<model::audit::Event> events{};
};

/// What a target lacks.
struct PendingEvents {
    std::vector<AuditBatch> batches{};
    /// The chains in which events are missing between what the target has and what is there.
    /// Nothing more of them is sent: a number once acknowledged is never asked for again.
    std::vector<AuditBatch> broken{};
};

/// At most `limit` events of the first chains, by id, that have some which the target lacks. Only
/// events up to the end of their chain that follow one another: a row that somebody put far ahead
/// does not make those before it count as sent.
PendingEvents pending_events(Connection& connection, const std::string& target, int limit);

/// Notes that the target has the events of these batches. Throws std::logic_error when `holder`
/// lost it meanwhile.
void acknowledge(Connection& connection, const std::string& target, const std::string& holder,
                 const std::vector<AuditBatch>& batches);

/// Gives the target back. With an error it is not tried for `pause`, the longer the more failures
/// came in a row: 1, 2, 4, ... times, at most 64.
void release_target(Connection& connection, const std::string& target, const std::string& holder,
                    const std::string& error, std::chrono::seconds pause);

/// The first number, for a chain, that every one of `targets` has acknowledged; pruning must not
/// go beyond. INT64_MAX without targets.
std::int64_t acknowledged_by_all(Connection& connection, model::TenantId chain,
                                 const std::vector<std::string>& targets);

}  // namespace provisioner::store
