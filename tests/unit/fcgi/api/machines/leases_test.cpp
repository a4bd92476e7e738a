#include "fcgi/api/machines/leases.hpp"

#include <boost/test/unit_test.hpp>

using namespace fcgi;
using namespace provisioner::model;
using provisioner::base::from_millis;

BOOST_AUTO_TEST_SUITE(machine_leases)

BOOST_AUTO_TEST_CASE(a_lease_says_who_has_the_machine_and_what_is_wrong_with_it) {
    MachineLease lease;
    lease.id = MachineLeaseId{17};
    lease.tenant = TenantId{2};
    lease.tenant_name = "demo";
    lease.provider_type = "existing";
    lease.provider = "cellar";
    lease.node = "00000001-1001";
    lease.cluster = "00000001";
    lease.machine = "rack7-1";
    lease.listed = {{"address", "10.0.0.1"}, {"port", 22}};
    lease.state = LeaseState::broken;
    lease.reason = "the disk is dead";
    lease.leased_at = from_millis(1000);
    lease.changed_at = from_millis(9000);

    BOOST_TEST(api::machine_leases_json({lease}).dump() ==
               R"([{"id":17,"machine":"rack7-1","address":"10.0.0.1","state":"broken",)"
               R"("reason":"the disk is dead","node":"00000001-1001","clusterId":"00000001",)"
               R"("provider":"cellar","providerType":"existing","tenant":"demo",)"
               R"("leasedAt":1000,"changedAt":9000}])");
}

BOOST_AUTO_TEST_SUITE_END()
