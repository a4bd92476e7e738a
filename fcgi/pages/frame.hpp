#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "fcgi/app.hpp"
#include "fcgi/auth/visitor.hpp"
#include "fcgi/http/message.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/model/tenants/session.hpp"

namespace fcgi::pages {

/// How a browser without scripts loads a page again.
struct Reload {
    /// Zero means never.
    std::chrono::seconds every{0};
    /// The address of the page without reloading; empty if it does not reload.
    std::string still{};
    /// Whether the visitor has stopped it: filters of the page keep it so.
    bool is_stopped = false;
};
/// Reloads the requested page, unless its query says "reload=no". Zero: never.
Reload reload_every(std::chrono::seconds every, const http::Request& request);

/// What views/layout shows around a page: title, navigation, script. Handlers pass it to drawn().
///
/// A page's own data comes from its to_json, which depends on neither visitor nor request. drawn()
/// adds frame and viewer, so that samples of pages can be drawn without a server
/// (tests/unit/fcgi/pages).
struct Frame {
    /// Title of the browser window; the layout adds "Cooperage".
    std::string title{};
    /// The entry of the navigation that is marked as current, with its group: a section of
    /// nav_entries (frame.cpp). "home", "login", "profile", "docs" and "error" mark none. It is
    /// also the CSS class of the page.
    std::string section{};
    /// File name of a script below static/js; empty for none.
    std::string script{};
    Reload refresh{};
    /// Sentences below the heading: what of the address was not understood (unknown_value in
    /// filter_links.hpp). Views of pages that have any draw them by views/partials/_notes.
    std::vector<std::string> notes{};
};

/// The visitor as the frame shows it. If nobody is logged in, all members are empty, but for `csrf`
/// between the two steps of a sign-in.
struct Viewer {
    std::string user{};
    std::string tenant{};
    /// Decides which entries the navigation has.
    std::optional<provisioner::model::Role> role{};
    /// The token that every form of the page sends in its field "csrf".
    std::string csrf{};
    /// A key of this drawing of the page, random: a form that makes something sends it in its field
    /// "once", and makes it once (kept/sent_once.hpp).
    std::string once{};
    /// The tenant that a superadmin views; empty otherwise.
    std::string viewing{};
    /// What a superadmin views in other pages than this one of their own.
    std::vector<provisioner::model::RunningView> views{};
};

/// The viewer of a visitor.
Viewer viewer_of(const auth::Visitor& visitor);

/// A page that the navigation or the header leads to.
struct PageLink {
    std::string label{};
    std::string href{};
    /// Whether it is outside of the tenant that the viewer views.
    bool is_own = false;
};
/// Those that the viewer has, in the order of the frame: Home, the profile, the navigation. Pure.
std::vector<PageLink> pages_of(const Viewer& viewer);

/// `page` with the members that views/layout and views/partials/_nav need: title, section, script,
/// refresh, still, is_still, viewer, user, tenant, csrf, once, viewing, leave_action, own_views,
/// has_own_views and nav. A
/// page must not use these names for its own members.
provisioner::base::Json framed(provisioner::base::Json page, const Frame& frame,
                               const Viewer& viewer);

/// An HTML answer: `view` drawn from `page`, with frame and viewer. `view` must be a page of
/// Renderer, for example "clusters/show".
http::Response drawn(App& app, const auth::Visitor& visitor, int status, const std::string& view,
                     const Frame& frame, provisioner::base::Json page);

/// A page that says why a request was refused, and leads on.
struct ErrorPage {
    /// "You may not do this", also the title of the window.
    std::string heading{};
    /// What happened and what helps, in sentences.
    std::string text{};
    /// Links and their labels, the best first. None: a link to the start.
    std::vector<std::pair<std::string, std::string>> ways{};
    /// A button that comes before the links: a form with the fields "next" and "back".
    struct Form {
        std::string action{};
        std::string next{};
        std::string button{};
        std::string back{};
    };
    std::optional<Form> form{};
};

provisioner::base::Json to_json(const ErrorPage& page);

/// An ErrorPage as the answer with that status.
http::Response error_page(App& app, const auth::Visitor& visitor, int status,
                          const ErrorPage& page);

/// The page in place of `plain`, which has a sentence (http::plain_page): the same status, headers
/// and sentence, with navigation, a heading and ways on that fit the status. A page that is not
/// there leads to the list it would be in.
http::Response around(App& app, const auth::Visitor& visitor, const http::Request& request,
                      const http::Response& plain);

/// 404 as a page: "There is no such {what}". The same answer for a thing that does not exist and
/// one the visitor may not see. Site frames it by around().
http::Response nothing_there(const std::string& what);

/// The same for an address of a kind that does not exist, whatever the catalogue has.
http::Response no_such_page();

/// Output of a task in readable form. Terminal sequences (ECMA-48) and control characters are
/// removed. Of a line that was overwritten after a carriage return, only the last state stays. HTML
/// is not escaped here: the renderer does that.
std::string shown(const std::string& printed);

/// Whether `?tenants=all` asks for what is of all tenants, which superadmins see. What else the
/// parameter says, and "all" of anybody else, adds a sentence to `notes`.
bool asks_for_all_tenants(const http::Request& request, const provisioner::model::Caller& caller,
                          std::vector<std::string>& notes);

/// The number of `?name=`, from 1; 1 without it. What is no such number adds a sentence to
/// `notes`.
int page_number(const http::Request& request, const std::string& name,
                std::vector<std::string>& notes);

/// The text of `?q=`, without blanks around it, at most 255 bytes: no name is longer.
std::string searched_text(const http::Request& request);

}  // namespace fcgi::pages
