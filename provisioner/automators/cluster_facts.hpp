#pragma once

#include "provisioner/automators/automator.hpp"

namespace provisioner::automators {

/// What every tool gets about the cluster under the name "cooperage": action, service, task_id and
/// cluster_id; this node's hostname, nodenum, ipaddresses and services; and `nodes`. The last one
/// holds all nodes by hostname, with nodenum, ipaddresses, services, hardwaretype and imagetype. It
/// is a reference if it is one in the document.
///
/// The cluster's configuration is left out, because each tool takes it in its own way.
base::Json cluster_facts(const AutomatorTask& task, const base::Json& document);

/// The cluster's configuration in the task's document; an empty object if there is none. May hold
/// references.
base::Json cluster_config(const base::Json& document);

/// The member `nodes` of cluster_facts(): an object by hostname, or the reference to one. Empty if
/// there is none. Refers into `facts`, which must outlive it.
const base::Json& nodes_of(const base::Json& facts);

/// What with_strings() does to the names of members.
enum class MemberNames {
    stay,
    /// Those of nested objects are changed, those of the outermost one stay.
    change_below,
    change
};

/// A copy of `json` in which `change` has replaced every string, and names of members as `names`
/// says (where it gives no string for one, the name stays), without the members that `keeps` does
/// not keep (null: it keeps all). References stay references, to values that are changed only when
/// their text is made. `how` names the change: one name means one change for all tasks that share a
/// memo. Shared values must hold no references themselves.
base::Json with_strings(const base::Json& json, SharedValues& shared, const std::string& how,
                        const std::function<base::Json(const std::string&)>& change,
                        bool (*keeps)(const std::string& key) = nullptr,
                        MemberNames names = MemberNames::stay);

}  // namespace provisioner::automators
