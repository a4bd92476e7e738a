#include "fcgi/pages/clusters/tabs/place_looks.hpp"

#include <boost/test/unit_test.hpp>

#include "cluster_fixture.hpp"

BOOST_AUTO_TEST_SUITE(places_of_services)

namespace {

using namespace tests;
using provisioner::store::ListedMachine;
using provisioner::store::MachineTasks;
using provisioner::store::ServiceState;

/// One machine with a web server, which is started, and an agent, which never is.
struct OneMachine {
    ClusterAtWork cluster{.status = ClusterStatus::incomplete,
                          .operation = Operation::cluster_grow};
    std::set<std::string> run{"web"};
    std::vector<ListedMachine> machines{
        {.node = NodeId{1}, .services = {"agent", "web"}, .tasks = 2, .cancelled = 2}};
    std::vector<ServiceState> states{};
    provisioner::store::TasksOfServices work{};
    LostMachines lost{};

    MachineTasks& tasks_of(const std::string& service) { return work[{NodeId{1}, service}]; }

    void was(Action action, TaskState state) {
        states = {{.node = NodeId{1}, .service = "web", .action = action, .state = state}};
    }

    /// "agent web ": what links lead to.
    std::string linked() const {
        std::string names;
        for (const auto& [node, service] : places_that_were_there({.cluster = cluster,
                                           .run = run,
                                           .machines = machines,
                                           .states = states,
                                           .work = work,
                                           .lost = lost})) {
            names += service + " ";
        }
        return names;
    }
};

}  // namespace

BOOST_AUTO_TEST_CASE(links_lead_to_services_that_run_or_did) {
    OneMachine at;
    at.tasks_of("agent") = {.tasks = 1, .cancelled = 1};
    at.tasks_of("web") = {.tasks = 1, .cancelled = 1};
    BOOST_TEST(at.linked() == "", "neither was ever there");

    at.machines[0].was_set_up = true;
    BOOST_TEST(at.linked() == "agent ");
    at.was(Action::start, TaskState::done);
    BOOST_TEST(at.linked() == "agent web ");
    at.was(Action::stop, TaskState::cancelled);
    BOOST_TEST(at.linked() == "agent web ", "it was cut short");
    at.lost[NodeId{1}] = {};
    BOOST_TEST(at.linked() == "agent web ", "pages say that they are lost");
    at.was(Action::stop, TaskState::done);
    BOOST_TEST(at.linked() == "agent web ");
    at.was(Action::stop, TaskState::failed);
    BOOST_TEST(at.linked() == "agent web ");
}

BOOST_AUTO_TEST_CASE(links_lead_to_what_failed_only_where_it_was_there_before) {
    OneMachine at;
    at.machines[0].was_set_up = true;
    at.tasks_of("web") = {.tasks = 2, .failed = 1, .cancelled = 1};
    BOOST_TEST(at.linked() == "agent ", "its installation failed");
    at.was(Action::start, TaskState::failed);
    BOOST_TEST(at.linked() == "agent web ", "it was to be started again");
    at.machines[0].was_set_up = false;
    BOOST_TEST(at.linked() == "agent ", "its first start failed");
    at.was(Action::start, TaskState::done);
    BOOST_TEST(at.linked() == "agent web ", "it runs, and its configuration failed");
}

BOOST_AUTO_TEST_CASE(links_lead_to_what_is_never_started_where_its_machine_was_set_up) {
    OneMachine at;
    at.machines[0].services = {"agent"};
    at.machines[0].was_set_up = true;
    at.tasks_of("agent") = {.tasks = 2, .done = 1, .cancelled = 1};
    BOOST_TEST(at.linked() == "agent ");
    at.machines[0].was_set_up = false;
    BOOST_TEST(at.linked() == "", "it is not installed yet");
    at.machines[0].leaves = true;
    BOOST_TEST(at.linked() == "");
    at.machines[0].was_set_up = true;
    BOOST_TEST(at.linked() == "agent ", "its machine waits to be deleted");
    at.machines[0].is_deleted = true;
    BOOST_TEST(at.linked() == "");
}

BOOST_AUTO_TEST_SUITE_END()
