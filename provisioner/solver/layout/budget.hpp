#pragma once

namespace provisioner::solver {

/// The steps a search may still take. Steps rather than time: equal input gives equal output on
/// every machine. One search owns one budget and passes it down by reference, so all its phases
/// share it. Not for use by several threads.
class Budget {
 public:
    /// Starts with `steps` steps; a negative number counts as 0.
    explicit Budget(long steps) : left_(steps > 0 ? steps : 0) {}

    /// Takes `steps` steps. When fewer are left, takes them all and returns false; the search must
    /// then stop.
    bool spend(long steps = 1) {
        const bool enough = left_ >= steps;
        left_ = enough ? left_ - steps : 0;
        return enough;
    }

    /// Asks `question`, a function of Budget&, with at most `steps` steps. What it takes is taken
    /// from this budget, so one hard question leaves something for the others.
    template <class Question>
    auto lend(long steps, const Question& question) {
        Budget part(steps < left_ ? steps : left_);
        const long lent = part.left();
        auto answer = question(part);
        spend(lent - part.left());
        return answer;
    }

    /// Steps not yet taken, >= 0.
    [[nodiscard]] long left() const { return left_; }

 private:
    long left_;
};

}  // namespace provisioner::solver
