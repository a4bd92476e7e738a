#include "provisioner/daemon/strays.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/operations/change_cluster.hpp"
#include "provisioner/operations/delete_cluster.hpp"
#include "tests/integration/provisioner/site.hpp"

using namespace provisioner;
using Names = std::vector<std::string>;

BOOST_AUTO_TEST_SUITE(strays)

namespace {

/// Machines that are names and nothing more.
class Cloud final : public providers::Provider {
 public:
    explicit Cloud(std::set<std::string>& there) : there_(there) {}

    boost::asio::awaitable<providers::Created> create(const providers::MachineSpec&) override {
        throw std::logic_error("nobody makes one here");
    }
    boost::asio::awaitable<providers::Confirmed> confirm(const providers::MachineSpec&,
                                                         const base::Json&) override {
        throw std::logic_error("nobody asks for one here");
    }
    boost::asio::awaitable<providers::Destroyed> destroy(const providers::MachineSpec& spec,
                                                         const base::Json&) override {
        providers::Refused refused{.message = "it is held by a person"};
        if (spec.name == held) co_return refused;
        there_.erase(spec.name);
        co_return providers::Gone{};
    }
    boost::asio::awaitable<Names> machines() override {
        if (is_away) throw std::runtime_error("the cloud is away");
        co_return Names(there_.begin(), there_.end());
    }
    model::PluginType type() const override {
        model::PluginType type;
        type.header.name = "cloud";
        return type;
    }

    std::string held;
    bool is_away = false;

 private:
    std::set<std::string>& there_;
};

/// A cluster of three nodes, and what there is in the cloud.
struct StraySite : tests::ClusterSite {
    StraySite() {
        auto made = std::make_unique<Cloud>(there);
        cloud = made.get();
        registry.add(std::move(made));
        for (const int nodenum : {1000, 1001, 1002}) there.insert(machine(nodenum));
    }

    std::string machine(int nodenum) const {
        return model::to_text(model::MachineName{cluster, nodenum});
    }

    void delete_it() {
        BOOST_REQUIRE(
            operations::delete_cluster(fresh.database, caller, cluster, now, base::Json::object())
                .has_value());
    }

    daemon::Strays look() {
        return daemon::remove_strays(fresh.database, registry, [] { return false; });
    }

    std::set<std::string> there;
    Cloud* cloud = nullptr;
    providers::Registry registry;
};

}  // namespace

BOOST_AUTO_TEST_CASE(machines_of_a_cluster_that_is_made_or_there_are_left_alone) {
    StraySite site;

    BOOST_TEST(site.look().removed.empty());
    site.succeed_all();
    BOOST_TEST(site.look().removed.empty());

    BOOST_TEST(site.there.size() == 3U);
}

BOOST_AUTO_TEST_CASE(a_machine_of_a_terminated_cluster_is_taken_away) {
    StraySite site;
    site.succeed_all();
    site.delete_it();
    BOOST_TEST(site.look().removed.empty());
    site.succeed_all();

    const auto strays = site.look();

    BOOST_TEST(
        (strays.removed == Names{site.machine(1000), site.machine(1001), site.machine(1002)}));
    BOOST_TEST(site.there.empty());
    BOOST_TEST(site.look().removed.empty());
}

BOOST_AUTO_TEST_CASE(the_machine_of_a_node_that_left_is_taken_away_and_the_others_stay) {
    StraySite site;
    site.succeed_all();
    BOOST_REQUIRE(operations::change_cluster(site.fresh.database, site.caller, site.cluster,
                                             {.change = operations::ShrinkCluster{.machines = 1}},
                                             site.now)
                      .has_value());
    BOOST_TEST(site.look().removed.empty());
    site.succeed_all();

    BOOST_TEST((site.look().removed == Names{site.machine(1002)}));

    BOOST_TEST((site.there == std::set{site.machine(1000), site.machine(1001)}));
}

BOOST_AUTO_TEST_CASE(a_machine_no_node_was_ever_called_like_is_told_and_left_alone) {
    StraySite site;
    site.there = {"web", site.machine(1077), "99999999-1000"};

    const auto strays = site.look();

    BOOST_TEST(strays.removed.empty());
    BOOST_TEST(strays.unknown.size() == 3U);
    BOOST_TEST(site.there.size() == 3U);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_taken_away_is_told_and_does_not_hold_up_the_others) {
    StraySite site;
    site.succeed_all();
    site.delete_it();
    site.succeed_all();
    site.cloud->held = site.machine(1000);

    const auto strays = site.look();

    BOOST_TEST((strays.problems == Names{site.machine(1000) + ": it is held by a person"}));
    BOOST_TEST((site.there == std::set{site.machine(1000)}));
}

BOOST_AUTO_TEST_CASE(a_provider_that_does_not_answer_is_told) {
    StraySite site;
    site.cloud->is_away = true;

    BOOST_TEST(
        (site.look().problems == Names{"machines of provider type cloud: the cloud is away"}));
}

BOOST_AUTO_TEST_SUITE_END()
