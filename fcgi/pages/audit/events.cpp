#include "fcgi/pages/audit/events.hpp"

#include <algorithm>
#include <map>

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/filter_links.hpp"
#include "fcgi/pages/form_field.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/base/ids.hpp"
#include "provisioner/base/utf8.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/model/audit/texts.hpp"
#include "provisioner/operations/catalogue/exchange.hpp"

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

/// "login-key" as "login key".
std::string in_words(std::string word) {
    std::ranges::replace(word, '-', ' ');
    return word;
}

std::string value_of(const AuditPage& page, const std::string& name) {
    for (const auto& [parameter, value] : page.parameters) {
        if (parameter == name) return value;
    }
    return "";
}

struct ActionWords {
    std::string_view action;
    const char* words;
};

/// Actions whose names say too little, or are not the words of the pages.
constexpr std::array own_action_words{
    ActionWords{"sign-in", for_translation("Log in")},
    ActionWords{"sign-in.refused", for_translation("Login refused")},
    ActionWords{"sign-out", for_translation("Log out")},
    ActionWords{"cluster.give-up", for_translation("Terminate cluster without provider")},
    ActionWords{"cluster.create-unsatisfiable", for_translation("Create impossible cluster")},
    ActionWords{"login-key.give-up", for_translation("Give up login key")},
    ActionWords{"session.ended-by-provider", for_translation("Session ended by identity provider")},
    ActionWords{"user.add-factor", for_translation("Add second factor")},
    ActionWords{"user.remove-factor", for_translation("Remove second factor")},
    ActionWords{"tenant.require-factor", for_translation("Require second factor")},
    ActionWords{"tenant.leave", for_translation("Stop viewing tenant")},
};

/// "provider.replace" as "Replace provider", "cluster.stop-services.end" as "Stop services, ended".
std::string action_words(const std::string& action) {
    constexpr std::string_view end = ".end";
    if (action.ends_with(end)) {
        return translated("{0}, ended", action_words(action.substr(0, action.size() - end.size())));
    }
    const auto* const own = std::ranges::find(own_action_words, action, &ActionWords::action);
    if (own != own_action_words.end()) return translated(own->words);
    const auto dot = action.find('.');
    const std::string kind = in_words(action.substr(0, dot));
    std::string words = dot == std::string::npos ? kind : in_words(action.substr(dot + 1));
    // "stop services" says what it is about, "replace" does not.
    if (dot != std::string::npos && words.find(' ') == std::string::npos) words += ' ' + kind;
    return with_capital(std::move(words));
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
            field.options.emplace_back(kind, in_words(kind));
        }
        const bool is_known =
            field.value.empty() || std::ranges::count(page.words.object_kinds, field.value) > 0;
        if (!is_known) field.options.emplace_back(field.value, in_words(field.value));
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

/// Every tenant may have a user of the name that a superadmin has.
std::string who(const audit::Event& event) {
    if (event.actor.name.empty()) return "somebody";
    const bool is_from_above = event.actor.tenant == provisioner::model::superadmin_tenant;
    return (is_from_above ? event.actor.tenant + '/' : "") + event.actor.name;
}

std::string object_name_or_id(const audit::Event& event) {
    return event.object.name.empty() ? event.object.id : event.object.name;
}

std::string object_words(const audit::Event& event) {
    const std::string words = in_words(event.object.kind);
    const std::string object = object_name_or_id(event);
    return words + (words.empty() || object.empty() ? "" : " ") + object;
}

std::string outcome_words(const audit::Event& event) {
    std::string words = base::to_word(event.outcome);
    if (event.times > 1) words += translated(" {0} times", event.times);
    return words;
}

/// A class of badges.
const char* look_of(audit::Outcome outcome) {
    return outcome == audit::Outcome::done ? "active" : "failed";
}

/// Imports record each entry that they change.
bool is_of_import(const audit::Event& event) {
    return event.object.id == provisioner::operations::audited_import;
}

/// "Replace provider, by an import".
std::string action_of(const audit::Event& event) {
    return is_of_import(event) ? translated("{0}, by an import", action_words(event.action))
                               : action_words(event.action);
}

