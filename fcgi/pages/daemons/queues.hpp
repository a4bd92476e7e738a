#pragma once

#include <vector>

#include "fcgi/app.hpp"
#include "fcgi/pages/daemons/waits.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/store/overview/tenant_overview.hpp"

namespace fcgi::pages {

/// What waits for a provisioner and what runs, by tenant: views/daemons/queues.
struct QueuesPage {
    /// The longest wait first.
    std::vector<provisioner::store::TenantQueue> queues{};
    /// Due tasks that nobody has claimed, the longest wait first: those of `page`, at most
    /// waiting_shown.
    std::vector<provisioner::store::WaitingTask> waiting{};
    /// From 1.
    std::size_t page = 1;
    std::int64_t unknown_machines = 0;
    std::int64_t lost_machines = 0;
    /// mail_warning(); may be empty.
    std::string mails{};
    Workforce workforce{};
    /// The tenant of the viewer.
    std::string tenant{};
    provisioner::base::Timestamp now{};
};

/// Waiting tasks on a page.
constexpr int waiting_shown = 50;
/// A tenant whose oldest due task has waited longer is called stuck: provisioners look each second.
constexpr int stuck_after_seconds = 60;

/// Pure. Each task says what it waits for, and each queue what its oldest task waits for.
provisioner::base::Json to_json(const QueuesPage& page);

/// GET /queues, for superadmins; "page" is that of the waiting tasks.
http::Response list_queues(const http::Request& request, const auth::Visitor& visitor, App& app);

}  // namespace fcgi::pages
