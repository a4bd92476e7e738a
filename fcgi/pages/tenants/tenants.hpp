#pragma once

#include <map>
#include <string>
#include <vector>

#include "fcgi/app.hpp"
#include "fcgi/pages/audit/last_change.hpp"
#include "fcgi/pages/tenants/tenant_form.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/model/tenants/second_factor.hpp"
#include "provisioner/operations/prices/budgets.hpp"
#include "provisioner/store/overview/tenant_overview.hpp"

namespace fcgi::pages {

// Tenants, for superadmins: quotas and what is used of them, users and their keys.

/// All tenants: views/tenants/index.
struct TenantsPage {
    std::vector<provisioner::store::TenantOverview> tenants{};
    /// Tasks that run, by name of the tenant.
    std::map<std::string, int> running_of{};
    /// Workers of all live provisioners, and those not promised to a tenant yet.
    int workers = 0;
    int free_workers = 0;
    /// Tasks of all tenants.
    int running = 0;
    int queued = 0;
    /// A sentence about what was done; empty for none.
    std::string done{};
};
provisioner::base::Json to_json(const TenantsPage& page);

/// One tenant, or the form for a new one: views/tenants/show.
struct TenantPage {
    bool is_new = false;
    TenantForm form{};
    provisioner::base::Problems problems{};
    /// What it has now; not for a new one. `free_workers` as on the page of all tenants.
    provisioner::model::Tenant tenant{};
    provisioner::store::TenantUse use{};
    int free_workers = 0;
    /// Its tasks that run now.
    int running = 0;
    /// Nothing without a budget.
    std::optional<provisioner::operations::BudgetState> budget{};
    /// Who has to have a second factor: by choice of the tenant, and of the installation.
    provisioner::model::SecondFactorFor factor_for{};
    provisioner::model::SecondFactorFor factor_of_all{};
    int users = 0;
    /// What the form began with (operations::fingerprint_of), and whether somebody else has saved
    /// since, with who it was.
    std::string base{};
    bool is_overtaken = false;
    /// What the form was made from.
    TenantForm was{};
    /// Names of the fields that have what somebody else saved meanwhile.
    std::vector<std::string> taken{};
    std::optional<LastChange> last_change{};
    /// The currency of a budget for which nobody has set a price; empty otherwise. The tenant
    /// cannot create clusters then.
    std::string unpriced_currency{};
    std::string done{};
    provisioner::base::Timestamp now{};
};
provisioner::base::Json to_json(const TenantPage& page);

/// GET /tenants.
http::Response list_tenants(const http::Request& request, const auth::Visitor& visitor, App& app);
/// GET /new-tenant and POST /tenants. The path of the form is apart from those of tenants, so that
/// one may be called "new".
http::Response new_tenant(const http::Request& request, const auth::Visitor& visitor, App& app);
http::Response create_tenant(const http::Request& request, const auth::Visitor& visitor, App& app);
/// GET and POST /tenants/{tenant}.
http::Response show_tenant(const http::Request& request, const auth::Visitor& visitor, App& app);
http::Response change_tenant(const http::Request& request, const auth::Visitor& visitor, App& app);

}  // namespace fcgi::pages
