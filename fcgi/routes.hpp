#pragma once

#include <optional>
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
    /// What a script that may not is told with 403, where the wire contract has a text of its own
    /// for this route.
    std::optional<std::string> refusal = std::nullopt;
    /// Whether it changes nothing although it is not a GET: open to keys that only read.
    bool only_reads = false;
    /// Whether the handler reads the body as it comes in; else it is read before anybody is asked.
    bool streams_body = false;
};

/// The table of the whole site.
const std::vector<Route>& routes();

}  // namespace fcgi
