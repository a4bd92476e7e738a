#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <list>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

#include "provisioner/model/tenant.hpp"
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

}  // namespace provisioner::operations
