#include "provisioner/federation/ldap/accounts.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner;
using federation::keeps_out;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(locked_accounts_of_directories)

namespace {

/// 2026-01-01 00:00:00 UTC, as Active Directory writes it and as we do.
const std::string new_year = "134116992000000000";
const base::Timestamp new_year_here = base::Timestamp{} + std::chrono::seconds{1'767'225'600};

}  // namespace

BOOST_AUTO_TEST_CASE(an_account_that_has_expired_keeps_out_and_one_without_an_end_does_not) {
    BOOST_TEST(!keeps_out("accountExpires", new_year, new_year_here - 1s));
    BOOST_TEST(keeps_out("accountExpires", new_year, new_year_here));
    BOOST_TEST(keeps_out("accountExpires", new_year, new_year_here + 24h));
    for (const std::string never : {"0", "9223372036854775807"}) {
        BOOST_TEST(!keeps_out("accountExpires", never, new_year_here), never);
    }
    for (const std::string odd : {"", "soon", "-1", "9223372036854775808"}) {
        BOOST_TEST(keeps_out("accountExpires", odd, new_year_here), odd);
    }
}

BOOST_AUTO_TEST_CASE(flags_and_locks_of_each_directory_count) {
    const auto out = [](std::string_view attribute, const std::string& value) {
        return keeps_out(attribute, value, new_year_here);
    };
    BOOST_TEST(out("userAccountControl", "514"));
    BOOST_TEST(!out("userAccountControl", "512"));
    BOOST_TEST(out("userAccountControl", "x"));
    BOOST_TEST(out("pwdAccountLockedTime", "000001010000Z"));
    BOOST_TEST(!out("pwdAccountLockedTime", "20260101000000Z"));
    BOOST_TEST(out("nsAccountLock", "TRUE"));
    BOOST_TEST(!out("nsAccountLock", "false"));
}

BOOST_AUTO_TEST_SUITE_END()
