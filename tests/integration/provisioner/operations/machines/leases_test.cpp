#include "provisioner/operations/machines/leases.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/store/catalogue/catalogue_store.hpp"
#include "provisioner/store/machines/account_store.hpp"
#include "provisioner/store/machines/lease_store.hpp"
#include "tests/integration/provisioner/fixture.hpp"

using namespace provisioner;
using model::LeaseState;

BOOST_AUTO_TEST_SUITE(releasing_machines)

namespace {

/// A machine of the provider "cellar", which was deleted or never was.
struct Forgotten {
    Forgotten() {
        fresh.database.write([&](store::Connection& connection) {
            store::installation_id(connection);
            model::LeaseWish wish{.tenant = tenant,
                                  .provider_type = "existing",
                                  .provider = "cellar",
                                  .node = "00000001-1001",
                                  .cluster = "00000001",
                                  .task = 1,
                                  .candidates = {}};
            wish.candidates = {
                {.machine = "a", .spread = "", .listed = {{"address", "a"}}, .identities = {"a"}}};
            lease = std::get<model::MachineLease>(store::take_machine(connection, wish)).id;
        });
    }

    void is(LeaseState from, LeaseState to) {
        BOOST_REQUIRE(fresh.database.write([&](store::Connection& connection) {
            return store::change_lease(connection, lease, from, to, "");
        }));
    }

    operations::Result<void> release() {
        model::Caller caller;
        caller.user.name = "ann";
        caller.user.role = model::Role::admin;
        caller.tenant.id = tenant;
        return operations::release_lease(fresh.database, caller, lease);
    }

    tests::FreshDatabase fresh;
    model::TenantId tenant = tests::a_caller(fresh.database).tenant.id;
    model::MachineLeaseId lease{};
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_machine_that_is_out_of_use_is_freed, Forgotten) {
    is(LeaseState::leased, LeaseState::broken);

    BOOST_TEST(release().has_value());
    BOOST_TEST((release().error().kind == operations::Refusal::Kind::not_found));
}

BOOST_FIXTURE_TEST_CASE(a_machine_of_a_node_is_not_freed, Forgotten) {
    BOOST_TEST(release().error().problems.front().message ==
               "machine a is not out of use: node 00000001-1001 has it; delete the node");
}

BOOST_FIXTURE_TEST_CASE(a_machine_in_the_wash_is_freed_once_its_provider_is_gone, Forgotten) {
    is(LeaseState::leased, LeaseState::wiping);
    const auto kind = model::CatalogueKind::provider;
    fresh.database.write([&](store::Connection& connection) {
        store::insert_entry(connection, tenant, kind, {{"name", "cellar"}}, base::Timestamp{});
    });
    BOOST_TEST(release().error().problems.front().message ==
               "machine a is not out of use: it is being wiped and comes back by itself");

    fresh.database.write([&](store::Connection& connection) {
        store::delete_entry(connection, tenant, kind, "cellar");
    });
    BOOST_TEST(release().has_value());
}

BOOST_AUTO_TEST_SUITE_END()
