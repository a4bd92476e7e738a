#include "fcgi/pages/people/person_deletion.hpp"

#include <optional>

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/kept/done_once.hpp"
#include "fcgi/pages/refusals.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/base/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/operations/sign_in/passwords.hpp"
#include "provisioner/operations/tenants/users.hpp"
#include "provisioner/store/access/group_store.hpp"
#include "provisioner/store/sign_in/external_store.hpp"
#include "provisioner/store/sign_in/session_store.hpp"
#include "provisioner/store/tenants/user_store.hpp"

namespace fcgi::pages {

using http::Request;
using http::Response;
using provisioner::base::Json;
using provisioner::messages::translated;
using provisioner::messages::translated_count;
namespace base = provisioner::base;
namespace model = provisioner::model;
namespace operations = provisioner::operations;
namespace store = provisioner::store;

namespace {

std::optional<PersonDeletionPage> read_deletion(const Request& request,
                                                const auth::Visitor& visitor, App& app) {
    const auto& caller = visitor.who();
    const auto now = app.clock.now();
    PersonDeletionPage page;
    const bool is_there = app.database.read([&](store::Connection& connection) {
        const auto of = people_of(request, visitor, connection);
        if (!of) return false;
        page.of = *of;
        const auto user =
            operations::seen_user(connection, caller, of->tenant, request.path_value("user"));
        if (!user || !operations::may_administer(caller, *user)) return false;
        page.user = *user;
        for (const auto& [id, name] : store::external_users_of(connection, of->tenant.id)) {
            if (id == user->id) page.provider = name;
        }
        page.groups = store::groups_of(connection, user->id);
        const auto sessions =
            store::list_sessions(connection, user->id, now, now - app.sign_in.session_idle);
        page.sessions = static_cast<int>(sessions.size());
        page.keys = static_cast<int>(store::list_api_keys(connection, user->id).size());
        page.clusters = read_clusters_of(connection, page.user, of->tenant);
        return true;
    });
    if (!is_there) return std::nullopt;
    if (page.user.id == caller.user.id) {
        page.may_delete = false;
        page.problem = translated("You cannot delete yourself. Ask another administrator.");
    }
    return page;
}

Response draw_deletion_of(App& app, const auth::Visitor& visitor, int status,
                          const PersonDeletionPage& page) {
    return drawn(app, visitor, status, "people/delete",
                 {.title = page.of.with_tenant(translated("Delete user {0}", page.user.name)),
                  .section = page.of.section()},
                 to_json(page));
}

}  // namespace

Json to_json(const PersonDeletionPage& page) {
    Json json = to_json(page.of);
    json["person"] = page.user.name;
    json["href"] = page.of.person_href(page.user.name);
    json["problem"] = page.problem;
    json["may_delete"] = page.may_delete;
    json["provider"] = page.provider;
    json["groups"] = listed(page.groups);
    json["sessions"] = page.sessions == 0
                           ? std::string()
                           : translated_count(page.sessions, "{0} session", "{0} sessions");
    json["keys"] =
        page.keys == 0 ? std::string() : translated_count(page.keys, "{0} API key", "{0} API keys");
    json.update(to_json(page.clusters));
    return json;
}

Response ask_to_delete_person(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto page = read_deletion(request, visitor, app);
    if (!page) return nothing_there(translated("user"));
    return draw_deletion_of(app, visitor, 200, *page);
}

Response delete_person(const Request& request, const auth::Visitor& visitor, App& app) {
    auto page = read_deletion(request, visitor, app);
    if (!page) return nothing_there(translated("user"));
    const auto deleted =
        operations::delete_user(app.database, visitor.who(), page->of.tenant.name, page->user.name);
    if (deleted)
        return http::see_other(page->of.href +
                               "?done=" + done_with_name("deleted", page->user.name));
    page->problem = deleted.error().problems.front().message;
    return with_status_of(deleted.error(), draw_deletion_of(app, visitor, 200, *page));
}

}  // namespace fcgi::pages
