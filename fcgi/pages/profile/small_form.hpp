#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fcgi/app.hpp"
#include "fcgi/pages/form_field.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/profile/security_keys.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/store/forms/form_store.hpp"

namespace fcgi::pages {

/// A page with one short form: views/profile/form.
struct SmallForm {
    std::string heading{};
    /// A sentence below the heading.
    std::string sentence{};
    /// The path that it is sent to.
    std::string action{};
    /// Where to go afterwards; sent as the hidden field "next". May be empty.
    std::string next{};
    /// A form that was sent before the log-in and comes back after it.
    std::optional<provisioner::store::KeptForm> kept{};
    std::vector<FormField> fields{};
    std::string button{};
    /// A security key may answer instead of the fields.
    std::optional<KeyPrompt> key{};
    /// Where "Cancel" leads; empty for none.
    std::string cancel{};
    /// The heading of `problems`.
    std::string problems_title{};
    provisioner::base::Problems problems{};
};

provisioner::base::Json to_json(const SmallForm& page);

/// The page for a visitor.
http::Response small_form(App& app, const auth::Visitor& visitor, int status,
                          const SmallForm& page);

/// The page during a sign-in, when nobody is signed in: narrow, without navigation.
http::Response small_login_form(App& app, const auth::Visitor& visitor, int status,
                                const SmallForm& page);

/// A required password or code field. `autocomplete` is what password managers go by.
FormField secret_field(const std::string& name, const std::string& label,
                       const std::string& autocomplete);
FormField code_field();

}  // namespace fcgi::pages
