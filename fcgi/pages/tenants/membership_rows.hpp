#pragma once

#include <string>
#include <vector>

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/form_field.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/model/tenants/identity_provider.hpp"

namespace fcgi::pages {

// The rules of an identity provider as rows of its form. The controls of a column have one name:
// rule.value, rule.tenant, rule.role and rule.groups.

/// A row as typed.
struct MembershipRow {
    std::string value{};
    std::string tenant{};
    std::string role{};
    /// Names with commas between them.
    std::string groups{};

    /// Whether it means nothing: only its role is set.
    bool is_empty() const { return value.empty() && tenant.empty() && groups.empty(); }
};

/// Empty rows that a form has after the others.
constexpr int empty_membership_rows = 2;

std::vector<MembershipRow> membership_rows_of(
    const std::vector<provisioner::model::MembershipRule>& rules);

/// The rows of a form that are not empty.
std::vector<MembershipRow> membership_rows_in(const http::FormData& sent);

/// The rules of rows that are not empty; problems have the field "rules.N", from 0.
std::vector<provisioner::model::MembershipRule> rules_of(const std::vector<MembershipRow>& rows,
                                                         provisioner::base::Problems& problems);

/// Puts row N before the nearest row above it that is not empty, as the button "up-N" says; other
/// texts do nothing.
void move_row_up(std::vector<MembershipRow>& rows, const std::string& wish);

/// The most tenants that a row offers as a choice; of more, their names are typed and suggested.
constexpr std::size_t most_tenants_to_choose = 50;

/// The members `rules`, `chooses_tenant` and `rules_problem` of the page, with `empty` rows at the
/// end, at most as many as a provider may have. A tenant of a row that is not one of `tenants`
/// stays chosen.
provisioner::base::Json membership_json(const std::vector<MembershipRow>& rows, int empty,
                                        const std::vector<std::string>& tenants,
                                        const provisioner::base::Problems& problems);

/// The controls that problems of the rows lead to.
std::vector<NamedControl> controls_of(const std::vector<MembershipRow>& rows);

}  // namespace fcgi::pages
