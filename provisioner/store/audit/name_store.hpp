#pragma once

#include <optional>
#include <string>
#include <vector>

#include "provisioner/store/audit/audit_store.hpp"

namespace provisioner::store {

// What the events of the audit log name, read from the indexes of audit_event.

/// What the events of a chain are about, each word once and sorted; at most 300 of each.
struct AuditWords {
    /// "cluster.create", "sign-in.refused".
    std::vector<std::string> actions{};
    /// "cluster", "user".
    std::vector<std::string> object_kinds{};
};

/// Read from the indexes of audit_event: as many steps as there are words, however many events.
AuditWords audit_words(Connection& connection, model::TenantId chain);

/// Most names that a part of a name stands for.
constexpr int most_names_of_part = 50;

/// What a part of a name stands for in the audit log.
struct NamesOfPart {
    /// Sorted, at most most_names_of_part.
    std::vector<std::string> names{};
    /// Whether there are more.
    bool has_more = false;
};

/// The names of objects, and of users, in the events of a chain that have `part` in them; capital
/// and small letters are the same. Without a chain: of all chains. Read from an index of
/// audit_event: as many steps as it has different names, however many events.
NamesOfPart object_names_with(Connection& connection, const std::optional<model::TenantId>& chain,
                              const std::string& part);
NamesOfPart user_names_with(Connection& connection, const std::optional<model::TenantId>& chain,
                            const std::string& part);

}  // namespace provisioner::store
