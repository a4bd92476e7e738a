#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "provisioner/inventory/choice.hpp"
#include "provisioner/inventory/inventory.hpp"
#include "provisioner/model/machines/machine_lease.hpp"
#include "provisioner/providers/provider.hpp"

namespace provisioner::providers::existing {

/// What the fields of a provider of existing machines say.
struct Fields {
    std::vector<inventory::ListedMachine> machines;
    std::string spread_by;
};

/// What is to be done with a machine that is given back.
struct Cleaning {
    /// Empty: there is none.
    std::string script;
    std::chrono::seconds limit{3600};
    /// Whether machines go to the next node as they are.
    bool reuses_without_wiping = false;
};

/// The machines of the account, checked; all problems at once.
base::Checked<Fields> fields_of(const Account& account, inventory::Rules rules);
/// How the account's machines are cleaned; all problems at once.
base::Checked<Cleaning> cleaning_of(const Account& account);

/// What the node needs, from hardware and image type: flavor, image and the words of `tags`.
inventory::Wanted wanted_of(const MachineSpec& spec);
/// A wish for one of the machines that fit.
model::LeaseWish wish_of(const Account& account, const MachineSpec& spec, const Fields& fields);

/// A lease's machine as it was listed.
base::Json to_json(const inventory::ListedMachine& machine);
inventory::ListedMachine listed_machine(const model::MachineLease& lease);
/// By what a tenant's machine may be known (model::LeaseCandidate): each thing that is listed, for
/// the installation and for the tenant.
std::vector<std::string> identities_of(const inventory::ListedMachine& machine,
                                       model::TenantId tenant);
/// What a login to the machine has proven that was shown this key.
std::vector<std::string> proven_by_login(const inventory::ListedMachine& machine,
                                         const std::string& host_key);
/// What an answer of the machine's controller to the account has proven.
std::vector<std::string> proven_by_controller(const inventory::ListedMachine& machine);
/// Notes at a machine as it was listed that a script wipes it.
void mark_as_wiped_by_script(base::Json& listed);
bool is_wiped_by_script(const model::MachineLease& lease);

/// The provider's id of a leased machine: "rack7-1#17".
std::string id_of(const model::MachineLease& lease);
/// Why no machine can be had now.
std::string sentence_about(const model::NoneFree& none);
/// The key that a first login pinned, from the node's results; empty without one.
std::string pinned_host_key(const base::Json& results);

}  // namespace provisioner::providers::existing
