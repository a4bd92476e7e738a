#include "fcgi/pages/people/person_deletion.hpp"

#include <array>
#include <optional>

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/progress.hpp"
#include "fcgi/pages/refusals.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/base/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/operations/sign_in/passwords.hpp"
#include "provisioner/operations/tenants/users.hpp"
#include "provisioner/store/access/group_store.hpp"
#include "provisioner/store/overview/home_store.hpp"
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

constexpr std::array live_statuses{model::ClusterStatus::pending, model::ClusterStatus::active,
                                   model::ClusterStatus::incomplete,
                                   model::ClusterStatus::inconsistent};

/// Reads with the eyes of the user: administrators see the clusters of others, too.
void read_clusters(store::Connection& connection, const model::Tenant& tenant,
                   PersonDeletionPage& page) {
    model::Caller owner{.user = page.user, .tenant = tenant};
    owner.user.role = model::Role::user;
    page.clusters = store::list_clusters(connection, owner,
                                         {.statuses = {live_statuses.begin(), live_statuses.end()},
                                          .limit = clusters_of_person_shown});
    const auto counts = store::count_clusters(connection, owner);
    page.clusters_total = counts.active + counts.pending + counts.failing;
}

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
        read_clusters(connection, of->tenant, page);
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
    json["live_clusters"] =
        page.clusters_total == 0
            ? std::string()
            : translated_count(page.clusters_total, "{0} cluster", "{0} clusters");
    json["clusters"] = Json::array();
    for (const store::ClusterSummary& cluster : page.clusters) {
        Json item;
        item["cluster"] = cluster.name;
        item["cluster_href"] = "/clusters/" + model::wire_id(cluster.id);
        item["status"] =
            shown_status(cluster.status, cluster.latest_job, cluster.services_stopped).words;
        item["machines"] = translated_count(cluster.node_count, "{0} machine", "{0} machines");
        json["clusters"].push_back(std::move(item));
    }
    const int more = page.clusters_total - static_cast<int>(page.clusters.size());
    json["more_clusters"] =
        more <= 0 ? std::string() : translated("and {0} more", std::to_string(more));
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
    if (deleted) return http::see_other(after_deletion(page->of.href, page->user.name));
    page->problem = deleted.error().problems.front().message;
    return with_status_of(deleted.error(), draw_deletion_of(app, visitor, 200, *page));
}

}  // namespace fcgi::pages
