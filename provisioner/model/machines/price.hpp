#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/model/money.hpp"

namespace provisioner::model {

/// What the price of a machine depends on. Written with its usage, so it outlives node and cluster.
struct MachineKind {
    /// The plugin: "aws".
    std::string provider_type{};
    /// Name of the provider in the tenant's catalogue.
    std::string provider{};
    /// Where the provider makes its machines: the value of the field that its type declares
    /// (PluginType::region_field); empty for types without regions.
    std::string region{};
    /// The provider's words for size and system.
    std::string flavor{};
    std::string image{};

    auto operator<=>(const MachineKind&) const = default;
};

/// "flavor m5.large of provider aws-1 in eu-west-1", for sentences.
std::string to_text(const MachineKind& kind);

/// A flavor in a price that stands for all flavors.
constexpr auto any_flavor = "*";

/// Flavors in a price that stand for what is left of machines: a gigabyte of a disk, an address.
/// any_flavor does not stand for them.
constexpr auto disk_gb_flavor = "disk-gb";
constexpr auto address_flavor = "address";

/// A line of a price list: what machines cost per hour, in a time.
struct Price {
    /// Provider type and flavor are required; the flavor may be any_flavor. An empty provider,
    /// region or image stands for all of them.
    MachineKind of{};
    Money per_hour{};
    /// Whether it stands in the tenant's own list, and not in the list for all tenants.
    bool is_own = false;
    /// Valid from here on ...
    base::Timestamp valid_from{};
    /// ... up to here, this moment not included. Nothing: still valid.
    std::optional<base::Timestamp> valid_until{};

    bool operator==(const Price&) const = default;

    /// Whether it was valid at `moment`.
    bool is_valid_at(base::Timestamp moment) const {
        return valid_from <= moment && (!valid_until || moment < *valid_until);
    }
    /// Whether machines of this kind have this price, if no other one fits better.
    bool fits(const MachineKind& kind) const;
};

/// The prices of a kind of machine one after the other: the moment from which each is valid, the
/// first one at the beginning of time. Null: no price. The pointers are into the Prices it came
/// from.
using Timeline = std::vector<std::pair<base::Timestamp, const Price*>>;

/// The prices of one tenant, past ones included. Pure.
class Prices {
 public:
    Prices() = default;
    explicit Prices(std::vector<Price> prices) : prices_(std::move(prices)) {}

    /// The price of a machine at a moment; null: nobody said one. The tenant's own prices come
    /// before those for all tenants. Among these the one that says most counts: first of all the
    /// flavor, then the provider, then the region, then the image. O(prices).
    const Price* find(const MachineKind& kind, base::Timestamp at) const;

    /// All prices that machines of the kind ever had. O(prices^2), so keep it for many machines.
    Timeline timeline_of(const MachineKind& kind) const;

    bool empty() const { return prices_.empty(); }

 private:
    std::vector<Price> prices_;
};

/// How many machines there are of each kind.
using MachineCounts = std::map<MachineKind, int>;

/// What machines cost per hour.
struct HourlyCost {
    /// Of the machines with a price.
    Amounts per_hour{};
    /// The machines without one. What they cost is not known: not nothing.
    MachineCounts unpriced{};

    bool operator==(const HourlyCost&) const = default;
};

/// The cost of all `machines` together, at a moment.
HourlyCost hourly_cost(const MachineCounts& machines, const Prices& prices, base::Timestamp at);

/// A sentence for each kind without a price: "There is no price for flavor x of provider p in y (2
/// machines)."
std::vector<std::string> unpriced_sentences(const MachineCounts& unpriced);

/// What machines have cost in a time.
struct MeteredCost {
    Amounts amounts{};
    /// Seconds of machines without a price at that time. What they cost is not known.
    std::int64_t unpriced_seconds = 0;

    bool operator==(const MeteredCost&) const = default;
};

/// Adds up what machines have cost, exactly: times are added first, and rounded to a micro at the
/// end. Times are whole seconds, cut as in reports of usage.
class CostMeter {
 public:
    /// A machine was there from `from` to `to`; nothing for `to` before `from`. The prices of
    /// `timeline` must outlive the meter.
    void add(const Timeline& timeline, base::Timestamp from, base::Timestamp to);

    /// The same for a price that is known already, null for none.
    void add(const Price* price, std::int64_t seconds);

    MeteredCost total() const;

 private:
    std::map<const Price*, std::int64_t> seconds_;
};

}  // namespace provisioner::model
