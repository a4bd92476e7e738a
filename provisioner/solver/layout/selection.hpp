#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "provisioner/base/expected.hpp"
#include "provisioner/solver/layout_problem.hpp"

namespace provisioner::solver {

/// The services and types of a request after the template has filled in what the request leaves
/// open.
struct Selection {
    /// Names of the cluster's services, sorted, without repeats. usable_types() leaves them empty.
    std::vector<std::string> services;
    /// Names of the types a node may have, sorted, without repeats; never empty.
    std::vector<std::string> hardware_types;
    std::vector<std::string> image_types;
};

/// Input of check_services(): services for a new cluster, or for one that exists.
struct ServiceRequest {
    /// The services asked for. Repeats are ignored.
    std::vector<std::string> services;
    /// Services the cluster has already. Their existence and compatibility are not checked again.
    std::vector<std::string> present;
    /// Which check wins for a service that neither exists nor is allowed. Source: Coopr checks the
    /// template first when it creates a cluster, and the catalogue first when it adds services.
    bool existence_first = false;
};

/// The types that new nodes may have. Candidates are the type asked for, else the template's
/// default, else all. A candidate needs the template's permission and a setting for the provider
/// ("flavor", "image"). Refused when no hardware type or no image type remains.
base::expected<Selection, Unsatisfiable> usable_types(const LayoutProblem& problem);

/// First phase of solve(): hardware types, image types, then services. The first failing check ends
/// it. Source: the texts are Coopr's own.
base::expected<Selection, Unsatisfiable> select(const LayoutProblem& problem);

/// The services asked for, else the template's defaults; as written, so unsorted and with repeats.
std::vector<std::string> services_asked_for(const LayoutProblem& problem);

/// Whether the template allows the service and the catalogue defines it.
bool is_known(const LayoutProblem& problem, const std::string& service);

/// Each requirement of these services that none of them is or provides, with the service that has
/// it, as (service, requirement). Covers install and runtime requirements. In the order of the
/// services and of their requirements, without repeats.
std::vector<std::pair<std::string, std::string>> unmet_requirements(
    const std::vector<std::string>& services, const std::vector<model::Service>& catalogue);

/// The names among them, sorted, without repeats.
std::vector<std::string> missing_requirements(const std::vector<std::string>& services,
                                              const std::vector<model::Service>& catalogue);

/// The services and all their requirements that the catalogue defines, direct or not. The given
/// ones come first, in their order. A requirement that several services meet is met by the first of
/// them.
std::vector<std::string> with_requirements(std::vector<std::string> services,
                                           const std::vector<model::Service>& catalogue);

/// Why the services cannot be on a cluster of the template together; nothing when they can.
///
/// Checks, in order: existence and compatibility of the services asked for; requirements of all;
/// conflicts among all. A requirement is met by a service of that name or by one that provides it.
/// `catalogue` defines asked and present services. A present service without a definition requires
/// nothing and conflicts with nothing.
std::optional<Unsatisfiable> check_services(const model::ClusterTemplate& cluster_template,
                                            const ServiceRequest& request,
                                            const std::vector<model::Service>& catalogue);

/// Why a cluster cannot be left with `staying` alone: a sentence for each requirement that would
/// not be met. Nothing when all are. A service without a definition requires nothing.
std::optional<Unsatisfiable> check_removal(const std::vector<std::string>& staying,
                                           const std::vector<model::Service>& catalogue);

}  // namespace provisioner::solver
