#pragma once

#include "fcgi/http/form_data.hpp"
#include "provisioner/identity/vault.hpp"
#include "provisioner/store/forms/form_store.hpp"

namespace fcgi::pages {

// Secrets of a form that waits for a proof of who sent it: nobody has to type them twice. They
// stand in one field of the form, sealed under the master key for that user and address, until the
// form is carried out or shown (without_marks in kept_form.cpp). A day is the longest that they
// live, so no rotation of keys looks for them: after one, the page of the form asks.

/// The field with the sealed secrets.
inline constexpr auto kept_sealed = "kept-sealed";

/// Adds the secrets that were sent, as the fields "kept-secret" of `form` name them. Leaves the
/// form as it is without secrets, and where there is no key.
void seal_secrets(provisioner::store::KeptForm& form, const http::FormData& sent,
                  provisioner::model::UserId user, const provisioner::identity::Vault& vault);

/// Puts them into the form in place of their names. False if the form has other secrets, or ones
/// that do not open: its page asks for them then.
bool unseal_secrets(provisioner::store::KeptForm& form, provisioner::model::UserId user,
                    const provisioner::identity::Vault& vault);

}  // namespace fcgi::pages
