#include "provisioner/operations/sign_in/viewing.hpp"

#include <utility>

#include "provisioner/operations/audit.hpp"
#include "provisioner/store/sign_in/view_store.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"

namespace provisioner::operations {

namespace {

using store::Connection;
using store::View;

/// How often a look is written.
constexpr std::chrono::seconds touch_views_every{1};
constexpr int views_at_once = 100;

constexpr auto after_button = "The superadmin stopped it.";
constexpr auto after_deletion = "The tenant was deleted.";
constexpr auto after_log_out = "The superadmin logged out.";
constexpr auto after_pause = "No page was looked at for 30 minutes.";
constexpr auto after_session = "The session of the superadmin ended.";

/// The same in both chains.
std::vector<Act> acts_of_view(const char* action, const model::Tenant& viewed) {
    return in_chain_of_tenant_too(
        {.action = action, .object = {.kind = "tenant", .id = viewed.uid, .name = viewed.name}},
        viewed);
}

base::Timestamp end_of_pause(const View& view) {
    return view.seen_at + longest_pause_of_view;
}

bool was_left(const View& view, base::Timestamp now) {
    return now - view.seen_at > longest_pause_of_view;
}

/// Deletes and records it; `ended` without a value is now. False if somebody else did meanwhile.
bool end_it(Connection& connection, const model::Caller& superadmin, const View& view,
            const char* why, const std::optional<base::Timestamp>& ended = std::nullopt) {
    if (!store::delete_view(connection, view)) return false;
    auto acts = acts_of_view("tenant.leave", view.tenant);
    for (Act& act : acts) {
        act.after = {{"viewedFrom", base::to_sql(view.began_at)},
                     {"viewedUntil", base::to_sql(view.seen_at)}};
        if (ended) act.after["viewEnded"] = base::to_sql(*ended);
        act.reason = why;
    }
    audit_all(connection, superadmin, std::move(acts));
    return true;
}

template <class Work>
void if_it_can_be_written(store::Database& database, Work&& work) {
    try {
        database.write(std::forward<Work>(work));
    } catch (const store::DatabaseUnavailable&) {
        // A page that only reads must not fail because the database does not take changes. An end
        // is recorded later then, by the daemon at the latest.
    }
}

/// The superadmin of a view that nobody ends. Nothing without the superadmins' tenant.
std::optional<model::Caller> superadmin_of(Connection& connection, const View& view) {
    const auto tenant = store::find_tenant(connection, std::string(model::superadmin_tenant));
    if (!tenant) return std::nullopt;
    return model::Caller{.user = view.user, .tenant = *tenant};
}

}  // namespace

void begin_view(store::Database& database, const model::OpenSession& session,
                const model::Tenant& viewed, const std::string& came_from, base::Timestamp now) {
    database.write([&](Connection& connection) {
        const auto before = store::find_view(connection, session.session.id, viewed.id);
        if (before && was_left(*before, now)) {
            end_it(connection, session.caller, *before, after_pause, end_of_pause(*before));
        }
        const bool began = store::save_view(connection, {.session = session.session.id,
                                                         .tenant = viewed,
                                                         .came_from = came_from,
                                                         .user = session.caller.user,
                                                         .began_at = now,
                                                         .seen_at = now});
        if (began) audit_all(connection, session.caller, acts_of_view("tenant.view", viewed));
    });
}

bool is_viewing(store::Database& database, const model::OpenSession& session,
                const model::Tenant& viewed, const std::optional<std::string>& looked_from,
                base::Timestamp now) {
    const auto view = database.look([&](Connection& connection) {
        return store::find_view(connection, session.session.id, viewed.id);
    });
    if (!view) return false;
    if (was_left(*view, now)) {
        if_it_can_be_written(database, [&](Connection& connection) {
            end_it(connection, session.caller, *view, after_pause, end_of_pause(*view));
        });
        return false;
    }
    if (!looked_from) return true;
    const bool leads_elsewhere = !looked_from->empty() && *looked_from != view->came_from;
    if (!leads_elsewhere && now - view->seen_at < touch_views_every) return true;
    View seen = *view;
    seen.seen_at = now;
    if (leads_elsewhere) seen.came_from = *looked_from;
    if_it_can_be_written(database,
                         [&](Connection& connection) { store::update_view(connection, seen); });
    return true;
}

std::string end_view(store::Database& database, const model::OpenSession& session,
                     const model::Tenant& viewed) {
    return database.write([&](Connection& connection) {
        const auto view = store::find_view(connection, session.session.id, viewed.id);
        if (!view || !end_it(connection, session.caller, *view, after_button)) return std::string();
        return view->came_from;
    });
}

void end_views_at_log_out(store::Database& database, const model::OpenSession& session) {
    const auto views = database.read(
        [&](Connection& connection) { return store::list_views(connection, session.session.id); });
    for (const View& view : views) {
        database.write([&](Connection& connection) {
            end_it(connection, session.caller, view, after_log_out);
        });
    }
}

std::vector<model::RunningView> running_views(store::Database& database,
                                              const model::OpenSession& session,
                                              base::Timestamp now) {
    const auto views = database.look(
        [&](Connection& connection) { return store::list_views(connection, session.session.id); });
    std::vector<model::RunningView> running;
    for (const View& view : views) {
        if (!was_left(view, now)) running.push_back({view.tenant.name, view.began_at});
    }
    return running;
}

void end_views_of_deleted_tenant(Connection& connection, const model::Tenant& tenant) {
    for (const View& view : store::list_views_of_tenant(connection, tenant.id)) {
        const auto superadmin = superadmin_of(connection, view);
        if (superadmin) end_it(connection, *superadmin, view, after_deletion);
    }
}

void end_views_of_ended_sessions(Connection& connection, model::UserId user) {
    for (const View& view : store::list_views_without_session(connection, user)) {
        const auto caller = superadmin_of(connection, view);
        if (caller) end_it(connection, *caller, view, after_session);
    }
}

int end_views_that_are_over(store::Database& database, base::Timestamp now,
                            const std::function<bool()>& is_stopped) {
    const auto views = database.look([&](Connection& connection) {
        return store::list_views_that_are_over(connection, now, now - longest_pause_of_view,
                                               views_at_once);
    });
    int ended = 0;
    for (const View& view : views) {
        if (is_stopped()) break;
        ended += database.write([&](Connection& connection) {
            // A look may have come in between.
            const auto still = store::find_view(connection, view.session, view.tenant.id);
            const bool is_same = still && still->seen_at == view.seen_at;
            const auto superadmin = superadmin_of(connection, view);
            if (!is_same || !superadmin) return 0;
            const auto session_ended = still->session_ends_at;
            const bool is_open = session_ended && *session_ended > now;
            if (is_open && !was_left(view, now)) return 0;
            const bool has_ended_before = session_ended && *session_ended <= end_of_pause(view);
            const bool is_pause = was_left(view, now) && !has_ended_before;
            const bool is_recorded =
                is_pause ? end_it(connection, *superadmin, view, after_pause, end_of_pause(view))
                         : end_it(connection, *superadmin, view, after_session, session_ended);
            return is_recorded ? 1 : 0;
        });
    }
    return ended;
}

}  // namespace provisioner::operations
