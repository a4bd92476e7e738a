#include "provisioner/solver/changes/add_services.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "provisioner/solver/constraints.hpp"
#include "provisioner/solver/layout/budget.hpp"
#include "provisioner/solver/layout/placements.hpp"
#include "provisioner/solver/layout/rules.hpp"
#include "provisioner/solver/layout/selection.hpp"
#include "provisioner/solver/sentences.hpp"

namespace provisioner::solver {

namespace {

using Names = std::vector<std::string>;

// For choosing among nodes: it is done for each service even if the first way is right. About a
// second.
constexpr long work_whatever_the_steps = 400'000'000;

// Nodes with the same types and services; `nodes` are indices into the problem's nodes, lowest
// numbers first.
struct LikeNodes {
    NodeGroup kind;
    std::vector<std::size_t> nodes;
};

Names with_service(Names sorted, const std::string& name) {
    const auto at = std::lower_bound(sorted.begin(), sorted.end(), name);
    if (at == sorted.end() || *at != name) sorted.insert(at, name);
    return sorted;
}

NodeGroup with_service(NodeGroup kind, const std::string& service) {
    kind.services = with_service(std::move(kind.services), service);
    return kind;
}

// Preferred kinds have more services. Ties are broken by the types' names, then by the services'.
bool is_preferred_kind(const LikeNodes& a, const LikeNodes& b) {
    if (a.kind.services.size() != b.kind.services.size()) {
        return a.kind.services.size() > b.kind.services.size();
    }
    return std::tie(a.kind.hardware_type, a.kind.image_type, a.kind.services) <
           std::tie(b.kind.hardware_type, b.kind.image_type, b.kind.services);
}

std::vector<LikeNodes> group_alike(const std::vector<PresentNode>& nodes) {
    std::vector<std::size_t> by_number(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) by_number[i] = i;
    std::stable_sort(by_number.begin(), by_number.end(), [&](std::size_t a, std::size_t b) {
        return nodes[a].number < nodes[b].number;
    });
    std::map<std::tuple<std::string, std::string, Names>, std::vector<std::size_t>> alike;
    for (const auto i : by_number) {
        const std::set<std::string> services(nodes[i].services.begin(), nodes[i].services.end());
        alike[{nodes[i].hardware_type, nodes[i].image_type, {services.begin(), services.end()}}]
            .push_back(i);
    }
    std::vector<LikeNodes> groups;
    for (auto& [kind, members] : alike) {
        const auto& [hardware, image, services] = kind;
        groups.push_back({{hardware, image, services, static_cast<int>(members.size())}, members});
    }
    return groups;
}

Names present_services(const std::vector<LikeNodes>& groups) {
    std::set<std::string> names;
    for (const auto& group : groups) {
        names.insert(group.kind.services.begin(), group.kind.services.end());
    }
    return {names.begin(), names.end()};
}

ClusterLayout layout_of(const std::vector<LikeNodes>& groups) {
    ClusterLayout layout;
    for (const auto& group : groups) layout.groups.push_back(group.kind);
    return layout;
}

bool share_a_group(const model::Constraints& constraints, const std::string& a,
                   const std::string& b) {
    const auto holds_both = [&](const Names& group) {
        return contains(group, a) && contains(group, b);
    };
    return std::any_of(constraints.must_coexist.begin(), constraints.must_coexist.end(),
                       holds_both) ||
           std::any_of(constraints.cant_coexist.begin(), constraints.cant_coexist.end(),
                       holds_both);
}

// The order in which services are placed: those with the narrowest quantities first, as in Coopr.
Names in_order_of_choice(const model::Constraints& constraints, const Names& services) {
    std::set<std::string> distinct(services.begin(), services.end());
    Names order(distinct.begin(), distinct.end());
    std::stable_sort(order.begin(), order.end(), [&](const auto& a, const auto& b) {
        const auto* rule_a = model::constraint_on(constraints, a);
        const auto* rule_b = model::constraint_on(constraints, b);
        if (rule_a == nullptr || rule_b == nullptr) return rule_a != nullptr && rule_b == nullptr;
        return std::tuple(rule_a->max, -rule_a->min) < std::tuple(rule_b->max, -rule_b->min);
    });
    return order;
}

// The groups of nodes that one service may or must join.
struct Choice {
    // Indices of groups that must take the service, because a must-coexist group demands it.
    std::vector<std::size_t> forced;
    // Indices of groups that may take the service, preferred ones first, and their sizes. Groups
    // that have it already are included and do not change.
    std::vector<std::size_t> open;
    std::vector<long> sizes;
    long forced_nodes = 0;
    long nodes_with_it = 0;
    long min = 1;
    long max = model::no_maximum;
};

// Places one service after the other. When a service finds no place, the search returns to an
// earlier service: the last one that shares a group rule with it (conflict-directed backjumping).
// Services in between cannot help, so trying their other places would only cost steps.
class Adder {
 public:
    Adder(const model::Constraints& constraints, const Names& services, Budget& budget)
        : constraints_(constraints),
          order_(in_order_of_choice(constraints, services)),
          budget_(budget),
          names_in_rules_(std::ssize(constraints.services)) {
        for (const auto* all : {&constraints.must_coexist, &constraints.cant_coexist}) {
            for (const auto& group : *all) names_in_rules_ += std::ssize(group);
        }
    }

