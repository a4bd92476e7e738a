#include "fcgi/pages/audit/events.hpp"

#include <algorithm>
#include <array>
#include <tuple>

#include "fcgi/auth/permissions.hpp"
#include "fcgi/auth/sign_ins.hpp"
#include "fcgi/http/errors.hpp"
#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/audit/event_words.hpp"
#include "fcgi/pages/audit/name_parts.hpp"
#include "fcgi/pages/filter_links.hpp"
#include "fcgi/pages/form_field.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/kept/form_words.hpp"
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
namespace store = provisioner::store;

namespace {

constexpr int events_at_once = 50;
constexpr std::string_view audit_file = "/audit.csv";

struct Filter {
    const char* name;
    const char* label;
    const char* hint;
};

/// Fewer tenants are chosen from a list; more are found while one types.
constexpr std::size_t most_in_select = 40;

constexpr std::array filters{
    Filter{"from", for_translation("From"),
           for_translation("In UTC, like 2026-11-20 or 2026-11-20T23:28")},
    Filter{"to", for_translation("Until"),
           for_translation("A date without a time means the end of that day.")},
    Filter{"user", for_translation("User"), for_translation("The name, or a part of it")},
    Filter{"action", for_translation("Action"), ""},
    Filter{"objectKind", for_translation("Kind of object"), ""},
    Filter{"object", for_translation("Object"),
           for_translation("Its name or a part of it, or its ID")},
    Filter{"outcome", for_translation("Outcome"), ""},
    Filter{"request", for_translation("Request"),
           for_translation("The X-Request-Id of a response")},
    Filter{"tenant", for_translation("Tenant"), ""},
};

std::string value_of(const AuditPage& page, const std::string& name) {
    for (const auto& [parameter, value] : page.parameters) {
        if (parameter == name) return value;
    }
    return "";
}

/// "a2-lab (deleted)": a later tenant may have the name.
std::string title_of_log(const store::AuditLog& log) {
    return log.is_deleted ? translated("{0} (deleted)", log.tenant) : log.tenant;
}

/// What chooses the log that is shown: a deleted tenant may have been asked for by its name.
std::string word_of_shown(const AuditPage& page) {
    const std::string named = value_of(page, "tenant");
    if (named.empty()) return value_of(page, "scope") == "all" ? "" : page.tenant;
    const auto has_word = [&](const store::AuditLog& log) { return log.word() == named; };
    if (std::ranges::any_of(page.logs, has_word)) return named;
    const auto by_name = std::ranges::find(page.logs, named, &store::AuditLog::tenant);
    return by_name == page.logs.end() ? named : by_name->word();
}

/// The choice of a tenant, or of all: the form of superadmins asks for all. A deleted one is chosen
/// by what names it alone.
void offer_logs(const AuditPage& page, FormField& field) {
    field.value = word_of_shown(page);
    if (page.logs.size() > most_in_select) {
        field.hint = translated("Empty: all tenants");
        for (const auto& log : page.logs) field.suggestions.push_back(log.word());
        return;
    }
    field.options = {{"", translated("All tenants")}};
    for (const auto& log : page.logs) field.options.emplace_back(log.word(), title_of_log(log));
    const bool is_known = std::ranges::any_of(
        field.options, [&](const auto& option) { return option.first == field.value; });
    if (!is_known) field.options.emplace_back(field.value, field.value);
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
        std::ranges::stable_sort(field.options.begin() + 1, field.options.end(), {},
                                 [](const auto& one) { return group_of_action(one.first); });
        const bool is_known =
            field.value.empty() || std::ranges::count(page.words.actions, field.value) > 0;
        if (!is_known) {
            field.options.emplace_back(field.value,
                                       translated("{0} (not in this log)", field.value));
        }
    } else if (name == "objectKind") {
        field.options = {{"", translated("All")}};
        for (const std::string& kind : page.words.object_kinds) {
            field.options.emplace_back(kind, kind_in_words(kind));
        }
        const bool is_known =
            field.value.empty() || std::ranges::count(page.words.object_kinds, field.value) > 0;
        if (!is_known) field.options.emplace_back(field.value, kind_in_words(field.value));
    } else if (name == "tenant") {
        offer_logs(page, field);
    }
    if (!field.options.empty()) field.control = FormField::Control::select;
    return field;
}

