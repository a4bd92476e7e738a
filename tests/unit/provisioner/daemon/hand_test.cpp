#include "provisioner/daemon/hand.hpp"

#include <boost/test/unit_test.hpp>

using namespace std::chrono_literals;
using namespace provisioner;

BOOST_AUTO_TEST_SUITE(hand)

namespace {

queue::Claim a_claim(long long task, long long fence = 1) {
    queue::Claim claim;
    claim.task = model::TaskId{task};
    claim.fence = fence;
    return claim;
}

const daemon::Hand::Moment now{100s};
const daemon::Hand::Moment later = now + 15s;

}  // namespace

BOOST_AUTO_TEST_CASE(what_was_added_is_in_hand_until_it_is_removed) {
    daemon::Hand hand;

    hand.add({a_claim(1), a_claim(2)}, later);
    hand.remove({a_claim(1)});

    BOOST_REQUIRE(hand.size() == 1);
    BOOST_TEST(hand.all().front().task.value == 2);
}

BOOST_AUTO_TEST_CASE(a_claim_taken_again_meanwhile_stays_in_hand) {
    daemon::Hand hand;
    hand.add({a_claim(1, 1)}, later);
    hand.add({a_claim(1, 2)}, later);

    hand.remove({a_claim(1, 1)});

    BOOST_TEST(hand.size() == 1);
}

BOOST_AUTO_TEST_CASE(it_knows_whose_tasks_are_in_hand) {
    daemon::Hand hand;
    auto of_another = a_claim(3);
    of_another.tenant = model::TenantId{7};
    hand.add({a_claim(1), a_claim(2), of_another}, later);

    BOOST_TEST((hand.tenants() == std::set{model::TenantId{}, model::TenantId{7}}));

    hand.remove({of_another});
    BOOST_TEST((hand.tenants() == std::set{model::TenantId{}}));
}

BOOST_AUTO_TEST_CASE(it_knows_which_jobs_its_tasks_are_part_of) {
    daemon::Hand hand;
    auto of_another = a_claim(3);
    of_another.job = model::JobId{7};
    hand.add({a_claim(1), a_claim(2), of_another}, later);

    BOOST_TEST((hand.jobs() == std::set{model::JobId{}, model::JobId{7}}));

    hand.remove({of_another});
    BOOST_TEST((hand.jobs() == std::set{model::JobId{}}));
}

BOOST_AUTO_TEST_CASE(room_is_what_the_capacity_leaves) {
    daemon::Hand hand;
    hand.add({a_claim(1), a_claim(2)}, later);

    BOOST_TEST(hand.wait_for_room(5, 0ms) == 3);
    BOOST_TEST(hand.wait_for_room(2, 0ms) == 0);
}

BOOST_AUTO_TEST_CASE(a_claim_is_held_until_it_runs_out) {
    daemon::Hand hand;
    hand.add({a_claim(1)}, later);

    BOOST_TEST(hand.holds(a_claim(1), now));
    BOOST_TEST(!hand.holds(a_claim(1), later));
}

BOOST_AUTO_TEST_CASE(a_claim_that_was_renewed_is_held_for_longer) {
    daemon::Hand hand;
    hand.add({a_claim(1), a_claim(2)}, later);

    hand.renewed({a_claim(1)}, later + 15s);

    BOOST_TEST(hand.holds(a_claim(1), later));
    BOOST_TEST(!hand.holds(a_claim(2), later));
}

BOOST_AUTO_TEST_CASE(a_claim_of_an_older_fence_is_neither_held_nor_renewed) {
    daemon::Hand hand;
    hand.add({a_claim(1, 2)}, later);

    hand.renewed({a_claim(1, 1)}, later + 15s);

    BOOST_TEST(!hand.holds(a_claim(1, 1), now));
    BOOST_TEST(!hand.holds(a_claim(1, 2), later));
}

BOOST_AUTO_TEST_CASE(what_is_not_in_hand_is_not_held) {
    daemon::Hand hand;
    hand.renewed({a_claim(1)}, later);

    BOOST_TEST(!hand.holds(a_claim(1), now));
}

BOOST_AUTO_TEST_SUITE_END()
