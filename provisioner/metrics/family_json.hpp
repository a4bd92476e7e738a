#pragma once

#include <string>

#include "provisioner/base/json.hpp"
#include "provisioner/metrics/family.hpp"

namespace provisioner::metrics {

/// The families as JSON, for the row of a daemon:
///
///     [{"name":"...","help":"...","type":"counter","labels":["verb"],"samples":[[["create"],3]]}]
///
/// A sample is [label values, value], of a histogram [label values, sum, buckets].
base::Json to_json(const Families& families);

/// The families that to_json() wrote. A daemon of another version may have written them, so
/// whatever is not in this form is left out: families with other names than `cooperage_...`,
/// unknown types, samples with too few labels or buckets.
Families families_from(const base::Json& json);

/// Adds the samples of `more` with one label more, in front of the others. Families of one name
/// become one; samples whose family has other labels, bounds or another type than the first are
/// left out, because a scraper refuses a mixture.
void add_labelled(Families& all, const std::string& label, const std::string& value, Families more);

}  // namespace provisioner::metrics
