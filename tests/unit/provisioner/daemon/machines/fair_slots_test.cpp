#include "provisioner/daemon/machines/fair_slots.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner;

BOOST_AUTO_TEST_SUITE(fair_slots)

namespace {

std::vector<model::TenantId> tenants(const std::vector<long long>& ids) {
    std::vector<model::TenantId> all;
    for (const long long id : ids) all.push_back(model::TenantId{id});
    return all;
}

using Places = std::vector<std::size_t>;

}  // namespace

BOOST_AUTO_TEST_CASE(tenants_take_turns) {
    BOOST_TEST(daemon::fair_slots(tenants({1, 1, 1, 2, 3}), {}, 4, 9) == (Places{0, 3, 4, 1}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_tenant_that_has_slots_waits_for_those_that_have_fewer) {
    daemon::SlotsInUse in_use{{model::TenantId{1}, 2}};
    BOOST_TEST(daemon::fair_slots(tenants({1, 1, 2, 2, 2}), in_use, 3, 9) == (Places{2, 3, 0}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(no_tenant_gets_more_than_its_share_even_when_slots_stay_free) {
    BOOST_TEST(daemon::fair_slots(tenants({1, 1, 1, 1}), {}, 8, 2) == (Places{0, 1}),
               boost::test_tools::per_element());
    BOOST_TEST(daemon::fair_slots(tenants({1}), {{model::TenantId{1}, 2}}, 8, 2).empty());
}

BOOST_AUTO_TEST_CASE(without_candidates_or_free_slots_nobody_is_chosen) {
    BOOST_TEST(daemon::fair_slots({}, {}, 8, 2).empty());
    BOOST_TEST(daemon::fair_slots(tenants({1}), {}, 0, 2).empty());
}

BOOST_AUTO_TEST_SUITE_END()