    // The nodes with all services placed; nothing when no way exists or the budget ended.
    std::optional<std::vector<LikeNodes>> place(const std::vector<LikeNodes>& groups) {
        std::set<std::size_t> culprits;
        place(0, groups, culprits);
        return std::move(placed_);
    }

    [[nodiscard]] bool gave_up() const { return gave_up_; }

 private:
    // On failure, `culprits` holds the earlier services that would have to be elsewhere.
    bool place(std::size_t index, const std::vector<LikeNodes>& groups,
               std::set<std::size_t>& culprits) {
        if (index == order_.size()) {
            placed_ = groups;
            return true;
        }
        if (!budget_.work(work_of_choice(index, groups))) {
            gave_up_ = true;
            return false;
        }
        culprits = earlier_ones_related_to(index);
        const auto choice = choice_for(order_[index], groups);
        if (!choice) return false;
        const long least = choice->min - choice->forced_nodes;
        Placements ways(choice->sizes, choice->max - choice->forced_nodes, least);
        for (; !ways.ended(); ways.advance()) {
            if (try_way(index, groups, *choice, ways.counts(), culprits)) return true;
            if (gave_up_ || returns_further_back_) return false;
        }
        const std::vector<long> no_more(choice->sizes.size(), 0);
        return choice->forced_nodes > 0 && try_way(index, groups, *choice, no_more, culprits);
    }

    bool try_way(std::size_t index, const std::vector<LikeNodes>& groups, const Choice& choice,
                 const std::vector<long>& counts, std::set<std::size_t>& culprits) {
        returns_further_back_ = false;
        if (!budget_.spend() || !budget_.work(work_of_way(groups))) gave_up_ = true;
        if (gave_up_) return false;
        const long nodes = nodes_then(order_[index], groups, choice, counts);
        if (nodes < choice.min || nodes > choice.max) return false;

        std::set<std::size_t> deeper;
        if (place(index + 1, add_to(groups, order_[index], choice, counts), deeper)) return true;
        if (gave_up_) return false;
        // The services that found no place share no rule with this one, so its other places cannot
        // help.
        returns_further_back_ = deeper.erase(index) == 0;
        if (returns_further_back_) culprits.clear();
        culprits.merge(deeper);
        return false;
    }

    // Nothing when some node may be neither with nor without the service.
    std::optional<Choice> choice_for(const std::string& service,
                                     const std::vector<LikeNodes>& groups) const {
        const auto cluster = with_service(present_services(groups), service);
        Choice choice;
        for (std::size_t i = 0; i < groups.size(); ++i) {
            const auto& kind = groups[i].kind;
            const bool may_be_without = may_share_a_node(constraints_, cluster, kind.services);
            const bool may_be_with = contains_sorted(kind.services, service) ||
                                     fits(cluster, with_service(kind, service));
            if (!may_be_without && !may_be_with) return std::nullopt;
            if (!may_be_with) continue;
            (may_be_without ? choice.open : choice.forced).push_back(i);
            if (!may_be_without) choice.forced_nodes += kind.count;
        }
        std::sort(choice.open.begin(), choice.open.end(), [&](std::size_t a, std::size_t b) {
            return is_preferred_kind(groups[a], groups[b]);
        });
        for (const auto i : choice.open) choice.sizes.push_back(groups[i].kind.count);
        if (const auto* rule = model::constraint_on(constraints_, service)) {
            choice.min = std::max(1, rule->min);
            choice.max = rule->max;
        }
        return choice;
    }

