#include "fcgi/api/machines/unknown_machines.hpp"

#include <boost/test/unit_test.hpp>

using namespace fcgi;
using namespace provisioner::model;
using provisioner::base::from_millis;

BOOST_AUTO_TEST_SUITE(unknown_machines)

namespace {

const ProviderAccount account{.id = ProviderAccountId{4},
                              .tenant = TenantId{2},
                              .tenant_name = "demo",
                              .provider_type = "aws",
                              .name = "AKIA in eu",
                              .provider = "amazon",
                              .looked_at = from_millis(9000),
                              .failures = 1,
                              .error = "answered 401"};

}  // namespace

BOOST_AUTO_TEST_CASE(an_unknown_machine_says_where_it_is_and_since_when) {
    const UnknownMachine machine{.id = 7,
                                 .account = account,
                                 .tenant = TenantId{2},
                                 .tenant_name = "demo",
                                 .machine = "i-1",
                                 .name = "web",
                                 .addresses = {{"access_v4", "192.0.2.1"}},
                                 .first_seen = from_millis(1000),
                                 .last_seen = from_millis(9000)};

    BOOST_TEST(api::unknown_machines_json({machine}).dump() ==
               R"([{"id":7,"machine":"i-1","name":"web","addresses":{"access_v4":"192.0.2.1"},)"
               R"("provider":"amazon","providerType":"aws","account":"AKIA in eu",)"
               R"("tenant":"demo","firstSeen":1000,"lastSeen":9000}])");
}

BOOST_AUTO_TEST_CASE(a_lost_machine_says_whose_it_is_and_since_when) {
    const LostMachine machine{.uuid = "9f",
                              .nodenum = 1001,
                              .cluster = ClusterId{42},
                              .tenant_name = "demo",
                              .hostname = "shop-1001",
                              .machine = "i-1",
                              .missing_since = from_millis(1000),
                              .may_be_reclaimed = true};

    BOOST_TEST(api::lost_machines_json({machine}).dump() ==
               R"([{"node":"9f","number":1001,"clusterId":"00000042","tenant":"demo",)"
               R"("hostname":"shop-1001","machine":"i-1","missingSince":1000,)"
               R"("mayBeReclaimed":true}])");
}

BOOST_AUTO_TEST_CASE(an_account_says_whether_it_answers) {
    ProviderAccount never = account;
    never.looked_at.reset();

    BOOST_TEST(api::provider_accounts_json({account}).dump() ==
               R"([{"id":4,"name":"AKIA in eu","provider":"amazon","providerType":"aws",)"
               R"("tenant":"demo","lookedAt":9000,"failures":1,"error":"answered 401"}])");
    BOOST_TEST(api::provider_accounts_json({never})[0]["lookedAt"] == 0);
}

BOOST_AUTO_TEST_CASE(admins_look_after_their_tenant_and_superadmins_after_all) {
    Caller caller;
    caller.tenant.id = TenantId{5};
    caller.user.role = Role::admin;
    BOOST_TEST((caller.tenant_in_charge() == TenantId{5}));
    caller.user.role = Role::superadmin;
    BOOST_TEST((caller.tenant_in_charge() == TenantId{}));
}

BOOST_AUTO_TEST_SUITE_END()
