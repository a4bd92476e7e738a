#include "provisioner/migrate/migration.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/identity/checksum.hpp"

using namespace provisioner;
using migrate::Applied;
using migrate::Migration;

namespace {

Migration a_file(int version, const std::string& text = "SELECT 1") {
    return {.version = version, .name = std::to_string(version) + "_x.sql", .text = text};
}

Applied applied(const Migration& file) {
    return {.version = file.version, .name = file.name, .checksum = identity::checksum(file.text)};
}

}  // namespace

BOOST_AUTO_TEST_CASE(statements_are_split_outside_quotes_and_comments) {
    const auto statements = migrate::split_statements(
        "-- first; not a statement\nCREATE TABLE a (x TEXT COMMENT 'it''s; fine');\n"
        "INSERT INTO a VALUES (\"b;\\\";c\"); -- end\n;\n");

    BOOST_REQUIRE(statements.size() == 2);
    BOOST_TEST(statements[0] == "CREATE TABLE a (x TEXT COMMENT 'it''s; fine')");
    BOOST_TEST(statements[1] == "INSERT INTO a VALUES (\"b;\\\";c\")");
}

BOOST_AUTO_TEST_CASE(a_text_that_ends_inside_quotes_is_an_error) {
    BOOST_CHECK_THROW(migrate::split_statements("SELECT 'x"), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(what_is_not_applied_is_pending_in_order) {
    const auto rest = migrate::pending({a_file(3), a_file(1), a_file(2)}, {applied(a_file(1))});

    BOOST_REQUIRE(rest.size() == 2);
    BOOST_TEST(rest[0].version == 2);
    BOOST_TEST(rest[1].version == 3);
}

BOOST_AUTO_TEST_CASE(a_migration_changed_after_it_was_applied_is_refused) {
    BOOST_CHECK_THROW(migrate::pending({a_file(1, "SELECT 2")}, {applied(a_file(1, "SELECT 1"))}),
                      std::runtime_error);
}

BOOST_AUTO_TEST_CASE(an_applied_migration_that_is_missing_is_refused) {
    BOOST_CHECK_THROW(migrate::pending({}, {applied(a_file(1))}), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(a_migration_before_the_newest_applied_is_refused) {
    BOOST_CHECK_THROW(migrate::pending({a_file(1), a_file(2)}, {applied(a_file(2))}),
                      std::runtime_error);
}

BOOST_AUTO_TEST_CASE(two_migrations_of_one_number_are_refused) {
    BOOST_CHECK_THROW(migrate::pending({a_file(1), a_file(1)}, {}), std::runtime_error);
}
