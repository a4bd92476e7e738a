#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "provisioner/model/catalogue/cluster_template.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/operations/clusters/kept_sizes.hpp"
#include "provisioner/store/database/database.hpp"

namespace fcgi::pages {

/// The numbers of machines that are offered for clusters of a template.
struct PossibleSizes {
    int least = 0;
    /// model::no_maximum: no limit.
    int most = 0;
    /// First and last of each range between them that is not possible, in ascending order.
    std::vector<std::pair<int, int>> gaps{};
    /// No size is possible, and the limits are those of the template.
    bool is_none = false;

    [[nodiscard]] bool is_single() const { return !is_none && least == most; }
    [[nodiscard]] bool has(long machines) const;
    /// The nearest one that is offered, larger ones first; `machines` if none is.
    [[nodiscard]] int nearest(int machines) const;

    bool operator==(const PossibleSizes&) const = default;
};

/// What the template's limits and its rules leave to a cluster of `services`, without the sizes of
/// `troubles` that are known to have no layout. No search. Pure.
PossibleSizes possible_sizes(const provisioner::model::Constraints& constraints,
                             const std::vector<std::string>& services,
                             const std::vector<provisioner::operations::SizeTrouble>& troubles);

/// "3 to 10 machines", "2 to 20 machines, but not 4 or 6–8", "no size is possible".
std::string size_words(const PossibleSizes& sizes);

/// Kept answers by the name of the template.
using TroublesOfSizes = std::map<std::string, std::vector<provisioner::operations::SizeTrouble>>;

/// The sizes of clusters of a template as it is. What is known does not count for a template
/// without a provider, or with a default type that it does not allow: forms begin with another one.
/// Pure.
PossibleSizes sizes_of_template(const TroublesOfSizes& troubles,
                                const provisioner::model::ClusterTemplate& cluster_template);

/// What is known of the sizes of stored templates, with their default services at their own
/// providers: of those that have a provider and whose answer is kept. With `only` of that template
/// alone. Works out nothing.
TroublesOfSizes read_size_troubles(provisioner::store::Connection& connection,
                                   provisioner::model::TenantId tenant,
                                   const std::string& only = "");

}  // namespace fcgi::pages
