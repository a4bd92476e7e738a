#pragma once

#include <string>
#include <vector>

#include "fcgi/app.hpp"
#include "fcgi/forms/audit_query.hpp"
#include "fcgi/pages/audit/event_links.hpp"

namespace fcgi::pages {

/// The audit log: views/audit/index.
struct AuditPage {
    /// As they were sent, for the form.
    std::vector<std::pair<std::string, std::string>> parameters{};
    provisioner::base::Problems problems{};
    /// What can be filtered by.
    provisioner::store::AuditWords words{};
    /// The newest first; without documents.
    std::vector<provisioner::model::audit::Event> events{};
    /// Of the events, in their order; those that have none may be left out at the end.
    std::vector<EventLinks> links{};
    /// Whether the page begins with the newest, and whether older ones follow.
    bool is_first = true;
    bool has_older = false;
    /// Whether only some of the names are found that have a part of the filter in them.
    bool is_of_some_names = false;
    /// Superadmins may choose the log.
    bool superadmin = false;
    /// The tenant of the viewer.
    std::string tenant{};
    /// The logs that a superadmin chooses from; they name those of the events, too.
    std::vector<provisioner::store::AuditLog> logs{};
    /// Whether the events are those of all logs; `tenant` of each event is shown then.
    bool is_of_all = false;
};

provisioner::base::Json to_json(const AuditPage& page);

/// One event, with what differs between before and after: views/audit/show.
provisioner::base::Json to_json(const provisioner::model::audit::Event& event,
                                const std::string& back, const EventLinks& links = {});

/// GET /audit. The filters of GET /v2/audit, 50 events at once. Superadmins choose between the logs
/// of their tenant, of another, of the installation, and all as one. With part=yes, as the form of
/// the page has it, user and object are parts of names, in capital or small letters.
http::Response list_audit(const http::Request& request, const auth::Visitor& visitor, App& app);

/// What one file of events has at most.
constexpr int audit_events_in_file = 1000;

/// The query of the page and of its file. Blanks around names and ids, as they are pasted, do not
/// matter. An action finds also the requests for it that were
/// refused, and an object also names that were tried at a login and are not recorded whole. The API
/// finds the action and the object alone.
provisioner::base::Checked<forms::AuditQuery> audit_query_with_refusals(
    const http::Request& request, const provisioner::identity::Vault& vault);

/// GET /audit.csv: the newest events that the filters of the page find, in the columns of the API.
/// Of a filter that is wrong, or finds only some of the names, the page says so instead.
http::Response download_audit(const http::Request& request, const auth::Visitor& visitor, App& app);

/// GET /audit/{number}.
http::Response show_audit_event(const http::Request& request, const auth::Visitor& visitor,
                                App& app);

}  // namespace fcgi::pages
