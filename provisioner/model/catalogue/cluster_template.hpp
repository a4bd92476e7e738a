#pragma once

#include <chrono>
#include <limits>
#include <utility>
#include <vector>

#include "provisioner/model/catalogue/entity.hpp"

namespace provisioner::model {

constexpr int no_maximum = std::numeric_limits<int>::max();

/// What a cluster gets when the request does not say otherwise.
struct TemplateDefaults {
    std::vector<std::string> services;
    std::optional<std::string> provider;
    std::optional<std::string> hardware_type;
    std::optional<std::string> image_type;
    std::optional<std::string> dns_suffix;
    /// The cluster configuration; an object, may hold macros.
    base::Json config = base::Json::object();

    bool operator==(const TemplateDefaults&) const = default;
};

/// What may be used; an empty list allows everything.
struct Compatibility {
    std::vector<std::string> hardware_types;
    std::vector<std::string> image_types;
    std::vector<std::string> services;

    bool operator==(const Compatibility&) const = default;
};

/// A rule about one service: which hardware and image types may carry it (empty = any) and on how
/// many nodes it is.
struct ServiceConstraint {
    std::vector<std::string> hardware_types;
    std::vector<std::string> image_types;
    int min = 0;
    int max = no_maximum;

    bool operator==(const ServiceConstraint&) const = default;
};

/// The rules a layout must keep.
struct Constraints {
    /// Groups of services of which a node has all (of those on the cluster) or none.
    std::vector<std::vector<std::string>> must_coexist;
    /// Groups of services of which a node must not have all.
    std::vector<std::vector<std::string>> cant_coexist;
    /// By service name, in the order written.
    std::vector<std::pair<std::string, ServiceConstraint>> services;
    /// Number of nodes.
    int size_min = 1;
    int size_max = no_maximum;

    bool operator==(const Constraints&) const = default;
};

/// How long a cluster may live; zero is "for ever" (initial, max) or "any amount" (step).
struct LeaseDuration {
    std::chrono::milliseconds initial{0};
    std::chrono::milliseconds max{0};
    std::chrono::milliseconds step{0};

    bool operator==(const LeaseDuration&) const = default;
};

/// Services allowed, defaults, constraints and lease of the clusters made from it.
struct ClusterTemplate {
    EntityHeader header;
    TemplateDefaults defaults;
    Compatibility compatibility;
    Constraints constraints;
    LeaseDuration lease;
    std::vector<Link> links;
    std::optional<std::string> extends;
    std::vector<std::string> includes;
    /// Partial templates only: whether what it sets can be replaced by later templates.
    std::optional<bool> immutable;

    bool operator==(const ClusterTemplate&) const = default;
};

/// Reads a cluster template in wire form, all blocks optional; Problems name the member that is
/// wrong.
base::Checked<ClusterTemplate> cluster_template_from_json(const base::Json& json);

/// Reads a partial template: the same members without extends and includes, and `immutable`, which
/// is required.
base::Checked<ClusterTemplate> partial_template_from_json(const base::Json& json);

/// The wire form with every block filled in; that of a partial template when `immutable` is set.
base::Json to_json(const ClusterTemplate& cluster_template);

/// The members `defaults` and `compatibility` of that form.
base::Json to_json(const TemplateDefaults& defaults);
base::Json to_json(const Compatibility& compatibility);

/// The constraint on `service`; null when there is none.
const ServiceConstraint* constraint_on(const Constraints& constraints, const std::string& service);

}  // namespace provisioner::model
