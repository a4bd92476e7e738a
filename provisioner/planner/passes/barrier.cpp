#include "provisioner/planner/passes/barrier.hpp"

#include <algorithm>
#include <span>

namespace provisioner::planner {

namespace {

/// Number of tasks that wait for everything in a large barrier. One would be enough; several keep
/// one slow node from delaying all others.
constexpr std::size_t most_relays = 4;

bool is_large(const Tasks& before, const Tasks& after) {
    if (before.size() <= 2 * most_relays || after.size() <= 2 * most_relays) return false;
    return before.size() * after.size() > most_direct_orders;
}

void let_all_wait(TaskGraph& graph, const Tasks& before, std::span<const std::size_t> after) {
    for (const std::size_t task : before) {
        for (const std::size_t later : after) graph.order(task, later);
    }
}

}  // namespace

/// The relays are always the first tasks of a service. So two barriers before the same service
/// cannot make them wait for each other.
void add_barrier(TaskGraph& graph, const Tasks& before, const Tasks& after, Barriers barriers) {
    if (before.empty()) return;
    const bool large = barriers == Barriers::thin && is_large(before, after);
    const std::size_t direct = large ? most_relays : after.size();
    let_all_wait(graph, before, std::span(after).first(direct));
    for (std::size_t at = direct; at < after.size(); ++at) {
        graph.order(after[at % most_relays], after[at]);
    }
}

void add_barrier(TaskGraph& graph, const Tasks& before, const Tasks& relays, const Tasks& after,
                 Barriers barriers) {
    if (barriers == Barriers::complete || !is_large(before, after)) {
        let_all_wait(graph, before, after);
        return;
    }
    const auto few = std::span(relays).first(std::min(most_relays, relays.size()));
    let_all_wait(graph, before, few);
    for (std::size_t at = 0; at < after.size(); ++at) graph.order(few[at % few.size()], after[at]);
}

}  // namespace provisioner::planner
