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

// Most layouts are found in milliseconds. Some, and the reasons why there is none, take seconds. No
// transaction may hold its tenant's lock that long.
//
// So an operation calls layout_of() wherever it needs a layout. For a layout that is not easy,
// layout_of() throws HardLayout, which ends the operation and its transaction. The function
// working_out_layouts() is around the whole operation. It catches the exception, computes the
// layout without any lock, and runs the operation again. Then layout_of() finds the answer among
// the stored ones. The catalogue may have changed meanwhile; then the problem is another one and is
// computed again.

/// A layout, or why there is none.
using LayoutAnswer = base::expected<solver::ClusterLayout, solver::Unsatisfiable>;

/// Computes layouts that take long, a few at a time and one per tenant, so that they do not occupy
/// all web threads. Stores the latest answers. Any thread may call any function.
class HardLayouts {
 public:
    /// Must be pure and may take seconds. Called without a lock held.
    using Solve = std::function<LayoutAnswer(const solver::LayoutProblem&)>;

    /// Limits of the computation.
    struct Limits {
        /// How many layouts are computed at once.
        std::size_t at_once = 2;
        /// How long a request waits for its turn. Most reasons of a refusal take milliseconds, so a
        /// short wait often suffices.
        std::chrono::milliseconds patience{300};
        /// How many requests wait at once, at most one of a tenant. One more is refused at once:
        /// each occupies a thread of the web process.
        std::size_t waiting = 2;
        /// How many answers are stored. Few other answers come between the computation of a layout
        /// and its second request.
        std::size_t kept = 16;
    };

    /// Computes nothing yet.
    HardLayouts(Solve solve, Limits limits) : solve_(std::move(solve)), limits_(limits) {}

    /// The stored answer to an equal problem; nothing when there is none. O(stored answers).
    std::optional<LayoutAnswer> find(const solver::LayoutProblem& problem);

    /// Computes and stores the answer, unless it is stored already. False when no turn came within
    /// the patience. Blocks for as long as the solver takes.
    bool work_out(const solver::LayoutProblem& problem, model::TenantId tenant);

 private:
    /// Permission to compute, limited by Limits::at_once.
    class Turn;

    Solve solve_;
    Limits limits_;
    std::mutex mutex_;
    /// Signals that a computation has ended.
    std::condition_variable somebody_ended_;
    /// The tenants whose layouts are being computed.
    std::set<model::TenantId> at_work_;
    /// The tenants that wait for their turn; at most Limits::waiting.
    std::set<model::TenantId> waiting_;
    /// The latest first; at most Limits::kept.
    std::list<std::pair<solver::LayoutProblem, LayoutAnswer>> answers_;
};

/// The layout of a problem, if it is found easily (within about 40 ms) or is stored. Throws
/// HardLayout otherwise. Call it only inside working_out_layouts().
LayoutAnswer layout_of(const solver::LayoutProblem& problem);

/// The layout, if it is found easily or is stored; otherwise a refusal with one general reason. For
/// sizes that a page shows beside the one the user asked for. Never throws HardLayout.
LayoutAnswer layout_at_a_glance(const solver::LayoutProblem& problem);

/// Either of these two functions.
using LayOut = std::function<LayoutAnswer(const solver::LayoutProblem&)>;

/// The layout of a problem must be computed without locks first. Copies of the exception share the
/// problem, which may be large.
class HardLayout : public std::exception {
 public:
    /// Copies `problem`.
    explicit HardLayout(const solver::LayoutProblem& problem)
        : problem_(std::make_shared<const solver::LayoutProblem>(problem)) {}

    const char* what() const noexcept override { return "a layout has to be worked out"; }
    /// Valid as long as any copy of the exception.
    const solver::LayoutProblem& problem() const { return *problem_; }

 private:
    std::shared_ptr<const solver::LayoutProblem> problem_;
};

/// Makes layout_of() find the answer to `problem`. Refused with too_busy when other computations
/// took all turns. Blocks for as long as the solver takes; hold no lock.
Result<void> work_out(const solver::LayoutProblem& problem, model::TenantId tenant);

/// Runs `operation`, which returns a Result, and computes the hard layouts it needs. `operation`
/// may run up to three times, so it must have no effect when HardLayout leaves it. Refused with
/// too_busy as work_out says, or when the third run needs yet another layout.
template <class Operation>
auto working_out_layouts(model::TenantId tenant, Operation operation) -> decltype(operation()) {
    // Each time the catalogue may have changed, so that the problem is another one.
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
