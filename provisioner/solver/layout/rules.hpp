#pragma once

#include <optional>
#include <string>
#include <vector>

#include "provisioner/solver/layout/selection.hpp"
#include "provisioner/solver/layout_problem.hpp"

namespace provisioner::solver {

/// One thing a layout must keep, small enough to be named in a clause.
struct Rule {
    enum class Kind {
        /// Group `group` of must_coexist or cant_coexist.
        together,
        apart,
        /// The types `service` may run on.
        hardware,
        image,
        /// On how many nodes `service` is.
        at_most,
        at_least,
        /// Every machine asked for runs something; and there are no more of them.
        all_machines,
        only_machines
    };

    Kind kind = Kind::together;
    std::size_t group = 0;
    std::string service;

    bool operator==(const Rule&) const = default;
};

/// Whether the rule stands in a template; the number of machines does not.
bool is_of_template(const Rule& rule);

/// What the rules are about. The referred to must outlive it.
struct RuleBook {
    const model::Constraints& constraints;
    const Selection& selection;
    /// Number of nodes asked for.
    int machines = 1;
    /// Nodes that are there already.
    const std::vector<NodeGroup>& present;
};

/// Every rule that can matter to the cluster's services: a rule about absent services, a group of
/// one that must be together, or a bound that binds nothing is left out.
std::vector<Rule> rules_of(const RuleBook& book);

/// The constraints that are left when only `kept` hold.
model::Constraints only(const RuleBook& book, const std::vector<Rule>& kept);

/// The cluster's services a rule speaks of, in the order written.
std::vector<std::string> services_in(const RuleBook& book, const Rule& rule);

/// The rule a node of this kind would break if it had `services` as well; nothing when it may have
/// them, as far as the node alone is concerned; one about services before one about types.
std::optional<Rule> rule_against(const RuleBook& book, const NodeGroup& kind,
                                 const std::vector<std::string>& services);

/// The rule in words as it is written, as a clause: "db and web must not share a node".
std::string written_clause(const RuleBook& book, const Rule& rule);

/// The same with what the rule comes to in this cluster: "db runs only on hardware type large and
/// this cluster can have only small".
std::string clause(const RuleBook& book, const Rule& rule);

/// What a clash of these rules reads like: one sentence when there are few, one for each rule
/// otherwise.
std::vector<std::string> sentences(const RuleBook& book, const std::vector<Rule>& rules);

}  // namespace provisioner::solver
