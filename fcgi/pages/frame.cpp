#include "fcgi/pages/frame.hpp"

#include <algorithm>

#include "fcgi/auth/permissions.hpp"
#include "fcgi/http/errors.hpp"
#include "fcgi/http/form_data.hpp"
#include "fcgi/http/prefix.hpp"
#include "fcgi/pages/elsewhere.hpp"
#include "fcgi/pages/filter_links.hpp"
#include "fcgi/pages/words.hpp"
#include "fcgi/views/renderer.hpp"
#include "provisioner/base/ids.hpp"
#include "provisioner/base/utf8.hpp"
#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::messages::for_translation;
using provisioner::messages::translated;

namespace {

struct NavEntry {
    const char* section;
    const char* href;
    const char* label;
    auth::Need need;
    /// Entries of one group stand together and open under this name; empty for none.
    const char* group = "";
    /// The label of an entry that stands without others of its group; empty: the same.
    const char* alone = "";
};

// The order of the navigation. A group stands where its first entry does.
constexpr std::array nav_entries{
    NavEntry{"clusters", "/clusters", for_translation("Clusters"), auth::Need::user},
    NavEntry{"machines", "/machines", for_translation("All machines"), auth::Need::user,
             for_translation("Machines"), for_translation("Machines")},
    NavEntry{"templates", "/templates", for_translation("Templates"), auth::Need::user},
    NavEntry{"catalogue", "/catalogue/providers", for_translation("Catalogue"), auth::Need::admin},
    NavEntry{"unknown_machines", "/unknown-machines", for_translation("Unknown machines"),
             auth::Need::admin, for_translation("Machines")},
    NavEntry{"login_keys", "/login-keys", for_translation("Login keys"), auth::Need::admin,
             for_translation("Machines")},
    NavEntry{"prices", "/prices", for_translation("Prices"), auth::Need::admin,
             for_translation("Machines")},
    NavEntry{"people", "/people", for_translation("Users"), auth::Need::admin,
             for_translation("Access")},
    NavEntry{"groups", "/groups", for_translation("Groups"), auth::Need::admin,
             for_translation("Access")},
    NavEntry{"permissions", "/permissions", for_translation("Permissions"), auth::Need::admin,
             for_translation("Access")},
    NavEntry{"identity_providers", "/identity-providers", for_translation("Identity providers"),
             auth::Need::superadmin, for_translation("Access")},
    NavEntry{"audit", "/audit", for_translation("Audit"), auth::Need::admin,
             for_translation("System")},
    NavEntry{"tenants", "/tenants", for_translation("Tenants"), auth::Need::superadmin,
             for_translation("System")},
    NavEntry{"daemons", "/daemons", for_translation("Provisioners"), auth::Need::superadmin,
             for_translation("System")},
    NavEntry{"queues", "/queues", for_translation("Queues"), auth::Need::superadmin,
             for_translation("System")},
};

/// A page of the installation, for a superadmin who views a tenant.
bool is_outside_of_view(const NavEntry& entry, const Viewer& viewer) {
    return !viewer.viewing.empty() && http::is_outside_of_views(entry.href);
}

bool is_for(const NavEntry& entry, const Viewer& viewer) {
    if (is_outside_of_view(entry, viewer)) return true;
    return viewer.role && provisioner::model::has(*viewer.role, auth::right_for(entry.need, false));
}

Json nav_link(const NavEntry& entry, const Frame& frame) {
    const std::string alone = entry.alone;
    Json item;
    item["href"] = entry.href;
    item["label"] = translated(entry.label);
    item["alone"] = alone.empty() ? item["label"] : Json(translated(alone));
    item["current"] = frame.section == entry.section;
    item["is_own"] = false;
    return item;
}

/// Items in order: a link, or a group with its links in `entries`. A group of one is a link. In a
/// view, the pages outside of it are one group, the last one.
Json nav_json(const Frame& frame, const Viewer& viewer) {
    std::vector<std::pair<std::string, std::vector<Json>>> items;
    std::vector<Json> own;
    for (const NavEntry& entry : nav_entries) {
        if (!is_for(entry, viewer)) continue;
        if (is_outside_of_view(entry, viewer)) {
            own.push_back(nav_link(entry, frame));
            continue;
        }
        const std::string group = entry.group;
        const auto found = std::ranges::find_if(
            items, [&](const auto& item) { return !group.empty() && item.first == group; });
        auto& item = found == items.end() ? items.emplace_back(group, std::vector<Json>{}) : *found;
        item.second.push_back(nav_link(entry, frame));
    }
    const std::string own_pages = for_translation("Your own pages");
    if (!own.empty()) items.emplace_back(own_pages, std::move(own));
    Json nav = Json::array();
    for (auto& [group, links] : items) {
        Json item = links.front();
        item["label"] = item["alone"];
        item["is_group"] = links.size() > 1;
        item["is_own"] = group == own_pages;
        if (links.size() > 1) {
            item["label"] = translated(group);
            item["current"] = std::ranges::any_of(
                links, [](const Json& link) { return link.at("current").get<bool>(); });
        }
        item["entries"] = std::move(links);
        nav.push_back(std::move(item));
    }
    return nav;
}

/// As `label` of the element in `json`, an item of the navigation or an entry of it.
PageLink page_link(const Json& json, bool is_own) {
    return {.label = json.at("label").get<std::string>(),
            .href = json.at("href").get<std::string>(),
            .is_own = is_own};
}

// A sequence of ECMA-48 is ESC, "[", parameters and a final byte from "@" to "~".
std::size_t after_escape_sequence(const std::string& text, std::size_t escape) {
    if (escape + 1 >= text.size() || text[escape + 1] != '[') return escape + 1;
    std::size_t at = escape + 2;
    while (at < text.size() && (text[at] < '@' || text[at] > '~')) ++at;
    return std::min(at + 1, text.size());
}

std::string_view first_segment(std::string_view path) {
    return path.substr(0, path.find('/', 1));
}

/// The entry of the navigation below whose address the path is, if the viewer has it.
std::optional<std::pair<std::string, std::string>> list_above(const std::string& path,
                                                              const Viewer& viewer) {
    for (const NavEntry& entry : nav_entries) {
        const bool is_above = first_segment(entry.href) == first_segment(path);
        if (!is_above || path == entry.href || !is_for(entry, viewer)) continue;
        return std::pair{std::string(entry.href), translated(entry.label)};
    }
    return std::nullopt;
}

std::string heading_of(int status) {
    switch (status) {
        case 403:
            return translated("You do not have permission to do this");
        case 404:
            return translated("Page not found");
        case 405:
            return translated("This page does not accept this kind of request");
        case 413:
            return translated("The request is too large");
        case 429:
            return translated("Too many requests");
        case 503:
            return translated("Temporarily unavailable");
        default:
            return translated("Something went wrong");
    }
}

/// Without blanks around it, at most 255 bytes: no name is longer.
std::string short_value(const http::Request& request, const char* name) {
    constexpr std::size_t longest = 255;
    const std::string value = request.query_value(name).value_or("");
    return std::string(provisioner::base::utf8_prefix(http::trim(value), longest));
}

std::string gone_or_not_yours() {
    return translated("It may have been deleted, or it belongs to somebody else.");
}

/// What ends the view of a tenant.
std::string leave_action(const std::string& tenant) {
    return "/viewing/" + http::percent_encode(tenant) + "/leave";
}

Json own_views_json(const Viewer& viewer) {
    Json views = Json::array();
    for (const auto& [tenant, began_at] : viewer.views) {
        Json view;
        view["viewed"] = tenant;
        view["view_href"] = in_view(tenant, "/");
        view["leave_action"] = leave_action(tenant);
        view["since"] = moment(began_at, began_at);
        views.push_back(std::move(view));
    }
    return views;
}

/// Whether the same request may be answered a little later.
bool may_pass(int status) {
    return status == 429 || status == 500 || status == 503;
}

}  // namespace

