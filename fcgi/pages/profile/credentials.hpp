#pragma once

#include <optional>
#include <string>

#include "fcgi/pages/profile/small_form.hpp"
#include "provisioner/operations/identity_providers/providers.hpp"
#include "provisioner/operations/sign_in/passwords.hpp"

namespace fcgi::pages {

// The pages on which people give a password or a code: to change their password, to prove again who
// they are, and as the second step of a sign-in.

/// The identity provider that has the visitor's password; nothing if it is here.
std::optional<provisioner::operations::SignInChoice> provider_of(const auth::Visitor& visitor,
                                                                 App& app);

/// The form of a change of password. `is_duty`: somebody else gave the present one.
SmallForm password_form(bool is_duty, int least, const provisioner::base::Problems& problems);

/// What is wrong with such a form, the current password first; empty when it was changed.
provisioner::base::Problems problems_with_password_form(
    const provisioner::operations::PasswordChanged& changed);

/// What a user can give as the second factor at this site.
struct FactorPrompt {
    bool has_factor = false;
    bool has_app = false;
    /// The question to keys for this site; nothing without one.
    std::optional<KeyPrompt> key{};
    /// Other names of the site, for which the user has keys that do not work here; empty for none.
    std::string other_sites{};
};
FactorPrompt factor_prompt(const provisioner::operations::FactorView& factor,
                           const provisioner::identity::KeyCeremony& ceremony);

/// The form before something dangerous: asks for the password, or for a code or key with a factor.
/// `purpose` says what that is, after "to"; may be empty.
SmallForm proof_form(const FactorPrompt& prompt, const std::string& purpose,
                     const std::string& next, const provisioner::base::Problems& problems);
/// The second step of a sign-in: a code, or a key if there is one for this site.
SmallForm code_form(const FactorPrompt& prompt, const std::string& next,
                    const provisioner::base::Problems& problems);

/// GET and POST /profile/password. Done: 303 to the profile, or home for a password that
/// had to be changed; all other sessions have ended.
http::Response show_password_form(const http::Request& request, const auth::Visitor& visitor,
                                  App& app);
http::Response change_password(const http::Request& request, const auth::Visitor& visitor,
                               App& app);

/// GET and POST /profile/proof?next=/path. Done: 303 to `next`.
http::Response show_proof_form(const http::Request& request, const auth::Visitor& visitor,
                               App& app);
http::Response prove(const http::Request& request, const auth::Visitor& visitor, App& app);

/// GET and POST /login/code?next=/path: 303 to the login page without a first step.
http::Response show_code_form(const http::Request& request, const auth::Visitor& visitor, App& app);
http::Response give_code(const http::Request& request, const auth::Visitor& visitor, App& app);

}  // namespace fcgi::pages
