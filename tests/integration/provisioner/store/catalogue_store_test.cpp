#include <boost/test/unit_test.hpp>

#include "provisioner/operations/edit_catalogue.hpp"
#include "provisioner/store/catalogue_store.hpp"
#include "tests/integration/provisioner/fixture.hpp"

using namespace provisioner;
using model::CatalogueKind;

namespace {

base::Json a_provider(const std::string& description) {
    return {{"name", "p1"}, {"description", description}, {"providertype", "joyent"}};
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_write_is_a_version_and_the_newest_is_read) {
    tests::FreshDatabase fresh;
    const auto caller = tests::a_caller(fresh.database);
    const auto now = tests::some_time();

    operations::create_entry(fresh.database, caller, CatalogueKind::provider, a_provider("a"), now);
    operations::replace_entry(fresh.database, caller, CatalogueKind::provider, "p1",
                              a_provider("b <'\"\\ ü"), now);

    fresh.database.read([&](store::Connection& connection) {
        const auto tenant = caller.tenant.id;
        const auto newest = store::find_entry(connection, tenant, CatalogueKind::provider, "p1");
        const auto first = store::find_entry(connection, tenant, CatalogueKind::provider, "p1", 1);
        BOOST_REQUIRE((newest && first));
        BOOST_TEST(newest->at("version") == 2);
        BOOST_TEST(newest->at("description") == "b <'\"\\ ü");
        BOOST_TEST(first->at("description") == "a");
        BOOST_TEST(store::list_entries(connection, tenant, CatalogueKind::provider).size() == 1);
    });
}

BOOST_AUTO_TEST_CASE(a_name_that_is_taken_is_a_conflict) {
    tests::FreshDatabase fresh;
    const auto caller = tests::a_caller(fresh.database);
    const auto now = tests::some_time();
    operations::create_entry(fresh.database, caller, CatalogueKind::provider, a_provider("a"), now);

    const auto second = operations::create_entry(fresh.database, caller, CatalogueKind::provider,
                                                 a_provider("b"), now);

    BOOST_REQUIRE(!second.has_value());
    BOOST_TEST((second.error().kind == operations::Refusal::Kind::conflict));
    BOOST_TEST(second.error().problems.front().message == "provider p1 already exists");
}

BOOST_AUTO_TEST_CASE(numbering_begins_again_after_all_versions_are_deleted) {
    tests::FreshDatabase fresh;
    const auto caller = tests::a_caller(fresh.database);
    const auto now = tests::some_time();
    operations::create_entry(fresh.database, caller, CatalogueKind::provider, a_provider("a"), now);
    operations::delete_entry(fresh.database, caller, CatalogueKind::provider, "p1", std::nullopt);

    const auto again = operations::create_entry(fresh.database, caller, CatalogueKind::provider,
                                                a_provider("b"), now);

    BOOST_REQUIRE(again.has_value());
    BOOST_TEST(*again == 1);
}

BOOST_AUTO_TEST_CASE(one_tenant_does_not_see_the_catalogue_of_another) {
    tests::FreshDatabase fresh;
    const auto acme = tests::a_caller(fresh.database, "acme");
    const auto other = tests::a_caller(fresh.database, "other");
    operations::create_entry(fresh.database, acme, CatalogueKind::provider, a_provider("a"),
                             tests::some_time());

    const auto seen = fresh.database.read([&](store::Connection& connection) {
        return store::find_entry(connection, other.tenant.id, CatalogueKind::provider, "p1");
    });

    BOOST_TEST(!seen.has_value());
}
