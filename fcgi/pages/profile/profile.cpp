#include "fcgi/pages/profile/profile.hpp"

#include "fcgi/forms/api_key.hpp"
#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/form_field.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/profile/credentials.hpp"
#include "fcgi/pages/profile/factor.hpp"
#include "fcgi/pages/profile/notifications.hpp"
#include "fcgi/pages/refusals.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/operations/audit.hpp"
#include "provisioner/operations/sign_in/passwords.hpp"
#include "provisioner/operations/sign_in/viewing.hpp"
#include "provisioner/operations/tenants/api_keys.hpp"
#include "provisioner/store/clusters/cluster_store.hpp"
#include "provisioner/store/sign_in/session_store.hpp"
#include "provisioner/store/tenants/mail_store.hpp"
#include "provisioner/store/tenants/user_store.hpp"

namespace fcgi::pages {

using http::Request;
using http::Response;
using provisioner::base::Json;
using provisioner::base::Problems;
using provisioner::base::Timestamp;
using provisioner::messages::translated;
using provisioner::messages::translated_count;
namespace base = provisioner::base;
namespace model = provisioner::model;
namespace operations = provisioner::operations;
namespace store = provisioner::store;

namespace {

ProfilePage page_of_visitor(const auth::Visitor& visitor, App& app) {
    const auto& caller = visitor.who();
    ProfilePage page{.user = caller.user.name,
                     .tenant = caller.tenant.name,
                     .role = base::to_word(caller.user.role),
                     .present = visitor.login ? visitor.login->id : model::SessionId{},
                     .now = app.clock.now()};
    if (const auto provider = provider_of(visitor, app)) page.provider = provider->label;
    app.database.read([&](store::Connection& connection) {
        page.sessions = store::list_sessions(connection, caller.user.id, page.now,
                                             page.now - app.sign_in.session_idle);
        page.keys = store::list_api_keys(connection, caller.user.id);
        page.mails = store::find_mail_choice(connection, caller.user.id);
        page.factor = operations::view_factor(connection, caller.user.id);
    });
    return page;
}

Response draw_profile(App& app, const auth::Visitor& visitor, int status, const ProfilePage& page) {
    return drawn(app, visitor, status, "profile/show",
                 {.title = translated("Your profile"), .section = "profile"}, to_json(page));
}

std::string done_words(const std::string& what) {
    if (what == "password") return translated("Password changed. Your other sessions have ended.");
    if (what == "factor")
        return translated("The authenticator app is off. Your other sessions have ended.");
    if (what == "session") return translated("The session has ended.");
    if (what == "sessions") return translated("The sessions have ended.");
    if (what == "key") return translated("API key deleted.");
    return "";
}

/// The form with the ids of clusters for their names, and what is wrong with it.
std::pair<KeyForm, Problems> checked_against_database(App& app, const model::Caller& caller,
                                                      const KeyForm& form) {
    return app.database.read([&](store::Connection& connection) {
        const auto named = [&](const std::string& name) {
            std::vector<model::ClusterId> ids;
            for (const auto& cluster : store::clusters_named(connection, caller, name)) {
                ids.push_back(cluster.id);
            }
            return ids;
        };
        const auto is_there = [&](model::ClusterId id) {
            return store::find_summary(connection, caller, id).has_value();
        };
        Problems problems;
        KeyForm with_ids = with_cluster_ids(form, named, problems);
        const auto others = problems_of_key(with_ids, caller.user.role, is_there);
        problems.insert(problems.end(), others.begin(), others.end());
        return std::pair(std::move(with_ids), std::move(problems));
    });
}

}  // namespace

std::string browser_words(const std::string& agent) {
    // The first that is there counts: Edge also says Chrome, and Chrome also says Safari.
    constexpr std::array browsers{std::pair{"Edg/", "Edge"}, std::pair{"OPR/", "Opera"},
                                  std::pair{"Firefox/", "Firefox"}, std::pair{"Chrome/", "Chrome"},
                                  std::pair{"Safari/", "Safari"}};
    constexpr std::array systems{std::pair{"Android", "Android"}, std::pair{"iPhone", "iPhone"},
                                 std::pair{"iPad", "iPad"},       std::pair{"Windows", "Windows"},
                                 std::pair{"Mac OS X", "macOS"},  std::pair{"Linux", "Linux"}};
    constexpr std::size_t shown_at_most = 40;
    const auto find_in = [&](const auto& table) {
        for (const auto& [mark, name] : table) {
            if (agent.find(mark) != std::string::npos) return std::string(name);
        }
        return std::string();
    };
    const std::string browser = find_in(browsers);
    const std::string system = find_in(systems);
    if (!browser.empty())
        return system.empty() ? browser : translated("{0} on {1}", browser, system);
    return agent.empty() ? "unknown" : agent.substr(0, shown_at_most);
}

std::string all_sessions_words(std::size_t count, bool all) {
    if (all || count <= sessions_at_first) return "";
    return translated("Show all {0} sessions", grouped(count));
}

Json sessions_json(const std::vector<model::Session>& sessions, model::SessionId present,
                   Timestamp now, bool all) {
    Json list = Json::array();
    for (const auto& session : sessions) {
        if (!all && list.size() == sessions_at_first) break;
        Json item;
        item["id"] = session.id.value;
        item["browser"] = browser_words(session.agent);
        item["agent"] = session.agent;
        item["address"] = session.address;
        item["created"] = moment(session.created_at, now);
        // Uses are noted every few minutes only; this page is one.
        item["used"] = moment(session.id == present ? now : session.last_used_at, now);
        item["is_present"] = session.id == present;
        item["waits"] = session.stage == model::SessionStage::code;
        list.push_back(std::move(item));
    }
    return list;
}

Json to_json(const ProfilePage& page) {
    const auto role = base::from_word<model::Role>(page.role).value_or(model::Role::user);
    const auto fields = key_fields(page.form, role);
    Json json = form_json(translated("Couldn't create the key"), fields, page.problems);
    json["who"] = page.user;
    json["of_tenant"] = page.tenant;
    json["role"] = page.role;
    json["log_in_with"] = page.provider;
    json["sessions"] =
        sessions_json(page.sessions, page.present, page.now, page.shows_all_sessions);
    json["all_sessions"] = all_sessions_words(page.sessions.size(), page.shows_all_sessions);
    json["has_others"] = page.sessions.size() > 1;
    json["has_keys"] = !page.keys.empty();
    json["keys"] = keys_json(page.keys, role, page.now);
    json["has_factor"] = page.factor.has_factor;
    json["codes_left"] =
        translated_count(page.factor.recovery_codes, "{0} recovery code", "{0} recovery codes");
    json["has_few_codes"] = page.factor.recovery_codes <= few_recovery_codes;
    json["mails"] = mail_choice_words(page.mails, role);
    json["new_key"] = page.new_key.reveal();
    json["done"] = page.done;
    return json;
}

Response show_own_profile(const Request& request, const auth::Visitor& visitor, App& app) {
    ProfilePage page = page_of_visitor(visitor, app);
    page.done = done_words(request.query_value("done").value_or(""));
    page.shows_all_sessions = request.query_value("sessions") == "all";
    return draw_profile(app, visitor, 200, page);
}

Response end_own_session(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto& caller = visitor.who();
    const auto id = base::parse_number(request.path_value("id"));
    if (!id || *id == 0) return nothing_there(translated("session"));
    operations::end_sessions(app.database, caller, caller.tenant.name, caller.user.name,
                             model::SessionId{*id});
    return http::see_other("/profile?done=session");
}

Response end_other_sessions(const Request&, const auth::Visitor& visitor, App& app) {
    const auto session = visitor.open_session();
    app.database.write([&](store::Connection& connection) {
        store::end_sessions(connection, session.caller.user.id, session.session.id);
        operations::audit_user(connection, session.caller, "user.end-sessions",
                               session.caller.user);
        operations::end_views_of_ended_sessions(connection, session.caller.user.id);
    });
    return http::see_other("/profile?done=sessions");
}

Response make_own_key(const Request& request, const auth::Visitor& visitor, App& app) {
    if (request.method == "GET") return http::see_other("/profile#new-key");
    const auto sent = http::parse_form(request.body);
    // Empty is for ever.
    if (auto refused = if_incomplete(app, visitor, sent, {"expireTime"})) return *refused;
    const KeyForm form{.name = sent.trimmed("name"),
                       .scope = sent.trimmed("scope"),
                       .rights = sent.all("rights"),
                       .clusters = sent.trimmed("clusters"),
                       .days = sent.trimmed("expireTime")};
    const auto now = app.clock.now();
    auto [with_ids, problems] = checked_against_database(app, visitor.who(), form);
    const auto wanted = forms::api_key(body_of_key(with_ids, now));
    if (!wanted) {
        const bool has_own_words = asks_for_no_right(form);
        for (const auto& problem : wanted.error()) {
            if (has_own_words && problem.field == "rights") continue;
            problems.push_back(problem);
        }
    }
    if (!problems.empty()) {
        ProfilePage page = page_of_visitor(visitor, app);
        page.form = form;
        page.problems = std::move(problems);
        return draw_profile(app, visitor, 422, page);
    }
    const auto made =
        operations::create_api_key(app.database, visitor.who(), *wanted, visitor.key, now);
    ProfilePage page = page_of_visitor(visitor, app);
    if (made) {
        page.new_key = made->secret;
        return draw_profile(app, visitor, 200, page);
    }
    page.form = form;
    page.problems = made.error().problems;
    return with_status_of(made.error(), draw_profile(app, visitor, 422, page));
}

Response delete_own_key(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto id = base::parse_number(request.path_value("id"));
    if (!id) return nothing_there(translated("API key"));
    const auto deleted = operations::delete_api_key(app.database, visitor.who(), *id);
    return deleted ? http::see_other("/profile?done=key") : nothing_there(translated("API key"));
}

}  // namespace fcgi::pages
