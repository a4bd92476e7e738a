#include "provisioner/model/tenants/budget.hpp"

#include <algorithm>

namespace provisioner::model {

namespace {

constexpr std::int64_t warned_at_percent = 80;

/// What has been used of a limit and what is left, in micros of the budget's currency. Never above
/// the largest number, because amounts stop there.
struct Share {
    std::int64_t used = 0;
    std::int64_t more = 0;
    std::int64_t limit = 0;

    bool is_over() const { return more > 0 && more > limit - used; }
    bool is_nearly_over() const { return percent() >= warned_at_percent; }
    /// Rounded down; 100 for a limit of nothing.
    std::int64_t percent() const {
        if (limit == 0) return 100;
        Amounts sum;
        sum.add({"", used});
        sum.add({"", more});
        return std::min(sum.of(""), most_micros) * 100 / limit;
    }
};

Share of_hour(const Budget& budget, const BudgetUse& use, const BudgetLoad& more) {
    return {.used = use.machines.hourly.per_hour.of(budget.currency),
            .more = more.hourly.per_hour.of(budget.currency),
            .limit = budget.per_hour.value_or(0)};
}

Share of_month(const Budget& budget, const BudgetUse& use, const BudgetLoad& more) {
    Amounts used = use.spent.amounts;
    used.add(use.machines.committed);
    return {.used = used.of(budget.currency),
            .more = more.committed.of(budget.currency),
            .limit = budget.per_month.value_or(0)};
}

/// "0.06 EUR and 0.10 CHF": amounts that are not of the budget's currency, without zeros.
std::string foreign_amounts(const Amounts& amounts, const std::string& currency) {
    Amounts others;
    for (const auto& [other, micros] : amounts.by_currency()) {
        if (other != currency && micros != 0) others.add({other, micros});
    }
    return to_text(others);
}

/// In the budget's currency.
class Texts {
 public:
    explicit Texts(const Budget& budget) : currency_(budget.currency) {}
    std::string operator()(std::int64_t micros) const { return to_text(Money{currency_, micros}); }
    std::string rounded(std::int64_t micros) const {
        return to_rounded_text(Money{currency_, micros});
    }

 private:
    std::string currency_;
};

void append(std::vector<std::string>& sentences, std::vector<std::string> more) {
    sentences.insert(sentences.end(), more.begin(), more.end());
}

}  // namespace

Month month_of(base::Timestamp moment) {
    const std::chrono::year_month_day day{std::chrono::floor<std::chrono::days>(moment)};
    const std::chrono::year_month month{day.year(), day.month()};
    return {.begin = std::chrono::sys_days{month / 1},
            .end = std::chrono::sys_days{(month + std::chrono::months{1}) / 1},
            .name = base::to_rfc3339(moment).substr(0, 7)};
}

void BudgetLoad::add(const HourlyCost& cost, std::optional<base::Timestamp> until,
                     base::Timestamp now) {
    hourly.per_hour.add(cost.per_hour);
    for (const auto& [kind, count] : cost.unpriced) hourly.unpriced[kind] += count;
    const base::Timestamp month_end = month_of(now).end;
    const base::Timestamp end = std::min(until.value_or(month_end), month_end);
    const auto seconds = std::chrono::floor<std::chrono::seconds>(end - now).count();
    for (const auto& [currency, micros] : cost.per_hour.by_currency()) {
        committed.add({currency, cost_of(micros, std::max<std::int64_t>(seconds, 0))});
    }
}

std::vector<std::string> over_budget(const Budget& budget, const BudgetUse& use,
                                     const BudgetLoad& more) {
    const Texts text(budget);
    std::vector<std::string> sentences = unpriced_sentences(more.hourly.unpriced);
    for (std::string& sentence : sentences) sentence += " A tenant with a budget needs one.";
    const std::string foreign = foreign_amounts(more.hourly.per_hour, budget.currency);
    if (!foreign.empty()) {
        sentences.push_back("These machines cost " + foreign +
                            " per hour, but the tenant's budget is in " + budget.currency + ".");
    }
    const Share hour = of_hour(budget, use, more);
    if (budget.per_hour && hour.is_over()) {
        sentences.push_back("The tenant's budget allows " + text(hour.limit) +
                            " per hour: its machines cost " + text(hour.used) +
                            " now, and these would cost " + text(hour.more) + " more.");
    }
    const Share month = of_month(budget, use, more);
    if (budget.per_month && month.is_over()) {
        sentences.push_back(
            "The tenant's budget allows " + text(month.limit) + " in " + use.month.name + ": " +
            text.rounded(use.spent.amounts.of(budget.currency)) +
            " are spent, its machines will cost " +
            text.rounded(use.machines.committed.of(budget.currency)) +
            " until the end of the month or of their leases, and these would cost " +
            text.rounded(month.more) + " more.");
    }
    return sentences;
}

std::vector<std::string> budget_warnings(const Budget& budget, const BudgetUse& use,
                                         const BudgetLoad& more) {
    const Texts text(budget);
    std::vector<std::string> sentences;
    const Share hour = of_hour(budget, use, more);
    if (budget.per_hour && hour.is_nearly_over()) {
        sentences.push_back(std::to_string(hour.percent()) + " % of the tenant's budget of " +
                            text(hour.limit) + " per hour is used.");
    }
    const Share month = of_month(budget, use, more);
    if (budget.per_month && month.is_nearly_over()) {
        sentences.push_back(std::to_string(month.percent()) + " % of the tenant's budget of " +
                            text(month.limit) + " in " + use.month.name +
                            " is spent or promised to existing machines.");
    }
    append(sentences, unpriced_sentences(use.machines.hourly.unpriced));
    Amounts all = use.spent.amounts;
    all.add(use.machines.hourly.per_hour);
    const std::string foreign = foreign_amounts(all, budget.currency);
    if (!foreign.empty()) {
        sentences.push_back("The budget is in " + budget.currency +
                            " and does not count what machines cost in other currencies.");
    }
    return sentences;
}

}  // namespace provisioner::model
