#include "provisioner/daemon/claims/in_flight_claims.hpp"

#include <boost/test/unit_test.hpp>

using namespace std::chrono_literals;
using namespace provisioner;

BOOST_AUTO_TEST_SUITE(in_flight)

namespace {

queue::Claim a_claim(long long task, long long fence = 1) {
    queue::Claim claim;
    claim.task = model::TaskId{task};
    claim.fence = fence;
    return claim;
}

const daemon::InFlightClaims::Moment now{100s};
const daemon::InFlightClaims::Moment later = now + 15s;

}  // namespace

BOOST_AUTO_TEST_CASE(what_was_added_is_in_hand_until_it_is_removed) {
    daemon::InFlightClaims in_flight;

    in_flight.add({a_claim(1), a_claim(2)}, later);
    in_flight.remove({a_claim(1)});

    BOOST_REQUIRE(in_flight.size() == 1);
    BOOST_TEST(in_flight.all().front().task.value == 2);
}

BOOST_AUTO_TEST_CASE(a_claim_taken_again_meanwhile_stays_in_hand) {
    daemon::InFlightClaims in_flight;
    in_flight.add({a_claim(1, 1)}, later);
    in_flight.add({a_claim(1, 2)}, later);

    in_flight.remove({a_claim(1, 1)});

    BOOST_TEST(in_flight.size() == 1);
}

BOOST_AUTO_TEST_CASE(it_knows_whose_tasks_are_in_hand) {
    daemon::InFlightClaims in_flight;
    auto of_another = a_claim(3);
    of_another.tenant = model::TenantId{7};
    in_flight.add({a_claim(1), a_claim(2), of_another}, later);

    BOOST_TEST((in_flight.tenants() == std::set{model::TenantId{}, model::TenantId{7}}));

    in_flight.remove({of_another});
    BOOST_TEST((in_flight.tenants() == std::set{model::TenantId{}}));
}

BOOST_AUTO_TEST_CASE(it_knows_which_jobs_its_tasks_are_part_of) {
    daemon::InFlightClaims in_flight;
    auto of_another = a_claim(3);
    of_another.job = model::JobId{7};
    in_flight.add({a_claim(1), a_claim(2), of_another}, later);

    BOOST_TEST((in_flight.jobs() == std::set{model::JobId{}, model::JobId{7}}));

    in_flight.remove({of_another});
    BOOST_TEST((in_flight.jobs() == std::set{model::JobId{}}));
}

BOOST_AUTO_TEST_CASE(room_is_what_the_capacity_leaves) {
    daemon::InFlightClaims in_flight;
    in_flight.add({a_claim(1), a_claim(2)}, later);

    BOOST_TEST(in_flight.wait_for_room(5, 0ms) == 3);
    BOOST_TEST(in_flight.wait_for_room(2, 0ms) == 0);
}

BOOST_AUTO_TEST_CASE(a_claim_is_held_until_it_runs_out) {
    daemon::InFlightClaims in_flight;
    in_flight.add({a_claim(1)}, later);

    BOOST_TEST(in_flight.holds(a_claim(1), now));
    BOOST_TEST(!in_flight.holds(a_claim(1), later));
}

BOOST_AUTO_TEST_CASE(a_claim_that_was_renewed_is_held_for_longer) {
    daemon::InFlightClaims in_flight;
    in_flight.add({a_claim(1), a_claim(2)}, later);

    in_flight.renewed({a_claim(1)}, later + 15s);

    BOOST_TEST(in_flight.holds(a_claim(1), later));
    BOOST_TEST(!in_flight.holds(a_claim(2), later));
}

BOOST_AUTO_TEST_CASE(a_claim_of_an_older_fence_is_neither_held_nor_renewed) {
    daemon::InFlightClaims in_flight;
    in_flight.add({a_claim(1, 2)}, later);

    in_flight.renewed({a_claim(1, 1)}, later + 15s);

    BOOST_TEST(!in_flight.holds(a_claim(1, 1), now));
    BOOST_TEST(!in_flight.holds(a_claim(1, 2), later));
}

BOOST_AUTO_TEST_CASE(what_is_not_in_hand_is_not_held) {
    daemon::InFlightClaims in_flight;
    in_flight.renewed({a_claim(1)}, later);

    BOOST_TEST(!in_flight.holds(a_claim(1), now));
}

BOOST_AUTO_TEST_SUITE_END()
