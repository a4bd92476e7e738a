#pragma once

#include <vector>

#include "fcgi/app.hpp"
#include "provisioner/model/machines/lost_machine.hpp"
#include "provisioner/model/machines/unknown_machine.hpp"

namespace fcgi::pages {

/// Machines that no node has, grouped by the provider account they are in: views/machines/unknown.
///
/// Every account has a section, also one without machines. A person then sees which accounts were
/// searched and which could not be listed. A machine whose account is not in `accounts` gets a
/// section with the details its own row has.
struct UnknownMachinesPage {
    /// Most machines shown; the page counts the others.
    static constexpr int most_machines = 500;

    /// The accounts the viewer may see, in the order of their sections.
    std::vector<provisioner::model::ProviderAccount> accounts{};
    /// By id, at most most_machines.
    std::vector<provisioner::model::UnknownMachine> machines{};
    /// Machines of nodes that are not there any more, by cluster and number; at most
    /// most_machines.
    std::vector<provisioner::model::LostMachine> lost{};
    /// Number of all unknown machines the viewer may see.
    std::int64_t count = 0;
    /// Providers of the viewer's tenant, whose accounts may be of the whole installation.
    std::size_t providers = 0;
    /// Whether the viewer may add one.
    bool may_add = false;
    /// The time that "3 minutes ago" refers to.
    provisioner::base::Timestamp now{};
};

/// A section for each account. An address that appears under several types in a row is listed once.
/// `more` is the number of machines not shown, null for none.
provisioner::base::Json to_json(const UnknownMachinesPage& page);

/// GET /unknown-machines. Admins see their tenant's machines and accounts, superadmins all. One
/// read transaction. Browsers without scripts load the page again every 30 seconds.
http::Response list_unknown_machines(const http::Request& request, const auth::Visitor& visitor,
                                     App& app);

}  // namespace fcgi::pages
