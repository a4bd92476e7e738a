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
    /// Those of the newest events first, at most most_names_of_part.
    std::vector<std::string> names{};
    /// Whether there are more.
    bool has_more = false;
};

/// Which names in the events are looked for.
struct NameFilter {
    /// Nothing: all chains.
    std::optional<model::TenantId> chain{};
    /// What the names have in them; capital and small letters are the same.
    std::string part{};
    /// Names of objects of this kind; empty: of all kinds.
    std::string object_kind{};
    /// Names with an event since then.
    std::optional<base::Timestamp> from{};
};

/// The names of objects, and of users, in events. Read from an index of audit_event: as many steps
/// as it has different names, however many events, and one event for each name that is found. Only
/// for an object of several kinds more than one may be read.
NamesOfPart object_names_with(Connection& connection, const NameFilter& filter);
/// The kind of objects does not matter.
NamesOfPart user_names_with(Connection& connection, const NameFilter& filter);

}  // namespace provisioner::store
