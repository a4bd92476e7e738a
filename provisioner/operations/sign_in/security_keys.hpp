#pragma once

#include <string>

#include "provisioner/identity/security_keys/security_key.hpp"
#include "provisioner/operations/sign_in/second_step.hpp"

namespace provisioner::operations {

// Security keys and passkeys as second factors. identity/security_keys checks what they sign.

/// A key to be added, as the page sent it.
struct NewSecurityKey {
    /// What its owner calls it: 1 to 255 characters, not the name of another key.
    std::string name{};
    identity::NewKeyAnswer answer{};
};

/// Adds a key to the session's user (take_new_factor). Problems of the fields `name` and
/// `security-key`: a wrong name, too many keys, an answer that is wrong, a key that is known.
FactorConfirmed add_security_key(store::Database& database, const model::OpenSession& session,
                                 const NewSecurityKey& wanted,
                                 const identity::KeyCeremony& ceremony, const Client& client);

/// What became of a signature.
struct KeySignature {
    SignInResult result{};
    /// Why it is wrong, for the person; empty when it is not.
    std::string reason{};
};

/// The second step of a sign-in, or the proof of a session that is open, by a security key
/// (take_second_step).
KeySignature give_security_key(store::Database& database, const model::OpenSession& session,
                               const identity::KeyAnswer& answer,
                               const identity::KeyCeremony& ceremony, const Client& client,
                               const SignInRules& rules);

}  // namespace provisioner::operations
