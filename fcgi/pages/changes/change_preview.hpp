#pragma once

#include <set>
#include <string>

#include "fcgi/pages/labels.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/operations/changes/change.hpp"

namespace fcgi::pages {

/// What a change would do: picture, sentences, costs and plan. Pure. Machines that change come
/// first in the picture; of many machines those that are alike share a row (fit_for_preview), and
/// those that change alike a sentence. `stopped`: services that are stopped on a machine.
provisioner::base::Json change_preview_json(const provisioner::operations::PreparedChange& change,
                                            const Labels& labels,
                                            const std::set<std::string>& stopped = {});

}  // namespace fcgi::pages
