#pragma once

#include <vector>

#include "fcgi/app.hpp"
#include "provisioner/model/machines/unknown_machine.hpp"

namespace fcgi::pages {

/// Machines no node has and the accounts they are looked for in: views/machines/unknown. A
/// machine whose account is none of `accounts` is shown under the words for that account alone.
struct UnknownMachinesPage {
    /// So many are shown, the others counted.
    static constexpr int most_machines = 500;

    std::vector<provisioner::model::ProviderAccount> accounts{};
    std::vector<provisioner::model::UnknownMachine> machines{};
    /// How many there are.
    std::int64_t count = 0;
    provisioner::base::Timestamp now{};
};

provisioner::base::Json to_json(const UnknownMachinesPage& page);

/// GET /unknown-machines: machines that are there although no node has them, and the accounts that
/// are looked through for them. Admins see their tenant's, superadmins all.
http::Response list_unknown_machines(const http::Request& request, const auth::Visitor& visitor,
                                     App& app);

}  // namespace fcgi::pages
