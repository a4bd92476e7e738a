#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "provisioner/store/tenants/usage_store.hpp"

namespace provisioner::operations {

/// How node usage is looked at. Moments are seconds since 1970.
struct UsageQuestion {
    std::optional<std::int64_t> start{};
    std::optional<std::int64_t> end{};
    /// Length of a bucket in seconds; nothing: one number for the whole time.
    std::optional<std::int64_t> period{};
    /// What is counted, for example hours.
    std::chrono::nanoseconds unit = std::chrono::seconds{1};
};

/// One number: the units of node time from `time` to the next one.
struct UsageEntry {
    std::int64_t time = 0;
    std::int64_t value = 0;

    bool operator==(const UsageEntry&) const = default;
};

struct NodeUsage {
    std::int64_t start = 0;
    std::int64_t end = 0;
    std::vector<UsageEntry> entries;
};

/// No answer has more numbers than this.
constexpr std::int64_t max_usage_entries = 100'000;

/// How long nodes were there, of these spans and of `totals`, which are over: only spans count
/// where the question is about a part of their time. Without a start from the first creation on;
/// without an end until now, or until the last deletion if there was one. Buckets are aligned to
/// multiples of the period since 1970, the first one begins at the start. Each node's share of a
/// bucket is cut to whole units before it is added. Nothing when the end is before the start, or
/// for more than max_usage_entries. Costs nodes times the buckets each was there in. Source: the
/// wire contract.
std::optional<NodeUsage> node_usage(const std::vector<store::NodeSpan>& spans,
                                    const store::UsageTotals& totals, const UsageQuestion& question,
                                    base::Timestamp now);

/// The same of what is stored. A question about all time costs nothing for machines that went long
/// ago; others read every span that is partly in their time.
std::optional<NodeUsage> read_node_usage(store::Database& database,
                                         const store::UsageFilter& filter,
                                         const UsageQuestion& question, base::Timestamp now);

}  // namespace provisioner::operations
