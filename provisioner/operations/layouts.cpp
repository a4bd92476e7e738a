#include "provisioner/operations/layouts.hpp"

#include "provisioner/solver/solve.hpp"

namespace provisioner::operations {

namespace {

/// Steps of the solver that a request may take while it holds locks: about 15 ms.
constexpr long easy_steps = 20'000;

/// Of the program: its processors and the eight requests it answers at once are what is shared out.
HardLayouts& hard_layouts() {
    static HardLayouts all([](const auto& problem) { return solver::solve(problem); }, {});
    return all;
}

}  // namespace

LayoutAnswer layout_of(const solver::LayoutProblem& problem) {
    if (auto layout = solver::find_layout(problem, easy_steps)) return *std::move(layout);
    if (auto known = hard_layouts().find(problem)) return *std::move(known);
    throw HardLayout(problem);
}

LayoutAnswer layout_at_a_glance(const solver::LayoutProblem& problem) {
    return solver::solve(problem, easy_steps);
}

Result<void> work_out(const solver::LayoutProblem& problem, model::TenantId tenant) {
    if (hard_layouts().work_out(problem, tenant)) return {};
    return refuse(Refusal::Kind::too_busy, "",
                  "This layout takes long to work out, and so do others that are being worked out "
                  "now. Try again in a few seconds.");
}

}  // namespace provisioner::operations
