#pragma once

#include <string>

#include "provisioner/base/secret.hpp"

namespace provisioner::identity {

/// The text to store for a password: Argon2id with a random salt. The text "$argon2id$..." contains
/// salt and cost, so the cost can change later. Fits 128 characters (user.password_hash).
///
/// One call takes 19 MiB of memory and tens of milliseconds of processor time on purpose. So only a
/// few run at once (hash_gate.hpp); the others wait, and throw TooManyHashes when they would wait
/// for too long. Throws std::runtime_error when that memory is not available. Safe from any thread.
/// Source: OWASP Password Storage Cheat Sheet (m=19456, t=2, p=1).
std::string hash_password(const base::Secret& password);

/// Whether a hash was made with another cost than hash_password() has today: then the password is
/// hashed again when its owner gives it.
bool is_old_hash(const std::string& stored);

/// Whether `stored` was made from `password`. False, not an exception, for a text that
/// hash_password() cannot have written and when memory is short. Costs as much as hash_password()
/// for a valid `stored`; returns at once for another text. So callers compare with decoy_hash()
/// when there is nothing to compare with.
[[nodiscard]] bool password_matches(const base::Secret& password, const std::string& stored);

/// A hash of the usual cost that no known password matches. log_in() compares with it when the user
/// does not exist or has no password. Without it the response time would reveal which users exist.
/// The first call computes it and takes as long as hash_password(), so a program that logs people
/// in calls it at its start. It lives until the process ends.
const std::string& decoy_hash();

}  // namespace provisioner::identity
