#include "provisioner/solver/explain/remedies.hpp"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <optional>
#include <set>

#include "provisioner/solver/changes/changes.hpp"
#include "provisioner/solver/constraints.hpp"
#include "provisioner/solver/layout/lay_out.hpp"
#include "provisioner/solver/sentences.hpp"

namespace provisioner::solver {

namespace {

using Kind = Rule::Kind;
using Names = std::vector<std::string>;

// Each question gets a share of the budget, so that one hard question leaves something for the
// others.
constexpr long questions_for_remedies = 50;
// A longer list is of no use to a reader, and templates rarely clash in more places.
constexpr std::size_t most_rules_to_drop = 20;
constexpr long most_machines_offered = 100'000;

// In the units of Budget: a name is a string, or two.
long work_of_copying(const LayoutProblem& problem) {
    constexpr long per_name = 30;
    const auto& constraints = problem.cluster_template.constraints;
    long names = std::ssize(problem.hardware_types) + std::ssize(problem.image_types) +
                 std::ssize(constraints.services);
    for (const auto* groups : {&constraints.must_coexist, &constraints.cant_coexist}) {
        for (const auto& group : *groups) names += 1 + std::ssize(group);
    }
    for (const auto& service : problem.all_services) {
        const auto& needs = service.dependencies;
        names += 10 + std::ssize(needs.provides) + std::ssize(needs.conflicts) +
                 std::ssize(needs.install.required) + std::ssize(needs.runtime.required);
    }
    for (const auto& group : problem.present) names += std::ssize(group.services);
    return per_name * names;
}

// The good number nearest to `bad` between `bad` and `far`; nothing when `far` is not good.
// Requires that from some number on all are good, and none before.
template <class IsGood>
std::optional<int> nearest_good(int bad, int far, const IsGood& is_good) {
    if (bad == far || !is_good(far)) return std::nullopt;
    while (std::abs(far - bad) > 1) {
        const int middle = bad + (far - bad) / 2;
        (is_good(middle) ? far : bad) = middle;
    }
    return far;
}

Names names_of_types(const LayoutProblem& problem, Kind kind) {
    Names names;
    const auto note = [&](const auto& types) {
        for (const auto& type : types) names.push_back(type.header.name);
    };
    if (kind == Kind::hardware) {
        note(problem.hardware_types);
    } else {
        note(problem.image_types);
    }
    return names;
}

std::vector<TemplatePart> asking_for(const Names& services) {
    return {{.kind = TemplatePart::Kind::services, .services = services}};
}

// Tries changes one after the other and keeps those that work.
class Trial {
 public:
    Trial(const LayoutProblem& problem, Budget& budget)
        : problem_(problem),
          budget_(budget),
          share_(budget.left() / questions_for_remedies),
          work_of_copying_(work_of_copying(problem)) {}

    void machines(const RuleBook& book, const Clash& clash);
    void bound(const RuleBook& book, const Rule& rule);
    void type_for_service(const RuleBook& book, const Rule& rule);
    void types_asked_for(Kind kind);
    void a_service_less(const Names& candidates);
    void only_known_services();
    void required_services();
    void without_rules(const RuleBook& book, const Clash& clash);
    void without_several_rules();

    /// The changes that work, those of the request first. Leaves the trial empty.
    std::vector<Remedy> result() {
        std::stable_partition(found_.begin(), found_.end(),
                              [](const Remedy& remedy) { return remedy.is_in_request; });
        return std::move(found_);
    }

    [[nodiscard]] bool found_nothing() const { return found_.empty(); }

    /// Takes the work of one change: it copies the problem. False when nothing can be tried any
    /// more.
    bool may_go_on() { return budget_.work(work_of_copying_); }

 private:
    template <class Question>
    bool is_yes(const Question& question) {
        return budget_.lend(share_, question) == Answer::yes;
    }

    bool works(const LayoutProblem& changed) {
        return may_go_on() && is_yes([&](Budget& part) { return has_layout(changed, part); });
    }

