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

/// Takes an attempt back that was right, or that could not be decided. With `good_at` all of the
/// sign-in was right at that moment: the account's failures from this address are forgotten, and
/// the network is remembered as one of its owner.
void end_sign_in(store::Connection& connection, const SignInSubjects& subjects,
                 const std::optional<base::Timestamp>& good_at);

/// The same for codes. A right one makes the network one of its owner.
std::optional<std::chrono::seconds> begin_code(store::Database& database,
                                               const CodeSubjects& subjects, base::Timestamp now);
void end_code(store::Connection& connection, const CodeSubjects& subjects, base::Timestamp now);

/// Counts a wrong API key of `who` in the last minute, in all processes.
int count_wrong_key(store::Database& database, const std::string& who, base::Timestamp now);

}  // namespace provisioner::operations
