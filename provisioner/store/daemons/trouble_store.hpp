#pragma once

#include <string>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

// Troubles of the installation that administrators were told of (table told_trouble): each once,
// and once more when it is over. Written in the transaction that writes the mails.

/// Names a trouble: what is wrong ("provisioner", "queue", "budget"), and with what.
struct TroubleName {
    std::string kind{};
    std::string subject{};

    auto operator<=>(const TroubleName&) const = default;
};

/// Now, by the clock of the database. Provisioners are heard by it, and those whose own clocks
/// differ would tell the opposite of one another, again and again.
base::Timestamp moment_of_troubles(Connection& connection);

/// Those that were told and are not over, by name.
std::vector<TroubleName> list_told_troubles(Connection& connection);

/// Notes that a trouble is told; false if it was already, also by another daemon at this moment.
bool note_trouble(Connection& connection, const TroubleName& trouble);

/// Notes that it is over; false if it was already.
bool forget_trouble(Connection& connection, const TroubleName& trouble);

/// Who is told, and where.
struct TroubleReader {
    model::UserId user{};
    std::string address{};
    /// The tenant that they administer; empty for superadmins.
    std::string tenant{};
};

/// Superadmins and administrators of tenants with a confirmed address who want these mails and are
/// not locked, by id.
std::vector<TroubleReader> list_trouble_readers(Connection& connection);

}  // namespace provisioner::store
