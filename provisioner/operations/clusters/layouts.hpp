#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/operations/refusal.hpp"
#include "provisioner/solver/layout_problem.hpp"

namespace provisioner::operations {

/// A layout, or why there is none.
using LayoutAnswer = base::expected<solver::ClusterLayout, solver::Unsatisfiable>;

/// Works out layouts that take long, few at once and one for a tenant, so that they do not hold up
/// everybody else; and keeps what came of the latest. Any thread may ask.
class HardLayouts {
 public:
    using Solve = std::function<LayoutAnswer(const solver::LayoutProblem&)>;

    struct Limits {
        /// How many are worked out at once.
        std::size_t at_once = 2;
        /// How long somebody waits for a turn: most reasons of a refusal take milliseconds.
        std::chrono::milliseconds patience{300};
        /// How many answers are kept: between being worked out and being asked for again there are
        /// a few others at most.
        std::size_t kept = 16;
    };

    HardLayouts(Solve solve, Limits limits) : solve_(std::move(solve)), limits_(limits) {}

    /// What was worked out lately; nothing when that was not.
    std::optional<LayoutAnswer> find(const solver::LayoutProblem& problem);

    /// Works it out, unless somebody has; false when too many others are at it.
    bool work_out(const solver::LayoutProblem& problem, model::TenantId tenant);

 private:
    class Turn;

    Solve solve_;
    Limits limits_;
    std::mutex mutex_;
    std::condition_variable somebody_ended_;
    std::set<model::TenantId> at_work_;
    /// The latest first.
    std::list<std::pair<solver::LayoutProblem, LayoutAnswer>> answers_;
};

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
