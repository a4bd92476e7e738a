#include "provisioner/operations/sign_in/throttle.hpp"

#include "provisioner/identity/checksum.hpp"

namespace provisioner::operations {

namespace {

void count_one(store::Connection& connection, const std::string& subject, const WaitRule& rule,
               const store::FailureCounts& counts, base::Timestamp now) {
    const int before = counting_failures(rule, counts.at(subject), now);
    store::save_failures(connection, subject, {.count = before + 1, .last_at = now});
}

}  // namespace

std::optional<std::chrono::seconds> begin_sign_in(store::Database& database,
                                                  const SignInSubjects& subjects,
                                                  base::Timestamp now) {
    // Attempts that have to wait cost one read and no lock.
    const auto early = database.look([&](store::Connection& connection) {
        return sign_in_wait(subjects, store::failures_of(connection, subjects.all()), now);
    });
    if (early) return early;
    return database.write(
        [&](store::Connection& connection) -> std::optional<std::chrono::seconds> {
            const auto counts = store::lock_failures(connection, subjects.all(), now);
            if (const auto wait = sign_in_wait(subjects, counts, now)) return wait;
            count_one(connection, subjects.account_and_address, account_and_address_rule, counts,
                      now);
            count_one(connection, subjects.account, account_rule, counts, now);
            count_one(connection, subjects.address, address_rule, counts, now);
            return std::nullopt;
        });
}

void end_sign_in(store::Connection& connection, const SignInSubjects& subjects, bool forget) {
    // In the order in which lock_failures() takes them.
    std::vector<std::string> sorted = subjects.all();
    std::sort(sorted.begin(), sorted.end());
    for (const std::string& subject : sorted) {
        if (forget && subject == subjects.account_and_address) {
            store::delete_failures_of(connection, subject);
        } else {
            store::take_back_failure(connection, subject);
        }
    }
}

std::optional<std::chrono::seconds> begin_attempt(store::Database& database,
                                                  const std::string& subject, const WaitRule& rule,
                                                  base::Timestamp now) {
    return database.write(
        [&](store::Connection& connection) -> std::optional<std::chrono::seconds> {
            const auto counts = store::lock_failures(connection, {subject}, now);
            if (const auto wait = wait_left(rule, counts.at(subject), now)) return wait;
            count_one(connection, subject, rule, counts, now);
            return std::nullopt;
        });
}

int count_wrong_key(store::Database& database, const std::string& who, base::Timestamp now) {
    const std::string subject = identity::checksum("API key of " + who);
    return database.write([&](store::Connection& connection) {
        return store::add_failure(connection, subject, now, now - std::chrono::minutes{1});
    });
}

}  // namespace provisioner::operations
