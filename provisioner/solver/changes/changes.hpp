#pragma once

#include <string>
#include <vector>

#include "provisioner/solver/layout/rules.hpp"

namespace provisioner::solver {

/// A request with something changed.
struct Change {
    /// Whether the request was changed; else the template.
    bool is_in_request = true;
    /// What to do: "ask for 3 machines".
    std::string clause;
    LayoutProblem changed;
};

/// With these services asked for and no others; at least one, or the template's defaults come.
LayoutProblem with_services(LayoutProblem problem, const std::vector<std::string>& services);

/// With this hardware or image type (`kind`) asked for.
LayoutProblem with_type(LayoutProblem problem, Rule::Kind kind, const std::string& type);

/// Without these rules of the template.
LayoutProblem without(LayoutProblem problem, const std::vector<Rule>& rules);

/// With this many machines; in the template, too, where its sizes do not allow so many or few.
Change with_machines(const LayoutProblem& problem, int machines);

/// With one type more on which the rule's service may run.
Change with_type_for_service(const LayoutProblem& problem, const Rule& rule,
                             const std::string& type);

/// With another number in an at_most or at_least rule; at_least 0 is no minimum.
Change with_bound(const LayoutProblem& problem, const Rule& rule, int bound);

/// All nodes: those there already and those asked for.
int total_nodes(const LayoutProblem& problem);

}  // namespace provisioner::solver
