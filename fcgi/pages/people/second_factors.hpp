#pragma once

#include <string>

#include "fcgi/app.hpp"
#include "fcgi/pages/form_field.hpp"
#include "fcgi/pages/people/people_of.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/model/tenants/second_factor.hpp"

namespace fcgi::pages {

/// The choice of who has to have a second factor in a tenant; its hint says what the installation
/// requires in any case.
FormField second_factor_field(provisioner::model::SecondFactorFor of_tenant,
                              provisioner::model::SecondFactorFor of_all);

/// Whether to remove all second factors of a user: views/people/remove_factor.
struct FactorRemovalPage {
    PeopleOf of{};
    std::string person{};
    bool has_factor = false;
    /// Why they were not removed; may be empty.
    std::string problem{};
};
provisioner::base::Json to_json(const FactorRemovalPage& page);

// Each of these also serves /tenants/{tenant}/people… for superadmins.

/// POST /people/second-factor, with the field "who": who in the tenant has to have one.
http::Response require_second_factor(const http::Request& request, const auth::Visitor& visitor,
                                     App& app);
/// GET and POST /people/{user}/factor/remove. Ends the user's sessions.
http::Response ask_to_remove_factor(const http::Request& request, const auth::Visitor& visitor,
                                    App& app);
http::Response remove_factor_of_person(const http::Request& request, const auth::Visitor& visitor,
                                       App& app);

}  // namespace fcgi::pages
