#pragma once

#include <chrono>
#include <string>

#include "fcgi/app.hpp"
#include "fcgi/auth/visitor.hpp"
#include "fcgi/http/message.hpp"
#include "provisioner/base/json.hpp"

namespace fcgi::pages {

/// What views/layout says around a page.
struct Frame {
    std::string title{};
    /// "clusters", "templates", "catalogue", "unknown_machines", "daemons" or "login": the current
    /// entry of the navigation.
    std::string section{};
    /// A script of static/js; none when empty.
    std::string script{};
    /// How often a browser without scripts loads the page again; never when zero.
    std::chrono::seconds refresh{0};
};

/// Who looks at the page, as its frame shows it; nobody has an empty user.
struct Viewer {
    std::string user{};
    std::string tenant{};
    bool admin = false;
    bool superadmin = false;
    /// What forms carry.
    std::string csrf{};
};

Viewer viewer_of(const auth::Visitor& visitor);

/// The members of views/layout and views/partials/_nav added to those of a page.
provisioner::base::Json framed(provisioner::base::Json page, const Frame& frame,
                               const Viewer& viewer);

/// An answer with the page `view` drawn from `page`.
http::Response drawn(App& app, const auth::Visitor& visitor, int status, const std::string& view,
                     const Frame& frame, provisioner::base::Json page);

/// 404 as a page: the thing is not there, or not for this visitor. `what` as in "There is no such
/// {what}."
http::Response nothing_there(App& app, const auth::Visitor& visitor, const std::string& what);

/// Text a task printed, fit to be shown: colour codes removed, a line that was overwritten
/// (carriage return) shown once.
std::string shown(const std::string& printed);

}  // namespace fcgi::pages
