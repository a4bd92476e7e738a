#pragma once

#include <optional>
#include <string>
#include <vector>

#include "provisioner/model/cluster_template.hpp"

namespace fcgi::pages {

/// "1 machine", "4 machines".
std::string counted(std::size_t number, const std::string& thing);

/// The number of machines a template allows: "1 to 20 machines", "4 machines", "2 machines or
/// more".
std::string size_words(const provisioner::model::Constraints& constraints);

/// How long its clusters live: "7 days", "for ever".
std::string lease_words(const provisioner::model::LeaseDuration& lease);

/// "a, b and c"; empty for none.
std::string listed(const std::vector<std::string>& names);

/// The label, or the name where there is no label.
std::string title_of(const provisioner::model::EntityHeader& header);

}  // namespace fcgi::pages
