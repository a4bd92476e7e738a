#pragma once

#include <string>
#include <vector>

#include "provisioner/model/clusters/cluster.hpp"

namespace provisioner::model {

/// A provider as the engine logs in to it: its fields with every secret opened. Never stored, never
/// shown.
struct Account {
    TenantId tenant;
    /// The provider's name in the tenant's catalogue.
    std::string provider;
    std::string provider_type;
    /// The provider's own with those given for a cluster over them.
    base::Json fields = base::Json::object();
    /// The texts in `fields` that nobody may see.
    std::vector<std::string> secrets;
    /// The id of this installation: what marks machines in the account as its.
    std::string installation;
};

}  // namespace provisioner::model
