#pragma once

#include <vector>

#include "provisioner/solver/explain/explain.hpp"

namespace provisioner::solver {

/// Changes, each of which makes a request possible whose rules clash: another number of machines,
/// another type, a service less, a rule less or a laxer one; each as small as it can be (the
/// smallest number that is enough), and each verified by solving again. When no single change is
/// enough, one of several rules that must go together, none of which could stay. What the user can
/// do comes first, then what the template's author can. Empty when the budget did not suffice.
std::vector<Remedy> remedies_for(const LayoutProblem& problem, const RuleBook& book,
                                 const Clash& clash, Budget& budget);

/// The same for a request that is unsound by its services or types: services to add or to leave
/// out, types to ask for.
std::vector<Remedy> remedies_for(const LayoutProblem& problem, Budget& budget);

}  // namespace provisioner::solver
