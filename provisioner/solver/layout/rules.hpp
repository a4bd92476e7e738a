#pragma once

#include <optional>
#include <string>
#include <vector>

#include "provisioner/solver/layout/selection.hpp"
#include "provisioner/solver/layout_problem.hpp"

namespace provisioner::solver {

/// One constraint of a layout, small enough to be named in a clause of an explanation.
struct Rule {
    /// What the rule demands. Only some members of Rule matter for each kind.
    enum class Kind {
        /// Group number `group` of must_coexist, or of cant_coexist.
        together,
        apart,
        /// The types that `service` may run on.
        hardware,
        image,
        /// The number of nodes with `service`.
        at_most,
        at_least,
        /// Every machine asked for runs something; and no more machines than asked for exist. These
        /// two belong to the request, not to the template.
        all_machines,
        only_machines
    };

    Kind kind = Kind::together;
    /// Index of the group; only for together and apart.
    std::size_t group = 0;
    /// Name of the service; only for kinds about one service.
    std::string service;

    bool operator==(const Rule&) const = default;
};

/// Whether the rule comes from the template; false for the rules about the number of machines.
bool is_of_template(const Rule& rule);

/// "hardware" or "image". Only for the kinds about types.
std::string noun_of(Rule::Kind kind);

/// Everything the words of a rule depend on. It refers to its sources, which must outlive it.
struct RuleBook {
    /// The constraints of the template; rules refer to their groups by index.
    const model::Constraints& constraints;
    /// The services and usable types of the request, sorted.
    const Selection& selection;
    /// Number of new nodes asked for.
    int machines = 1;
    /// Nodes that exist already; empty for a new cluster.
    const std::vector<NodeGroup>& present;
};

/// Every rule that can matter to the cluster's services: types, groups, quantities, then machines.
/// Left out are rules about absent services, must-coexist groups with one present member, and
/// bounds that bind nothing. Both machine rules always come last.
std::vector<Rule> rules_of(const RuleBook& book);

/// The constraints that contain nothing but `kept`. Machine rules have no counterpart there and are
/// dropped.
model::Constraints only(const RuleBook& book, const std::vector<Rule>& kept);

/// The services of the cluster that a rule mentions, without repeats, in the order written. Empty
/// for machine rules.
std::vector<std::string> services_in(const RuleBook& book, const Rule& rule);

/// The first rule that a node of this kind breaks with `services` added; nothing when it may have
/// them. Group rules come before type rules. Quantities are not looked at.
std::optional<Rule> rule_against(const RuleBook& book, const NodeGroup& kind,
                                 const std::vector<std::string>& services);

/// The rule as the template states it, as a clause: "db and web must not share a machine".
std::string written_clause(const RuleBook& book, const Rule& rule);

/// The clause with its meaning for this cluster: "db runs only on hardware type large and this
/// cluster can have only small". With present nodes, a quantity also states the current number.
std::string clause(const RuleBook& book, const Rule& rule);

/// A clash in words: one sentence for up to five rules, else one sentence per rule. Demands come
/// before limits.
std::vector<std::string> sentences(const RuleBook& book, const std::vector<Rule>& rules);

}  // namespace provisioner::solver
