#include <boost/test/unit_test.hpp>

#include "tests/integration/provisioner/providers/aws/site.hpp"

using namespace provisioner;
using namespace provisioner::providers;
using tests::AwsSite;
using tests::fresh_site;
using tests::results_of;

BOOST_AUTO_TEST_SUITE(aws_chaos)

namespace {

constexpr int first_node = 1001;
constexpr int nodes = 6;

base::Json chance(int percent, int seed) {
    return {{"kind", "chance"}, {"percent", percent}, {"seed", seed}, {"count", 100'000}};
}

}  // namespace

BOOST_AUTO_TEST_CASE(whatever_fails_at_random_nothing_is_doubled_and_nothing_is_left) {
    AwsSite& site = fresh_site();
    site.set({{"boot_seconds", 0.3}, {"hidden_seconds", 0.5}, {"shutdown_seconds", 0.3}});
    const Account account = site.account();
    site.fault(chance(30, 7));

    for (int node = first_node; node < first_node + nodes; ++node) {
        const std::string id = site.made(account, site.spec(node));
        const Confirmed confirmed = site.confirm(account, site.spec(node), results_of(id));
        BOOST_TEST(std::holds_alternative<Reachable>(confirmed));
    }

    BOOST_TEST(site.living().size() == static_cast<std::size_t>(nodes));
    BOOST_TEST(site.things("instances").size() == static_cast<std::size_t>(nodes));
    for (int node = first_node; node < first_node + nodes; ++node) {
        site.removed(account, site.spec(node));
    }
    BOOST_TEST(site.left() == 0);
    BOOST_TEST(site.calls().at("faults").get<int>() > nodes);
}

BOOST_AUTO_TEST_SUITE_END()
