#pragma once

#include "provisioner/base/json.hpp"

namespace fcgi::pages {

/// What differs between two documents: [{member, before, after}], `member` being the path
/// "constraints.size.max". A list is one value. If only one document is there, the other being
/// null: all that it has. Long values are cut.
provisioner::base::Json value_differences(const provisioner::base::Json& before,
                                          const provisioner::base::Json& after);

}  // namespace fcgi::pages
