#pragma once

#include <chrono>

#include "provisioner/base/config.hpp"
#include "provisioner/identity/common_passwords/password_list.hpp"
#include "provisioner/identity/hash_gate.hpp"
#include "provisioner/model/tenants/second_factor.hpp"

namespace provisioner::operations {

/// Who may sign in with a password of this installation. Superadmins always may, so that an
/// identity provider that is away locks nobody out.
enum class LocalPasswordsFor { everybody, superadmins };

/// What an installation decides about sign-ins and sessions.
struct SignInRules {
    /// A session that is not used for so long ends (`auth.session_idle`).
    std::chrono::minutes session_idle{120};
    /// A session ends after so long, however much it is used (`auth.session_length`).
    std::chrono::minutes session_length{720};
    /// Sessions that a user has at once; another one ends the one that was not used for longest
    /// (`auth.sessions`).
    int sessions = 20;
    /// Characters that a password has at least (`auth.password_length`).
    int password_length = 12;
    /// How long a password or code that was given suffices for dangerous changes.
    std::chrono::minutes proof{10};
    /// How long the code may take after the password.
    std::chrono::minutes code{5};
    /// How long a password that an administrator gave lets in.
    std::chrono::hours initial_password{72};

    /// Who has to have a second factor (`auth.second_factor`).
    model::SecondFactorFor second_factor = model::SecondFactorFor::nobody;

    /// Who may use a password of this installation (`auth.local_passwords`).
    LocalPasswordsFor local_passwords = LocalPasswordsFor::everybody;

    /// How often the use of a session is written: not for each request.
    std::chrono::seconds touch() const;
};

/// Reads the settings above. Throws std::runtime_error naming a setting that is no number.
SignInRules sign_in_rules(const base::Config& config);

/// Reads the file of `auth.password_list_file`; an empty list without it. Throws
/// std::runtime_error.
identity::PasswordList password_list_of(const base::Config& config);

/// Reads `auth.hashes`: passwords that are hashed at once.
identity::HashGate::Limits hash_limits(const base::Config& config);

}  // namespace provisioner::operations

namespace provisioner::base {

/// Words of the setting.
template <>
inline constexpr std::array words<operations::LocalPasswordsFor>{
    std::pair{operations::LocalPasswordsFor::everybody, std::string_view("everybody")},
    std::pair{operations::LocalPasswordsFor::superadmins, std::string_view("superadmins")}};

}  // namespace provisioner::base
