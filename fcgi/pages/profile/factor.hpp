#pragma once

#include <string>
#include <vector>

#include "fcgi/app.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/operations/sign_in/factors.hpp"

namespace fcgi::pages {

/// The page of the second factor: views/profile/factor.
struct FactorPage {
    provisioner::operations::FactorView factor{};
    /// "tenant/user", as the app shows it.
    std::string account{};
    /// Shown once, right after they were made.
    std::vector<provisioner::base::Secret> recovery_codes{};
    /// Whether the user can do nothing else before.
    bool is_duty = false;
    provisioner::base::Timestamp now{};
    provisioner::base::Problems problems{};
};

provisioner::base::Json to_json(const FactorPage& page);

/// GET /profile/factor: sets one up, or shows what there is.
http::Response show_factor(const http::Request& request, const auth::Visitor& visitor, App& app);
/// POST /profile/factor: the first code. Done: the page with recovery codes, which are not shown
/// again.
http::Response confirm_factor(const http::Request& request, const auth::Visitor& visitor, App& app);
/// POST /profile/factor/recovery: new recovery codes.
http::Response replace_recovery_codes(const http::Request& request, const auth::Visitor& visitor,
                                      App& app);
/// POST /profile/factor/remove: 303 to the profile.
http::Response remove_own_factor(const http::Request& request, const auth::Visitor& visitor,
                                 App& app);

}  // namespace fcgi::pages