Reload reload_every(std::chrono::seconds every, const http::Request& request) {
    if (every.count() == 0) return {};
    if (request.query_value("reload") == "no") return {.is_stopped = true};
    const std::string query = request.query.empty() ? "" : request.query + '&';
    return {.every = every, .still = request.path + '?' + query + "reload=no"};
}

Viewer viewer_of(const auth::Visitor& visitor) {
    // A form that is sent during a sign-in needs the token, too.
    if (!visitor.caller) return {.csrf = visitor.csrf_token()};
    const auto& caller = visitor.who();
    const auto& person = visitor.behind ? *visitor.behind : caller;
    return {.user = person.user.name,
            .tenant = person.tenant.name,
            .role = caller.user.role,
            .csrf = visitor.csrf_token(),
            .once = provisioner::base::random_hex(16),
            .viewing = visitor.behind ? caller.tenant.name : std::string(),
            .views = visitor.views};
}

std::vector<PageLink> pages_of(const Viewer& viewer) {
    std::vector<PageLink> links{{.label = translated("Home"), .href = "/"},
                                {.label = translated("Profile"), .href = "/profile"}};
    for (const Json& item : nav_json({}, viewer)) {
        const bool is_own = item.at("is_own").get<bool>();
        if (!item.at("is_group").get<bool>()) {
            links.push_back(page_link(item, is_own));
            continue;
        }
        for (const Json& entry : item.at("entries")) links.push_back(page_link(entry, is_own));
    }
    return links;
}

