#pragma once

#include <set>
#include <string>
#include <vector>

#include "provisioner/providers/cloud/cloud.hpp"
#include "provisioner/providers/google/disks.hpp"

namespace provisioner::providers::google {

/// The network tag of Coopr's machines, which firewall rules of people may name.
inline constexpr auto coopr_tag = "coopr";

/// The body of instances.insert. All disks but those of `existing` (names) are made with the
/// machine and go with it. Machines get no service account of their own. Sources:
/// https://cloud.google.com/compute/docs/reference/rest/v1/instances/insert.
base::Json instance_body(const cloud::Order& order, const std::string& machine,
                         const std::vector<Disk>& disks, const std::set<std::string>& existing);

/// The mark as labels, an object.
base::Json labels_of(const cloud::Mark& mark);

/// Whether the machine is a spot machine (field or setting `spot`): Google may take it back.
bool is_spot(const Account& account, const MachineSpec& spec);

/// The link of `network`: a name or a path of its own, such as one of another project.
std::string network_link(const std::string& network);

/// The filter of listings: everything with the installation's label, and a machine's if `machine`
/// is not empty.
std::string label_filter(const Account& account, const std::string& machine = "");

}  // namespace provisioner::providers::google
