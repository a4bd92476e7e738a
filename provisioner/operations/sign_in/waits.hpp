#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/store/sign_in/failure_store.hpp"

namespace provisioner::operations {

// How long a failed sign-in has to wait. Pure functions; throttle.hpp applies them to the counts in
// the database.
//
// * An account from one address: 1, 2, 4 ... seconds from the fifth failure on, at most 15 minutes.
// * An account from anywhere: a short wait after failures from many addresses. It is counted from
//   the last failure of one's own address. From the hundredth on, all networks wait for each other
//   but those from which somebody has signed in to the account before: so guessing from many
//   networks is slow, and others cannot keep the owner out by failing.
// * An account from one site (IPv6, 48 bits: whoever has one has 65,536 networks): as the first,
//   from the tenth failure on, the owner's networks excepted.
// * An address, and a site: at most a minute, because many people may share it.
// * The codes of an account: as the first, from anywhere but the owner's networks, each of which is
//   counted by itself. Only who knows the password can fail.

/// When failures of a kind of subject have to wait.
struct WaitRule {
    /// The failure from which on there is a wait.
    int first = 5;
    /// The longest wait.
    std::chrono::seconds most{900};
    /// Failures are forgotten when there was none for so long.
    std::chrono::seconds forgotten{std::chrono::hours{24}};
};

constexpr WaitRule account_and_address_rule{};
constexpr WaitRule account_rule{
    .first = 10, .most = std::chrono::seconds{8}, .forgotten = std::chrono::hours{1}};
constexpr WaitRule strangers_rule{
    .first = 100, .most = std::chrono::seconds{60}, .forgotten = std::chrono::hours{1}};
constexpr WaitRule account_and_site_rule{.first = 10};
constexpr WaitRule address_rule{
    .first = 50, .most = std::chrono::seconds{60}, .forgotten = std::chrono::hours{1}};
constexpr WaitRule site_rule{
    .first = 200, .most = std::chrono::seconds{60}, .forgotten = std::chrono::hours{1}};
constexpr WaitRule code_rule{};

/// The wait after so many failures in a row: 0 below rule.first, then 1, 2, 4 ... seconds.
std::chrono::seconds wait_after(const WaitRule& rule, int failures);

/// Failures that still count at `now`.
int counting_failures(const WaitRule& rule, const store::Failures& failures, base::Timestamp now);

/// What a sign-in is counted under: hashes, because what people type as a name may be a password.
struct SignInSubjects {
    std::string account_and_address{};
    std::string account{};
    /// Empty for directory_subjects().
    std::string address{};
    /// Empty for IPv4.
    std::string account_and_site{};
    std::string site{};
    /// Remembered when a sign-in to the account from this network was right; not counted.
    std::string known{};

    /// Those that are counted, with their rules.
    std::vector<std::pair<std::string, WaitRule>> counted() const;
    std::vector<std::string> all() const;
};

/// The subjects of a sign-in to an account from a client's address. Blanks at the end of the names
/// do not count, as in the database. Of an IPv6 address the first 64 bits count, because a client
/// chooses the others.
SignInSubjects subjects_of(const std::string& tenant, const std::string& user,
                           const std::string& address);

/// What a client can choose its address from: of an IPv6 address the network of 64 bits.
std::string network_of(const std::string& address);

/// The networks that one customer of a provider has together: of an IPv6 address the first 48 bits,
/// else the address.
std::string site_of(const std::string& address);

/// The same for a user whom a directory has found: it may take several spellings for one name, and
/// has tried each.
SignInSubjects directory_subjects(std::int64_t provider, const std::string& subject,
                                  const std::string& address);

/// What the codes of a user are counted under.
struct CodeSubjects {
    std::string anywhere{};
    std::string here{};
    /// Remembered when a code from this network was right; not counted.
    std::string known{};
};
CodeSubjects code_subjects(std::int64_t user, const std::string& address);

/// How long a sign-in with these subjects has to wait, rounded up to seconds; nothing if it may go
/// on.
std::optional<std::chrono::seconds> sign_in_wait(const SignInSubjects& subjects,
                                                 const store::FailureCounts& counts,
                                                 base::Timestamp now);

/// How long a code has to wait.
std::optional<std::chrono::seconds> code_wait(const CodeSubjects& subjects,
                                              const store::FailureCounts& counts,
                                              base::Timestamp now);

/// How long a subject of one rule has to wait after `failures`.
std::optional<std::chrono::seconds> wait_left(const WaitRule& rule, const store::Failures& failures,
                                              base::Timestamp now);

}  // namespace provisioner::operations
