#pragma once

#include <string>

#include "provisioner/model/tenants/second_factor.hpp"
#include "provisioner/model/tenants/tenant.hpp"

namespace fcgi::pages {

/// What decides how a user logs in.
struct HowPersonLogsIn {
    bool is_locked = false;
    /// Name of the identity provider that made the user; empty for users of this installation.
    std::string provider{};
    bool has_password = false;
    /// Whether somebody else set the password, so that it has to be changed.
    bool is_initial_password = false;
};
HowPersonLogsIn how_logs_in(const provisioner::model::User& user, const std::string& provider);

/// "can log in", "locked", "must choose a password": the same words on every page.
std::string person_state_words(const HowPersonLogsIn& person);

/// Who has to have a second factor: "Nobody", "Administrators" or "Everybody".
std::string second_factor_words(provisioner::model::SecondFactorFor who);

}  // namespace fcgi::pages
