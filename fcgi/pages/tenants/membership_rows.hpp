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
constexpr int empty_membership_rows = 1;

std::vector<MembershipRow> membership_rows_of(
    const std::vector<provisioner::model::MembershipRule>& rules);

/// The rows of a form that are not empty.
std::vector<MembershipRow> membership_rows_in(const http::FormData& sent);

/// How many rows of the form are empty, so that it is drawn again with as many.
int empty_rows_in(const http::FormData& sent);

/// The rules of rows that are not empty; problems have the field "rules.N", from 0.
std::vector<provisioner::model::MembershipRule> rules_of(const std::vector<MembershipRow>& rows,
                                                         provisioner::base::Problems& problems);

/// Does what the button of row N says; other texts do nothing. "up-N" puts it before the nearest
/// row above it that is not empty, "down-N" behind the nearest below it, "remove-N" removes it.
void change_rows(std::vector<MembershipRow>& rows, const std::string& wish);

/// The most options that all rows together have, for the sake of the page's size. Of so many
/// tenants or rows that there would be more, names of tenants are typed and suggested.
constexpr std::size_t most_tenant_options = 20'000;

/// The members `rules`, `chooses_tenant` and `rules_problem` of the page, with `empty` rows at the
/// end, at most as many as a provider may have. A tenant of a row that is not one of `tenants`
/// stays chosen.
provisioner::base::Json membership_json(const std::vector<MembershipRow>& rows, int empty,
                                        const std::vector<std::string>& tenants,
                                        const provisioner::base::Problems& problems);

/// Why the rule of a row lets nobody in, or not whom it looks like; empty: nothing is known. In a
/// directory groups are distinguished names, and a rule for everybody hides those behind it: all of
/// them at an OpenID provider, in a directory, where one may name a tenant, those of its tenant.
std::string warning_about_row(const std::vector<MembershipRow>& rows, std::size_t number,
                              provisioner::model::IdentityKind kind);

/// The problems with the cell behind the field of a rule's: "rules.0.groups".
provisioner::base::Problems with_cells(provisioner::base::Problems problems);

/// The controls that problems with cells lead to.
std::vector<NamedControl> controls_of(const std::vector<MembershipRow>& rows);

}  // namespace fcgi::pages
