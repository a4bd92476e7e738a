#include "fcgi/pages/catalogue/builder/touched.hpp"

#include <algorithm>
#include <string>

#include "provisioner/base/ids.hpp"
#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using provisioner::base::parse_number;
using provisioner::base::Problem;
using provisioner::base::Problems;

namespace {

struct TypedRange {
    std::string field{};
    std::string min{};
    std::string max{};
};

/// Only the minimum is another one, and it is above the maximum.
bool is_wrong_by_its_minimum(const TypedRange& now, const std::string& min_before,
                             const std::string& max_before) {
    const auto min = parse_number(now.min);
    const auto max = parse_number(now.max);
    return min && max && *min > *max && now.min != min_before && now.max == max_before;
}

void tell_at_minimum(Problems& problems, const std::string& range) {
    for (Problem& problem : problems) {
        if (problem.field != range + ".max") continue;
        problem = {range + ".min",
                   provisioner::messages::translated("The minimum must not be above the maximum.")};
    }
}

}  // namespace

Problems told_where_touched(Problems problems, const TemplateForm& form,
                            const TemplateForm& before) {
    if (form.is_json) return problems;
    const TypedRange size{"constraints.size", form.size_min, form.size_max};
    if (is_wrong_by_its_minimum(size, before.size_min, before.size_max)) {
        tell_at_minimum(problems, size.field);
    }
    for (std::size_t i = 0; i < form.limits.size(); ++i) {
        const auto& limit = form.limits[i];
        const auto was =
            std::ranges::find(before.limits, limit.service, &TemplateForm::Limit::service);
        if (was == before.limits.end()) continue;
        const TypedRange range{"limit." + std::to_string(i), limit.min, limit.max};
        if (is_wrong_by_its_minimum(range, was->min, was->max)) {
            tell_at_minimum(problems, range.field);
        }
    }
    return problems;
}

}  // namespace fcgi::pages
