#include "fcgi/pages/clusters/choices/possible_sizes.hpp"

#include <algorithm>
#include <limits>

#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/solver/constraints.hpp"
#include "provisioner/store/catalogue/size_store.hpp"

namespace fcgi::pages {

using provisioner::messages::grouped;
using provisioner::messages::translated;
using provisioner::operations::SizeTrouble;
namespace model = provisioner::model;
namespace operations = provisioner::operations;

namespace {

/// As many ranges can be read; of more, only the limits are said.
constexpr std::size_t most_gaps_said = 3;

/// Takes out a range: at an end the limits move, else it is a gap.
void leave_out(PossibleSizes& sizes, int first, int last) {
    if (sizes.is_none || last < sizes.least || first > sizes.most) return;
    if (first <= sizes.least && last >= sizes.most) {
        sizes.is_none = true;
    } else if (first <= sizes.least) {
        sizes.least = last + 1;
    } else if (last >= sizes.most) {
        sizes.most = first - 1;
    } else {
        sizes.gaps.emplace_back(first, last);
    }
}

/// A gap at the upper end belongs to what is beyond the limit.
void drop_last_gap(PossibleSizes& sizes) {
    while (!sizes.gaps.empty() && sizes.gaps.back().second >= sizes.most) {
        sizes.most = std::min(sizes.most, sizes.gaps.back().first - 1);
        sizes.gaps.pop_back();
    }
}

std::string gap_words(const std::vector<std::pair<int, int>>& gaps) {
    std::vector<std::string> words;
    for (const auto& [first, last] : gaps) {
        words.push_back(first == last ? grouped(first)
                                      : translated("{0}–{1}", grouped(first), grouped(last)));
    }
    return listed(words);
}

}  // namespace

bool PossibleSizes::has(long machines) const {
    return !is_none && machines >= least && machines <= most &&
           std::ranges::none_of(gaps, [&](const auto& gap) {
               return machines >= gap.first && machines <= gap.second;
           });
}

int PossibleSizes::nearest(int machines) const {
    if (is_none) return machines;
    const int within = std::clamp(machines, least, most);
    for (const auto& [first, last] : gaps) {
        if (within >= first && within <= last) return last + 1;
    }
    return within;
}

PossibleSizes possible_sizes(const model::Constraints& constraints,
                             const std::vector<std::string>& services,
                             const std::vector<SizeTrouble>& troubles) {
    PossibleSizes sizes{.least = constraints.size_min, .most = constraints.size_max};
    const auto limits = provisioner::solver::limits_of_rules(constraints, services);
    sizes.is_none = !limits.leave_any();
    if (sizes.is_none) return sizes;
    sizes.least = static_cast<int>(limits.least);
    sizes.most = static_cast<int>(limits.most);
    for (const SizeTrouble& trouble : troubles) {
        // Sizes with services that no machine runs are possible.
        if (!trouble.left_out.empty()) continue;
        const bool goes_on = trouble.goes_on;
        leave_out(sizes, trouble.first, goes_on ? std::numeric_limits<int>::max() : trouble.last);
    }
    drop_last_gap(sizes);
    if (!sizes.is_none) return sizes;
    return {.least = constraints.size_min, .most = constraints.size_max, .is_none = true};
}

std::string size_words(const PossibleSizes& sizes) {
    if (sizes.is_none) return translated("no size is possible");
    model::Constraints limits;
    limits.size_min = sizes.least;
    limits.size_max = sizes.most;
    const std::string words = size_words(limits);
    if (sizes.gaps.empty() || sizes.gaps.size() > most_gaps_said) return words;
    return translated("{0}, but not {1}", words, gap_words(sizes.gaps));
}

namespace {

/// Whether what is known is of what a form for the template begins with: a default provider, and
/// default types that the template itself allows.
bool begins_with_defaults(const model::ClusterTemplate& cluster_template) {
    using provisioner::solver::allows;
    const auto& compatible = cluster_template.compatibility;
    const auto& defaults = cluster_template.defaults;
    const auto is_allowed = [](const std::optional<std::string>& type,
                               const std::vector<std::string>& allowed) {
        return !type || type->empty() || allows(allowed, *type);
    };
    return !defaults.provider.value_or("").empty() &&
           is_allowed(defaults.hardware_type, compatible.hardware_types) &&
           is_allowed(defaults.image_type, compatible.image_types);
}

}  // namespace

PossibleSizes sizes_of_template(const TroublesOfSizes& troubles,
                                const model::ClusterTemplate& cluster_template) {
    const auto known = troubles.find(cluster_template.header.name);
    const bool counts = known != troubles.end() && begins_with_defaults(cluster_template);
    return possible_sizes(cluster_template.constraints, cluster_template.defaults.services,
                          counts ? known->second : std::vector<SizeTrouble>{});
}

TroublesOfSizes read_size_troubles(provisioner::store::Connection& connection,
                                   model::TenantId tenant, const std::string& only) {
    TroublesOfSizes all;
    const auto kept = provisioner::store::list_template_sizes(connection, tenant);
    if (kept.empty()) return all;
    const auto entries = operations::read_catalogue(connection, tenant);
    const operations::SizedCatalogue catalogue(entries);
    for (const auto& entry :
         operations::entries_of(entries, model::CatalogueKind::cluster_template)) {
        std::string name = provisioner::base::text_at(entry, "name");
        if (!only.empty() && name != only) continue;
        const auto problem = catalogue.problem_of(entry);
        if (!problem) continue;
        const auto answer = kept.find(operations::digest_of_sizes(*problem));
        if (answer == kept.end()) continue;
        all.try_emplace(std::move(name), operations::troubles_from_json(answer->second));
    }
    return all;
}

}  // namespace fcgi::pages
