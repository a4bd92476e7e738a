#pragma once

#include <optional>
#include <string>
#include <vector>

#include "provisioner/model/tenants/session.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

// Views of tenants by superadmins (table session_view). A row outlives its session until the end of
// the view is recorded.

/// A superadmin views a tenant, reading only.
struct View {
    model::SessionId session{};
    /// Id, uid and name; it may have been deleted meanwhile.
    model::Tenant tenant{};
    /// Address below the prefix of the page that led there; may be empty.
    std::string came_from{};
    /// Id and name of the superadmin, who may have been deleted meanwhile.
    model::User user{};
    base::Timestamp began_at{};
    /// When a page was last looked at. Written once a second at most.
    base::Timestamp seen_at{};
    /// When its session ends, or has ended; nothing if the session is gone.
    std::optional<base::Timestamp> session_ends_at{};
};

/// The view of a tenant in a session; nothing if it is not viewed there.
std::optional<View> find_view(Connection& connection, model::SessionId session,
                              model::TenantId tenant);

/// All views of a session, by tenant.
std::vector<View> list_views(Connection& connection, model::SessionId session);

/// All views of a tenant, which may be deleted, by session.
std::vector<View> list_views_of_tenant(Connection& connection, model::TenantId tenant);

/// The views of a user whose sessions are gone.
std::vector<View> list_views_without_session(Connection& connection, model::UserId user);

/// Views that were not looked at since `seen_since`, or whose session is over at `now`; at most
/// `limit`.
std::vector<View> list_views_that_are_over(Connection& connection, base::Timestamp now,
                                           base::Timestamp seen_since, int limit);

/// Stores it if there is none; otherwise notes `came_from` and `seen_at` of `view`. Returns whether
/// it began. `came_from` has at most 1,000 characters.
bool save_view(Connection& connection, const View& view);

/// Notes its `came_from` and `seen_at`; does nothing if it is over.
void update_view(Connection& connection, const View& view);

/// Ends it; returns whether it was there. One that began since it was read stays.
bool delete_view(Connection& connection, const View& view);

}  // namespace provisioner::store
