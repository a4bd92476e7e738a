#include "provisioner/solver/changes/resize.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "provisioner/solver/constraints.hpp"
#include "provisioner/solver/layout/budget.hpp"
#include "provisioner/solver/layout/selection.hpp"
#include "provisioner/solver/sentences.hpp"

namespace provisioner::solver {

namespace {

using Names = std::vector<std::string>;

Unsatisfiable cannot_resize(Names reasons, std::string field) {
    return {.text = joined(reasons, "\n"), .reasons = reasons, .field = std::move(field)};
}

// By service: the number of nodes that have it.
std::map<std::string, long> nodes_by_service(const std::vector<PresentNode>& nodes) {
    std::map<std::string, long> count;
    for (const auto& node : nodes) {
        for (const auto& service :
             std::set<std::string>(node.services.begin(), node.services.end())) {
            ++count[service];
        }
    }
    return count;
}

// Decides whether a number of nodes can go at once, given how many nodes each service can spare.
// Nodes with the same services are one kind, so the search is over numbers per kind, not over
// nodes.
class Packing {
 public:
    struct Kind {
        // Indices into `spare`.
        std::vector<std::size_t> services;
        long nodes = 0;
    };

    explicit Packing(Budget& budget) : budget_(budget) {}

    // Whether `count` nodes of the kinds can go. Also false when the budget ends; see gave_up().
    // `spare` changes during the search and is restored before the return.
    bool can_spare(long count, const std::vector<Kind>& kinds, std::vector<long>& spare) {
        return take(count, 0, kinds, spare);
    }

    [[nodiscard]] bool gave_up() const { return gave_up_; }

 private:
    static long most_of(const Kind& kind, const std::vector<long>& spare) {
        long most = kind.nodes;
        for (const auto service : kind.services) most = std::min(most, spare[service]);
        return most;
    }

    bool take(long count, std::size_t from, const std::vector<Kind>& kinds,
              std::vector<long>& spare) {
        if (count <= 0) return true;
        if (!budget_.spend()) gave_up_ = true;
        if (gave_up_) return false;
        long at_best = 0;
        for (std::size_t i = from; i < kinds.size() && at_best < count; ++i) {
            if (!budget_.work(1 + std::ssize(kinds[i].services))) gave_up_ = true;
            if (gave_up_) return false;
            at_best += most_of(kinds[i], spare);
        }
        if (at_best < count) return false;
        for (long taken = std::min(count, most_of(kinds[from], spare)); taken >= 0; --taken) {
            if (!budget_.work(2 * std::ssize(kinds[from].services))) gave_up_ = true;
            if (gave_up_) return false;
            for (const auto service : kinds[from].services) spare[service] -= taken;
            const bool done = take(count - taken, from + 1, kinds, spare);
            for (const auto service : kinds[from].services) spare[service] += taken;
            if (done) return true;
        }
        return false;
    }

    Budget& budget_;
    bool gave_up_ = false;
};

// Chooses the nodes that go, newest first.
class Shrinker {
 public:
    Shrinker(const ShrinkProblem& problem, Budget& budget) : packing_(budget) {
        std::map<std::string, std::size_t> index;
        for (const auto& [service, nodes] : nodes_by_service(problem.nodes)) {
            const auto* rule = model::constraint_on(problem.cluster_template.constraints, service);
            index[service] = spare_.size();
            services_.push_back(service);
            spare_.push_back(std::max(0L, nodes - std::max(1, rule == nullptr ? 0 : rule->min)));
        }
        std::map<std::vector<std::size_t>, std::size_t> kinds;
        for (const auto& node : problem.nodes) {
            if (problem.among && !problem.among->contains(node.number)) continue;
            std::set<std::size_t> services;
            for (const auto& service : node.services) services.insert(index.at(service));
            std::vector<std::size_t> list(services.begin(), services.end());
            const auto [entry, is_new] = kinds.emplace(list, kinds_.size());
            if (is_new) kinds_.push_back({std::move(list), 0});
            ++kinds_[entry->second].nodes;
            newest_first_.emplace_back(node.number, entry->second);
        }
        std::sort(newest_first_.begin(), newest_first_.end(), std::greater<>());
    }

    bool can_spare(long count) { return packing_.can_spare(count, kinds_, spare_); }

    [[nodiscard]] bool gave_up() const { return packing_.gave_up(); }

    // Requires can_spare(count). A node is passed over when no valid choice contains it and the
    // nodes chosen so far. That stays so as more are chosen, so one walk over the nodes is enough.
    std::vector<int> choose(long count) {
        std::vector<int> chosen;
        for (const auto& [number, kind] : newest_first_) {
            if (std::ssize(chosen) == count || gave_up()) break;
            --kinds_[kind].nodes;
            take(kind, 1);
            if (!is_overdrawn(kind) && can_spare(count - std::ssize(chosen) - 1)) {
                chosen.push_back(number);
            } else {
                take(kind, -1);
            }
        }
        return chosen;
    }

