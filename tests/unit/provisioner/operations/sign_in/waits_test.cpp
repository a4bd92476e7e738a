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
    const store::FailureCounts attacked{{bob.account, {100'000, now}}};
    const store::FailureCounts mistyped{{bob.account, {100'000, now}},
                                        {bob.account_and_address, {1, now - 2s}}};

    BOOST_TEST(wait_of(attacked) == 0);
    BOOST_TEST(wait_of(mistyped) == 6);
    BOOST_TEST(wait_of(mistyped, now + 6s) == 0);
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
    // A directory takes either case.
    BOOST_TEST(subjects_of("acme", "Bob", "192.0.2.7").account == bob.account);
}

BOOST_AUTO_TEST_SUITE_END()
