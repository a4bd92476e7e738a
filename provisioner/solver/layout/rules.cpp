#include "provisioner/solver/layout/rules.hpp"

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <unordered_set>

#include "provisioner/solver/constraints.hpp"
#include "provisioner/solver/sentences.hpp"

namespace provisioner::solver {

namespace {

using Names = std::vector<std::string>;
using Kind = Rule::Kind;

constexpr std::size_t longest_sentence = 5;

// The members that are on the cluster, without repeats, in the order written.
Names members_present(const RuleBook& book, const Names& group) {
    Names present;
    for (const auto& name : group) {
        if (contains(present, name)) continue;
        if (contains_sorted(book.selection.services, name)) present.push_back(name);
    }
    return present;
}

bool all_present(const RuleBook& book, const Names& group) {
    return std::all_of(group.begin(), group.end(), [&](const auto& name) {
        return contains_sorted(book.selection.services, name);
    });
}

void add_type_rules(const RuleBook& book, std::vector<Rule>& rules) {
    for (const auto& [service, rule] : book.constraints.services) {
        if (!contains_sorted(book.selection.services, service)) continue;
        if (!rule.hardware_types.empty()) rules.push_back({Kind::hardware, 0, service});
        if (!rule.image_types.empty()) rules.push_back({Kind::image, 0, service});
    }
}

void add_group_rules(const RuleBook& book, std::vector<Rule>& rules) {
    const auto& must = book.constraints.must_coexist;
    for (std::size_t i = 0; i < must.size(); ++i) {
        if (members_present(book, must[i]).size() > 1) rules.push_back({Kind::together, i, ""});
    }
    const auto& cant = book.constraints.cant_coexist;
    for (std::size_t i = 0; i < cant.size(); ++i) {
        if (!cant[i].empty() && all_present(book, cant[i])) rules.push_back({Kind::apart, i, ""});
    }
}

void add_quantity_rules(const RuleBook& book, std::vector<Rule>& rules) {
    for (const auto& [service, rule] : book.constraints.services) {
        if (!contains_sorted(book.selection.services, service)) continue;
        if (rule.max != model::no_maximum) rules.push_back({Kind::at_most, 0, service});
        if (rule.min > 0) rules.push_back({Kind::at_least, 0, service});
    }
}

model::ServiceConstraint& entry_of(model::Constraints& constraints, const std::string& service) {
    for (auto& [name, rule] : constraints.services) {
        if (name == service) return rule;
    }
    return constraints.services.emplace_back(service, model::ServiceConstraint{}).second;
}

void keep(const RuleBook& book, const Rule& rule, model::Constraints& kept) {
    const auto* written =
        rule.service.empty() ? nullptr : model::constraint_on(book.constraints, rule.service);
    switch (rule.kind) {
        case Kind::together:
            kept.must_coexist.push_back(book.constraints.must_coexist.at(rule.group));
            return;
        case Kind::apart:
            kept.cant_coexist.push_back(book.constraints.cant_coexist.at(rule.group));
            return;
        case Kind::hardware:
            entry_of(kept, rule.service).hardware_types = written->hardware_types;
            return;
        case Kind::image:
            entry_of(kept, rule.service).image_types = written->image_types;
            return;
        case Kind::at_most:
            entry_of(kept, rule.service).max = written->max;
            return;
        case Kind::at_least:
            entry_of(kept, rule.service).min = written->min;
            return;
        case Kind::all_machines:
        case Kind::only_machines:
            return;
    }
    throw std::logic_error("a rule is of no kind");
}

std::string apart_clause(const Names& group) {
    if (group.size() == 1) return group[0] + " must not be on any machine";
    if (group.size() == 2) return listed(group, "and") + " must not share a machine";
    return listed(group, "and") + " must not all be on one machine";
}

std::string type_clause(const std::string& service, const std::string& noun, const Names& allowed) {
    return service + " runs only on " + noun + " type " + listed(allowed, "or");
}

// " and this cluster can have only ..." when none of the allowed types can be had; else nothing.
std::string but_only(const Names& allowed, const Names& usable) {
    const bool any = std::any_of(allowed.begin(), allowed.end(),
                                 [&](const auto& name) { return contains_sorted(usable, name); });
    return any ? "" : " and this cluster can have only " + listed(usable, "or");
}

// Whether the rule requires something, rather than limiting it.
bool is_demand(const Rule& rule) {
    return rule.kind == Kind::at_least || rule.kind == Kind::all_machines;
}

// " (and is on 2)" when nodes exist already; else nothing.
std::string as_it_is(const RuleBook& book, const std::string& service) {
    if (book.present.empty()) return "";
    return " (and is on " + std::to_string(nodes_with(service, book.present)) + ")";
}

std::string machines_asked_for(const RuleBook& book) {
    return std::to_string(book.machines) + (book.present.empty() ? "" : " more") +
           (book.machines == 1 ? " machine was" : " machines were") + " asked for";
}

std::string one_sentence(const RuleBook& book, const std::vector<Rule>& rules) {
    Names demands;
    Names limits;
    for (const auto& rule : rules) {
        (is_demand(rule) ? demands : limits).push_back(clause(book, rule));
    }
    if (demands.empty() || limits.empty()) {
        return listed(demands.empty() ? limits : demands, "and") + ".";
    }
    return listed(demands, "and") + ", but " + listed(limits, "and") + ".";
}

// A service's name keeps its case at the beginning of a sentence.
std::string as_sentence(const std::string& text) {
    return (text.starts_with("only ") ? capitalised(text) : text) + ".";
}

// Whether a node of this kind with the services `on_node` breaks the rule. Quantities and machines
// are not broken by one node.
bool is_broken(const RuleBook& book, const Rule& rule, const NodeGroup& kind,
               const std::unordered_set<std::string_view>& on_node) {
    const auto here = [&](const Names& group) {
        return std::count_if(group.begin(), group.end(),
                             [&](const auto& name) { return on_node.contains(name); });
    };
    if (rule.kind == Kind::together) {
        const auto& group = book.constraints.must_coexist.at(rule.group);
        const auto on_cluster = std::count_if(group.begin(), group.end(), [&](const auto& name) {
            return contains_sorted(book.selection.services, name);
        });
        return here(group) > 0 && here(group) != on_cluster;
    }
    if (rule.kind == Kind::apart) {
        const auto& group = book.constraints.cant_coexist.at(rule.group);
        return !group.empty() && here(group) == std::ssize(group);
    }
    const bool is_type = rule.kind == Kind::hardware || rule.kind == Kind::image;
    if (!is_type || !on_node.contains(rule.service)) return false;
    const auto* written = model::constraint_on(book.constraints, rule.service);
    return rule.kind == Kind::hardware ? !allows(written->hardware_types, kind.hardware_type)
                                       : !allows(written->image_types, kind.image_type);
}

}  // namespace

bool is_of_template(const Rule& rule) {
    return rule.kind != Kind::all_machines && rule.kind != Kind::only_machines;
}

std::string noun_of(Kind kind) {
    return kind == Kind::hardware ? "hardware" : "image";
}

std::vector<Rule> rules_of(const RuleBook& book) {
    std::vector<Rule> rules;
    add_type_rules(book, rules);
    add_group_rules(book, rules);
    add_quantity_rules(book, rules);
    rules.push_back({Kind::all_machines, 0, ""});
    rules.push_back({Kind::only_machines, 0, ""});
    return rules;
}

Names services_in(const RuleBook& book, const Rule& rule) {
    if (rule.kind == Kind::together) {
        return members_present(book, book.constraints.must_coexist.at(rule.group));
    }
    if (rule.kind == Kind::apart) {
        return members_present(book, book.constraints.cant_coexist.at(rule.group));
    }
    return is_of_template(rule) ? Names{rule.service} : Names{};
}

model::Constraints only(const RuleBook& book, const std::vector<Rule>& kept) {
    model::Constraints constraints;
    for (const auto& rule : kept) keep(book, rule, constraints);
    return constraints;
}

std::optional<Rule> rule_against(const RuleBook& book, const NodeGroup& kind,
                                 const Names& services) {
    std::unordered_set<std::string_view> on_node(kind.services.begin(), kind.services.end());
    on_node.insert(services.begin(), services.end());
    auto rules = rules_of(book);
    // Types come last: the machine of a node mostly follows from its services.
    std::stable_partition(rules.begin(), rules.end(), [](const Rule& rule) {
        return rule.kind != Kind::hardware && rule.kind != Kind::image;
    });
    for (const auto& rule : rules) {
        if (is_broken(book, rule, kind, on_node)) return rule;
    }
    return std::nullopt;
}

std::string written_clause(const RuleBook& book, const Rule& rule) {
    const auto* written = model::constraint_on(book.constraints, rule.service);
    switch (rule.kind) {
        case Kind::together:
            return listed(services_in(book, rule), "and") +
                   " must be together on a machine or not be there at all";
        case Kind::apart:
            return apart_clause(services_in(book, rule));
        case Kind::hardware:
            return type_clause(rule.service, "hardware", written->hardware_types);
        case Kind::image:
            return type_clause(rule.service, "image", written->image_types);
        case Kind::at_most:
            return rule.service + " may be on at most " + counted(written->max, "machine");
        case Kind::at_least:
            return rule.service + " needs at least " + counted(written->min, "machine");
        case Kind::all_machines:
            return machines_asked_for(book) + " and each needs something to run";
        case Kind::only_machines:
            return "only " + machines_asked_for(book);
    }
    throw std::logic_error("a rule is of no kind");
}

std::string clause(const RuleBook& book, const Rule& rule) {
    const auto* written = model::constraint_on(book.constraints, rule.service);
    const auto text = written_clause(book, rule);
    switch (rule.kind) {
        case Kind::hardware:
            return text + but_only(written->hardware_types, book.selection.hardware_types);
        case Kind::image:
            return text + but_only(written->image_types, book.selection.image_types);
        case Kind::at_most:
        case Kind::at_least:
            return text + as_it_is(book, rule.service);
        default:
            return text;
    }
}

std::vector<std::string> sentences(const RuleBook& book, const std::vector<Rule>& rules) {
    if (rules.size() <= longest_sentence) return {one_sentence(book, rules)};
    auto demands_first = rules;
    std::stable_partition(demands_first.begin(), demands_first.end(), is_demand);
    Names each;
    for (const auto& rule : demands_first) each.push_back(as_sentence(clause(book, rule)));
    return each;
}

}  // namespace provisioner::solver