Json event_json(const audit::Event& event, const EventLinks& links, const std::string& query) {
    Json json;
    json["number"] = event.number;
    json["href"] = "/audit/" + std::to_string(event.number) + query;
    json["time"] = moment(event.at, event.at);
    json["who"] = who(event);
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

using Leaves = std::map<std::string, std::string>;

/// "web, mysql" for a list of words; other values as JSON.
std::string leaf_text(const Json& value) {
    if (value.is_string()) return value.get<std::string>();
    const bool is_of_words =
        value.is_array() && !value.empty() &&
        std::ranges::all_of(value, [](const Json& one) { return one.is_string(); });
    if (!is_of_words) return base::to_text(value);
    std::string words;
    for (const Json& one : value) words += (words.empty() ? "" : ", ") + one.get<std::string>();
    return words;
}

/// Every value that is neither an object nor null, by the path to it. Arrays count as one value.
void add_leaves(const Json& document, const std::string& path, Leaves& leaves) {
    if (!document.is_object()) {
        if (!path.empty() && !document.is_null()) {
            leaves[path] = leaf_text(document);
        }
        return;
    }
    for (const auto& [name, value] : document.items()) {
        add_leaves(value, path.empty() ? name : path + '.' + name, leaves);
    }
}

Leaves leaves_of(const std::string& text) {
    Leaves leaves;
    if (const auto document = base::parse_json(text)) add_leaves(*document, "", leaves);
    return leaves;
}

/// Values that are longer are cut: the record below has them whole.
constexpr std::size_t longest_value = 300;

std::string cut_value(const std::string& value) {
    const auto begin = base::utf8_prefix(value, longest_value);
    return begin.size() == value.size() ? value : std::string(begin) + "…";
}

Json difference(const std::string& member, const std::string& before, const std::string& after) {
    Json json;
    json["member"] = member;
    json["before"] = cut_value(before);
    json["after"] = cut_value(after);
    return json;
}

/// What differs between before and after. If only one of them is there: all that it has.
Json differences_of(const audit::Event& event) {
    Json list = Json::array();
    const Leaves before = leaves_of(event.before);
    const Leaves after = leaves_of(event.after);
    for (const auto& [member, value] : before) {
        const auto now = after.find(member);
        if (now == after.end()) {
            list.push_back(difference(member, value, ""));
        } else if (now->second != value) {
            list.push_back(difference(member, value, now->second));
        }
    }
    for (const auto& [member, value] : after) {
        if (!before.contains(member)) list.push_back(difference(member, "", value));
    }
    return list;
}

Json documents_of(const audit::Event& event) {
    Json list = Json::array();
    const auto add = [&](const std::string& title, const std::string& text) {
        const auto document = base::parse_json(text);
        if (!document) return;
        Json json;
        json["title"] = title;
        json["document"] = document->dump(2, ' ', false, Json::error_handler_t::replace);
        list.push_back(std::move(json));
    };
    add(translated("Before"), event.before);
    add(translated("After"), event.after);
    return list;
}

struct EventFact {
    std::string label{};
    std::string value{};
    std::string href{};
};

Json facts_json(const std::vector<EventFact>& all) {
    Json facts = Json::array();
    for (const auto& [label, value, href] : all) {
        if (value.empty()) continue;
        Json fact;
        fact["label"] = label;
        fact["value"] = value;
        fact["value_href"] = href;
        facts.push_back(std::move(fact));
    }
    return facts;
}

/// Who did it, from where, to which object, and why it was refused.
Json facts_of(const audit::Event& event, const EventLinks& links) {
    return facts_json({{translated("User"), who(event), links.user},
                       {translated("Object"), object_words(event), links.object},
                       {translated("Reason"), event.reason, ""},
                       {translated("Role"), event.actor.role, ""},
                       {translated("Tenant of the user"), event.actor.tenant, ""},
                       {translated("Address"), event.actor.client, ""}});
}

/// What only who follows a request, or checks the chain, looks at.
Json technical_facts_of(const audit::Event& event) {
    return facts_json(
        {{translated("Authenticated with"), event.actor.credential, ""},
         {translated("Request"), event.actor.request, ""},
         {translated("Action in the API"), event.action, ""},
         {translated("ID of the object"), is_of_import(event) ? "" : event.object.id, ""},
         {translated("Status"), event.status == 0 ? "" : std::to_string(event.status), ""},
         {translated("Hash"), event.hash, ""},
         {translated("Hash of the previous event"), event.previous, ""}});
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
    json["csv_words"] = translated("Download the newest {0}", grouped(events_in_file));
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

Json to_json(const audit::Event& event, const std::string& back, const EventLinks& links) {
    Json json;
    json["back"] = back;
    json["event"] = translated("Event {0}", event.number);
    const std::string object = object_name_or_id(event);
    json["heading"] = object.empty() ? action_of(event) : action_of(event) + ": " + object;
    json["outcome"] = outcome_words(event);
    json["look"] = look_of(event.outcome);
    json["time"] = moment(event.at, event.at);
    json["facts"] = facts_of(event, links);
    json["technical"] = technical_facts_of(event);
    const bool has_both = !event.before.empty() && !event.after.empty();
    json["differences_title"] = has_both               ? translated("What changed")
                                : event.before.empty() ? translated("New values")
                                                       : translated("Values before");
    json["before_title"] = has_both ? translated("Before") : translated("Value");
    json["after_title"] = has_both ? translated("After") : translated("Value");
    json["has_before"] = !event.before.empty();
    json["has_after"] = !event.after.empty();
    json["differences"] = differences_of(event);
    json["has_differences"] = !json["differences"].empty();
    json["documents"] = documents_of(event);
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
