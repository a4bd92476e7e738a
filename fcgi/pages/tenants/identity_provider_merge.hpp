#pragma once

#include <string>

#include "fcgi/pages/tenants/identity_providers.hpp"

namespace fcgi::pages {

// Two who save one identity provider: fields that only one of them changed are merged. Its rules
// are one field.

/// What a form was made from, as one of its fields: settings without the secret.
std::string provider_before(const provisioner::model::IdentityProvider& provider);

/// Puts what somebody else saved since the form of `page` was made into the page: `page.taken` has
/// the names of these fields, `page.problems` those that both changed, which stay as typed. The
/// page is made from `stored` then. False if that cannot be told: the form does not have what it
/// was made from, or the stored provider is of another kind.
bool merge_with_stored(IdentityProviderPage& page,
                       const provisioner::model::IdentityProvider& stored);

}  // namespace fcgi::pages
