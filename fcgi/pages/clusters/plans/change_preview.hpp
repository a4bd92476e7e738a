#pragma once

#include <cstddef>

#include "fcgi/pages/labels.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/operations/changes/change.hpp"
#include "provisioner/store/clusters/service_states.hpp"

namespace fcgi::pages {

/// What a change would do: picture, sentences, costs and plan. Pure. Machines that change come
/// first in the picture; of many machines those that are alike share a row (fit_for_preview), and
/// those that change alike a sentence. `stopped`: where services are stopped now.
provisioner::base::Json change_preview_json(const provisioner::operations::PreparedChange& change,
                                            const Labels& labels,
                                            const provisioner::store::ServicePlaces& stopped = {});

/// The sentences alone: [{text, all}], `all` with all names where the text has the first ones. What
/// is stopped is not interrupted, but started again.
provisioner::base::Json change_sentences_json(const provisioner::operations::PreparedChange& change,
                                              const Labels& labels,
                                              const provisioner::store::ServicePlaces& stopped);

/// The machines that the change removes.
std::size_t machines_going(const provisioner::operations::PreparedChange& change);

}  // namespace fcgi::pages