    bool fits(const Names& cluster, const NodeGroup& kind) const {
        return may_share_a_node(constraints_, cluster, kind.services) &&
               may_run_on_its_machine(constraints_, kind);
    }

    static long nodes_then(const std::string& service, const std::vector<LikeNodes>& groups,
                           const Choice& choice, const std::vector<long>& counts) {
        long nodes = choice.forced_nodes;
        for (std::size_t i = 0; i < counts.size(); ++i) {
            const auto& kind = groups[choice.open[i]].kind;
            nodes += contains_sorted(kind.services, service) ? kind.count : counts[i];
        }
        return nodes;
    }

    static std::vector<LikeNodes> add_to(std::vector<LikeNodes> groups, const std::string& service,
                                         const Choice& choice, const std::vector<long>& counts) {
        for (const auto i : choice.forced) {
            groups[i].kind = with_service(std::move(groups[i].kind), service);
        }
        for (std::size_t i = 0; i < counts.size(); ++i) {
            auto& group = groups[choice.open[i]];
            if (counts[i] == 0 || contains_sorted(group.kind.services, service)) continue;
            LikeNodes without = group;
            const auto split = group.nodes.begin() + counts[i];
            without.nodes.assign(split, group.nodes.end());
            without.kind.count -= static_cast<int>(counts[i]);
            group.nodes.erase(split, group.nodes.end());
            group.kind.count = static_cast<int>(counts[i]);
            group.kind = with_service(std::move(group.kind), service);
            if (without.kind.count > 0) groups.push_back(std::move(without));
        }
        return groups;
    }

    // In the units of Budget. Groups are copied whole; a name in them is a string.
    static long work_of_way(const std::vector<LikeNodes>& groups) {
        long work = 0;
        for (const auto& group : groups) {
            work += 20 + 20 * std::ssize(group.kind.services) + std::ssize(group.nodes);
        }
        return work;
    }

    // Every group is compared with every rule, with the service and without.
    [[nodiscard]] long work_of_choice(std::size_t index,
                                      const std::vector<LikeNodes>& groups) const {
        long names = 0;
        for (const auto& group : groups) names += std::ssize(group.kind.services);
        return 40 * (names + names_in_rules_ * std::ssize(groups)) +
               4 * static_cast<long>(index) * names_in_rules_;
    }

    std::set<std::size_t> earlier_ones_related_to(std::size_t index) const {
        std::set<std::size_t> related;
        for (std::size_t i = 0; i < index; ++i) {
            if (share_a_group(constraints_, order_[i], order_[index])) related.insert(i);
        }
        return related;
    }

