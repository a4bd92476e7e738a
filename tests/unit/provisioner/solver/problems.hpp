#pragma once

#include <string>
#include <vector>

#include "provisioner/solver/layout/selection.hpp"
#include "provisioner/solver/layout_problem.hpp"

namespace tests {

using Names = std::vector<std::string>;

/// A problem of template "webapp" and provider "cloud", which has medium/centos6 only. The services
/// are the template's defaults, are defined, and have no rules.
provisioner::solver::LayoutProblem a_problem(const Names& services, int machines);

/// Gives the tenant these types, all of which the provider has.
void use_types(provisioner::solver::LayoutProblem& problem, const Names& hardware,
               const Names& images);

/// Lets `service` be on min to max nodes.
void set_quantities(provisioner::model::Constraints& constraints, const std::string& service,
                    int min, int max = provisioner::model::no_maximum);

/// The reference template "reactor-medium" with these types to choose from.
provisioner::solver::LayoutProblem reactor(int machines, const Names& hardware,
                                           const Names& images);

/// The reference template REACTOR2 on 200 machines.
provisioner::solver::LayoutProblem reactor2();

/// The template "hadoop-distributed" with a few of its services.
provisioner::solver::LayoutProblem hadoop(int machines);

/// The template "cdap-distributed" with all services it allows but hive-server2.
provisioner::solver::LayoutProblem cdap(int machines);

/// A small problem with all sorts of rules; the same for the same seed. Many have no layout.
provisioner::solver::LayoutProblem random_problem(unsigned seed);

/// Services of the reference template that belong together.
inline const Names masters{"hbasemaster", "namenode", "resourcemanager"};
inline const Names slaves{"datanode", "nodemanager", "regionserver"};
inline const Names reactor_and_zookeeper{"reactor", "zookeeper"};

/// The selection of a problem that has one; throws std::logic_error otherwise.
provisioner::solver::Selection selection_of(const provisioner::solver::LayoutProblem& problem);

}  // namespace tests
