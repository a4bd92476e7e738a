#include "fcgi/pages/audit/events.hpp"

#include <algorithm>
#include <array>

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/audit/event_words.hpp"
#include "fcgi/pages/filter_links.hpp"
#include "fcgi/pages/form_field.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/base/ids.hpp"
#include "provisioner/base/utf8.hpp"
#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::messages::for_translation;
using provisioner::messages::translated;
namespace audit = provisioner::model::audit;
namespace base = provisioner::base;

namespace {

constexpr int events_at_once = 50;
/// What one call of the API answers at most.
constexpr std::size_t events_in_file = 1000;

struct Filter {
    const char* name;
    const char* label;
    const char* hint;
    bool superadmin;
};

constexpr std::array filters{
    Filter{"from", for_translation("From"),
           for_translation("In UTC, like 2026-11-20 or 2026-11-20T23:28"), false},
    Filter{"to", for_translation("Until"),
           for_translation("A date without a time means the end of that day."), false},
    Filter{"user", for_translation("User"), "", false},
    Filter{"action", for_translation("Action"), "", false},
    Filter{"objectKind", for_translation("Kind of object"), "", false},
    Filter{"object", for_translation("Object"), for_translation("Its name or ID"), false},
    Filter{"outcome", for_translation("Outcome"), "", false},
    Filter{"request", for_translation("Request"), for_translation("The X-Request-Id of a response"),
           false},
    Filter{"tenant", for_translation("Tenant"), "", true},
    Filter{"scope", for_translation("Log"), "", true},
};

std::string value_of(const AuditPage& page, const std::string& name) {
    for (const auto& [parameter, value] : page.parameters) {
        if (parameter == name) return value;
    }
    return "";
}

FormField field_of(const AuditPage& page, const Filter& filter) {
    FormField field{.id = std::string("audit-") + filter.name,
                    .name = filter.name,
                    .label = translated(filter.label),
                    .value = value_of(page, filter.name),
                    .hint = translated(filter.hint)};
    const std::string name = filter.name;
    if (name == "outcome") {
        field.options = {{"", translated("All")},
                         {"done", translated("Done")},
                         {"refused", translated("Refused")},
                         {"failed", translated("Failed")}};
    } else if (name == "action") {
        field.options = {{"", translated("All")}};
        for (const std::string& action : page.words.actions) {
            field.options.emplace_back(action, action_words(action));
        }
        const bool is_known =
            field.value.empty() || std::ranges::count(page.words.actions, field.value) > 0;
        if (!is_known) field.options.emplace_back(field.value, field.value);
    } else if (name == "objectKind") {
        field.options = {{"", translated("All")}};
        for (const std::string& kind : page.words.object_kinds) {
            field.options.emplace_back(kind, kind_in_words(kind));
        }
        const bool is_known =
            field.value.empty() || std::ranges::count(page.words.object_kinds, field.value) > 0;
        if (!is_known) field.options.emplace_back(field.value, kind_in_words(field.value));
    } else if (name == "scope") {
        field.options = {{"", translated("Of the tenant")},
                         {"installation", translated("Of the installation")}};
    }
    if (!field.options.empty()) field.control = FormField::Control::select;
    return field;
}

/// The filters as a query, with "?" or nothing.
std::string query_of(const AuditPage& page, const std::string& more = "") {
    std::string query = more;
    for (const Filter& filter : filters) {
        const auto value = value_of(page, filter.name);
        if (value.empty()) continue;
        query += (query.empty() ? "" : "&") + std::string(filter.name) + '=' +
                 http::percent_encode(value);
    }
    // One action is chosen, and not those whose names begin with it.
    const bool is_exact = value_of(page, "exact") == "yes" && !value_of(page, "action").empty();
    if (is_exact) query += "&exact=yes";
    return query.empty() ? "" : '?' + query;
}

/// Only what says which chain an event is in.
std::string chain_query(const AuditPage& page) {
    std::string query;
    for (const char* name : {"tenant", "scope"}) {
        const auto value = value_of(page, name);
        if (!value.empty()) {
            query +=
                (query.empty() ? '?' : '&') + std::string(name) + '=' + http::percent_encode(value);
        }
    }
    return query;
}

Json event_json(const audit::Event& event, const EventLinks& links, const std::string& query) {
    Json json;
    json["number"] = event.number;
    json["href"] = "/audit/" + std::to_string(event.number) + query;
    json["time"] = moment(event.at, event.at);
    json["who"] = actor_words(event);
    json["who_href"] = links.user;
    json["client"] = event.actor.client;
    json["action"] = event.action;
    json["action_words"] = action_of(event);
    json["object"] = object_words(event);
    json["object_href"] = links.object;
    json["outcome"] = outcome_words(event);
    json["look"] = look_of(event.outcome);
    return json;
}

Json older_of(const AuditPage& page) {
    if (!page.has_older || page.events.empty()) return nullptr;
    return "/audit" + query_of(page, "cursor=" + std::to_string(page.events.back().number));
}

std::vector<std::pair<std::string, std::string>> parameters_of(const http::Request& request) {
    std::vector<std::pair<std::string, std::string>> parameters{
        {"exact", request.query_value("exact").value_or("")}};
    for (const Filter& filter : filters) {
        parameters.emplace_back(
            filter.name,
            base::to_utf8(request.query_value(filter.name).value_or("").substr(0, 255)));
    }
    return parameters;
}

http::Response draw(App& app, const auth::Visitor& visitor, int status, const AuditPage& page,
                    std::vector<std::string> notes = {}) {
    return drawn(app, visitor, status, "audit/index",
                 {.title = translated("Audit"), .section = "audit", .notes = std::move(notes)},
                 to_json(page));
}

}  // namespace

