#pragma once

#include <boost/dynamic_bitset.hpp>
#include <optional>
#include <string>
#include <vector>

#include "provisioner/solver/layout/selection.hpp"
#include "provisioner/solver/layout_problem.hpp"

namespace provisioner::solver {

/// Sets by index: of units into Units::units, of machines into KindRules::machines. Bit sets make
/// the search's inner tests a few machine words long.
using UnitSet = boost::dynamic_bitset<>;
using MachineSet = boost::dynamic_bitset<>;

/// Services that always come together: a node has all of them or none. Must-coexist groups that
/// overlap form one unit. A service in no such group is a unit of its own.
struct Unit {
    /// Sorted by name; never empty.
    std::vector<std::string> services;
    /// Least and greatest number of nodes with the unit: the narrowest bounds of its services.
    /// `max` below 1 means that no node can have it.
    long min = 0;
    long max = model::no_maximum;

    bool operator==(const Unit&) const = default;
};

/// The services of a cluster as the search sees them.
struct Units {
    /// In ascending order of their first services.
    std::vector<Unit> units;
    /// The unconstrained services, which are on every node. Sorted; may be empty.
    std::vector<std::string> everywhere;
};

/// A hardware type and an image type that a node may have together.
struct Machine {
    std::string hardware_type;
    std::string image_type;

    bool operator==(const Machine&) const = default;
};

/// Types to prefer, best first. A type that is not listed comes after all listed ones. Without a
/// list all types rank the same. Coopr's semantics include such lists; templates here have none, so
/// only tests pass any.
struct Preferences {
    std::optional<std::vector<std::string>> hardware_types;
    std::optional<std::vector<std::string>> image_types;
};

/// The rules about single nodes, translated to indices. kind_rules() makes it once per search, and
/// the search only reads it.
struct KindRules {
    Units units;
    /// Every pair of a usable hardware type and a usable image type, preferred pairs first.
    std::vector<Machine> machines;
    /// By machine: the units it can carry.
    std::vector<UnitSet> carries;
    /// By unit: the machines that can carry it; the transpose of `carries`.
    std::vector<MachineSet> carriers;
    /// By unit: the units it can never share a node with, by rule or for lack of a common machine.
    /// Symmetric.
    std::vector<UnitSet> conflicts;
    /// Groups of three or more units that must not all be on one node; smaller parts may.
    std::vector<UnitSet> larger_conflicts;

    /// An empty set of the right size.
    [[nodiscard]] UnitSet none() const { return UnitSet(units.units.size()); }

    /// Whether a node with the units of `set`, which keep the rules, may have `unit` too. Does not
    /// check machines.
    [[nodiscard]] bool may_join(std::size_t unit, const UnitSet& set) const;
};

/// Whether `a` comes before `b`: by rank of hardware type, rank of image type, then by both names.
bool is_preferred(const Machine& a, const Machine& b, const Preferences& preferences);

/// Groups the services of a cluster into units and unconstrained services. `services` may be
/// unsorted.
Units group_services(const model::Constraints& constraints,
                     const std::vector<std::string>& services);

/// The rules for nodes of a cluster with the selected services and types. Looks at every pair of
/// units, and at every pair of a unit and a machine.
KindRules kind_rules(const model::Constraints& constraints, const Selection& selection,
                     const Preferences& preferences = {});

/// The work of kind_rules(), in the units of Budget, before it is done.
long work_of_kind_rules(const model::Constraints& constraints, const Selection& selection);

/// Machine words of a set of `size` members, and one for the call.
constexpr long words_of(long size) {
    return 1 + size / 64;
}

/// Names of the services of a node with these units, sorted. Includes the unconstrained services.
std::vector<std::string> services_of(const Units& units, const UnitSet& set);

}  // namespace provisioner::solver
