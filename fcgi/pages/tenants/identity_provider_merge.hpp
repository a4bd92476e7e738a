#pragma once

#include <string>

#include "fcgi/pages/tenants/identity_providers.hpp"

namespace fcgi::pages {

// Two who save one identity provider: fields that only one of them changed are merged. Its rules
// are one field.

/// In `page.taken` in place of "rules": nobody saved others, but those of a tenant that was deleted
/// meanwhile are gone.
inline constexpr auto rules_without_tenant = "rules.gone";

/// What a form was made from, as one of its fields: settings without the secret.
std::string provider_before(const provisioner::model::IdentityProvider& provider);

/// Puts what somebody else saved since the form of `page` was made into the page: `page.taken` has
/// the names of these fields, `page.clashing` those that both changed, which stay as typed, and
/// `page.problems` what is said of them. The page is made from `stored` then. False if that cannot
/// be told: the form does not have what it was made from, or the stored provider is of another
/// kind. `page.tenants` are the tenants that there are.
bool merge_with_stored(IdentityProviderPage& page,
                       const provisioner::model::IdentityProvider& stored);

/// The same for a page that says so, and is made from `stored` in any case: saved now, it replaces
/// that.
void overtake(IdentityProviderPage& page, const provisioner::model::IdentityProvider& stored);

/// What saving the page replaces of what somebody else saved meanwhile, by field.
provisioner::base::Problems clashes_of(const IdentityProviderPage& page);

/// Names of the fields that have what somebody else saved meanwhile, or rules_without_tenant.
std::vector<std::string> left_of_theirs(const IdentityProviderPage& page);

/// What these mean: whether somebody saved a field, and whether rules went with their tenant.
bool has_saved_fields(const std::vector<std::string>& left);
bool has_lost_rules(const std::vector<std::string>& left);

}  // namespace fcgi::pages
