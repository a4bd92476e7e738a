#include "provisioner/operations/clusters/layouts.hpp"

#include "provisioner/solver/solve.hpp"

namespace provisioner::operations {

/// The turn of a tenant. The constructor waits for it, unless enough others wait: each occupies a
/// thread that could answer requests. The destructor ends it and wakes those that wait. Nothing
/// else is locked while a turn lasts.
class HardLayouts::Turn {
 public:
    Turn(HardLayouts& all, model::TenantId tenant) : all_(all), tenant_(tenant) {
        std::unique_lock lock(all_.mutex_);
        const auto is_free = [&] {
            return all_.at_work_.size() < all_.limits_.at_once && !all_.at_work_.contains(tenant_);
        };
        if (!is_free()) {
            const bool is_full = all_.waiting_.size() >= all_.limits_.waiting;
            if (is_full || !all_.waiting_.insert(tenant_).second) return;
            all_.somebody_ended_.wait_for(lock, all_.limits_.patience, is_free);
            all_.waiting_.erase(tenant_);
        }
        has_begun_ = is_free();
        if (has_begun_) all_.at_work_.insert(tenant_);
    }
    ~Turn() {
        if (!has_begun_) return;
        const std::lock_guard lock(all_.mutex_);
        all_.at_work_.erase(tenant_);
        all_.somebody_ended_.notify_all();
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

    bool has_begun() const { return has_begun_; }

 private:
    HardLayouts& all_;
    model::TenantId tenant_;
    bool has_begun_ = false;
};

std::optional<LayoutAnswer> HardLayouts::find(const solver::LayoutProblem& problem) {
    const std::lock_guard lock(mutex_);
    for (const auto& [known, answer] : answers_) {
        if (known == problem) return answer;
    }
    return std::nullopt;
}

bool HardLayouts::work_out(const solver::LayoutProblem& problem, model::TenantId tenant) {
    const Turn turn(*this, tenant);
    if (!turn.has_begun()) return false;
    // The request before may have computed the same layout.
    if (find(problem)) return true;
    // No lock is held while it solves. `lock` is destroyed before `turn`, whose destructor takes
    // the same mutex.
    auto answer = solve_(problem);
    const std::lock_guard lock(mutex_);
    answers_.emplace_front(problem, std::move(answer));
    if (answers_.size() > limits_.kept) answers_.pop_back();
    return true;
}

namespace {

/// Steps of the solver that a request may take while it holds locks: up to 40 ms, since the work of
/// a step is limited (solver/layout/budget.hpp).
constexpr long easy_steps = 20'000;

/// One for the process: it shares the processors, and the eight requests a web process answers at
/// once by default, between tenants.
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
    if (auto layout = solver::find_layout(problem, easy_steps)) return *std::move(layout);
    if (auto known = hard_layouts().find(problem)) return *std::move(known);
    // The reasons take as long as a layout that is hard to find.
    solver::Unsatisfiable unknown;
    unknown.reasons = {"This size is not possible, or its layout takes long to work out."};
    return base::unexpected(std::move(unknown));
}

Result<void> work_out(const solver::LayoutProblem& problem, model::TenantId tenant) {
    if (hard_layouts().work_out(problem, tenant)) return {};
    return refuse(Refusal::Kind::too_busy, "",
                  "This layout takes long to work out, and so do others that are being worked out "
                  "now. Try again in a few seconds.");
}

}  // namespace provisioner::operations
