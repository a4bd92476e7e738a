#pragma once

#include "provisioner/automators/automator.hpp"

namespace provisioner::automators {

/// What tools are told about the cluster under the name "cooperage", the same in each of them:
/// action, service, task_id, cluster_id; this node's hostname, nodenum, ipaddresses and services;
/// and nodes, all of them by hostname with nodenum, ipaddresses, services, hardwaretype and
/// imagetype. Without the cluster's configuration, which each tool takes in its own way.
base::Json cluster_facts(const AutomatorTask& task, const base::Json& document);

/// The cluster's configuration in the task's document; an empty object when there is none.
base::Json cluster_config(const base::Json& document);

/// A node's members that cluster_facts() told, by hostname, or the reference to them.
const base::Json& nodes_of(const base::Json& facts);

/// `json` with every string in it replaced by what `change` makes of it, keys excepted; `how` names
/// the change where it is one of a shared value.
base::Json with_strings(const base::Json& json, SharedValues& shared, const std::string& how,
                        const std::function<base::Json(const std::string&)>& change);

}  // namespace provisioner::automators