Json framed(Json page, const Frame& frame, const Viewer& viewer) {
    const bool is_wrong = page.is_object() && page.value("has_problems", false);
    page["title"] = (is_wrong ? "Error: " : "") + frame.title;
    page["section"] = frame.section;
    page["script"] = frame.script;
    const auto& [every, still, is_stopped] = frame.refresh;
    page["refresh"] = every.count() == 0 ? Json() : Json(every.count());
    page["still"] = still;
    page["is_still"] = is_stopped;
    page["address_notes"] = Json::array();
    for (const std::string& note : frame.notes) page["address_notes"].push_back({{"note", note}});
    page["has_address_notes"] = !frame.notes.empty();
    page["viewer"] = !viewer.user.empty();
    page["user"] = viewer.user;
    page["tenant"] = viewer.tenant;
    page["csrf"] = viewer.csrf;
    page["once"] = viewer.once;
    page["viewing"] = viewer.viewing;
    page["leave_action"] = leave_action(viewer.viewing);
    page["own_views"] = own_views_json(viewer);
    page["has_own_views"] = !viewer.views.empty();
    page["has_views"] = !viewer.viewing.empty() || !viewer.views.empty();
    page["nav"] = nav_json(frame, viewer);
    return page;
}

http::Response drawn(App& app, const auth::Visitor& visitor, int status, const std::string& view,
                     const Frame& frame, Json page) {
    const auto data = framed(std::move(page), frame, viewer_of(visitor));
    return http::html(status, app.views.render(view, data));
}

http::Response nothing_there(const std::string& what) {
    auto page = http::plain_page(404, gone_or_not_yours());
    page.heading = translated("There is no such {0}", what);
    return page;
}

http::Response no_such_page() {
    return http::plain_page(404, translated("There is no page at this address."));
}

Json to_json(const ErrorPage& page) {
    Json json;
    json["heading"] = page.heading;
    json["text"] = page.text;
    json["ways"] = Json::array();
    for (const auto& [href, label] : page.ways) {
        json["ways"].push_back({{"href", href}, {"label", label}});
    }
    json["form"] = nullptr;
    if (page.form) {
        json["form"] = {{"action", page.form->action},
                        {"next", page.form->next},
                        {"back", page.form->back},
                        {"button", page.form->button}};
    }
    if (page.ways.empty()) json["ways"].push_back({{"href", "/"}, {"label", translated("Home")}});
    return json;
}

http::Response error_page(App& app, const auth::Visitor& visitor, int status,
                          const ErrorPage& page) {
    auto response = drawn(app, visitor, status, "errors/show",
                          {.title = page.heading, .section = "error"}, to_json(page));
    response.refusal = page.text;
    return response;
}

http::Response around(App& app, const auth::Visitor& visitor, const http::Request& request,
                      const http::Response& plain) {
    ErrorPage page{.heading = plain.heading.empty() ? heading_of(plain.status) : plain.heading,
                   .text = plain.sentence};
    const bool sees_all = visitor.caller && visitor.caller->is_superadmin();
    if (sees_all && page.text == gone_or_not_yours()) {
        page.text = translated("It may have been deleted.");
    }
    const bool is_read = request.method == "GET";
    if (visitor.behind && plain.status == 403) {
        page.heading = translated("You are viewing {0}", visitor.who().tenant.name);
        page.form = ErrorPage::Form{.action = leave_action(visitor.who().tenant.name),
                                    .next = is_read ? request.here() : "",
                                    .button = is_read ? translated("Stop viewing and open the page")
                                                      : translated("Stop viewing")};
    }
    if (may_pass(plain.status) && is_read)
        page.ways.emplace_back(request.here(), translated("Try again"));
    if (may_pass(plain.status) && !is_read) {
        page.text += translated(" Go back in your browser: what you typed should still be there.");
    }
    if (plain.status == 404) {
        if (auto list = list_above(request.path, viewer_of(visitor))) {
            page.ways.push_back(*std::move(list));
        }
    }
    page.ways.emplace_back("/", translated("Home"));
    auto response = error_page(app, visitor, plain.status, page);
    for (const auto& [name, value] : plain.headers) {
        if (name != "Content-Type") response.headers.emplace_back(name, value);
    }
    // The audit log has it as the reason.
    response.sentence = plain.sentence;
    return response;
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

bool asks_for_all_tenants(const http::Request& request, const provisioner::model::Caller& caller,
                          std::vector<std::string>& notes) {
    const std::string whose = request.query_value("tenants").value_or("");
    if (whose == "all" && caller.is_superadmin()) return true;
    if (whose == "all") {
        notes.push_back(
            translated("Only superadmins see all tenants; showing {0}.", caller.tenant.name));
    } else if (!whose.empty()) {
        notes.push_back(unknown_value(translated("choice of tenants"), whose,
                                      translated("showing {0}", caller.tenant.name)));
    }
    return false;
}

int page_number(const http::Request& request, const std::string& name,
                std::vector<std::string>& notes) {
    constexpr std::int64_t last = 1'000'000;
    const std::string text = request.query_value(name).value_or("");
    const auto number = provisioner::base::parse_number(text);
    if ((!number || *number < 1) && !text.empty()) {
        notes.push_back(unknown_value(translated("page"), text, translated("showing the first")));
    }
    return static_cast<int>(std::clamp<std::int64_t>(number.value_or(1), 1, last));
}

std::string searched_text(const http::Request& request) {
    return short_value(request, "q");
}

}  // namespace fcgi::pages
