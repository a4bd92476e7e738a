#include "provisioner/planner/passes/barrier.hpp"

namespace provisioner::planner {

namespace {

/// Up to this many orders a barrier stays complete. Above it the rows to write and to count down
/// cost more than waiting one round longer.
constexpr std::size_t complete_up_to = 4096;

/// How many tasks wait for everything in a large barrier. One would do; a few keep a single slow
/// node from holding up all others.
constexpr std::size_t relays = 4;

bool is_large(const Tasks& before, const Tasks& after) {
    if (before.size() <= 2 * relays || after.size() <= 2 * relays) return false;
    return before.size() * after.size() > complete_up_to;
}

}  // namespace

/// The relays are always the first tasks of a service, so that two barriers before the same service
/// cannot make them wait for each other.
void let_wait(TaskGraph& graph, const Tasks& before, const Tasks& after, Barriers barriers) {
    if (before.empty()) return;
    const bool large = barriers == Barriers::thin && is_large(before, after);
    const std::size_t direct = large ? relays : after.size();
    for (const std::size_t task : before) {
        for (std::size_t at = 0; at < direct; ++at) graph.order(task, after[at]);
    }
    for (std::size_t at = direct; at < after.size(); ++at) {
        graph.order(after[at % relays], after[at]);
    }
}

}  // namespace provisioner::planner
