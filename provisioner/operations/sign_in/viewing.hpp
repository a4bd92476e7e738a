#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "provisioner/model/tenants/session.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

// A superadmin views a tenant: at addresses of their own, below /view/{tenant}, they read what its
// auditors read, and change nothing (fcgi/auth/identify.cpp). Each view of a session is recorded
// when it begins and when it ends, in the audit log of that tenant and of the superadmin's own: the
// end says when it began, when a page was last looked at, and why it ended.

/// A view of which no page is looked at for so long ends. The next look is a view of its own.
constexpr std::chrono::minutes longest_pause_of_view{30};

/// Begins the view and records it, unless the session views the tenant already. `came_from` is the
/// page to which the end of the view leads, below the prefix; may be empty. `session` has the
/// superadmin as they are.
void begin_view(store::Database& database, const model::OpenSession& session,
                const model::Tenant& viewed, const std::string& came_from, base::Timestamp now);

/// Whether the session views the tenant. `looked_from` is set if a page is looked at: then it is
/// noted, and the page that led to it, which may be empty, as in begin_view(). Ends and records a
/// view that was not looked at for too long. Reads one row, and writes once a second at most, or
/// when another page led there.
bool is_viewing(store::Database& database, const model::OpenSession& session,
                const model::Tenant& viewed, const std::optional<std::string>& looked_from,
                base::Timestamp now);

/// Ends the view and records it; returns the page that led to it. Empty if there is none, or no
/// view.
std::string end_view(store::Database& database, const model::OpenSession& session,
                     const model::Tenant& viewed);

/// What the session views, by tenant; views that were not looked at for too long are none. Reads
/// only.
std::vector<model::RunningView> running_views(store::Database& database,
                                              const model::OpenSession& session,
                                              base::Timestamp now);

/// Ends and records all views of a tenant, in the transaction that has deleted it.
void end_views_of_deleted_tenant(store::Connection& connection, const model::Tenant& tenant);

/// Ends and records all views of somebody who logs out.
void end_views_at_log_out(store::Database& database, const model::OpenSession& session);

/// Ends and records the views of somebody whose sessions were ended, in the transaction that did.
void end_views_of_ended_sessions(store::Connection& connection, model::UserId user);

/// Ends and records views whose session is over, or that were not looked at for too long, each in a
/// transaction of its own, until `is_stopped` says so. Returns their number.
int end_views_that_are_over(store::Database& database, base::Timestamp now,
                            const std::function<bool()>& is_stopped);

}  // namespace provisioner::operations