/// Puts the actions of one kind of object into one group of the choice; they stand side by side.
void group_actions(Json& options) {
    std::string open;
    for (std::size_t i = 0; i < options.size(); ++i) {
        const auto group_at = [&](std::size_t at) {
            return at < options.size() ? group_of_action(options[at]["value"].get<std::string>())
                                       : "";
        };
        const std::string group = group_at(i);
        options[i]["opens_group"] = group == open ? "" : with_capital(group);
        open = group;
        options[i]["closes_group"] = !group.empty() && group_at(i + 1) != group;
    }
}

/// What a filter has chosen, in words: "Action Log in, Outcome Refused". Empty if something in it
/// is wrong: then its fields are what matters.
std::string filtered_by(const AuditPage& page) {
    std::string words;
    if (!page.problems.empty()) return words;
    for (const Filter& filter : filters) {
        const FormField field = field_of(page, filter);
        // The log that is shown without a choice is no filter.
        const bool is_unset =
            value_of(page, filter.name).empty() || (!page.superadmin && field.name == "tenant");
        if (field.value.empty() || is_unset) continue;
        const auto option = std::ranges::find(
            field.options, field.value, [](const auto& one) { return std::string(one.first); });
        words += (words.empty() ? "" : ", ") + field.label + ' ' +
                 (option == field.options.end() ? field.value : option->second);
    }
    return words;
}

/// The filters as a query, with "?" or nothing.
std::string query_of(const AuditPage& page, const std::string& more = "") {
    std::string query = more;
    const auto add = [&](const std::string& name) {
        const auto value = value_of(page, name);
        if (value.empty()) return;
        query += (query.empty() ? "" : "&") + name + '=' + http::percent_encode(value);
    };
    for (const Filter& filter : filters) add(filter.name);
    add("scope");
    // One action is chosen, and not those whose names begin with it.
    const bool is_exact = value_of(page, "exact") == "yes" && !value_of(page, "action").empty();
    if (is_exact) query += "&exact=yes";
    const bool has_names = !value_of(page, "user").empty() || !value_of(page, "object").empty();
    if (has_names && value_of(page, "part") == "yes") query += "&part=yes";
    return query.empty() ? "" : '?' + query;
}

/// Only what says which log it is; `scope` of all stays, so that the page of an event leads back.
std::string chain_query(const AuditPage& page) {
    return address_with("",
                        {{"tenant", value_of(page, "tenant")}, {"scope", value_of(page, "scope")}});
}

/// The log of an event in that of all; null for the installation's.
const store::AuditLog* log_of(const AuditPage& page, const audit::Event& event) {
    const auto found = std::ranges::find(page.logs, event.chain, &store::AuditLog::chain);
    return found == page.logs.end() ? nullptr : &*found;
}

std::string event_href(const AuditPage& page, const audit::Event& event) {
    const std::string path = "/audit/" + std::to_string(event.number);
    if (!page.is_of_all) return path + chain_query(page);
    const store::AuditLog* log = log_of(page, event);
    if (log == nullptr) return path + "?scope=installation";
    return address_with(path, {{"tenant", log->word()}, {"scope", "all"}});
}

Json event_json(const AuditPage& page, const audit::Event& event, const EventLinks& links) {
    const store::AuditLog* log = page.is_of_all ? log_of(page, event) : nullptr;
    Json json;
    json["href"] = event_href(page, event);
    json["log"] = log != nullptr ? title_of_log(*log) : translated("Installation");
    json["time"] = moment(event.at, event.at);
    json["who"] = actor_words(event);
    const std::string who = json["who"].get<std::string>();
    const auto slash = who.find('/');
    // Between the two a line may break.
    json["who_before"] = slash == std::string::npos ? "" : who.substr(0, slash + 1);
    json["who_name"] = slash == std::string::npos ? who : who.substr(slash + 1);
    json["who_href"] = links.user;
    json["client"] = event.actor.client;
    json["action"] = event.action;
    json["action_words"] = action_of(event);
    const std::string viewed_for = view_words(event);
    json["why"] = viewed_for.empty() ? reason_words(event)
                                     : joined_sentences(translated("Viewed for {0}", viewed_for),
                                                        reason_words(event));
    json["object"] = object_words(event);
    json["object_href"] = links.object;
    json["outcome"] = outcome_words(event);
    json["look"] = look_of(event.outcome);
    return json;
}

