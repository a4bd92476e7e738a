#pragma once

#include <string>
#include <vector>

#include "provisioner/solver/layout/rules.hpp"

namespace provisioner::solver {

/// A copy of a problem with one thing changed, and the words for that change. remedies.cpp tries
/// changes and turns those that work into remedies.
struct Change {
    /// True: the request was changed. False: the template was.
    bool is_in_request = true;
    /// An instruction without capital and full stop: "ask for 3 machines".
    std::string clause;
    /// The problem after the change. Its other parts equal the original's.
    LayoutProblem changed;
    /// The change of the template, see Remedy::changes.
    std::vector<TemplatePart> parts{};
};

/// The problem with exactly these services asked for. An empty list asks for the template's
/// defaults.
LayoutProblem with_services(LayoutProblem problem, const std::vector<std::string>& services);

/// The problem with `type` asked for. `kind` is Kind::hardware or Kind::image.
LayoutProblem with_type(LayoutProblem problem, Rule::Kind kind, const std::string& type);

/// The problem without these template rules. Groups are emptied, not erased, so the indices in
/// other rules stay valid. Throws std::logic_error for a rule about the number of machines.
LayoutProblem without(LayoutProblem problem, const std::vector<Rule>& rules);

/// The problem with this many new machines. Where the template's size limits forbid the total, the
/// change moves that limit too. It then counts as a change of the template.
Change with_machines(const LayoutProblem& problem, int machines);

/// The problem with one more type allowed for the rule's service. `rule` is of kind hardware or
/// image. Throws std::logic_error when the service has no entry in the constraints.
Change with_type_for_service(const LayoutProblem& problem, const Rule& rule,
                             const std::string& type);

/// The problem with another number in an at_most or at_least rule. `bound` 0 in an at_least rule
/// drops the minimum. Throws std::logic_error when the service has no entry in the constraints.
Change with_bound(const LayoutProblem& problem, const Rule& rule, int bound);

/// The rule of a template by content. `rule` must not be one about the number of machines.
TemplatePart part_of(const model::Constraints& constraints, const Rule& rule);

/// A change of a template's size to these limits, both: one that says both replaces all that its
/// parents say. `most` may be no_maximum, which needs no part.
std::vector<TemplatePart> parts_of_size(int least, int most);

/// Number of nodes after the request: present nodes plus machines asked for.
int total_nodes(const LayoutProblem& problem);

}  // namespace provisioner::solver
