#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "provisioner/store/tenants/usage_store.hpp"

namespace provisioner::operations {

// Reports of machine usage, in the wire contract's form. Moments are whole seconds since 1970.

/// The time and the units of a report.
struct UsageQuestion {
    /// Nothing: the first creation of a machine.
    std::optional<std::int64_t> start{};
    /// Nothing: the last deletion, or now if no machine was ever deleted.
    std::optional<std::int64_t> end{};
    /// Length of a bucket in seconds, at least 1; nothing: one bucket for the whole time.
    std::optional<std::int64_t> period{};
    /// The unit of the numbers, for example hours.
    std::chrono::nanoseconds unit = std::chrono::seconds{1};
};

/// One bucket of a report.
struct UsageEntry {
    /// Its beginning; it ends where the next one begins, or at the end of the report.
    std::int64_t time = 0;
    /// The time of all machines in it, in units.
    std::int64_t value = 0;

    bool operator==(const UsageEntry&) const = default;
};

/// A report: its time, as given or computed, and its buckets.
struct NodeUsage {
    std::int64_t start = 0;
    std::int64_t end = 0;
    /// By time, without gaps; at least one.
    std::vector<UsageEntry> entries;
};

/// The largest number of buckets in a report.
constexpr std::int64_t max_usage_entries = 100'000;

/// The report for `spans` and `totals`, which must not count a machine twice. Totals cannot be
/// split, so they count only without a period, and if the report covers all of their time.
///
/// Buckets are aligned to multiples of the period since 1970; the first one begins at the start.
/// Each machine's share of a bucket is cut to whole units before it is added. Sums stop at the
/// largest number. Nothing when the end is before the start, or for more than max_usage_entries
/// buckets.
///
/// Pure. Costs machines times the buckets in which each existed. Source: the wire contract.
std::optional<NodeUsage> node_usage(const std::vector<store::NodeSpan>& spans,
                                    const store::UsageTotals& totals, const UsageQuestion& question,
                                    base::Timestamp now);

/// The report for the stored machines that `filter` selects, from one snapshot. A report about all
/// time uses the totals, so machines deleted long ago cost nothing. Any other report reads every
/// span that overlaps its time.
std::optional<NodeUsage> read_node_usage(store::Database& database,
                                         const store::UsageFilter& filter,
                                         const UsageQuestion& question, base::Timestamp now);

/// The same inside a transaction of the caller.
std::optional<NodeUsage> read_node_usage(store::Connection& connection,
                                         const store::UsageFilter& filter,
                                         const UsageQuestion& question, base::Timestamp now);

/// Whether a report over the time of `frame` may use the totals: they count whole machines, so it
/// must cover all their time.
bool totals_answer(const store::UsageTotals& totals, const UsageQuestion& question,
                   const NodeUsage& frame);

}  // namespace provisioner::operations