/// Whether both tell of the same: some acts are in the log of the installation and in that of a
/// tenant.
bool is_same_act(const audit::Event& one, const audit::Event& other) {
    const auto key = [](const audit::Event& event) {
        return std::tie(event.actor.request, event.action, event.object.kind, event.object.id,
                        event.object.name, event.outcome);
    };
    if (one.chain == other.chain || key(one) != key(other)) return false;
    // What ends a view by itself has no request, but the view's times to the microsecond.
    const bool is_same_view = one.action == "tenant.leave" && one.after == other.after;
    return !one.actor.request.empty() || is_same_view;
}

/// The rows. In the log of all, what stands in two logs is one row that names both.
Json rows_of_events(const AuditPage& page) {
    Json rows = Json::array();
    std::vector<const audit::Event*> of_rows;
    for (std::size_t i = 0; i < page.events.size(); ++i) {
        const audit::Event& event = page.events[i];
        Json row = event_json(page, event, i < page.links.size() ? page.links[i] : EventLinks());
        const auto same = std::ranges::find_if(of_rows, [&](const audit::Event* shown) {
            return page.is_of_all && is_same_act(*shown, event);
        });
        if (same != of_rows.end()) {
            Json& both = rows[static_cast<std::size_t>(same - of_rows.begin())];
            both["log"] = both["log"].get<std::string>() + ", " + row["log"].get<std::string>();
            continue;
        }
        of_rows.push_back(&event);
        rows.push_back(std::move(row));
    }
    return rows;
}

Json older_of(const AuditPage& page) {
    if (!page.has_older || page.events.empty()) return nullptr;
    const audit::Event& last = page.events.back();
    return "/audit" +
           query_of(page, "cursor=" + (page.is_of_all ? forms::word_of(store::place_of(last))
                                                      : std::to_string(last.number)));
}

/// The log that a word of the address names.
std::string name_of_log(const AuditPage& page, const std::string& word) {
    const auto log = std::ranges::find(page.logs, word, &store::AuditLog::word);
    return log == page.logs.end() ? word : title_of_log(*log);
}

/// Whose log is shown.
std::string audit_heading(const AuditPage& page) {
    if (!page.superadmin) {
        return page.tenant.empty() ? translated("Audit") : translated("Audit of {0}", page.tenant);
    }
    if (page.is_of_all) return translated("Audit of all tenants");
    const std::string named = value_of(page, "tenant");
    if (named.empty() && value_of(page, "scope") == "installation") {
        return translated("Audit of the installation");
    }
    return translated("Audit of {0}", named.empty() ? page.tenant : name_of_log(page, named));
}

/// The logs that are one click away; none but for superadmins.
Json audit_scopes(const AuditPage& page) {
    Json links = Json::array();
    if (!page.superadmin) return links;
    const std::string named = value_of(page, "tenant");
    const std::string scope = named.empty() ? value_of(page, "scope") : "";
    const bool is_own = scope.empty() && (named.empty() || named == page.tenant);
    const auto add = [&](const std::string& label, const char* wanted, bool is_current) {
        AuditPage other{.parameters = page.parameters};
        for (auto& [name, value] : other.parameters) {
            if (name == "scope") value = wanted;
            if (name == "tenant") value.clear();
        }
        links.push_back(filter_link(label, "/audit" + query_of(other), is_current));
    };
    add(page.tenant, "", is_own);
    add(translated("All tenants"), "all", page.is_of_all);
    add(translated("Installation"), "installation", scope == "installation");
    if (!named.empty() && !is_own) {
        links.push_back(filter_link(name_of_log(page, named), "/audit" + query_of(page), true));
    }
    return links;
}

