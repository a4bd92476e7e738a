#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "provisioner/base/problem.hpp"
#include "provisioner/model/machines/price.hpp"

namespace provisioner::model {

// What a tenant may spend on machines. New machines are checked when they are asked for. Machines
// that are there already are never taken away because of a budget.

/// The most that a tenant's machines may cost. At least one of the limits is set.
struct Budget {
    std::string currency{};
    /// Micros per hour of all machines together.
    std::optional<std::int64_t> per_hour{};
    /// Micros in a calendar month in UTC.
    std::optional<std::int64_t> per_month{};

    bool operator==(const Budget&) const = default;
};

/// The beginning of the calendar month of `moment` in UTC, and of the month after it.
struct Month {
    base::Timestamp begin{};
    base::Timestamp end{};
    /// "2026-11".
    std::string name{};
};
Month month_of(base::Timestamp moment);

/// What machines load a budget with.
struct BudgetLoad {
    /// Amounts per hour, and the machines without a price.
    HourlyCost hourly{};
    /// What they will cost from now on until the end of the month, or of their lease if that is
    /// earlier.
    Amounts committed{};

    /// Adds machines that stay until `until` (nothing: for ever).
    void add(const HourlyCost& cost, std::optional<base::Timestamp> until, base::Timestamp now);
};

/// The use of a budget.
struct BudgetUse {
    /// What machines have cost in this month.
    MeteredCost spent{};
    /// Machines of the tenant's clusters, those included that are not made yet.
    BudgetLoad machines{};
    /// In which they were computed.
    Month month{};
};

/// Why `more` machines do not fit into the budget, in sentences with the numbers; empty when they
/// do. Machines without a price and in another currency do not fit, because nobody knows what
/// would be left. Machines that cost nothing always fit.
std::vector<std::string> over_budget(const Budget& budget, const BudgetUse& use,
                                     const BudgetLoad& more);

/// Sentences about limits of which at least 80 % are used with `more` machines, and about machines
/// and times that could not be counted.
std::vector<std::string> budget_warnings(const Budget& budget, const BudgetUse& use,
                                         const BudgetLoad& more);

}  // namespace provisioner::model