Json to_json(const AuditPage& page) {
    std::vector<NamedControl> controls;
    Json fields = Json::array();
    for (const Filter& filter : filters) {
        if (filter.superadmin && !page.superadmin) continue;
        const FormField field = field_of(page, filter);
        controls.push_back({field.name, field.id, field.label});
        fields.push_back(to_json(field, page.problems));
        // Nobody expects that a filter has to be filled in.
        fields.back()["optional"] = false;
    }
    Json json = problems_json(translated("Couldn't filter the events"), page.problems, controls);
    json["summary"] =
        translated("Who did what, from where, and what it changed. Nothing here can be edited.");
    json["csv"] =
        "/v2/audit" + query_of(page, "format=csv&limit=" + std::to_string(events_in_file));
    json["csv_words"] = translated("Download the newest {0} as CSV", grouped(events_in_file));
    json["fields"] = std::move(fields);
    json["is_filtered"] = !query_of(page).empty();
    json["events"] = Json::array();
    for (std::size_t i = 0; i < page.events.size(); ++i) {
        const EventLinks links = i < page.links.size() ? page.links[i] : EventLinks();
        json["events"].push_back(event_json(page.events[i], links, chain_query(page)));
    }
    json["has_events"] = !page.events.empty();
    json["none"] = page.events.empty() && page.problems.empty();
    json["newest"] = page.is_first ? Json() : Json("/audit" + query_of(page));
    json["older"] = older_of(page);
    return json;
}

http::Response list_audit(const http::Request& request, const auth::Visitor& visitor, App& app) {
    namespace store = provisioner::store;
    AuditPage page{.parameters = parameters_of(request),
                   .superadmin = visitor.who().is_superadmin()};
    auto query = forms::audit_query(request);
    const std::string place = request.query_value("cursor").value_or("");
    const auto cursor = base::parse_number(place);
    page.is_first = cursor.value_or(0) == 0;
    std::vector<std::string> notes;
    if (!cursor && !place.empty()) {
        notes.push_back(
            unknown_value(translated("place"), place, translated("showing the newest")));
    }
    if (!query) {
        page.problems = query.error();
        return draw(app, visitor, 400, page);
    }
    const auto found = app.database.read([&](store::Connection& connection) {
        auto chain = forms::audit_chain(connection, visitor.who(), *query);
        if (!chain.chain) return chain;
        query->filter.chain = *chain.chain;
        page.events = store::list_events(connection, query->filter, cursor.value_or(0),
                                         events_at_once + 1, false);
        page.words = store::audit_words(connection, *chain.chain);
        EventLinkFinder finder(connection, visitor.who());
        for (const auto& event : page.events) page.links.push_back(finder.links_of(event));
        return chain;
    });
    if (!found.chain) {
        page.problems = {{found.status == 404 ? "tenant" : "", found.message}};
        return draw(app, visitor, found.status, page);
    }
    page.has_older = page.events.size() > events_at_once;
    if (page.has_older) page.events.pop_back();
    return draw(app, visitor, 200, page, std::move(notes));
}

http::Response show_audit_event(const http::Request& request, const auth::Visitor& visitor,
                                App& app) {
    namespace store = provisioner::store;
    const AuditPage page{.parameters = parameters_of(request)};
    const auto query = forms::audit_query(request);
    const auto number = base::parse_number(request.path_value("number"));
    if (!query || !number) return nothing_there(translated("event"));
    EventLinks links;
    const auto event =
        app.database.read([&](store::Connection& connection) -> std::optional<audit::Event> {
            const auto chain = forms::audit_chain(connection, visitor.who(), *query);
            if (!chain.chain) return std::nullopt;
            auto found = store::find_event(connection, *chain.chain, *number);
            if (found) links = EventLinkFinder(connection, visitor.who()).links_of(*found);
            return found;
        });
    if (!event) return nothing_there(translated("event"));
    return drawn(app, visitor, 200, "audit/show",
                 {.title = translated("Event {0}", *number), .section = "audit"},
                 to_json(*event, "/audit" + chain_query(page), links));
}

}  // namespace fcgi::pages
