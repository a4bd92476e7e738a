#pragma once

#include <map>
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
    /// Unknown machines on a page, and lost ones.
    static constexpr int most_machines = 50;
    /// Lost machines that are read; the page says if there are more.
    static constexpr int most_lost = 1000;

    /// The accounts the viewer may see, in the order of their sections.
    std::vector<provisioner::model::ProviderAccount> accounts{};
    /// Those of the page, by account and id, at most most_machines.
    std::vector<provisioner::model::UnknownMachine> machines{};
    /// Machines of nodes that are not there any more, by cluster and number; at most
    /// most_lost + 1. The page chooses.
    std::vector<provisioner::model::LostMachine> lost{};
    /// Number of all unknown machines the viewer may see, and of those of each account that has
    /// some.
    std::int64_t count = 0;
    std::map<provisioner::model::ProviderAccountId, std::int64_t> counts{};
    /// Which page of unknown and of lost machines, from 1.
    std::size_t page = 1;
    std::size_t lost_page = 1;
    /// Whether the viewer may replace lost machines.
    bool may_replace = true;
    /// Providers of the viewer's tenant, whose accounts may be of the whole installation.
    std::size_t providers = 0;
    /// Whether the viewer may add one.
    bool may_add = false;
    /// The time that "3 minutes ago" refers to.
    provisioner::base::Timestamp now{};
};

/// A section for each account; behind the first page only for those whose machines are on it. An
/// address that appears under several types in a row is listed once.
provisioner::base::Json to_json(const UnknownMachinesPage& page);

/// GET /unknown-machines, with the pages "page" and "lost". Admins see their tenant's machines and
/// accounts, superadmins all. One read transaction. Browsers without scripts load the page again
/// every 30 seconds.
http::Response list_unknown_machines(const http::Request& request, const auth::Visitor& visitor,
                                     App& app);

}  // namespace fcgi::pages
