#pragma once

#include <string>
#include <vector>

#include "fcgi/app.hpp"
#include "fcgi/auth/permissions.hpp"

namespace fcgi {

/// One line of the table: which requests it is for, who answers them, who may ask.
struct Route {
    std::string method;
    /// A path with {placeholders}.
    std::string pattern;
    Handler handler = nullptr;
    auth::Need need = auth::Need::superadmin;
};

/// The table of the whole site.
const std::vector<Route>& routes();

}  // namespace fcgi
