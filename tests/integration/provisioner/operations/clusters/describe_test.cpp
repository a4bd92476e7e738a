#include "provisioner/operations/clusters/describe.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/model/names.hpp"
#include "provisioner/store/clusters/cluster_store.hpp"
#include "provisioner/store/database/statement.hpp"
#include "tests/integration/provisioner/site.hpp"

using namespace provisioner;

BOOST_AUTO_TEST_SUITE(describe)

namespace {

struct Site : tests::ClusterSite {
    operations::Result<void> describe(const std::string& text) {
        return operations::describe_cluster(fresh.database, caller, cluster, text);
    }

    std::string description() {
        return fresh.database
            .read([&](store::Connection& connection) {
                return store::find_cluster(connection, caller, cluster);
            })
            ->description;
    }

    int events() {
        return fresh.database.read([&](store::Connection& connection) {
            store::Rows row = connection.sql(
                                  "SELECT COUNT(*) AS events FROM audit_event "
                                  "WHERE action = 'cluster.describe'")
                              << store::one_row;
            return row.get<int>("events");
        });
    }
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_description_is_replaced_while_a_job_runs_and_recorded) {
    Site site;

    BOOST_REQUIRE(site.describe("For the demo").has_value());
    BOOST_REQUIRE(site.describe("For the demo").has_value());

    BOOST_TEST(site.description() == "For the demo");
    BOOST_TEST(site.events() == 1);
}

BOOST_AUTO_TEST_CASE(a_description_that_is_too_long_or_of_a_stranger_is_refused) {
    Site site;
    const auto too_long = site.describe(std::string(model::longest_text + 1, 'x'));
    site.caller.user.id.value += 1;
    site.caller.user.role = model::Role::user;
    const auto stranger = site.describe("Mine");

    BOOST_REQUIRE(!too_long.has_value());
    BOOST_TEST(too_long.error().problems.front().field == "description");
    BOOST_REQUIRE(!stranger.has_value());
    BOOST_CHECK(stranger.error().kind == operations::Refusal::Kind::not_found);
}

BOOST_AUTO_TEST_SUITE_END()
