#pragma once

#include <vector>

#include "provisioner/model/hardware_type.hpp"
#include "provisioner/model/image_type.hpp"
#include "provisioner/model/node.hpp"
#include "provisioner/operations/prepare_cluster.hpp"

namespace provisioner::operations {

/// The tenant's catalogue of machines, newest versions.
struct MachineTypes {
    std::vector<model::HardwareType> hardware;
    std::vector<model::ImageType> image;
};

/// Reads it.
MachineTypes machine_types(store::Connection& connection, model::TenantId tenant);

/// A new node as it is stored: `cluster` gives number, name, DNS suffix, provider and the
/// definitions of its services, `preview` the rest.
model::Node node_row(const model::Cluster& cluster, const NodePreview& preview,
                     const MachineTypes& types);

}  // namespace provisioner::operations
