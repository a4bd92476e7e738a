#pragma once

#include <string>
#include <vector>

#include "provisioner/base/json.hpp"

namespace provisioner::operations {

/// The paths of the members of an entry that are not stored, because nothing knows them: "lable",
/// "dependencies.instal", "links.0.ulr". `written` is what was sent, `canonical` what was read of
/// it (canonical_entry). In the order written. Members without a value (null, an empty text, list
/// or object) are passed over: nothing is lost with them. So is the version, which nobody sets.
std::vector<std::string> unknown_members(const base::Json& written, const base::Json& canonical);

}  // namespace provisioner::operations
