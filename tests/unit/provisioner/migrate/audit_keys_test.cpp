#include "provisioner/migrate/audit_keys.hpp"

#include <boost/test/unit_test.hpp>

#include <stdexcept>

using namespace provisioner;
using migrate::audit_keys_in;

BOOST_AUTO_TEST_CASE(public_keys_of_the_audit_log_are_one_a_line_with_their_ends) {
    const auto keys =
        audit_keys_in("# kept elsewhere\n\n  AAA= \r\nBBB= 2026-11-20 23:28:02.123456\nCCC=");

    const store::AuditKeys wanted{
        {.public_key = "AAA="},
        {.public_key = "BBB=", .until = base::from_sql("2026-11-20 23:28:02.123456")},
        {.public_key = "CCC="}};
    BOOST_TEST((keys == wanted));
    BOOST_TEST((audit_keys_in(migrate::to_text(keys)) == keys));
    BOOST_TEST(audit_keys_in("").empty());
    BOOST_CHECK_THROW(audit_keys_in("AAA= soon"), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(a_replacement_that_is_done_again_gives_the_key_its_last_end) {
    const auto first = base::from_sql("2026-11-20 23:28:02");
    const auto later = base::from_sql("2026-11-21 00:00:00");

    const auto keys = migrate::with_replaced(
        migrate::with_replaced({{.public_key = "older", .until = first}}, "AAA=", first),
        "AAA=", later);

    const store::AuditKeys wanted{{.public_key = "older", .until = first},
                                  {.public_key = "AAA=", .until = later}};
    BOOST_TEST((keys == wanted));
}
