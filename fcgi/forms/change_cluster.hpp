#pragma once

#include <optional>
#include <string>
#include <vector>

#include "provisioner/base/json.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/operations/changes/change.hpp"

namespace fcgi::forms {

/// A change as the operation takes it, or every Problem of the body.
///
/// The functions below read the bodies of the calls that change a cluster's nodes or services. Null
/// stands for an absent body. Every body may have `restart` (default true) and `providerFields` (an
/// object). They check shape only; operations::change_cluster checks the rest.
using ChangeForm = provisioner::base::Checked<provisioner::operations::ChangeCluster>;

/// {"services":[...]}, at least one. Repeated names count once.
ChangeForm add_services(const provisioner::base::Json& json);
/// {"services":[...],"force":false}, at least one service. The operation refuses a service that
/// others need, unless those go with it. `force` skips stopping and removing them on the machines.
ChangeForm remove_services(const provisioner::base::Json& json);

/// {"numMachines":n,"hardwaretype":...,"imagetype":...}. `numMachines` is the number of additional
/// machines and required; the operation checks its range. Without a type the operation takes what
/// the present nodes have in common, else what the template says.
ChangeForm grow_cluster(const provisioner::base::Json& json);

/// {"numMachines":n,"nodes":[...],"force":false,"keep":false}. `numMachines` is the number of
/// machines to remove; `nodes` are node numbers or ids. The operation demands exactly one of them.
/// `force` skips stopping the services first; with `keep` machines stay that a failed job was
/// taking away and that nobody has begun to delete.
ChangeForm shrink_cluster(const provisioner::base::Json& json);

/// {"nodes":[...]}: numbers or ids of the machines whose failed tasks are to run again; nothing for
/// an absent body or an absent member, which stand for all. An empty list is a Problem.
provisioner::base::Checked<std::optional<std::vector<std::string>>> retry_job(
    const provisioner::base::Json& json);

/// An optional body without members of its own. `node` is the number or id in the path.
ChangeForm replace_node(const provisioner::base::Json& json, const std::string& node);

}  // namespace fcgi::forms
