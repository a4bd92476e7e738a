#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace provisioner::metrics {

/// What a family's values mean, in Prometheus' words.
enum class Type {
    /// Only grows; begins at 0 with its process.
    counter,
    /// Goes up and down.
    gauge,
    /// Counts of observations by size.
    histogram
};

/// One value of a family, or one histogram.
struct Sample {
    /// Values of Family::labels, in their order. Any text; bounded in number by whoever makes it.
    std::vector<std::string> labels{};
    /// The value; of a histogram the sum of all observations.
    double value = 0;
    /// Of a histogram: observations up to each of Family::bounds that are above the bound before,
    /// and last those above all bounds. Empty for other types.
    std::vector<std::uint64_t> buckets{};
};

/// All values of one name. Names follow the conventions of Prometheus: base units in the name
/// (_seconds, _bytes), counters end in _total.
struct Family {
    /// [a-z_][a-z0-9_]*
    std::string name;
    /// One sentence for people.
    std::string help;
    Type type = Type::gauge;
    /// Names of the labels. Never of something unbounded: no ids, no paths, no names of users.
    std::vector<std::string> labels{};
    std::vector<Sample> samples{};
    /// Upper bounds of a histogram's buckets, ascending, without infinity.
    std::vector<double> bounds{};
};

using Families = std::vector<Family>;

/// The family with the plugins of a daemon, one sample for each.
inline constexpr auto offers_family = "cooperage_daemon_offers";

/// A gauge without labels.
inline Family gauge(std::string name, std::string help, double value) {
    return {.name = std::move(name),
            .help = std::move(help),
            .type = Type::gauge,
            .samples = {{.value = value}}};
}

/// A counter without labels.
inline Family counter(std::string name, std::string help, double value) {
    return {.name = std::move(name),
            .help = std::move(help),
            .type = Type::counter,
            .samples = {{.value = value}}};
}

}  // namespace provisioner::metrics
