#pragma once

#include <chrono>
#include <limits>
#include <utility>
#include <vector>

#include "provisioner/model/catalogue/entity.hpp"

namespace provisioner::model {

/// The maximum of a count that has none. The wire form writes it as this number.
constexpr int no_maximum = std::numeric_limits<int>::max();

/// What a cluster gets when the request does not say otherwise.
struct TemplateDefaults {
    /// Names of services, each once. A create that names no services takes these.
    std::vector<std::string> services;
    /// Name of a provider of the tenant. A create that names no provider needs it.
    std::optional<std::string> provider;
    /// Name of a hardware type. Nothing: the solver chooses among those the provider supports.
    std::optional<std::string> hardware_type;
    /// Name of an image type. Nothing: the solver chooses, as for hardware types.
    std::optional<std::string> image_type;
    /// The end of all host names, such as "example.com"; a leading dot is allowed. Nothing or
    /// empty: "local". See is_default_dns_suffix().
    std::optional<std::string> dns_suffix;
    /// The cluster configuration: an object without null members. It may hold macros, which the
    /// daemon expands for each task.
    base::Json config = base::Json::object();

    bool operator==(const TemplateDefaults&) const = default;
};

/// What may be used; an empty list allows everything.
struct Compatibility {
    /// Names of hardware types.
    std::vector<std::string> hardware_types;
    /// Names of image types.
    std::vector<std::string> image_types;
    /// Names of services; all services of the cluster must be among them.
    std::vector<std::string> services;

    bool operator==(const Compatibility&) const = default;
};

/// A rule about one service: which hardware and image types may carry it (empty = any) and on how
/// many nodes it is.
struct ServiceConstraint {
    std::vector<std::string> hardware_types;
    std::vector<std::string> image_types;
    /// Least number of nodes with the service, if it is on the cluster at all.
    int min = 0;
    /// Greatest number of nodes with the service.
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

/// Most services that a template names in one place.
inline constexpr std::size_t most_services_of_a_template = 1000;
/// Most groups of must_coexist, and of cant_coexist; and most names in all groups of either. As
/// many as 10,000 pairs have.
inline constexpr std::size_t most_groups_of_a_template = 10'000;
inline constexpr std::size_t most_names_in_groups = 20'000;

/// How long a cluster may live; zero is "for ever" (initial, max) or "any amount" (step). Never
/// negative. The checks between the three are in operations/catalogue/edit.cpp.
struct LeaseDuration {
    /// From creation, when the request does not say otherwise.
    std::chrono::milliseconds initial{0};
    /// From creation: no prolongation leads beyond it.
    std::chrono::milliseconds max{0};
    /// The longest single prolongation.
    std::chrono::milliseconds step{0};

    bool operator==(const LeaseDuration&) const = default;
};

/// Services allowed, defaults, constraints and lease of the clusters made from it.
///
/// The same type serves partial templates (those with `immutable`). A template that extends or
/// includes others is stored as written and merged when it is used: see template_family.hpp.
/// cluster_template_fields.hpp describes how all members are read, written and merged.
struct ClusterTemplate {
    EntityHeader header;
    TemplateDefaults defaults;
    Compatibility compatibility;
    Constraints constraints;
    LeaseDuration lease;
    /// Shown with every cluster of the template. Each once, in the order written.
    std::vector<Link> links;
    /// Name of the parent template.
    std::optional<std::string> extends;
    /// Names of partial templates, each once, in the order in which they are merged.
    std::vector<std::string> includes;
    /// Partial templates only: whether what it sets can be replaced by later templates.
    std::optional<bool> immutable;

    bool operator==(const ClusterTemplate&) const = default;
};

/// Reads a cluster template in wire form, all blocks optional; Problems name the member that is
/// wrong, all of them at once. `version` in the input is ignored, and so are unknown members.
base::Checked<ClusterTemplate> cluster_template_from_json(const base::Json& json);

/// A problem for each list that is longer than the limits above. For templates that are saved, and
/// for templates with their parents and partials, which have the entries of all. Reading does not
/// check it: stored templates stay readable.
base::Problems problems_with_amounts(const ClusterTemplate& cluster_template);

/// How many names a template has in its lists and groups: what merging it costs.
std::size_t names_in(const ClusterTemplate& cluster_template);

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
