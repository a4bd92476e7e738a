#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "provisioner/solver/budget.hpp"
#include "provisioner/solver/layout_problem.hpp"
#include "provisioner/solver/selection.hpp"

namespace provisioner::solver {

/// A set of units; bit i is unit i.
using UnitSet = std::uint64_t;

/// One bit stays free for the search's own use.
constexpr std::size_t max_units = 63;

/// Services that are always together: a node has all of them or none, because must-coexist groups
/// tie them.
struct Unit {
    /// Sorted.
    std::vector<std::string> services;
    /// On how many nodes it must and may be: the narrowest of its services' quantities.
    int min = 0;
    int max = model::no_maximum;

    bool operator==(const Unit&) const = default;
};

/// The services of a cluster as the search sees them.
struct Units {
    /// In the order of their first services.
    std::vector<Unit> units;
    /// The unconstrained services, which are on every node. Sorted.
    std::vector<std::string> everywhere;
};

/// Hardware and image type of a node.
struct Machine {
    std::string hardware_type;
    std::string image_type;

    bool operator==(const Machine&) const = default;
};

/// Types to prefer, best first; a type that is not in a list comes after those in it. Without a
/// list all are equal.
struct Preferences {
    std::optional<std::vector<std::string>> hardware_types;
    std::optional<std::vector<std::string>> image_types;
};

/// A kind of node: a set of units and the machine that carries it.
struct NodeLayout {
    UnitSet units = 0;
    /// Number of services on the node, those that are everywhere included.
    int services = 0;
    /// Index into Candidates::machines.
    std::size_t machine = 0;
};

/// The kinds of node a cluster may be made of.
struct Candidates {
    Units units;
    /// Every pair of usable types, preferred ones first.
    std::vector<Machine> machines;
    /// Best first: more services, then the preferred machine, then the service names in order. One
    /// per set of services.
    std::vector<NodeLayout> layouts;
    /// False if the budget ran out or there are more than max_units units; then `layouts` is not
    /// all of them.
    bool complete = true;
};

/// Whether `a` is preferred to `b`: rank of the hardware type, rank of the image type, then their
/// names.
bool is_preferred(const Machine& a, const Machine& b, const Preferences& preferences);

/// Joins the services of a cluster to units.
Units group_services(const model::Constraints& constraints,
                     const std::vector<std::string>& services);

/// Sorted names of the services of a node with `units`.
std::vector<std::string> services_of(const Units& units, UnitSet set);

/// All kinds of node that keep the rules about single nodes, in order of preference. A step is a
/// set looked at, complete or not; the sets are grown unit by unit and given up as soon as they
/// break a rule.
Candidates find_candidates(const model::Constraints& constraints, const Selection& selection,
                           const Preferences& preferences, Budget& budget);

}  // namespace provisioner::solver
