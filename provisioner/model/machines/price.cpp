#include "provisioner/model/machines/price.hpp"

#include <algorithm>
#include <set>

namespace provisioner::model {

namespace {

bool allows(const std::string& said, const std::string& value) {
    return said.empty() || said == value;
}

bool is_part(const std::string& flavor) {
    return flavor == disk_gb_flavor || flavor == address_flavor;
}

/// Larger for a price that says more.
int weight_of(const Price& price) {
    return (price.is_own ? 16 : 0) + (price.of.flavor != any_flavor ? 8 : 0) +
           (price.of.provider.empty() ? 0 : 4) + (price.of.region.empty() ? 0 : 2) +
           (price.of.image.empty() ? 0 : 1);
}

std::int64_t seconds_of(base::Timestamp moment) {
    return std::chrono::floor<std::chrono::seconds>(moment.time_since_epoch()).count();
}

}  // namespace

std::string to_text(const MachineKind& kind) {
    std::string text = kind.flavor.empty() ? "machines" : "flavor " + kind.flavor;
    const std::string& provider = kind.provider.empty() ? kind.provider_type : kind.provider;
    if (!provider.empty()) text += " of provider " + provider;
    if (!kind.region.empty()) text += " in " + kind.region;
    return text;
}

bool Price::fits(const MachineKind& kind) const {
    return of.provider_type == kind.provider_type &&
           (of.flavor == kind.flavor || (of.flavor == any_flavor && !is_part(kind.flavor))) &&
           allows(of.provider, kind.provider) && allows(of.region, kind.region) &&
           allows(of.image, kind.image);
}

const Price* Prices::find(const MachineKind& kind, base::Timestamp at) const {
    const Price* best = nullptr;
    for (const Price& price : prices_) {
        if (!price.is_valid_at(at) || !price.fits(kind)) continue;
        if (best == nullptr || weight_of(price) > weight_of(*best)) best = &price;
    }
    return best;
}

Timeline Prices::timeline_of(const MachineKind& kind) const {
    std::set<base::Timestamp> moments{base::Timestamp::min()};
    for (const Price& price : prices_) {
        if (!price.fits(kind)) continue;
        moments.insert(price.valid_from);
        if (price.valid_until) moments.insert(*price.valid_until);
    }
    Timeline timeline;
    for (const base::Timestamp moment : moments) {
        const Price* price = find(kind, moment);
        if (timeline.empty() || timeline.back().second != price) {
            timeline.emplace_back(moment, price);
        }
    }
    return timeline;
}

HourlyCost hourly_cost(const MachineCounts& machines, const Prices& prices, base::Timestamp at) {
    HourlyCost cost;
    for (const auto& [kind, count] : machines) {
        const Price* price = prices.find(kind, at);
        if (price == nullptr) {
            cost.unpriced[kind] += count;
            continue;
        }
        cost.per_hour.add({.currency = price->per_hour.currency,
                           .micros = cost_of(price->per_hour.micros, std::int64_t{3600} * count)});
    }
    return cost;
}

std::vector<std::string> unpriced_sentences(const MachineCounts& unpriced) {
    std::vector<std::string> sentences;
    for (const auto& [kind, count] : unpriced) {
        const std::string machines = count == 1 ? " machine)." : " machines).";
        sentences.push_back("There is no price for " + to_text(kind) + " (" +
                            std::to_string(count) + machines);
    }
    return sentences;
}

void CostMeter::add(const Timeline& timeline, base::Timestamp from, base::Timestamp to) {
    for (std::size_t at = 0; at < timeline.size(); ++at) {
        const base::Timestamp begin = std::max(from, timeline[at].first);
        const base::Timestamp end =
            at + 1 == timeline.size() ? to : std::min(to, timeline[at + 1].first);
        if (begin < end) add(timeline[at].second, seconds_of(end) - seconds_of(begin));
    }
}

void CostMeter::add(const Price* price, std::int64_t seconds) {
    seconds_[price] += seconds;
}

MeteredCost CostMeter::total() const {
    MeteredCost cost;
    for (const auto& [price, seconds] : seconds_) {
        if (price == nullptr) {
            cost.unpriced_seconds = seconds;
            continue;
        }
        const Money& per_hour = price->per_hour;
        cost.amounts.add(
            {.currency = per_hour.currency, .micros = cost_of(per_hour.micros, seconds)});
    }
    return cost;
}

}  // namespace provisioner::model
