#include "fcgi/pages/people/people.hpp"

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/filter_links.hpp"
#include "fcgi/pages/form_field.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/kept/done_once.hpp"
#include "fcgi/pages/people/second_factors.hpp"
#include "fcgi/pages/profile/profile.hpp"
#include "fcgi/pages/refusals.hpp"
#include "fcgi/pages/tenants/user_words.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/operations/sign_in/factors.hpp"
#include "provisioner/operations/sign_in/passwords.hpp"
#include "provisioner/operations/tenants/api_keys.hpp"
#include "provisioner/operations/tenants/tenants.hpp"
#include "provisioner/operations/tenants/users.hpp"
#include "provisioner/store/access/group_store.hpp"
#include "provisioner/store/sign_in/external_store.hpp"
#include "provisioner/store/sign_in/factor_store.hpp"
#include "provisioner/store/sign_in/session_store.hpp"
#include "provisioner/store/tenants/user_store.hpp"

namespace fcgi::pages {

using http::Request;
using http::Response;
using provisioner::base::Json;
using provisioner::messages::translated;
namespace base = provisioner::base;
namespace model = provisioner::model;
namespace operations = provisioner::operations;
namespace store = provisioner::store;

namespace {

bool offers_superadmin(const model::Caller& caller, const PeopleOf& of) {
    return caller.is_superadmin() && of.tenant.name == model::superadmin_tenant;
}

FormField role_field(const std::string& value, bool with_superadmin) {
    FormField field{.id = "role",
                    .name = "role",
                    .label = translated("Role"),
                    .value = value,
                    .control = FormField::Control::select};
    for (const model::Role role : model::all_roles) {
        if (role == model::Role::superadmin && !with_superadmin) continue;
        const std::string word = base::to_word(role);
        field.options.emplace_back(word, word);
    }
    return field;
}

std::optional<PersonPage> read_person(const Request& request, const auth::Visitor& visitor,
                                      App& app) {
    const auto& caller = visitor.who();
    PersonPage page{.now = app.clock.now()};
    page.initial_for = app.sign_in.initial_password;
    const bool is_there = app.database.read([&](store::Connection& connection) {
        const auto of = people_of(request, visitor, connection);
        if (!of) return false;
        page.of = *of;
        const auto user =
            operations::seen_user(connection, caller, of->tenant, request.path_value("user"));
        if (!user) return false;
        page.user = *user;
        page.has_factor = operations::view_factor(connection, user->id).has_factor;
        for (const auto& [id, name] : store::external_users_of(connection, of->tenant.id)) {
            if (id == user->id) page.provider = name;
        }
        page.sessions = store::list_sessions(connection, user->id, page.now,
                                             page.now - app.sign_in.session_idle);
        page.keys = store::list_api_keys(connection, user->id);
        page.groups = store::groups_of(connection, user->id);
        page.clusters = read_clusters_of(connection, *user, of->tenant);
        return true;
    });
    if (!is_there) return std::nullopt;
    page.is_self = page.user.id == caller.user.id;
    page.may_change = operations::may_administer(caller, page.user);
    page.offers_superadmin = offers_superadmin(caller, page.of);
    return page;
}

Response draw_person(App& app, const auth::Visitor& visitor, int status, const PersonPage& page) {
    return drawn(app, visitor, status, "people/show",
                 {.title = page.of.with_tenant(translated("User {0}", page.user.name)),
                  .section = page.of.section()},
                 to_json(page));
}

/// The page of the user again, with a message.
Response back_to(const Request& request, const std::string& done) {
    return http::see_other(list_of_people(request) + '/' +
                           http::percent_encode(request.path_value("user")) + "?done=" + done);
}

template <class Value>
Response back_or_refused(const Request& request, const auth::Visitor& visitor, App& app,
                         const operations::Result<Value>& result, const std::string& done) {
    if (result) return back_to(request, done);
    if (result.error().kind == operations::Refusal::Kind::not_found) {
        return nothing_there(translated("user, session or key"));
    }
    return error_page(app, visitor, 409,
                      {.heading = translated("Couldn't do this"),
                       .text = result.error().problems.front().message,
                       .ways = {{list_of_people(request), translated("Users")}}});
}

std::string person_done_words(const std::string& what, const PersonPage& page) {
    const std::string& name = page.user.name;
    if (what == "role") {
        return translated("{0} is now {1} of {2}. The user's sessions have ended.", name,
                          std::string(base::to_word(page.user.role)), page.of.tenant.name);
    }
    if (what == "locked") {
        return translated(
            "{0} is locked. The user's sessions have ended, and API keys let nobody in.", name);
    }
    if (what == "unlocked") return translated("{0} is unlocked and can log in again.", name);
    if (what == "sessions") return translated("Sessions of {0} have ended.", name);
    if (what == "factor") {
        return translated("Second factor of {0} removed. The user's sessions have ended.", name);
    }
    if (what == "key") return translated("API key of {0} deleted.", name);
    return "";
}

}  // namespace

Json to_json(const PeoplePage& page) {
    Json json = to_json(page.of);
    json["done"] = page.done;
    json["factor_fields"] = {to_json(second_factor_field(page.factor_for, page.factor_of_all), {})};
    json["chooses_factor"] = page.may_change;
    json["can_search"] = page.users.size() > people_without_search || !page.text.empty();
    json["q"] = page.text;
    json["nobody"] = page.users.empty();
    json["people"] = Json::array();
    std::vector<const model::User*> found;
    for (const model::User& user : page.users) {
        // Names differ by the case of letters, but nobody searches by it.
        if (has_text(user.name, page.text)) found.push_back(&user);
    }
    const Portion portion = portion_of(found.size(), people_shown, page.page);
    for (std::size_t at = portion.begin(); at < portion.end(); ++at) {
        const model::User& user = *found[at];
        Json item;
        item["person"] = user.name;
        item["href"] = page.of.person_href(user.name);
        item["role"] = base::to_word(user.role);
        const auto used = page.last_used.find(user.id);
        item["used"] = used == page.last_used.end() ? Json() : moment(used->second, page.now);
        item["factor"] = page.with_factor.contains(user.id) ? "on" : "off";
        const auto provider = page.providers.find(user.id);
        item["state"] = person_state_words(
            how_logs_in(user, provider == page.providers.end() ? std::string() : provider->second));
        const auto keys = page.keys.find(user.id);
        const bool has_keys = keys != page.keys.end();
        item["keys"] = grouped(has_keys ? keys->second.keys : 0);
        item["key_used"] =
            has_keys && keys->second.used_at ? moment(*keys->second.used_at, page.now) : Json();
        json["people"].push_back(std::move(item));
    }
    json["has_people"] = !found.empty();
    json["not_found"] = found.empty() && !page.users.empty();
    json["pager"] = pager_json(portion, page.of.href, {{"q", page.text}});
    json["may_change"] = page.may_change;
    const FormField name{.id = "name",
                         .name = "name",
                         .label = translated("Name"),
                         .value = page.name,
                         .required = true};
    // The first one has to be able to make the others.
    const std::string usual =
        base::to_word(page.users.empty() ? model::Role::admin : model::Role::user);
    const auto role = role_field(page.role.empty() ? usual : page.role, page.offers_superadmin);
    json.update(form_json(translated("Couldn't create the user"), {name, role}, page.problems));
    return json;
}

Json to_json(const PersonPage& page) {
    Json json = to_json(page.of);
    json["person"] = page.user.name;
    json["href"] = page.of.person_href(page.user.name);
    json["role"] = base::to_word(page.user.role);
    json["state"] = person_state_words(how_logs_in(page.user, page.provider));
    json["has_local_password"] = page.provider.empty();
    json["is_self"] = page.is_self;
    json["may_change"] = page.may_change;
    // Groups and the audit log of another tenant have no pages here.
    const bool is_here = !page.of.is_named();
    json["groups"] = listed(page.groups);
    json["in_groups"] = Json::array();
    for (const auto& group : page.groups) {
        json["in_groups"].push_back(
            {{"group", group},
             {"group_href", is_here ? "/groups/" + http::percent_encode(group) : ""}});
    }
    json["has_groups"] = !page.groups.empty();
    json.update(to_json(page.clusters));
    json["events_href"] = is_here ? "/audit?user=" + http::percent_encode(page.user.name) : "";
    json.update(form_json(translated("Couldn't change the role"),
                          {role_field(base::to_word(page.user.role), page.offers_superadmin)},
                          page.problems));
    json["disabled"] = page.user.disabled;
    json["has_factor"] = page.has_factor;
    json["has_sessions"] = !page.sessions.empty();
    json["sessions"] = sessions_json(page.sessions, {}, page.now, page.shows_all_sessions);
    json["all_sessions"] = all_sessions_words(page.sessions.size(), page.shows_all_sessions);
    json["has_keys"] = !page.keys.empty();
    json["keys"] = keys_json(page.keys, page.user.role, page.now);
    json["initial_password"] = page.initial_password.reveal();
    json["initial_for"] =
        spoken(std::chrono::duration_cast<std::chrono::milliseconds>(page.initial_for));
    json["done"] = page.done;
    return json;
}

namespace {

Response draw_people(const Request& request, const auth::Visitor& visitor, App& app,
                     PeoplePage page) {
    page.factor_of_all = app.sign_in.second_factor;
    page.now = app.clock.now();
    page.may_change = visitor.who().is_admin();
    const bool is_there = app.database.read([&](store::Connection& connection) {
        const auto of = people_of(request, visitor, connection);
        if (!of) return false;
        page.of = *of;
        const auto tenant = of->tenant.id;
        page.users = store::list_users(connection, tenant);
        const auto with_factor = store::users_with_factor(connection, tenant);
        page.with_factor = {with_factor.begin(), with_factor.end()};
        page.keys = store::key_uses(connection, tenant);
        page.last_used = store::last_uses_of_sessions(connection, tenant, page.now,
                                                      page.now - app.sign_in.session_idle);
        page.factor_for = store::second_factor_of_tenant(connection, tenant);
        const auto providers = store::external_users_of(connection, tenant);
        page.providers = {providers.begin(), providers.end()};
        return true;
    });
    if (!is_there) return nothing_there(translated("tenant"));
    page.offers_superadmin = offers_superadmin(visitor.who(), page.of);
    const std::string title =
        page.of.is_named() ? translated("Users of {0}", page.of.tenant.name) : translated("Users");
    return drawn(app, visitor, 200, "people/index", {.title = title, .section = page.of.section()},
                 to_json(page));
}

}  // namespace

Response list_people(const Request& request, const auth::Visitor& visitor, App& app) {
    PeoplePage page{.text = searched_text(request), .page = page_in(request)};
    if (request.query_value("done") == "factor") {
        page.done = translated("Saved. The change applies when each user next logs in.");
    }
    if (const auto name = name_of_done(request, "deleted")) {
        page.done = translated("User {0} deleted.", *name);
    }
    return draw_people(request, visitor, app, std::move(page));
}

Response create_person(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto& caller = visitor.who();
    const auto sent = http::parse_form(request.body);
    PeoplePage page{.name = sent.trimmed("name"), .role = sent.trimmed("role")};
    const auto role = base::from_word<model::Role>(page.role);
    if (!role) {
        page.problems = {{"role", translated("Choose a role.")}};
        return with_status_of(
            operations::refuse(operations::Refusal::Kind::invalid, page.problems).value(),
            draw_people(request, visitor, app, page));
    }
    const auto now = app.clock.now();
    const auto made = operations::create_user(
        app.database, caller, tenant_named_in(request, visitor),
        {.name = page.name, .role = *role, .with_key = false}, now, app.sign_in);
    if (!made) {
        page.problems = made.error().problems;
        return with_status_of(made.error(), draw_people(request, visitor, app, page));
    }
    const auto password = operations::reset_password(
        app.database, caller, tenant_named_in(request, visitor), page.name, app.sign_in, now);
    Request person = request;
    person.path_values["user"] = page.name;
    if (!password) return back_or_refused(person, visitor, app, password, "");
    auto shown = read_person(person, visitor, app);
    if (!shown) return nothing_there(translated("user"));
    shown->initial_password = *password;
    return draw_person(app, visitor, 200, *shown);
}

Response change_role_of_person(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto& caller = visitor.who();
    const auto role = base::from_word<model::Role>(http::parse_form(request.body).trimmed("role"));
    if (auto page = read_person(request, visitor, app); page && page->user.role == role) {
        page->problems = {{"role", translated("{0} has this role already.", page->user.name)}};
        return draw_person(app, visitor, 422, *page);
    }
    const auto changed =
        role ? operations::change_access(app.database, caller, tenant_named_in(request, visitor),
                                         request.path_value("user"), {.role = *role})
             : operations::Result<model::User>(operations::refuse(
                   operations::Refusal::Kind::invalid, "role", translated("Choose a role.")));
    if (!changed && changed.error().kind == operations::Refusal::Kind::invalid) {
        auto page = read_person(request, visitor, app);
        if (!page) return nothing_there(translated("user"));
        page->problems = changed.error().problems;
        return with_status_of(changed.error(), draw_person(app, visitor, 200, *page));
    }
    return back_or_refused(request, visitor, app, changed, "role");
}

Response show_person(const Request& request, const auth::Visitor& visitor, App& app) {
    auto page = read_person(request, visitor, app);
    if (!page) return nothing_there(translated("user"));
    page->done = person_done_words(request.query_value("done").value_or(""), *page);
    page->shows_all_sessions = request.query_value("sessions") == "all";
    return draw_person(app, visitor, 200, *page);
}

Response reset_person(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto& caller = visitor.who();
    const auto password =
        operations::reset_password(app.database, caller, tenant_named_in(request, visitor),
                                   request.path_value("user"), app.sign_in, app.clock.now());
    if (!password) return back_or_refused(request, visitor, app, password, "");
    auto page = read_person(request, visitor, app);
    if (!page) return nothing_there(translated("user"));
    page->initial_password = *password;
    return draw_person(app, visitor, 200, *page);
}

Response end_sessions_of_person(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto& caller = visitor.who();
    const auto id = base::parse_number(http::parse_form(request.body).trimmed("session"));
    const auto ended =
        operations::end_sessions(app.database, caller, tenant_named_in(request, visitor),
                                 request.path_value("user"), model::SessionId{id.value_or(0)});
    return back_or_refused(request, visitor, app, ended, "sessions");
}

Response delete_key_of_person(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto& caller = visitor.who();
    const auto id = base::parse_number(http::parse_form(request.body).trimmed("key"));
    const auto deleted =
        operations::delete_key_of(app.database, caller, tenant_named_in(request, visitor),
                                  request.path_value("user"), id.value_or(0));
    return back_or_refused(request, visitor, app, deleted, "key");
}

Response change_access_of_person(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto& caller = visitor.who();
    const auto disabled = yes_or_no(http::parse_form(request.body), "disabled");
    if (!disabled) return incomplete_form(app, visitor);
    const auto changed =
        operations::change_access(app.database, caller, tenant_named_in(request, visitor),
                                  request.path_value("user"), {.disabled = disabled});
    return back_or_refused(request, visitor, app, changed, *disabled ? "locked" : "unlocked");
}

}  // namespace fcgi::pages
