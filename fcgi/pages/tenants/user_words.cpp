#include "fcgi/pages/tenants/user_words.hpp"

#include <stdexcept>

#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using provisioner::messages::translated;
namespace model = provisioner::model;

HowPersonLogsIn how_logs_in(const provisioner::model::User& user, const std::string& provider) {
    return {.is_locked = user.disabled,
            .provider = provider,
            .has_password = !user.password_hash.empty(),
            .is_initial_password = user.initial_until.has_value()};
}

std::string person_state_words(const HowPersonLogsIn& person) {
    const auto& [is_locked, provider, has_password, is_initial_password] = person;
    if (is_locked) {
        return provider.empty() ? translated("locked")
                                : translated("locked, logs in with {0}", provider);
    }
    if (!provider.empty()) return translated("logs in with {0}", provider);
    if (is_initial_password) return translated("must choose a password");
    return has_password ? translated("can log in") : translated("API keys only");
}

std::string second_factor_words(model::SecondFactorFor who) {
    switch (who) {
        case model::SecondFactorFor::nobody:
            return translated("Nobody");
        case model::SecondFactorFor::admins:
            return translated("Administrators");
        case model::SecondFactorFor::everybody:
            return translated("Everybody");
    }
    throw std::logic_error("unknown group of those who need a second factor");
}

}  // namespace fcgi::pages
