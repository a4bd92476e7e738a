#include "fcgi/pages/frame.hpp"

#include "fcgi/auth/permissions.hpp"
#include "fcgi/views/renderer.hpp"

namespace fcgi::pages {

using provisioner::base::Json;

namespace {

struct NavEntry {
    const char* section;
    const char* href;
    const char* label;
    auth::Need need;
};

constexpr std::array nav_entries{
    NavEntry{"clusters", "/clusters", "Clusters", auth::Need::user},
    NavEntry{"templates", "/templates", "Templates", auth::Need::user},
    NavEntry{"catalogue", "/catalogue/providers", "Catalogue", auth::Need::admin},
    NavEntry{"unknown_machines", "/unknown-machines", "Unknown machines", auth::Need::admin},
    NavEntry{"login_keys", "/login-keys", "Login keys", auth::Need::admin},
    NavEntry{"people", "/people", "People", auth::Need::admin},
    NavEntry{"prices", "/prices", "Prices", auth::Need::admin},
    NavEntry{"audit", "/audit", "Audit", auth::Need::admin},
    NavEntry{"identity_providers", "/identity-providers", "Sign-in", auth::Need::superadmin},
    NavEntry{"daemons", "/daemons", "Daemons", auth::Need::superadmin},
};

bool is_for(const NavEntry& entry, const Viewer& viewer) {
    return viewer.role && provisioner::model::has(*viewer.role, auth::right_for(entry.need, false));
}

Json nav_json(const Frame& frame, const Viewer& viewer) {
    Json nav = Json::array();
    for (const NavEntry& entry : nav_entries) {
        if (!is_for(entry, viewer)) continue;
        Json item;
        item["href"] = entry.href;
        item["label"] = entry.label;
        item["current"] = frame.section == entry.section;
        nav.push_back(std::move(item));
    }
    return nav;
}

// A sequence of ECMA-48 is ESC, "[", parameters and a final byte from "@" to "~".
std::size_t after_escape_sequence(const std::string& text, std::size_t escape) {
    if (escape + 1 >= text.size() || text[escape + 1] != '[') return escape + 1;
    std::size_t at = escape + 2;
    while (at < text.size() && (text[at] < '@' || text[at] > '~')) ++at;
    return std::min(at + 1, text.size());
}

}  // namespace

Viewer viewer_of(const auth::Visitor& visitor) {
    // A form that is sent during a sign-in needs the token, too.
    if (!visitor.caller) return {.csrf = visitor.csrf_token()};
    const auto& caller = visitor.who();
    return {.user = caller.user.name,
            .tenant = caller.tenant.name,
            .role = caller.user.role,
            .csrf = visitor.csrf_token()};
}

Json framed(Json page, const Frame& frame, const Viewer& viewer) {
    page["title"] = frame.title;
    page["section"] = frame.section;
    page["script"] = frame.script;
    page["refresh"] = frame.refresh.count() == 0 ? Json() : Json(frame.refresh.count());
    page["viewer"] = !viewer.user.empty();
    page["user"] = viewer.user;
    page["tenant"] = viewer.tenant;
    page["csrf"] = viewer.csrf;
    page["nav"] = nav_json(frame, viewer);
    return page;
}

http::Response drawn(App& app, const auth::Visitor& visitor, int status, const std::string& view,
                     const Frame& frame, Json page) {
    const auto data = framed(std::move(page), frame, viewer_of(visitor));
    return http::html(status, app.views.render(view, data));
}

http::Response nothing_there(App& app, const auth::Visitor& visitor, const std::string& what) {
    Json page;
    page["heading"] = "There is no such " + what;
    page["text"] = "It may have been deleted, or it belongs to somebody else.";
    return drawn(app, visitor, 404, "errors/show", {.title = "Not found", .section = "error"},
                 std::move(page));
}

std::string shown(const std::string& printed) {
    std::string text;
    std::size_t line_start = 0;
    for (std::size_t at = 0; at < printed.size();) {
        const char c = printed[at];
        if (c == '\x1b') {
            at = after_escape_sequence(printed, at);
            continue;
        }
        const bool line_ends = at + 1 == printed.size() || printed[at + 1] == '\n';
        if (c == '\r' && !line_ends) text.resize(line_start);
        if (c == '\n' || c == '\t' || static_cast<unsigned char>(c) >= ' ') text += c;
        if (c == '\n') line_start = text.size();
        ++at;
    }
    return text;
}

}  // namespace fcgi::pages
