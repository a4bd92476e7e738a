#pragma once

#include <optional>
#include <string>
#include <vector>

#include "provisioner/base/expected.hpp"
#include "provisioner/solver/layout_problem.hpp"

namespace provisioner::solver {

/// What a request comes to when the template has filled in what it leaves open.
struct Selection {
    /// Names of the cluster's services, sorted, without repeats.
    std::vector<std::string> services;
    /// Names of the types a node may have, sorted, without repeats; never empty.
    std::vector<std::string> hardware_types;
    std::vector<std::string> image_types;
};

/// A request for services, of a new cluster or of one that exists.
struct ServiceRequest {
    /// The services asked for.
    std::vector<std::string> services;
    /// Those the cluster has already; they are not checked against the template again.
    std::vector<std::string> present;
    /// Which check comes first when a service neither exists nor is allowed. Source: Coopr looks
    /// at the template first when a cluster is made, at the catalogue first when services are
    /// added.
    bool existence_first = false;
};

/// The types the nodes of a cluster may have: those asked for or the template's defaults or else
/// all, as far as the template allows them and the provider has them; services are left empty.
base::expected<Selection, Unsatisfiable> usable_types(const LayoutProblem& problem);

/// The first phase: hardware types, image types and services of the new cluster, checked in this
/// order; the first check that fails ends it. Source: the texts are Coopr's own.
base::expected<Selection, Unsatisfiable> select(const LayoutProblem& problem);

/// The services a request comes to, as written: those asked for, or else the template's defaults.
std::vector<std::string> services_asked_for(const LayoutProblem& problem);

/// Whether the template allows the service and the catalogue has it.
bool is_known(const LayoutProblem& problem, const std::string& service);

/// What these services require and neither they nor what they provide is; sorted, without repeats.
std::vector<std::string> missing_requirements(const std::vector<std::string>& services,
                                              const std::vector<model::Service>& catalogue);

/// Why the services cannot be on a cluster of the template together: one is not allowed there, does
/// not exist, lacks what it requires (from asked and present services and what these provide), or
/// conflicts with another. Nothing when all is well. `catalogue` defines asked and present
/// services; a present one it lacks requires nothing.
std::optional<Unsatisfiable> check_services(const model::ClusterTemplate& cluster_template,
                                            const ServiceRequest& request,
                                            const std::vector<model::Service>& catalogue);

}  // namespace provisioner::solver
