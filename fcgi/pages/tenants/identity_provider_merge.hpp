#pragma once

#include <string>

#include "fcgi/pages/tenants/identity_providers.hpp"

namespace fcgi::pages {

// Two who save one identity provider: fields that only one of them changed are merged. Its rules
// are one field.

/// What a form was made from, as one of its fields: settings without the secret.
std::string provider_before(const provisioner::model::IdentityProvider& provider);

/// Puts what somebody else saved since the form of `page` was made into the page: `page.taken` has
/// the names of these fields, `page.clashing` those that both changed, which stay as typed, and
/// `page.problems` what is said of them. The page is made from `stored` then. False if that cannot
/// be told: the form does not have what it was made from, or the stored provider is of another
/// kind.
bool merge_with_stored(IdentityProviderPage& page,
                       const provisioner::model::IdentityProvider& stored);

/// What saving the page replaces of what somebody else saved meanwhile, by field.
provisioner::base::Problems clashes_of(const IdentityProviderPage& page);

/// Names of the fields that have what somebody else saved meanwhile.
std::vector<std::string> left_of_theirs(const IdentityProviderPage& page);

}  // namespace fcgi::pages
