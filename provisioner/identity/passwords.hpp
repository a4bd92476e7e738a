#pragma once

#include <string>

#include "provisioner/base/secret.hpp"

namespace provisioner::identity {

/// The text to store for a password: Argon2id with its own salt and its cost written in it
/// ("$argon2id$..."). One call takes 19 MiB of memory and tens of milliseconds on purpose. Throws
/// std::runtime_error when that memory is not there. Source: OWASP Password Storage Cheat Sheet
/// (m=19456, t=2, p=1).
std::string hash_password(const base::Secret& password);

/// Whether `password` is the one `stored` was made from; false for a text hash_password cannot have
/// written. Takes as long as hash_password.
[[nodiscard]] bool password_matches(const base::Secret& password, const std::string& stored);

/// A hash no password matches, of the same cost: compared with when the user does not exist, so
/// that the time of an answer does not tell who exists.
const std::string& decoy_hash();

}  // namespace provisioner::identity
