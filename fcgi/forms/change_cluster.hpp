#pragma once

#include <string>

#include "provisioner/base/json.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/operations/changes/change.hpp"

namespace fcgi::forms {

using ChangeForm = provisioner::base::Checked<provisioner::operations::ChangeCluster>;

/// Reads the bodies of operations that change which nodes or services a cluster has. All may have
/// `restart` (true when absent) and `providerFields`.

/// {"services":[...]}, at least one.
ChangeForm add_services(const provisioner::base::Json& json);
ChangeForm remove_services(const provisioner::base::Json& json);

/// {"numMachines":n,"hardwaretype":...,"imagetype":...}: how many more; the types may be absent.
ChangeForm grow_cluster(const provisioner::base::Json& json);

/// {"numMachines":n} or {"nodes":[numbers or ids]}, and "force".
ChangeForm shrink_cluster(const provisioner::base::Json& json);

/// An optional body; null stands for none. `node` is its number or id.
ChangeForm replace_node(const provisioner::base::Json& json, const std::string& node);

}  // namespace fcgi::forms