    const model::Constraints& constraints_;
    Names order_;
    Budget& budget_;
    long names_in_rules_;
    std::optional<std::vector<LikeNodes>> placed_;
    bool gave_up_ = false;
    bool returns_further_back_ = false;
};

Unsatisfiable cannot_add(Names reasons) {
    return {.text = joined(reasons, "\n"), .reasons = reasons, .field = "services"};
}

// Why no node, or too few nodes, can take the service when nothing else is added. Fewer reasons
// when the budget ends.
Names why_it_has_no_place(const RuleBook& book, const std::string& service,
                          const std::vector<LikeNodes>& groups, Budget& budget) {
    constexpr long work_of_a_rule = 100;
    const long work = work_of_a_rule * std::ssize(rules_of(book));
    Names reasons;
    long free = 0;
    for (const auto& group : groups) {
        if (contains_sorted(group.kind.services, service)) continue;
        if (!budget.work(work)) return reasons;
        const auto rule = rule_against(book, group.kind, {service});
        if (!rule) free += group.kind.count;
        if (!rule) continue;
        reasons.push_back(service + " cannot be on the " + counted(group.kind.count, "machine") +
                          " with " + listed(group.kind.services, "and") + ": " +
                          clause(book, *rule) + ".");
    }
    if (const auto* rule = model::constraint_on(book.constraints, service)) {
        if (rule->min > free) {
            reasons.push_back(clause(book, {Rule::Kind::at_least, 0, service}) + ".");
        }
        if (rule->max < free || rule->max < 1) {
            reasons.push_back(clause(book, {Rule::Kind::at_most, 0, service}) + ".");
        }
    }
    return reasons;
}

// The group rules that prevent adding these services together: those that name several of them.
Names rules_among(const RuleBook& book, const Names& services) {
    Names clauses;
    for (const auto& rule : rules_of(book)) {
        const auto* groups = rule.kind == Rule::Kind::together ? &book.constraints.must_coexist
                             : rule.kind == Rule::Kind::apart  ? &book.constraints.cant_coexist
                                                               : nullptr;
        if (groups == nullptr) continue;
        const auto& group = groups->at(rule.group);
        const auto named = std::count_if(services.begin(), services.end(),
                                         [&](const auto& name) { return contains(group, name); });
        if (named > 1) clauses.push_back(clause(book, rule) + ".");
    }
    return clauses;
}

// Leaves out one service after another while the rest still finds no place.
Names fewest_without_a_place(const model::Constraints& constraints, Names services,
                             const std::vector<LikeNodes>& groups, Budget& budget) {
    const long share = budget.left() / std::max(1L, std::ssize(services));
    for (const auto& service : Names(services)) {
        Names others = services;
        others.erase(std::find(others.begin(), others.end(), service));
        const bool find_no_place = budget.lend(share, [&](Budget& part) {
            Adder adder(constraints, others, part);
            return !adder.place(groups) && !adder.gave_up();
        });
        if (find_no_place) services = std::move(others);
    }
    return services;
}

Unsatisfiable why_impossible(const AdditionProblem& problem, const std::vector<LikeNodes>& groups,
                             Budget& budget) {
    const auto& constraints = problem.cluster_template.constraints;
    Selection selection;
    std::set<std::string> hardware;
    std::set<std::string> images;
    for (const auto& group : groups) {
        hardware.insert(group.kind.hardware_type);
        images.insert(group.kind.image_type);
    }
    selection.hardware_types.assign(hardware.begin(), hardware.end());
    selection.image_types.assign(images.begin(), images.end());
    selection.services = present_services(groups);
    for (const auto& service : problem.services) {
        selection.services = with_service(std::move(selection.services), service);
    }
    const std::vector<NodeGroup> none;
    const RuleBook book{.constraints = constraints,
                        .selection = selection,
                        .machines = static_cast<int>(problem.nodes.size()),
                        .present = none};
    const auto fewest = fewest_without_a_place(constraints, problem.services, groups, budget);
    auto reasons = fewest.size() == 1 ? why_it_has_no_place(book, fewest[0], groups, budget)
                                      : rules_among(book, fewest);
    reasons.insert(reasons.begin(), listed(fewest, "and") + " cannot be added to this cluster" +
                                        (fewest.size() > 1 ? " together." : "."));
    return cannot_add(std::move(reasons));
}

Additions what_was_added(const std::vector<PresentNode>& nodes,
                         const std::vector<LikeNodes>& groups) {
    Additions added(nodes.size());
    for (const auto& group : groups) {
        for (const auto i : group.nodes) {
            const std::set<std::string> before(nodes[i].services.begin(), nodes[i].services.end());
            std::set_difference(group.kind.services.begin(), group.kind.services.end(),
                                before.begin(), before.end(), std::back_inserter(added[i]));
        }
    }
    return added;
}

}  // namespace

base::expected<Additions, Unsatisfiable> add_services(const AdditionProblem& problem,
                                                      long max_steps) {
    const auto groups = group_alike(problem.nodes);
    const auto present = present_services(groups);
    if (problem.services.empty()) {
        return base::unexpected(cannot_add({"Name at least 1 service to add."}));
    }
    if (auto wrong = check_services(
            problem.cluster_template,
            {.services = problem.services, .present = present, .existence_first = true},
            problem.all_services)) {
        return base::unexpected(std::move(*wrong));
    }
    const auto& constraints = problem.cluster_template.constraints;
    if (!is_acceptable(constraints, present, layout_of(groups))) {
        return base::unexpected(cannot_add(
            {"The cluster does not keep the rules of its template as it is, so nothing can be "
             "added to it."}));
    }
    Budget budget(max_steps, work_whatever_the_steps);
    Adder adder(constraints, problem.services, budget);
    const auto placed = adder.place(groups);
    if (adder.gave_up()) {
        return base::unexpected(
            cannot_add({"Where to add the services is too hard to work out (gave up after " +
                        counted(max_steps, "step") + "). Add fewer of them at once."}));
    }
    if (!placed) {
        Budget rest(std::max(budget.left(), max_steps / 8), work_whatever_the_steps);
        return base::unexpected(why_impossible(problem, groups, rest));
    }
    return what_was_added(problem.nodes, *placed);
}

}  // namespace provisioner::solver