std::vector<std::pair<std::string, std::string>> parameters_of(const http::Request& request) {
    std::vector<std::pair<std::string, std::string>> parameters{
        {"exact", request.query_value("exact").value_or("")},
        {"part", request.query_value("part").value_or("")},
        {"scope", request.query_value("scope").value_or("")}};
    for (const Filter& filter : filters) {
        parameters.emplace_back(
            filter.name, base::to_utf8(std::string(http::trim(
                             request.query_value(filter.name).value_or("").substr(0, 255)))));
    }
    return parameters;
}

http::Response draw(App& app, const auth::Visitor& visitor, int status, const AuditPage& page,
                    std::vector<std::string> notes = {}) {
    return drawn(app, visitor, status, "audit/index",
                 {.title = audit_heading(page), .section = "audit", .notes = std::move(notes)},
                 to_json(page));
}

base::Problem problem_of_file_of_some_names() {
    return {"", translated("There is no file, because events would be missing in it. Enter more of "
                           "the name, or choose a kind or From.")};
}

http::Response no_such_event() {
    auto page =
        http::plain_page(404, translated("This log has no event with this number, or has it no "
                                         "longer: old events are deleted."));
    page.heading = translated("There is no such event");
    return page;
}

}  // namespace

Json to_json(const AuditPage& page) {
    std::vector<NamedControl> controls;
    Json fields = Json::array();
    const bool is_of_installation = value_of(page, "scope") == "installation";
    for (const Filter& filter : filters) {
        const bool is_choice = std::string_view(filter.name) == "tenant";
        if (is_choice && (!page.superadmin || is_of_installation)) continue;
        const FormField field = field_of(page, filter);
        controls.push_back({field.name, field.id, field.label});
        fields.push_back(to_json(field, page.problems));
        // Nobody expects that a filter has to be filled in.
        fields.back()["optional"] = false;
        if (field.name == "action") group_actions(fields.back()["options"]);
    }
    Json json = problems_json(translated("Couldn't filter the events"), page.problems, controls);
    json["heading"] = audit_heading(page);
    json["scopes"] = audit_scopes(page);
    json["has_scopes"] = page.superadmin;
    // Which tenant is chosen in the form.
    json["scope"] = is_of_installation ? "installation" : page.superadmin ? "all" : "";
    json["is_of_all"] = page.is_of_all;
    json["summary"] =
        translated("Who did what, from where, and what it changed. Nothing here can be edited.");
    json["csv"] = page.is_of_some_names ? Json() : Json(std::string(audit_file) + query_of(page));
    json["no_csv"] =
        page.is_of_some_names ? translated("No CSV: it would lack events of other names.") : "";
    json["csv_words"] = translated("Download the newest {0} as CSV", grouped(audit_events_in_file));
    json["fields"] = std::move(fields);
    // Which log it is, the tabs say.
    json["is_filtered"] = query_of(page) != chain_query(page) || !page.problems.empty();
    json["filtered_by"] = filtered_by(page);
    json["all"] = address_with("/audit", {{"scope", value_of(page, "scope")}});
    json["events"] = rows_of_events(page);
    json["has_events"] = !page.events.empty();
    const bool is_none = page.events.empty() && page.problems.empty();
    json["none"] = !is_none                ? ""
                   : page.is_of_some_names ? words_on_none_of_names()
                                           : translated("No matching events.");
    json["newest"] = page.is_first ? Json() : Json("/audit" + query_of(page));
    json["older"] = older_of(page);
    return json;
}

base::Checked<forms::AuditQuery> audit_query_with_refusals(
    const http::Request& request, const provisioner::identity::Vault& vault) {
    auto query = forms::audit_query(request);
    if (!query) return query;
    for (auto* const text : {&query->filter.user, &query->filter.object, &query->filter.request}) {
        *text = std::string(http::trim(*text));
    }
    // Also in addresses that do not say that they mean a whole action.
    const std::string& action = query->filter.action;
    const bool is_whole = action.find('.') != std::string::npos && !action.ends_with('.');
    query->filter.is_whole_action = query->filter.is_whole_action || is_whole;
    if (!query->filter.object.empty()) {
        auto& names = query->filter.more_names;
        names = auth::names_to_record(query->filter.object, vault);
        // What is no name at all has too little in common with what was tried.
        std::erase_if(names, [](const auto& name) { return name.find("…") == std::string::npos; });
    }
    query->filter.has_refusals = true;
    query->filter.refused_requests = requests_for_action(query->filter.action);
    return query;
}

