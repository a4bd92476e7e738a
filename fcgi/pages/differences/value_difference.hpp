#pragma once

#include <string>

#include "provisioner/base/json.hpp"

namespace fcgi::pages {

/// What differs between two documents: [{member, before, after}], `member` being the path
/// "constraints.size.max". A list is one value, and
/// an empty one is none. If only one document is there, the other being
/// null: all that it has. Long values are cut.
provisioner::base::Json value_differences(const provisioner::base::Json& before,
                                          const provisioner::base::Json& after);

/// One value of a member, by its path, in the words of in_words() (member_words.hpp); empty for
/// null. Long values are cut; what sounds secret, in a configuration, is hidden.
std::string value_in_words(const std::string& member, provisioner::base::Json value);

}  // namespace fcgi::pages
