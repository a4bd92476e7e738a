#include "provisioner/operations/tenants/usage.hpp"

#include <algorithm>
#include <limits>

namespace provisioner::operations {

namespace {

std::int64_t seconds_of(base::Timestamp moment) {
    return base::to_millis(moment) / 1000;
}

/// `seconds` in whole units. The unit may be shorter or longer than a second.
std::int64_t in_units(std::int64_t seconds, std::chrono::nanoseconds unit) {
    constexpr std::int64_t second = 1'000'000'000;
    const std::int64_t nanoseconds = unit.count();
    return nanoseconds >= second ? seconds / (nanoseconds / second)
                                 : seconds * (second / nanoseconds);
}

/// The time of the report, without entries.
NodeUsage frame_of(const std::vector<store::NodeSpan>& spans, const store::UsageTotals& totals,
                   const UsageQuestion& question, base::Timestamp now) {
    std::optional<base::Timestamp> first = totals.first;
    std::optional<base::Timestamp> last_deletion = totals.last;
    for (const store::NodeSpan& span : spans) {
        first = std::min(first.value_or(span.created), span.created);
        if (span.deleted) {
            last_deletion = std::max(last_deletion.value_or(*span.deleted), *span.deleted);
        }
    }
    NodeUsage usage;
    usage.start = question.start.value_or(first ? seconds_of(*first) : 0);
    usage.end = question.end.value_or(seconds_of(last_deletion.value_or(now)));
    return usage;
}

/// The index of the bucket that contains `moment`; the bucket of the start is 0.
std::int64_t bucket_at(std::int64_t moment, const NodeUsage& usage,
                       std::optional<std::int64_t> period) {
    return period ? moment / *period - usage.start / *period : 0;
}

std::int64_t begin_of(std::int64_t bucket, const NodeUsage& usage,
                      std::optional<std::int64_t> period) {
    return bucket == 0 ? usage.start : (usage.start / *period + bucket) * *period;
}

void add_to(std::int64_t& value, std::int64_t share) {
    value += std::min(share, std::numeric_limits<std::int64_t>::max() - value);
}

std::int64_t totals_in_units(const store::UsageTotals& totals, std::chrono::nanoseconds unit) {
    if (unit == std::chrono::minutes{1}) return totals.minutes;
    if (unit == std::chrono::hours{1}) return totals.hours;
    if (unit == std::chrono::days{1}) return totals.days;
    return in_units(totals.seconds, unit);
}

void add_span(const store::NodeSpan& span, const UsageQuestion& question, base::Timestamp now,
              NodeUsage& usage) {
    const std::int64_t from = std::max(seconds_of(span.created), usage.start);
    const std::int64_t to = std::min(seconds_of(span.deleted.value_or(now)), usage.end);
    if (from >= to) return;
    const std::int64_t last = bucket_at(to - 1, usage, question.period);
    for (auto bucket = bucket_at(from, usage, question.period); bucket <= last; ++bucket) {
        const std::int64_t begin = std::max(from, begin_of(bucket, usage, question.period));
        const std::int64_t end = bucket == last ? to : begin_of(bucket + 1, usage, question.period);
        std::int64_t& value = usage.entries[static_cast<std::size_t>(bucket)].value;
        add_to(value, in_units(end - begin, question.unit));
    }
}

}  // namespace

bool totals_answer(const store::UsageTotals& totals, const UsageQuestion& question,
                   const NodeUsage& frame) {
    if (totals.machines == 0) return true;
    return !question.period && frame.start <= seconds_of(*totals.first) &&
           frame.end >= seconds_of(*totals.last);
}

std::optional<NodeUsage> node_usage(const std::vector<store::NodeSpan>& spans,
                                    const store::UsageTotals& totals, const UsageQuestion& question,
                                    base::Timestamp now) {
    NodeUsage usage = frame_of(spans, totals, question, now);
    if (usage.end < usage.start) return std::nullopt;
    if (spans.empty() && totals.machines == 0) {
        usage.entries.push_back({.time = usage.start});
        return usage;
    }
    const std::int64_t last_moment = std::max(usage.start, usage.end - 1);
    const std::int64_t buckets = bucket_at(last_moment, usage, question.period) + 1;
    if (buckets > max_usage_entries) return std::nullopt;
    for (std::int64_t bucket = 0; bucket < buckets; ++bucket) {
        usage.entries.push_back({.time = begin_of(bucket, usage, question.period)});
    }
    for (const store::NodeSpan& span : spans) add_span(span, question, now, usage);
    if (totals_answer(totals, question, usage)) {
        add_to(usage.entries.front().value, totals_in_units(totals, question.unit));
    }
    return usage;
}

std::optional<NodeUsage> read_node_usage(store::Database& database,
                                         const store::UsageFilter& filter,
                                         const UsageQuestion& question, base::Timestamp now) {
    return database.read([&](store::Connection& connection) {
        return read_node_usage(connection, filter, question, now);
    });
}

std::optional<NodeUsage> read_node_usage(store::Connection& connection,
                                         const store::UsageFilter& filter,
                                         const UsageQuestion& asked, base::Timestamp now) {
    UsageQuestion question = asked;
    const auto totals = store::usage_totals(connection, filter);
    std::vector<store::NodeSpan> spans;
    // With both moments given, the totals alone show whether they can be used. If not, the spans
    // after them need not be read, because all overlapping spans are read below.
    const bool has_frame = question.start && question.end;
    const bool by_totals =
        !has_frame || totals_answer(totals, question, frame_of({}, totals, question, now));
    if (by_totals) spans = store::node_spans_after_totals(connection, filter);
    const NodeUsage frame = frame_of(spans, totals, question, now);
    question.start = frame.start;
    question.end = frame.end;
    if (!totals_answer(totals, question, frame)) {
        spans = store::node_spans_between(connection, filter, base::from_millis(frame.start * 1000),
                                          base::from_millis(frame.end * 1000));
    }
    return node_usage(spans, totals, question, now);
}

}  // namespace provisioner::operations
