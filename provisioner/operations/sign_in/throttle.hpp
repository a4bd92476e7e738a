#pragma once

#include "provisioner/operations/sign_in/waits.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

// Counts of failed sign-ins in the database, so that all web processes have the same. An attempt is
// counted before its outcome is known, and taken back when it was right. So attempts that run at
// the same time cannot be more than the rules allow.

/// Counts an attempt, or says how long it has to wait; then nothing is counted. The answer is the
/// same for accounts that do not exist.
std::optional<std::chrono::seconds> begin_sign_in(store::Database& database,
                                                  const SignInSubjects& subjects,
                                                  base::Timestamp now);

/// Takes an attempt back that was right, or that could not be decided. With `forget` the account's
/// failures from this address are forgotten.
void end_sign_in(store::Connection& connection, const SignInSubjects& subjects, bool forget);

/// The same for a subject of one rule.
std::optional<std::chrono::seconds> begin_attempt(store::Database& database,
                                                  const std::string& subject, const WaitRule& rule,
                                                  base::Timestamp now);

/// Counts a wrong API key of `who` in the last minute, in all processes.
int count_wrong_key(store::Database& database, const std::string& who, base::Timestamp now);

}  // namespace provisioner::operations
