#pragma once

#include <vector>

#include "fcgi/routes.hpp"

namespace fcgi::pages {

/// The lines of the site's table that are pages.
std::vector<Route> routes();

}  // namespace fcgi::pages
