#include "provisioner/solver/explain/explain.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <string_view>
#include <tuple>

#include "provisioner/solver/changes/changes.hpp"

namespace provisioner::solver {

namespace {

using Kind = Rule::Kind;

// Each question gets a share of the budget, so that one hard question leaves something for the
// others.
constexpr long questions_for_a_clash = 16;

bool has(const std::vector<Rule>& rules, Kind kind) {
    return std::any_of(rules.begin(), rules.end(),
                       [&](const Rule& rule) { return rule.kind == kind; });
}

// Without a limit on machines, one machine for each demand is always enough.
long most_machines(const RuleBook& book, const std::vector<Rule>& kept,
                   const Remainder& remainder) {
    if (has(kept, Kind::only_machines)) return book.machines;
    return std::accumulate(remainder.needed.begin(), remainder.needed.end(),
                           static_cast<long>(book.machines));
}

Clash filter(const RuleBook& book, const std::vector<Rule>& rules, Budget& budget) {
    Clash clash{.rules = rules, .minimal = true};
    const long share = budget.left() / questions_for_a_clash;
    for (const auto& rule : rules) {
        if (!budget.work(20 * std::ssize(clash.rules))) {
            clash.minimal = false;
            break;
        }
        auto others = clash.rules;
        others.erase(std::find(others.begin(), others.end(), rule));
        const auto answer =
            budget.lend(share, [&](Budget& part) { return can_all_be_kept(book, others, part); });
        if (answer == Answer::no) clash.rules = std::move(others);
        if (answer == Answer::gave_up) clash.minimal = false;
    }
    return clash;
}

// The same clash with its rules in the order of `rules`.
Clash in_order_of(const std::vector<Rule>& rules, const Clash& clash) {
    Clash ordered{.rules = {}, .minimal = clash.minimal};
    const auto key = [](const Rule& rule) {
        return std::tuple(rule.kind, rule.group, std::string_view(rule.service));
    };
    std::set<std::tuple<Kind, std::size_t, std::string_view>> kept;
    for (const auto& rule : clash.rules) kept.insert(key(rule));
    for (const auto& rule : rules) {
        if (kept.contains(key(rule))) ordered.rules.push_back(rule);
    }
    return ordered;
}

std::string field_to_blame(const Clash& clash) {
    if (has(clash, Kind::only_machines) || has(clash, Kind::all_machines)) {
        return "numMachines";
    }
    if (has(clash, Kind::hardware)) return "hardwaretype";
    if (has(clash, Kind::image)) return "imagetype";
    return "services";
}

}  // namespace

bool has(const Clash& clash, Kind kind) {
    return has(clash.rules, kind);
}

Answer can_all_be_kept(const RuleBook& book, const std::vector<Rule>& kept, Budget& budget) {
    // only() looks for the entry of each service among those before it.
    const auto entries = std::count_if(kept.begin(), kept.end(),
                                       [](const Rule& rule) { return !rule.service.empty(); });
    if (!budget.work(50 * std::ssize(kept) + entries * std::ssize(book.constraints.services))) {
        return Answer::gave_up;
    }
    const auto constraints = only(book, kept);
    if (!budget.work(work_of_kind_rules(constraints, book.selection))) return Answer::gave_up;
    const auto rules = kind_rules(constraints, book.selection);
    auto remainder = remainder_of(rules, constraints, book.present, book.machines);
    remainder.nodes = most_machines(book, kept, remainder);
    const long used = has(kept, Kind::all_machines) ? book.machines : 0;
    return Feasibility(rules, budget).is_possible(remainder, used);
}

Clash find_clash(const RuleBook& book, Budget& budget) {
    const auto rules = rules_of(book);
    auto order = rules;
    // The filter tries to leave out the first rules first. So the number of machines is blamed only
    // if the rules do not clash without it.
    std::stable_partition(order.begin(), order.end(),
                          [](const Rule& rule) { return !is_of_template(rule); });
    const long half = budget.left() / 2;
    const long other_half = budget.left() - half;
    const auto filtered = [&](Budget& part) { return filter(book, order, part); };
    const auto forwards = budget.lend(half, filtered);
    std::reverse(order.begin(), order.end());
    const auto backwards = budget.lend(other_half, filtered);
    return in_order_of(rules,
                       backwards.rules.size() < forwards.rules.size() ? backwards : forwards);
}

Unsatisfiable explain_clash(const RuleBook& book, const Clash& clash) {
    Unsatisfiable why{
        .text = "", .reasons = sentences(book, clash.rules), .field = field_to_blame(clash)};
    for (const Rule& rule : clash.rules) {
        if (is_of_template(rule)) why.clash.push_back(part_of(book.constraints, rule));
    }
    return why;
}

}  // namespace provisioner::solver