    void keep(bool is_in_request, const std::string& clause,
              std::vector<TemplatePart> changes = {}) {
        const Remedy remedy{is_in_request, capitalised(clause) + ".", std::move(changes)};
        const bool known = std::find(found_.begin(), found_.end(), remedy) != found_.end();
        if (!known) found_.push_back(remedy);
    }

    bool try_out(const Change& change) {
        if (!works(change.changed)) return false;
        keep(change.is_in_request, change.clause, change.parts);
        return true;
    }

    bool can_keep_without(const RuleBook& book, Kind left_out, int machines);
    std::vector<Rule> rules_to_drop();

    const LayoutProblem& problem_;
    Budget& budget_;
    long share_;
    long work_of_copying_;
    std::vector<Remedy> found_;
};

bool Trial::can_keep_without(const RuleBook& book, Kind left_out, int machines) {
    auto other = book;
    other.machines = machines;
    auto rules = rules_of(other);
    std::erase_if(rules, [&](const Rule& rule) { return rule.kind == left_out; });
    return is_yes([&](Budget& part) { return can_all_be_kept(other, rules, part); });
}

// More machines can only break the rule that each runs something. Fewer can only break the rule
// that there are no more. So each bisection leaves out the rule that its direction could break.
void Trial::machines(const RuleBook& book, const Clash& clash) {
    for (const auto& rule : clash.rules) {
        std::optional<int> machines;
        if (rule.kind == Kind::only_machines) {
            long most = book.machines;
            for (const auto& [service, written] : book.constraints.services) most += written.min;
            const int far = static_cast<int>(std::min(most, most_machines_offered));
            machines = nearest_good(book.machines, far, [&](int count) {
                return can_keep_without(book, Kind::all_machines, count);
            });
        }
        if (rule.kind == Kind::all_machines) {
            machines = nearest_good(book.machines, 1, [&](int count) {
                return can_keep_without(book, Kind::only_machines, count);
            });
        }
        if (machines) try_out(with_machines(problem_, *machines));
    }
}

void Trial::bound(const RuleBook& book, const Rule& rule) {
    const auto* written = model::constraint_on(book.constraints, rule.service);
    const bool is_maximum = rule.kind == Kind::at_most;
    const int now = is_maximum ? written->max : written->min;
    const int far = is_maximum ? std::max(now, total_nodes(problem_)) : 0;
    const auto bound = nearest_good(now, far, [&](int candidate) {
        return works(with_bound(problem_, rule, candidate).changed);
    });
    if (bound) try_out(with_bound(problem_, rule, *bound));
}

void Trial::type_for_service(const RuleBook& book, const Rule& rule) {
    const auto* written = model::constraint_on(book.constraints, rule.service);
    const bool is_hardware = rule.kind == Kind::hardware;
    const auto& allowed = is_hardware ? written->hardware_types : written->image_types;
    const auto& usable = is_hardware ? book.selection.hardware_types : book.selection.image_types;
    for (const auto& type : usable) {
        if (budget_.work_left() == 0) return;
        if (contains(allowed, type)) continue;
        if (try_out(with_type_for_service(problem_, rule, type))) return;
    }
}

void Trial::types_asked_for(Kind kind) {
    Names good;
    for (const auto& type : names_of_types(problem_, kind)) {
        if (budget_.work_left() == 0) break;
        if (works(with_type(problem_, kind, type))) good.push_back(type);
    }
    if (good.empty()) return;
    keep(true, "ask for " + noun_of(kind) + " type " + listed(good, "or"));
}

void Trial::a_service_less(const Names& candidates) {
    const auto asked = services_asked_for(problem_);
    for (const auto& service : candidates) {
        if (budget_.work_left() == 0) return;
        auto others = asked;
        std::erase(others, service);
        // With no service left, the template's defaults would be asked for.
        if (others.empty() || others.size() == asked.size()) continue;
        if (works(with_services(problem_, others))) {
            keep(true, "leave out " + service, asking_for(others));
        }
    }
}

void Trial::only_known_services() {
    Names known;
    Names strange;
    for (const auto& service : services_asked_for(problem_)) {
        (is_known(problem_, service) ? known : strange).push_back(service);
    }
    if (strange.empty() || known.empty()) return;
    if (works(with_services(problem_, known))) {
        keep(true, "leave out " + listed(strange, "and"), asking_for(known));
    }
}

void Trial::required_services() {
    const auto asked = services_asked_for(problem_);
    // Each round looks at what each service of the catalogue provides.
    const auto complete = with_requirements(asked, problem_.all_services);
    const Names added(complete.begin() + static_cast<std::ptrdiff_t>(asked.size()), complete.end());
    if (added.empty() || !works(with_services(problem_, complete))) return;
    keep(true, "add " + listed(added, "and") + " to the services", asking_for(complete));
}

void Trial::without_rules(const RuleBook& book, const Clash& clash) {
    for (const auto& rule : clash.rules) {
        if (budget_.work_left() == 0) return;
        if (rule.kind != Kind::together && rule.kind != Kind::apart) continue;
        if (works(without(problem_, {rule})))
            keep(false, "drop the rule that " + written_clause(book, rule),
                 {part_of(book.constraints, rule)});
    }
}

// Drops one rule of each clash until a layout exists. Then restores each dropped rule that is not
// needed.
std::vector<Rule> Trial::rules_to_drop() {
    const auto selection = select(problem_);
    std::vector<Rule> dropped;
    while (dropped.size() < most_rules_to_drop) {
        if (budget_.work_left() == 0) return {};
        const auto changed = without(problem_, dropped);
        if (works(changed)) break;
        const auto clash = budget_.lend(share_ * 10, [&](Budget& part) {
            return find_clash(rule_book(changed, *selection), part);
        });
        const auto rule = std::find_if(clash.rules.begin(), clash.rules.end(), is_of_template);
        if (rule == clash.rules.end() || budget_.left() == 0) return {};
        dropped.push_back(*rule);
    }
    for (std::size_t i = dropped.size(); i-- > 0;) {
        auto fewer = dropped;
        fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
        if (works(without(problem_, fewer))) dropped = fewer;
    }
    return dropped;
}

void Trial::without_several_rules() {
    const auto rules = rules_to_drop();
    if (rules.empty() || !works(without(problem_, rules))) return;
    const auto selection = select(problem_);
    const auto book = rule_book(problem_, *selection);
    Names clauses;
    std::vector<TemplatePart> parts;
    for (const auto& rule : rules) {
        clauses.push_back("that " + written_clause(book, rule));
        parts.push_back(part_of(book.constraints, rule));
    }
    keep(false, "drop the rules " + listed(clauses, "and"), std::move(parts));
}

// The services that the rules of the clash mention.
Names services_in(const RuleBook& book, const Clash& clash) {
    Names names;
    std::set<std::string> seen;
    for (const auto& rule : clash.rules) {
        for (const auto& name : services_in(book, rule)) {
            if (seen.insert(name).second) names.push_back(name);
        }
    }
    return names;
}

}  // namespace

std::vector<Remedy> remedies_for(const LayoutProblem& problem, const RuleBook& book,
                                 const Clash& clash, Budget& budget) {
    Trial trial(problem, budget);
    trial.machines(book, clash);
    for (const auto kind : {Kind::hardware, Kind::image}) {
        if (has(clash, kind)) trial.types_asked_for(kind);
    }
    trial.without_rules(book, clash);
    for (const auto& rule : clash.rules) {
        if (!trial.may_go_on()) break;
        if (rule.kind == Kind::at_most || rule.kind == Kind::at_least) trial.bound(book, rule);
        if (rule.kind == Kind::hardware || rule.kind == Kind::image) {
            trial.type_for_service(book, rule);
        }
    }
    trial.a_service_less(services_in(book, clash));
    if (trial.found_nothing()) trial.without_several_rules();
    return trial.result();
}

std::vector<Remedy> remedies_for(const LayoutProblem& problem, Budget& budget) {
    Trial trial(problem, budget);
    trial.types_asked_for(Kind::hardware);
    trial.types_asked_for(Kind::image);
    trial.only_known_services();
    trial.required_services();
    trial.a_service_less(services_asked_for(problem));
    return trial.result();
}

}  // namespace provisioner::solver
