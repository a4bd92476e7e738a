#pragma once

#include <string>
#include <vector>

#include "provisioner/model/tenants/tenant.hpp"

namespace provisioner::model {

using GroupId = base::Id<struct GroupTag>;

/// Users of a tenant that permissions name together: a row of table user_group. It gives no rights
/// by itself.
struct Group {
    GroupId id{};
    /// Unique in the tenant, case sensitive.
    std::string name{};
    /// At most longest_text bytes; may be empty.
    std::string description{};
    /// Names of its users, sorted.
    std::vector<std::string> members{};
};

}  // namespace provisioner::model