http::Response list_audit(const http::Request& request, const auth::Visitor& visitor, App& app) {
    AuditPage page{.parameters = parameters_of(request),
                   .superadmin = visitor.who().is_superadmin(),
                   .tenant = visitor.who().tenant.name};
    auto query = audit_query_with_refusals(request, app.database.vault());
    const std::string place = request.query_value("cursor").value_or("");
    const bool is_for_all = query && query->everywhere && page.superadmin;
    const auto cursor = base::parse_number(place);
    const auto place_of_all = forms::audit_place(place);
    page.is_first = is_for_all ? !place_of_all : cursor.value_or(0) == 0;
    std::vector<std::string> notes;
    if (!(is_for_all ? place_of_all.has_value() : cursor.has_value()) && !place.empty()) {
        notes.push_back(
            unknown_value(translated("place"), place, translated("showing the newest")));
    }
    if (!query) {
        page.problems = query.error();
        return draw(app, visitor, 400, page);
    }
    std::vector<std::string> part_notes;
    const auto found = app.database.read([&](store::Connection& connection) {
        auto chain = forms::audit_chain(connection, visitor.who(), *query);
        if (page.superadmin) page.logs = store::list_logs(connection);
        page.is_of_all = chain.everywhere;
        auto filter = query->filter;
        filter.chain = chain.chain.value_or(provisioner::model::TenantId{});
        const bool is_there = chain.everywhere || chain.chain;
        if (is_there && has_name_parts(request)) {
            part_notes = find_name_parts(connection, chain.chain, filter);
        }
        if (chain.everywhere) {
            page.events = store::list_events_of_all(connection, filter, place_of_all,
                                                    events_at_once + 1, false);
            page.words = store::audit_words_of_all(connection);
        } else if (chain.chain) {
            page.events = store::list_events(connection, filter, cursor.value_or(0),
                                             events_at_once + 1, false);
            page.words = store::audit_words(connection, *chain.chain);
        }
        EventLinkFinder finder(connection, visitor.who());
        for (const auto& event : page.events) page.links.push_back(finder.links_of(event));
        return chain;
    });
    if (found.status == 403) return auth::refusal(request, visitor, auth::Need::superadmin);
    if (!found.chain && !found.everywhere) {
        page.problems = {{found.status == 404 ? "tenant" : "", found.message}};
        return draw(app, visitor, found.status, page);
    }
    notes.insert(notes.end(), part_notes.begin(), part_notes.end());
    page.is_of_some_names = !part_notes.empty();
    page.has_older = page.events.size() > events_at_once;
    if (page.has_older) page.events.pop_back();
    const bool is_no_file = page.is_of_some_names && request.path == audit_file;
    if (is_no_file) page.problems = {problem_of_file_of_some_names()};
    return draw(app, visitor, is_no_file ? 422 : 200, page, std::move(notes));
}

http::Response show_audit_event(const http::Request& request, const auth::Visitor& visitor,
                                App& app) {
    const AuditPage page{.parameters = parameters_of(request)};
    const auto query = forms::audit_query(request);
    const auto number = base::parse_number(request.path_value("number"));
    if (!query || !number) return no_such_event();
    EventLinks links;
    const auto event =
        app.database.read([&](store::Connection& connection) -> std::optional<audit::Event> {
            const auto chain = forms::audit_chain(connection, visitor.who(), *query);
            if (!chain.chain) return std::nullopt;
            auto found = store::find_event(connection, *chain.chain, *number);
            if (found) links = EventLinkFinder(connection, visitor.who()).links_of(*found);
            return found;
        });
    if (!event) return no_such_event();
    const bool is_of_all = value_of(page, "scope") == "all";
    const std::string back = "/audit" + (is_of_all ? "?scope=all" : chain_query(page));
    return drawn(app, visitor, 200, "audit/show",
                 {.title = translated("Event {0}", *number), .section = "audit"},
                 to_json(*event, back, links));
}

}  // namespace fcgi::pages
