#pragma once

#include <boost/dynamic_bitset.hpp>
#include <optional>
#include <string>
#include <vector>

#include "provisioner/solver/layout/selection.hpp"
#include "provisioner/solver/layout_problem.hpp"

namespace provisioner::solver {

/// A set of units or of machines, by index.
using UnitSet = boost::dynamic_bitset<>;
using MachineSet = boost::dynamic_bitset<>;

/// Services that are always together: a node has all of them or none, because must-coexist groups
/// tie them.
struct Unit {
    /// Sorted.
    std::vector<std::string> services;
    /// On how many nodes it must and may be: the narrowest of its services' quantities. No node can
    /// have it when `max` is 0.
    long min = 0;
    long max = model::no_maximum;

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

/// Which kinds of node a cluster may have: the rules about single nodes, by index.
struct KindRules {
    Units units;
    /// Every pair of usable types, preferred ones first.
    std::vector<Machine> machines;
    /// By machine: the units it can carry; and by unit: the machines that can.
    std::vector<UnitSet> carries;
    std::vector<MachineSet> carriers;
    /// By unit: the units it can never share a node with, whatever else is on it.
    std::vector<UnitSet> shuns;
    /// Groups of three or more units that must not all be on one node.
    std::vector<UnitSet> crowds;

    /// A set of no units.
    [[nodiscard]] UnitSet none() const { return UnitSet(units.units.size()); }

    /// Whether a node with `set` (that keeps the rules) may have `unit` as well, as far as the
    /// other units are concerned.
    [[nodiscard]] bool may_join(std::size_t unit, const UnitSet& set) const;
};

/// Whether `a` is preferred to `b`: rank of the hardware type, rank of the image type, then their
/// names.
bool is_preferred(const Machine& a, const Machine& b, const Preferences& preferences);

/// Joins the services of a cluster to units.
Units group_services(const model::Constraints& constraints,
                     const std::vector<std::string>& services);

/// The rules about the nodes of a cluster of the selected services.
KindRules kind_rules(const model::Constraints& constraints, const Selection& selection,
                     const Preferences& preferences = {});

/// Sorted names of the services of a node with the units of `set`.
std::vector<std::string> services_of(const Units& units, const UnitSet& set);

}  // namespace provisioner::solver
