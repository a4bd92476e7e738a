#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fcgi/app.hpp"
#include "fcgi/pages/profile/security_keys.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/operations/sign_in/factors.hpp"

namespace fcgi::pages {

/// The page of the second factor: views/profile/factor.
struct FactorPage {
    provisioner::operations::FactorView factor{};
    /// "tenant/user", as the app shows it.
    std::string account{};
    /// What has been typed as the name of a new key.
    std::string key_name{};
    /// The question to a new key; nothing where there can be none.
    std::optional<KeyPrompt> new_key{};
    /// Shown once, right after they were made.
    std::vector<provisioner::base::Secret> recovery_codes{};
    /// After a log-in by a recovery code: the page that the user wanted. Otherwise empty.
    std::string go_on{};
    /// Whether the user can do nothing else before.
    bool is_duty = false;
    /// Who wants a second factor of the user then, and what comes before it.
    provisioner::operations::FactorDemand demand =
        provisioner::operations::FactorDemand::installation;
    provisioner::operations::FirstFactor first = provisioner::operations::FirstFactor::password;
    provisioner::base::Timestamp now{};
    provisioner::base::Problems problems{};
};

provisioner::base::Json to_json(const FactorPage& page);

/// Few enough that their number is a warning.
constexpr int few_recovery_codes = 3;

/// The page that says how many recovery codes are left after a log-in by one, and leads on.
std::string page_after_recovery_code(const std::string& next);

/// GET /profile/factor: sets one up, or shows what there is.
http::Response show_factor(const http::Request& request, const auth::Visitor& visitor, App& app);
/// POST /profile/factor: the first code. Done: the page with recovery codes, which are not shown
/// again.
http::Response confirm_factor(const http::Request& request, const auth::Visitor& visitor, App& app);
/// POST /profile/factor/recovery: new recovery codes.
http::Response replace_recovery_codes(const http::Request& request, const auth::Visitor& visitor,
                                      App& app);
/// POST /profile/factor/remove: turns the app off; 303 to the profile.
http::Response remove_own_app(const http::Request& request, const auth::Visitor& visitor, App& app);

/// The page after an attempt to set up a factor: with the session's new token and recovery codes if
/// there are any, or with its problem at the field `field`. `key_name` is shown again.
http::Response show_new_factor(const http::Request& request, const auth::Visitor& visitor, App& app,
                               provisioner::operations::FactorConfirmed confirmed,
                               const std::string& field, const std::string& key_name);

}  // namespace fcgi::pages
