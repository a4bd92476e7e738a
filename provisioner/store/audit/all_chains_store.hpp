#pragma once

#include <optional>
#include <string>
#include <vector>

#include "provisioner/store/audit/name_store.hpp"

namespace provisioner::store {

// The events of all chains as one log, for superadmins.

/// A place in that log: behind this event.
struct AuditPlace {
    base::Timestamp at{};
    model::TenantId chain{};
    std::int64_t number = 0;

    auto operator<=>(const AuditPlace&) const = default;
};

AuditPlace place_of(const model::audit::Event& event);

/// At most `limit` matching events of all chains behind `before` (nothing: from the newest on), the
/// newest first; of one moment by chain and number, the greatest first. AuditFilter::chain does not
/// matter. `has_documents` is that of list_events().
///
/// Asks chain by chain with list_events(), whose statements are served by the indexes of
/// audit_event, which all begin with the chain: at most `limit` events of each are read, however
/// many there are. It begins with the chain that has the newest event and ends at the first whose
/// newest event is older than all that were found. Without a filter that are few chains, with a
/// filter that matches rarely all of them: two to four short statements for each tenant.
std::vector<model::audit::Event> list_events_of_all(Connection& connection, AuditFilter filter,
                                                    const std::optional<AuditPlace>& before,
                                                    int limit, bool has_documents = true);

/// What the events of all chains are about. As many steps in the indexes as there are words in each
/// chain.
AuditWords audit_words_of_all(Connection& connection);

/// The log of a tenant.
struct AuditLog {
    model::TenantId chain{};
    std::string tenant{};
    /// The id that the API shows. It names a deleted tenant, whose name another may have.
    std::string uid{};
    bool is_deleted = false;

    /// What chain_of() finds it by.
    const std::string& word() const { return is_deleted ? uid : tenant; }
};

/// Those of the tenants that are there and of the deleted ones that have one, by name.
std::vector<AuditLog> list_logs(Connection& connection);

}  // namespace provisioner::store
