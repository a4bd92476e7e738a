#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/model/catalogue/cluster_template.hpp"

namespace fcgi::pages {

/// "3 minutes ago", "in 5 days", "just now": how people say `at` when it is `now`.
std::string relative(provisioner::base::Timestamp at, provisioner::base::Timestamp now);

/// A duration in its two largest units: "7 days", "1 day 6 hours", "42 s" below two minutes, "0 s"
/// for none.
std::string spoken(std::chrono::milliseconds duration);

/// What a <time> element needs: {iso, absolute, relative}.
provisioner::base::Json moment(provisioner::base::Timestamp at, provisioner::base::Timestamp now);

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
