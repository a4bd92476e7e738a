#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/form_field.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/operations/tenants/tenants.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"

namespace fcgi::pages {

/// What was typed into the form of a tenant, or what the tenant has.
struct TenantForm {
    std::string name{};
    std::string description{};
    std::string workers{};
    /// Empty: no limit.
    std::string max_clusters{};
    std::string max_nodes{};
    /// All empty: no budget. Letters of a currency may be small ones.
    std::string currency{};
    std::string per_hour{};
    std::string per_month{};
    /// Whether a new tenant gets a copy of the superadmin tenant's catalogue.
    bool bootstrap = true;
};

/// The longest description that the form takes, in characters; a longer one of the API may stay.
constexpr std::size_t longest_tenant_description = 1000;

TenantForm tenant_form_of(const provisioner::model::Tenant& tenant);
TenantForm tenant_form_in(const http::FormData& sent);

/// What a form was made from, for its hidden fields: their names and values. tenant_form_was()
/// reads them; nothing for a form without them.
std::vector<std::pair<std::string, std::string>> fields_of_tenant_before(const TenantForm& was);
std::optional<TenantForm> tenant_form_was(const http::FormData& sent);

/// What becomes of a form when somebody else saved the tenant meanwhile: fields that were not
/// touched have the present values, the others keep what was typed. Fields that both changed
/// differently get a problem that says what somebody else saved.
TenantForm merged_tenant_form(const TenantForm& was, const TenantForm& typed,
                              const TenantForm& present, provisioner::base::Problems& problems);

/// The names of the fields that merged_tenant_form() takes from the present values.
std::vector<std::string> fields_taken_over(const TenantForm& was, const TenantForm& typed,
                                           const TenantForm& present);

/// What the form and its messages say of the rest of the installation.
struct TenantLimits {
    bool is_new = false;
    /// Workers that no tenant has.
    int free_workers = 0;
    /// The tenant as it is; not for a new one.
    provisioner::model::Tenant tenant{};
    provisioner::store::TenantUse use{};
};

std::vector<FormField> tenant_fields(const TenantForm& form, const TenantLimits& limits);

/// The tenant that the form wants, read as the API reads it. What is wrong is added, with the
/// names of the form's fields.
provisioner::operations::TenantSpec tenant_wanted(const TenantForm& form,
                                                  const TenantLimits& limits,
                                                  provisioner::base::Problems& problems);

/// The problems with numbers where the contract's words have none: "Enter at most 20". Those of a
/// field that has one already are left out.
provisioner::base::Problems tenant_problems(const provisioner::base::Problems& problems,
                                            const TenantLimits& limits);

}  // namespace fcgi::pages
