#include "provisioner/operations/plugins/file_sync.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/operations/plugins/resources.hpp"
#include "provisioner/store/audit/audit_store.hpp"
#include "tests/integration/provisioner/contents/places.hpp"

using namespace provisioner;

BOOST_AUTO_TEST_SUITE(file_sync)

BOOST_AUTO_TEST_CASE(a_version_that_is_unstaged_leaves_what_is_in_use_and_nothing_waits) {
    tests::Places places;
    for (const char* bytes : {"one", "two"}) places.upload(bytes);
    auto& database = places.fresh.database;
    const auto states = [&] {
        std::string words;
        const auto versions = operations::list_resources(database, places.shelf, "f");
        for (const auto& version : *versions) {
            words += std::string(base::to_word(operations::status_of(version))) + ' ';
        }
        return words;
    };
    const auto unstage = [&](int version) {
        return operations::unstage_resource(database, places.caller(), places.shelf, "f", version);
    };
    BOOST_REQUIRE(operations::stage_resource(database, places.caller(), places.shelf, "f", 2));
    BOOST_REQUIRE(unstage(2));
    BOOST_TEST(states() == "inactive inactive ");
    BOOST_REQUIRE(operations::use_resource(database, places.caller(), places.shelf, "f", 1));
    BOOST_REQUIRE(operations::stage_resource(database, places.caller(), places.shelf, "f", 2));

    BOOST_REQUIRE(unstage(2));

    BOOST_TEST(states() == "active inactive ");
    BOOST_TEST((unstage(2).error().kind == operations::Refusal::Kind::conflict));
    BOOST_TEST((unstage(7).error().kind == operations::Refusal::Kind::not_found));
    database.read([&](store::Connection& connection) {
        BOOST_TEST(store::pending_resources(connection, places.shelf.tenant).empty());
        BOOST_TEST(
            store::list_events(
                connection, {.chain = places.shelf.tenant, .action = "plugin-file.unstage"}, 0, 10)
                .size() == 2U);
    });
}

BOOST_AUTO_TEST_CASE(a_sync_is_refused_when_other_changes_wait_than_were_seen) {
    tests::Places places;
    for (const char* bytes : {"one", "two"}) places.upload(bytes);
    auto& database = places.fresh.database;
    const auto waiting = [&] {
        return database.read([&](store::Connection& connection) {
            return operations::changes_of_sync(
                store::pending_resources(connection, places.shelf.tenant));
        });
    };
    BOOST_REQUIRE(operations::stage_resource(database, places.caller(), places.shelf, "f", 1));
    const auto seen = waiting();
    BOOST_REQUIRE(operations::stage_resource(database, places.caller(), places.shelf, "f", 2));

    const auto refused = operations::sync_resources_as_seen(database, places.caller(), seen);

    BOOST_REQUIRE(!refused);
    BOOST_TEST((refused.error().kind == operations::Refusal::Kind::conflict));
    BOOST_TEST(waiting().size() == 1U);
    BOOST_REQUIRE(operations::sync_resources_as_seen(database, places.caller(), waiting()));
    BOOST_TEST(waiting().empty());
}

BOOST_AUTO_TEST_SUITE_END()
