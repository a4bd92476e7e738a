#pragma once

#include <algorithm>

namespace provisioner::solver {

/// The steps a search may still take, and the work it may still do in them. Steps and work rather
/// than time: equal input gives equal output on every machine. One search owns one budget and
/// passes it down by reference, so all its phases share it. Not for use by several threads.
///
/// Steps count the ways tried. A way is cheap for the rules that people write, but its cost grows
/// with the square of the services and more, so work is counted as well. Each step brings a fixed
/// amount of it. Whichever ends first ends the search.
class Budget {
 public:
    /// The work that comes with each step. One unit is the look at one service, rule, name or word
    /// of a bit set: a few nanoseconds.
    static constexpr long work_per_step = 400;

    /// Starts with `steps` steps and their work; a negative number counts as 0. `extra_work` comes
    /// on top, for what has to be done once whatever the number of steps.
    explicit Budget(long steps, long extra_work = 0)
        : left_(steps > 0 ? steps : 0), work_left_(left_ * work_per_step + extra_work) {}

    /// Takes `steps` steps. When fewer are left, takes them all and returns false; the search must
    /// then stop.
    bool spend(long steps = 1) {
        const bool enough = left_ >= steps;
        left_ = enough ? left_ - steps : 0;
        return enough;
    }

    /// Takes `units` of work, >= 0. When less is left, takes it all with all steps and returns
    /// false; the search must then stop.
    bool work(long units) {
        if (work_left_ > units) {
            work_left_ -= units;
            return true;
        }
        work_left_ = 0;
        left_ = 0;
        return false;
    }

    /// Asks `question`, a function of Budget&, with at most `steps` steps and their work. What it
    /// takes is taken from this budget, so one hard question leaves something for the others.
    template <class Question>
    auto lend(long steps, const Question& question) {
        Budget part(steps < left_ ? steps : left_);
        // Work that was extra is lent in proportion.
        const long share = left_ > 0 ? work_left_ / left_ * part.left_ : 0;
        part.work_left_ =
            std::min(work_left_, std::max(share, std::max(steps, 0L) * work_per_step));
        const long lent = part.left_;
        const long lent_work = part.work_left_;
        auto answer = question(part);
        spend(lent - part.left_);
        work(lent_work - part.work_left_);
        return answer;
    }

    /// Steps not yet taken, >= 0.
    [[nodiscard]] long left() const { return left_; }

    /// Work not yet done, >= 0. Without any, no question has an answer.
    [[nodiscard]] long work_left() const { return work_left_; }

 private:
    long left_;
    long work_left_;
};

}  // namespace provisioner::solver
