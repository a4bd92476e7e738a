#include "provisioner/operations/sign_in/waits.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner;
using namespace provisioner::operations;
using namespace std::chrono_literals;
using std::chrono::seconds;

BOOST_AUTO_TEST_SUITE(waits)

namespace {

const base::Timestamp now = base::from_sql("2026-11-20 10:00:00");
const SignInSubjects bob = subjects_of("acme", "bob", "192.0.2.7");

long wait_of(const store::FailureCounts& counts, base::Timestamp at = now) {
    return sign_in_wait(bob, counts, at).value_or(0s).count();
}

}  // namespace

BOOST_AUTO_TEST_CASE(waits_double_from_the_fifth_failure_to_a_quarter_of_an_hour) {
    const WaitRule rule{};
    std::vector<long> seen;
    for (int failures = 3; failures <= 17; ++failures) {
        seen.push_back(wait_after(rule, failures).count());
    }
    const std::vector<long> expected{0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900};
    BOOST_TEST(seen == expected, boost::test_tools::per_element());
    BOOST_TEST(wait_after(rule, 1'000'000).count() == 900);
}

BOOST_AUTO_TEST_CASE(a_wait_is_counted_from_the_last_failure_and_rounded_up) {
    const store::FailureCounts counts{{bob.account_and_address, {8, now - 3'400ms}}};

    BOOST_TEST(wait_of(counts) == 5);
    BOOST_TEST(wait_of(counts, now + 5s) == 0);
}

BOOST_AUTO_TEST_CASE(a_clock_that_was_put_back_makes_no_longer_wait) {
    const store::FailureCounts counts{{bob.account_and_address, {6, now + 1h}}};

    BOOST_TEST(wait_of(counts) == 2);
}

BOOST_AUTO_TEST_CASE(others_cannot_keep_the_owner_out) {
    const store::Failures from_here{store::remembered, now - 24h * 30};
    const store::FailureCounts attacked{{bob.account, {100'000, now}}, {bob.known, from_here}};
    const store::FailureCounts mistyped{{bob.account, {100'000, now}},
                                        {bob.known, from_here},
                                        {bob.account_and_address, {1, now - 2s}}};

    BOOST_TEST(wait_of(attacked) == 0);
    BOOST_TEST(wait_of(mistyped) == 6);
    BOOST_TEST(wait_of(mistyped, now + 6s) == 0);
    // The owner's network is that of their addresses of other days.
    BOOST_TEST(subjects_of("acme", "bob", "192.0.2.200").known == bob.known);
    BOOST_TEST(subjects_of("acme", "bob", "192.0.3.7").known != bob.known);
    BOOST_TEST(subjects_of("acme", "ann", "192.0.2.7").known != bob.known);
    BOOST_TEST(subjects_of("acme", "bob", "2001:db8::1").known ==
               subjects_of("acme", "bob", "2001:db8::2:0:0:1").known);
    BOOST_TEST(subjects_of("acme", "bob", "2001:db8::1").known !=
               subjects_of("acme", "bob", "2001:db8:0:1::1").known);
}

BOOST_AUTO_TEST_CASE(networks_that_nobody_has_signed_in_from_wait_for_each_other) {
    BOOST_TEST(wait_of({{bob.account, {99, now}}}) == 0);
    BOOST_TEST(wait_of({{bob.account, {100, now}}}) == 1);
    BOOST_TEST(wait_of({{bob.account, {103, now}}}) == 8);
    BOOST_TEST(wait_of({{bob.account, {100'000, now}}}) == 60);
    BOOST_TEST(wait_of({{bob.account, {100'000, now}}}, now + 1min) == 0);
    // A count of failures is no network of the owner.
    BOOST_TEST(wait_of({{bob.account, {100'000, now}}, {bob.known, {3, now}}}) == 60);
    BOOST_TEST(wait_of({{bob.account, {100'000, now - 61min}}}) == 0);
}

BOOST_AUTO_TEST_CASE(the_networks_of_one_site_are_counted_together) {
    const auto here = subjects_of("acme", "bob", "2001:db8:7:1::1");
    const auto next_door = subjects_of("acme", "bob", "2001:db8:7:2::1");
    const auto elsewhere = subjects_of("acme", "bob", "2001:db8:8:1::1");
    const auto wait = [&](const SignInSubjects& subjects, const store::FailureCounts& counts) {
        return sign_in_wait(subjects, counts, now).value_or(0s).count();
    };

    BOOST_TEST(here.account_and_site == next_door.account_and_site);
    BOOST_TEST(here.site == next_door.site);
    BOOST_TEST(here.account_and_site != elsewhere.account_and_site);
    BOOST_TEST(here.site != elsewhere.site);
    BOOST_TEST(bob.site.empty());
    BOOST_TEST(wait(next_door, {{here.account_and_site, {9, now}}}) == 0);
    BOOST_TEST(wait(next_door, {{here.account_and_site, {10, now}}}) == 1);
    BOOST_TEST(wait(next_door, {{here.account_and_site, {60, now}}}) == 900);
    BOOST_TEST(wait(next_door, {{here.account_and_site, {60, now}},
                                {next_door.known, {store::remembered, now}}}) == 0);
    BOOST_TEST(wait(next_door, {{here.site, {200, now}}}) == 1);
    BOOST_TEST(wait(elsewhere, {{here.site, {2000, now}}}) == 0);
}

BOOST_AUTO_TEST_CASE(who_knows_the_password_cannot_hold_the_owner_out_at_the_code) {
    const auto owner = code_subjects(7, "192.0.2.7");
    const auto thief = code_subjects(7, "198.51.100.9");
    const store::Failures known{store::remembered, now - 24h};
    const auto wait = [&](const CodeSubjects& subjects, const store::FailureCounts& counts) {
        return code_wait(subjects, counts, now).value_or(0s).count();
    };

    const store::FailureCounts attacked{
        {owner.anywhere, {50, now}}, {thief.here, {5, now}}, {owner.known, known}};
    BOOST_TEST(owner.anywhere == thief.anywhere);
    BOOST_TEST(wait(owner, attacked) == 0);
    BOOST_TEST(wait(thief, attacked) == 900);
    BOOST_TEST(wait(code_subjects(7, "203.0.113.1"), attacked) == 900);
    BOOST_TEST(wait(owner, {{owner.known, known}, {owner.here, {6, now}}}) == 2);
    BOOST_TEST(code_subjects(8, "192.0.2.7").known != owner.known);
}

BOOST_AUTO_TEST_CASE(an_address_that_tries_many_accounts_waits_for_a_minute_at_most) {
    BOOST_TEST(wait_of({{bob.address, {49, now}}}) == 0);
    BOOST_TEST(wait_of({{bob.address, {50, now}}}) == 1);
    BOOST_TEST(wait_of({{bob.address, {500, now}}}) == 60);
}

BOOST_AUTO_TEST_CASE(failures_are_forgotten) {
    BOOST_TEST(wait_of({{bob.account_and_address, {50, now - 25h}}}) == 0);
    BOOST_TEST(counting_failures(account_and_address_rule, {50, now - 25h}, now) == 0);
    BOOST_TEST(counting_failures(account_and_address_rule, {50, now - 23h}, now) == 50);
}

BOOST_AUTO_TEST_CASE(other_spellings_of_account_and_address_do_not_start_anew) {
    BOOST_TEST((subjects_of("acme ", "bob  ", "192.0.2.7").all() == bob.all()));
    BOOST_TEST((subjects_of("acme", "bob", "::ffff:192.0.2.7").all() == bob.all()));
    BOOST_TEST(subjects_of("acme", "bob", "2001:db8::1").address ==
               subjects_of("acme", "bob", "2001:0db8:0:0:1:2:3:4").address);
    BOOST_TEST(subjects_of("acme", "bob", "2001:db8::1").address !=
               subjects_of("acme", "bob", "2001:db8:0:1::1").address);
    BOOST_TEST(subjects_of("acm", "ebob", "192.0.2.7").account != bob.account);
    // Databases and directories may take them for one account.
    BOOST_TEST((subjects_of("Acme", "BOB", "192.0.2.7").all() == bob.all()));
}

BOOST_AUTO_TEST_SUITE_END()
