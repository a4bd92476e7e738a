#pragma once

#include "fcgi/pages/labels.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/operations/changes/change.hpp"

namespace fcgi::pages {

/// What a change would do: picture, sentences, costs and plan. Pure. Machines that change come
/// first in the picture; of many machines those that are alike share a row (fit_for_preview), and
/// those that change alike a sentence.
provisioner::base::Json change_preview_json(const provisioner::operations::PreparedChange& change,
                                            const Labels& labels);

}  // namespace fcgi::pages
