#pragma once

#include <chrono>
#include <string>

#include "provisioner/base/clock.hpp"
#include "provisioner/base/json.hpp"

namespace fcgi::pages {

/// "3 minutes ago", "in 5 days", "just now": how people say `at` when it is `now`.
std::string relative(provisioner::base::Timestamp at, provisioner::base::Timestamp now);

/// A duration in its two largest units: "7 days", "1 day 6 hours", "42 s" below two minutes, "0 s"
/// for none.
std::string spoken(std::chrono::milliseconds duration);

/// What a <time> element needs: {iso, absolute, relative}.
provisioner::base::Json moment(provisioner::base::Timestamp at, provisioner::base::Timestamp now);

}  // namespace fcgi::pages
