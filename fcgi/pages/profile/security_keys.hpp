#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fcgi/app.hpp"
#include "fcgi/http/form_data.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/operations/sign_in/factors.hpp"
#include "provisioner/operations/sign_in/security_keys.hpp"

namespace fcgi::pages {

// Security keys on pages: the server asks and checks, static/js/security_key.js speaks with the
// browser and puts the answer into hidden fields of an ordinary form.

/// A question to a security key: views/partials/_security_key.
struct KeyPrompt {
    std::string challenge{};
    /// Of the site; an address of numbers cannot have keys.
    std::string host{};
    /// Keys that may answer; for a new key those that the user has already.
    std::vector<std::string> credentials{};
    /// For a new key: what the browser calls the user, "tenant/user", and a name without meaning.
    std::string account{};
    std::string handle{};
};

provisioner::base::Json to_json(const KeyPrompt& prompt);

/// The site as the browser has it, from the request's scheme and Host.
provisioner::identity::KeySite key_site(const http::Request& request, const std::string& address);
/// The ceremony of a request; `visitor` has a session, open or waiting.
provisioner::identity::KeyCeremony key_ceremony(const http::Request& request,
                                                const auth::Visitor& visitor, App& app);

/// The keys of a user for a site.
std::vector<std::string> credentials_of(const provisioner::operations::FactorView& factor,
                                        const std::string& host);

/// A question to the keys that a user has for this site; nothing without one.
std::optional<KeyPrompt> key_question(const provisioner::operations::FactorView& factor,
                                      const provisioner::identity::KeyCeremony& ceremony);

/// Whether a form was sent by a key and not by a code, and what the key said.
bool has_key_answer(const http::FormData& sent);
provisioner::identity::KeyAnswer key_answer_in(const http::FormData& sent);

/// POST /profile/factor/keys: adds a key. Done: 303 to the page of the factor, or the page with
/// recovery codes.
http::Response add_security_key(const http::Request& request, const auth::Visitor& visitor,
                                App& app);
/// POST /profile/factor/keys/{id}/remove: 303 to the page of the factor.
http::Response remove_own_security_key(const http::Request& request, const auth::Visitor& visitor,
                                       App& app);

}  // namespace fcgi::pages
