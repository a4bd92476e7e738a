#pragma once

#include <exception>
#include <functional>
#include <memory>

#include "provisioner/operations/hard_layouts.hpp"
#include "provisioner/operations/refusal.hpp"

namespace provisioner::operations {

// Most layouts are found in milliseconds. Some, and the reasons why there is none, take seconds. An
// operation asks layout_of() wherever it is, also in a transaction that holds its tenant's lock;
// a layout that is not easy leaves it by HardLayout. working_out_layouts() stands around the whole
// operation: it works the layout out, while nothing is locked, and begins the operation again,
// where layout_of() now knows the answer.

/// The layout, when it is found easily or was worked out lately. Throws HardLayout when not.
LayoutAnswer layout_of(const solver::LayoutProblem& problem);

/// The layout as far as a short look tells: of sizes that are shown beside the one asked for.
LayoutAnswer layout_at_a_glance(const solver::LayoutProblem& problem);

/// Either of them.
using LayOut = std::function<LayoutAnswer(const solver::LayoutProblem&)>;

/// The layout of a problem has to be worked out first.
class HardLayout : public std::exception {
 public:
    explicit HardLayout(const solver::LayoutProblem& problem)
        : problem_(std::make_shared<const solver::LayoutProblem>(problem)) {}

    const char* what() const noexcept override { return "a layout has to be worked out"; }
    const solver::LayoutProblem& problem() const { return *problem_; }

 private:
    std::shared_ptr<const solver::LayoutProblem> problem_;
};

/// Lets layout_of() know the answer; refused with too_busy when too many others work out theirs.
Result<void> work_out(const solver::LayoutProblem& problem, model::TenantId tenant);

/// What `operation` gives, a Result, with what it needs of hard layouts worked out.
template <class Operation>
auto working_out_layouts(model::TenantId tenant, Operation operation) -> decltype(operation()) {
    // Each time the catalogue may be another one than the time before.
    constexpr int most_times = 3;
    for (int times = 1;; ++times) {
        try {
            return operation();
        } catch (const HardLayout& needed) {
            const auto done = work_out(needed.problem(), tenant);
            if (!done) return base::unexpected(done.error());
            if (times < most_times) continue;
            return refuse(Refusal::Kind::too_busy, "",
                          "The catalogue changes faster than a layout can be worked out. Try again "
                          "in a few seconds.");
        }
    }
}

}  // namespace provisioner::operations
