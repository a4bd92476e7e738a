#include "provisioner/operations/sign_in/rules.hpp"

#include <algorithm>
#include <stdexcept>

namespace provisioner::operations {

std::chrono::seconds SignInRules::touch() const {
    constexpr std::chrono::seconds usual{300};
    return std::min<std::chrono::seconds>(usual, session_idle / 4);
}

SignInRules sign_in_rules(const base::Config& config) {
    SignInRules rules;
    rules.session_idle =
        std::chrono::minutes{config.number_or("auth.session_idle", rules.session_idle.count())};
    rules.session_length =
        std::chrono::minutes{config.number_or("auth.session_length", rules.session_length.count())};
    rules.password_length =
        static_cast<int>(config.number_or("auth.password_length", rules.password_length));
    rules.sessions = static_cast<int>(config.number_or("auth.sessions", rules.sessions));
    const std::string who = config.get("auth.second_factor");
    const auto word = base::from_word<model::SecondFactorFor>(who);
    if (!word) {
        throw std::runtime_error("auth.second_factor is nobody, admins or everybody, not " + who);
    }
    rules.second_factor = *word;
    const std::string local = config.get_or("auth.local_passwords", "everybody");
    const auto those = base::from_word<LocalPasswordsFor>(local);
    if (!those) {
        throw std::runtime_error("auth.local_passwords is everybody or superadmins, not " + local);
    }
    rules.local_passwords = *those;
    return rules;
}

identity::PasswordList password_list_of(const base::Config& config) {
    const std::string path = config.get_or("auth.password_list_file", "");
    if (path.empty()) return {};
    try {
        return identity::PasswordList::of_file(path);
    } catch (const std::runtime_error& error) {
        throw std::runtime_error(std::string("auth.password_list_file: ") + error.what());
    }
}

identity::HashGate::Limits hash_limits(const base::Config& config) {
    identity::HashGate::Limits limits;
    limits.at_once =
        static_cast<int>(std::max(1L, config.number_or("auth.hashes", limits.at_once)));
    return limits;
}

}  // namespace provisioner::operations
