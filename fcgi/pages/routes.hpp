#pragma once

#include <vector>

#include "fcgi/routes.hpp"

namespace fcgi::pages {

/// The lines of the site's table that are pages. fcgi::routes() appends them to the API's lines;
/// only it calls this. Pages that ask before they act have two lines: GET shows the form, POST
/// acts. Every POST passes the origin and csrf check of Site.
std::vector<Route> routes();

}  // namespace fcgi::pages