    // The services that cannot lose `count` nodes, of those on nodes that may be chosen.
    Names short_of(long count) const {
        Names names;
        for (std::size_t i = 0; i < spare_.size(); ++i) {
            const bool is_on_any = std::ranges::any_of(
                kinds_, [&](const auto& kind) { return std::ranges::count(kind.services, i) > 0; });
            if (is_on_any && spare_[i] < count) names.push_back(services_[i]);
        }
        return names;
    }

 private:
    void take(std::size_t kind, long nodes) {
        for (const auto service : kinds_[kind].services) spare_[service] -= nodes;
    }

    bool is_overdrawn(std::size_t kind) const {
        return std::any_of(kinds_[kind].services.begin(), kinds_[kind].services.end(),
                           [&](std::size_t service) { return spare_[service] < 0; });
    }

    Packing packing_;
    Names services_;
    std::vector<long> spare_;
    std::vector<Packing::Kind> kinds_;
    // Number of the node, and index of its kind.
    std::vector<std::pair<int, std::size_t>> newest_first_;
};

// Nothing when the cluster may shrink by so many nodes.
std::optional<std::string> too_small(const ShrinkProblem& problem, long going) {
    const long staying = std::ssize(problem.nodes) - going;
    const long least = std::max(1, problem.cluster_template.constraints.size_min);
    if (staying >= least) return std::nullopt;
    return "The cluster has " + counted(std::ssize(problem.nodes), "machine") +
           " and needs at least " + std::to_string(least) + ".";
}

std::string why_it_stays(const ShrinkProblem& problem, const std::string& service) {
    const long nodes = nodes_by_service(problem.nodes).at(service);
    const auto* rule = model::constraint_on(problem.cluster_template.constraints, service);
    if (rule == nullptr || rule->min < 1) {
        return service + " is on " + counted(nodes, "machine") +
               " and must not be gone altogether.";
    }
    return service + " is on " + counted(nodes, "machine") + " and needs at least " +
           std::to_string(rule->min) + ".";
}

Unsatisfiable cannot_spare(const ShrinkProblem& problem, Shrinker& shrinker) {
    long most = problem.count - 1;
    while (most > 0 && !shrinker.can_spare(most)) --most;
    Names reasons;
    if (shrinker.gave_up()) {
        reasons.push_back(counted(problem.count, "machine") + " cannot go at once.");
    } else if (most == 0) {
        reasons.emplace_back("None of the machines can be removed.");
    } else {
        reasons.push_back("No more than " + counted(most, "machine") + " can go.");
    }
    for (const auto& service : shrinker.short_of(problem.count)) {
        reasons.push_back(why_it_stays(problem, service));
    }
    return cannot_resize(std::move(reasons), "count");
}

/// Services of which no node can go, each with the reason.
std::map<std::string, std::string> services_at_minimum(const ShrinkProblem& problem) {
    std::map<std::string, std::string> services;
    for (const auto& [service, nodes] : nodes_by_service(problem.nodes)) {
        const auto* rule = model::constraint_on(problem.cluster_template.constraints, service);
        if (rule != nullptr && nodes <= rule->min) {
            services[service] = why_it_stays(problem, service);
        }
    }
    return services;
}

base::expected<std::vector<int>, Unsatisfiable> named_nodes(const ShrinkProblem& problem) {
    const std::set<int> named(problem.named.begin(), problem.named.end());
    std::set<int> known;
    std::vector<PresentNode> staying;
    for (const auto& node : problem.nodes) {
        known.insert(node.number);
        if (!named.contains(node.number)) staying.push_back(node);
    }
    Names problems;
    for (const int number : named) {
        if (!known.contains(number)) {
            problems.push_back("The cluster has no machine " + std::to_string(number) + ".");
        }
    }
    if (!problems.empty()) return base::unexpected(cannot_resize(std::move(problems), "nodes"));
    if (auto small = too_small(problem, std::ssize(named))) problems.push_back(*small);
    const auto left = nodes_by_service(staying);
    for (const auto& [service, nodes] : nodes_by_service(problem.nodes)) {
        const auto* rule = model::constraint_on(problem.cluster_template.constraints, service);
        const auto found = left.find(service);
        const long then = found == left.end() ? 0 : found->second;
        if (rule == nullptr || then >= rule->min || then == nodes) continue;
        problems.push_back(service + " needs at least " + counted(rule->min, "machine") +
                           " and would be on " + std::to_string(then) + ".");
    }
    if (!problems.empty()) return base::unexpected(cannot_resize(std::move(problems), "nodes"));
    return std::vector<int>(named.rbegin(), named.rend());
}

}  // namespace

base::expected<std::vector<int>, Unsatisfiable> shrink(const ShrinkProblem& problem,
                                                       long max_steps) {
    if (!problem.named.empty()) return named_nodes(problem);
    if (problem.count < 1) {
        return base::unexpected(cannot_resize({"At least 1 machine has to be removed."}, "count"));
    }
    if (auto small = too_small(problem, problem.count)) {
        return base::unexpected(cannot_resize({*small}, "count"));
    }
    Budget budget(max_steps);
    Shrinker shrinker(problem, budget);
    const bool possible = shrinker.can_spare(problem.count);
    auto chosen = possible ? shrinker.choose(problem.count) : std::vector<int>{};
    if (shrinker.gave_up()) {
        return base::unexpected(
            cannot_resize({"Which machines can be removed is too hard to work out (gave up after " +
                           counted(max_steps, "step") + "). Name them."},
                          "nodes"));
    }
    if (!possible) return base::unexpected(cannot_spare(problem, shrinker));
    return chosen;
}

std::map<int, StayingReason> staying_nodes(const ShrinkProblem& problem,
                                           const std::vector<model::Service>& all_services) {
    std::map<int, StayingReason> reasons;
    const auto small = too_small(problem, 1);
    const auto present = nodes_by_service(problem.nodes);
    Names services;
    for (const auto& [service, nodes] : present) services.push_back(service);
    const auto short_services = services_at_minimum(problem);
    for (const auto& node : problem.nodes) {
        Names staying;
        for (const auto& service : services) {
            const bool vanishes = present.at(service) == 1 && contains(node.services, service);
            if (!vanishes) staying.push_back(service);
        }
        const auto final = std::ranges::find_if(
            node.services, [&](const auto& service) { return short_services.contains(service); });
        if (small) {
            reasons[node.number] = {*small, true};
        } else if (final != node.services.end()) {
            reasons[node.number] = {short_services.at(*final), true};
        } else if (staying.size() == services.size()) {
            continue;
        } else if (const auto unmet = check_removal(staying, all_services)) {
            reasons[node.number] = {joined(unmet->reasons, " "), false};
        }
    }
    return reasons;
}

bool can_any_go(const ShrinkProblem& problem) {
    if (too_small(problem, 1)) return false;
    const auto needed = services_at_minimum(problem);
    return std::ranges::any_of(problem.nodes, [&](const PresentNode& node) {
        return std::ranges::none_of(node.services,
                                    [&](const auto& service) { return needed.contains(service); });
    });
}

base::expected<std::vector<int>, Unsatisfiable> remove_services(const RemovalProblem& problem) {
    const std::set<std::string> going(problem.services.begin(), problem.services.end());
    Names problems;
    if (going.empty()) problems.push_back("Name at least 1 service to remove.");
    const auto present = nodes_by_service(problem.nodes);
    Names staying;
    for (const auto& [service, nodes] : present) {
        if (!going.contains(service)) staying.push_back(service);
    }
    for (const auto& service : going) {
        if (!present.contains(service)) {
            problems.push_back("Service " + service + " is not on the cluster.");
        }
    }
    if (const auto unmet = check_removal(staying, problem.all_services)) {
        problems.insert(problems.end(), unmet->reasons.begin(), unmet->reasons.end());
    }
    std::vector<int> changed;
    for (const auto& node : problem.nodes) {
        const auto leaving = std::count_if(node.services.begin(), node.services.end(),
                                           [&](const auto& name) { return going.contains(name); });
        if (leaving > 0) changed.push_back(node.number);
        if (leaving > 0 && leaving == std::ssize(node.services)) {
            problems.push_back("Machine " + std::to_string(node.number) +
                               " would be left without a service; take the machine away instead.");
        }
    }
    if (!problems.empty()) return base::unexpected(cannot_resize(std::move(problems), "services"));
    std::sort(changed.begin(), changed.end());
    return changed;
}

base::expected<NodeGroup, Unsatisfiable> replacement(LayoutProblem problem,
                                                     const PresentNode& dead) {
    problem.hardware_type = dead.hardware_type;
    problem.image_type = dead.image_type;
    const auto types = usable_types(problem);
    if (!types) return base::unexpected(types.error());
    return NodeGroup{.hardware_type = dead.hardware_type,
                     .image_type = dead.image_type,
                     .services = dead.services,
                     .count = 1};
}

}  // namespace provisioner::solver
