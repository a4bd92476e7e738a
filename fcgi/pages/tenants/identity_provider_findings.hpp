#pragma once

#include <vector>

#include "fcgi/pages/form_field.hpp"
#include "fcgi/pages/tenants/identity_providers.hpp"

namespace fcgi::pages {

// What tests of an identity provider tell on its page.

/// What the values of the form's fields and rules make worth knowing: what the last test of what is
/// shown warned about and noted, and what other providers have, too.
provisioner::base::Problems cautions_of(const IdentityProviderPage& page);

/// What tests tell of: fields, the rules, each by its group, and all rules ("rules").
std::vector<NamedControl> controls_of_tests(const IdentityProviderPage& page,
                                            const std::vector<FormField>& fields,
                                            const std::vector<FormField>& more);

/// Sentences, with links to the controls that they are about.
provisioner::base::Json linked_sentences(const provisioner::base::Problems& told,
                                         const std::vector<NamedControl>& controls);

/// What is said after saving; null if it was not saved just now.
provisioner::base::Json saved_provider_json(const IdentityProviderPage& page,
                                            const std::vector<NamedControl>& controls);

/// What a test found, above the form: why it failed, why nobody can log in, and its notes.
provisioner::base::Json identity_findings_json(const IdentityProviderPage& page,
                                               const std::vector<NamedControl>& controls);

/// What makes a provider easy to confuse with one of the others: "label" and "clientId".
provisioner::base::Problems likenesses_of(
    const provisioner::model::IdentityProvider& provider,
    const std::vector<provisioner::model::IdentityProvider>& others);

}  // namespace fcgi::pages
