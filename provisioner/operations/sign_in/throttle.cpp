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
    store::FailureCounts seen;
    const auto early = database.look([&](store::Connection& connection) {
        auto wanted = subjects.all();
        wanted.push_back(subjects.known);
        seen = store::failures_of(connection, wanted);
        return sign_in_wait(subjects, seen, now);
    });
    if (early) return early;
    return database.write(
        [&](store::Connection& connection) -> std::optional<std::chrono::seconds> {
            auto counts = store::lock_failures(connection, subjects.all(), now);
            if (seen.contains(subjects.known)) counts[subjects.known] = seen[subjects.known];
            if (const auto wait = sign_in_wait(subjects, counts, now)) return wait;
            for (const auto& [subject, rule] : subjects.counted()) {
                count_one(connection, subject, rule, counts, now);
            }
            return std::nullopt;
        });
}

void end_sign_in(store::Connection& connection, const SignInSubjects& subjects,
                 const std::optional<base::Timestamp>& good_at) {
    // In the order in which lock_failures() takes them.
    std::vector<std::string> sorted = subjects.all();
    std::sort(sorted.begin(), sorted.end());
    for (const std::string& subject : sorted) {
        if (good_at && subject == subjects.account_and_address) {
            store::delete_failures_of(connection, subject);
        } else {
            store::take_back_failure(connection, subject);
        }
    }
    if (good_at) store::remember_subject(connection, subjects.known, *good_at);
}

std::optional<std::chrono::seconds> begin_code(store::Database& database,
                                               const CodeSubjects& subjects, base::Timestamp now) {
    return database.write(
        [&](store::Connection& connection) -> std::optional<std::chrono::seconds> {
            const std::vector<std::string> counted{subjects.anywhere, subjects.here};
            auto counts = store::lock_failures(connection, counted, now);
            counts.merge(store::failures_of(connection, {subjects.known}));
            if (const auto wait = code_wait(subjects, counts, now)) return wait;
            for (const std::string& subject : counted) {
                count_one(connection, subject, code_rule, counts, now);
            }
            return std::nullopt;
        });
}

void end_code(store::Connection& connection, const CodeSubjects& subjects, base::Timestamp now) {
    // Others may have failed meanwhile, so only what is of this network is forgotten.
    store::take_back_failure(connection, subjects.anywhere);
    store::delete_failures_of(connection, subjects.here);
    store::remember_subject(connection, subjects.known, now);
}

int count_wrong_key(store::Database& database, const std::string& who, base::Timestamp now) {
    const std::string subject = identity::checksum("API key of " + who);
    return database.write([&](store::Connection& connection) {
        return store::add_failure(connection, subject, now, now - std::chrono::minutes{1});
    });
}

}  // namespace provisioner::operations
