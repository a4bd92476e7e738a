#pragma once

#include <optional>
#include <string>
#include <vector>

#include "provisioner/base/expected.hpp"
#include "provisioner/model/catalogue/cluster_template.hpp"
#include "provisioner/model/catalogue/hardware_type.hpp"
#include "provisioner/model/catalogue/image_type.hpp"
#include "provisioner/model/catalogue/service.hpp"

namespace provisioner::solver {

/// Nodes that are alike.
struct NodeGroup {
    std::string hardware_type;
    std::string image_type;
    /// Sorted by name.
    std::vector<std::string> services;
    int count = 0;

    bool operator==(const NodeGroup&) const = default;
};

/// A node of a cluster that runs.
struct PresentNode {
    /// Its nodenum.
    int number = 0;
    std::string hardware_type;
    std::string image_type;
    std::vector<std::string> services;
};

/// Everything a layout depends on, in one value.
struct LayoutProblem {
    model::ClusterTemplate cluster_template;
    /// Name of the provider the machines come from.
    std::string provider;
    /// Number of nodes to lay out, >= 1.
    int machines = 1;
    /// Nodes that are there already and stay as they are; quantities count them, too.
    std::vector<NodeGroup> present{};
    /// What the request asks for; empty services mean the template's defaults, no type the default
    /// or any compatible.
    std::vector<std::string> services;
    std::optional<std::string> hardware_type;
    std::optional<std::string> image_type;
    /// The tenant's catalogue, newest versions.
    std::vector<model::HardwareType> hardware_types;
    std::vector<model::ImageType> image_types;
    std::vector<model::Service> all_services;

    bool operator==(const LayoutProblem&) const = default;
};

/// The solver's answer: groups in preference order; nodes are numbered in this order.
struct ClusterLayout {
    std::vector<NodeGroup> groups;

    bool operator==(const ClusterLayout&) const = default;
};

/// A change that would make a request possible; verified by solving again.
struct Remedy {
    /// Whether the user can do it in the request; else the template must be changed.
    bool is_in_request = true;
    /// What to do, as a sentence: "Ask for 3 machines."
    std::string sentence;

    bool operator==(const Remedy&) const = default;
};

/// Why there is no layout.
struct Unsatisfiable {
    /// Coopr's own text for a request that cannot be laid out (unknown service, requirement not
    /// met, ...), one line per violation; empty when the constraints clash.
    std::string text;
    /// The same for a person: sentences that name the rules that clash.
    std::vector<std::string> reasons;
    /// What would make it possible, what is least of a change first; may be empty.
    std::vector<Remedy> remedies{};
    /// The request's field to blame: "services", "hardwaretype", "imagetype", "provider" or
    /// "numMachines".
    std::string field;
};

/// "Layout solving failed: <text>", or without the text: the cluster message the wire contract
/// knows.
std::string wire_message(const Unsatisfiable& unsatisfiable);

}  // namespace provisioner::solver
