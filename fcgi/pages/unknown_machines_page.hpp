#pragma once

#include <vector>

#include "provisioner/model/unknown_machine.hpp"

namespace fcgi::pages {

/// Machines no node has and the accounts they are looked for in: views/unknown_machines/index. A
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

}  // namespace fcgi::pages
