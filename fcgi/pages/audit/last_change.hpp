#pragma once

#include <optional>
#include <string>

#include "provisioner/base/clock.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/store/database/database.hpp"

namespace fcgi::pages {

/// Who last changed something, and when, for whoever is told that it was changed meanwhile.
struct LastChange {
    std::string user{};
    provisioner::base::Timestamp at{};
    /// The event in the audit log, which shows what was changed.
    std::string href{};
    /// Whether whoever is told did it themselves, in another window.
    bool is_own = false;
};

/// Of what the audit log calls so, in a chain: 0 is the installation's, which superadmins read.
/// Nothing if it tells of no change. `reader` is told.
std::optional<LastChange> last_change_of(provisioner::store::Connection& connection,
                                         provisioner::model::UserId reader,
                                         provisioner::model::TenantId chain,
                                         const std::string& kind, const std::string& name);

/// For views/partials/_last_change: {changed_by, changed, change_href}; null for nothing.
provisioner::base::Json to_json(const std::optional<LastChange>& change,
                                provisioner::base::Timestamp now);

}  // namespace fcgi::pages
