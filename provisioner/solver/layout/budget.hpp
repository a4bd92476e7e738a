#pragma once

namespace provisioner::solver {

/// The steps a search may still take. Steps, not time: equal input gives equal output on every
/// machine.
class Budget {
 public:
    explicit Budget(long steps) : left_(steps > 0 ? steps : 0) {}

    /// Takes `steps` steps; false when there were fewer left, and from then on.
    bool spend(long steps = 1) {
        const bool enough = left_ >= steps;
        left_ = enough ? left_ - steps : 0;
        return enough;
    }

    /// Steps not yet taken, >= 0.
    [[nodiscard]] long left() const { return left_; }

 private:
    long left_;
};

}  // namespace provisioner::solver
