#pragma once

#include <map>
#include <string>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

// Failed sign-ins, counted by subject. A subject is the hash of what is counted, 64 hexadecimal
// digits: names that people type may be passwords. Retention deletes counts that are over.

/// How often a subject failed in a row.
struct Failures {
    int count = 0;
    base::Timestamp last_at{};
};

/// The count of a subject that is remembered and not counted.
constexpr int remembered = -1;

/// By subject.
using FailureCounts = std::map<std::string, Failures>;

/// The counts of those of the subjects that have failed. One statement, no lock.
FailureCounts failures_of(Connection& connection, const std::vector<std::string>& subjects);

/// The same with rows for all of the subjects, locked until the transaction ends. Two calls for the
/// same subject wait for each other, in an order that makes no deadlock.
FailureCounts lock_failures(Connection& connection, const std::vector<std::string>& subjects,
                            base::Timestamp now);

/// Replaces the count of a subject.
void save_failures(Connection& connection, const std::string& subject, const Failures& failures);

/// Adds one, or starts anew with 1 if the last one was before `since`, and returns the count.
int add_failure(Connection& connection, const std::string& subject, base::Timestamp now,
                base::Timestamp since);

/// Takes one back that was counted before its outcome was known.
void take_back_failure(Connection& connection, const std::string& subject);

/// Forgets a subject.
void delete_failures_of(Connection& connection, const std::string& subject);

/// Remembers a subject that did not fail, such as a network from which somebody has signed in.
void remember_subject(Connection& connection, const std::string& subject, base::Timestamp now);

/// Deletes up to `limit` subjects that were last remembered before `moment`. Returns their number.
int delete_remembered(Connection& connection, base::Timestamp moment, int limit);

/// Deletes up to `limit` of the oldest remembered subjects that are more than `most`. Returns their
/// number.
int delete_remembered_beyond(Connection& connection, int most, int limit);

/// Deletes up to `limit` counts whose last failure was before `moment`. Returns their number.
int delete_failures(Connection& connection, base::Timestamp moment, int limit);

/// Deletes up to `limit` of the oldest counts that are more than `most`. Returns their number.
int delete_failures_beyond(Connection& connection, int most, int limit);

}  // namespace provisioner::store
