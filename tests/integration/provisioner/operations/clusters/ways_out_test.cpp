#include <boost/test/unit_test.hpp>

#include <cppconn/connection.h>
#include <cppconn/statement.h>

#include <functional>

#include "provisioner/operations/clusters/create.hpp"
#include "provisioner/operations/clusters/delete.hpp"
#include "provisioner/operations/clusters/service_actions.hpp"
#include "provisioner/operations/jobs/control.hpp"
#include "provisioner/queue/link.hpp"
#include "provisioner/store/clusters/node_store.hpp"
#include "tests/integration/provisioner/site.hpp"

using namespace provisioner;
using namespace std::chrono_literals;
using model::ClusterStatus;
using model::JobStatus;
using model::Operation;

BOOST_AUTO_TEST_SUITE(ways_out)

namespace {

std::string said(const operations::Result<void>& result) {
    if (result) return "yes";
    return result.error().problems.front().message;
}

struct Site : tests::ClusterSite {
    /// Tasks a worker has in flight.
    std::vector<queue::Claim> in_flight;

    std::string abort() { return said(operations::abort_job(fresh.database, caller, cluster)); }
    std::string erase() {
        std::string answer = said(operations::delete_cluster(fresh.database, caller, cluster, now));
        return answer.ends_with("is still underway for cluster " + model::wire_id(cluster))
                   ? "underway"
                   : answer;
    }
    std::string give_up() {
        return said(operations::give_up_cluster(fresh.database, caller, cluster, now));
    }
    void pause() {
        BOOST_REQUIRE(operations::pause_job(fresh.database, caller, cluster).has_value());
    }
    void stop_services() {
        const auto stopped = operations::act_on_services(
            fresh.database, caller, cluster, {.operation = Operation::stop_services}, now);
        BOOST_REQUIRE(stopped.has_value());
    }
    void fail_all() {
        for (auto claims = claim(); !claims.empty(); claims = claim()) {
            for (const auto& one : claims) finish(one, tests::a_failure(std::nullopt));
        }
    }
    /// What workers have in flight ends well, and all the rest.
    void let_end() {
        for (const auto& one : in_flight) finish(one, queue::Succeeded{});
        in_flight.clear();
        succeed_all();
    }
    void execute(const std::string& statement) {
        const auto link = queue::connect(fresh.config);
        const std::unique_ptr<sql::Statement> runner(link->createStatement());
        runner->execute(statement);
    }
    int open_spans() {
        const auto link = queue::connect(fresh.config);
        const auto rows = queue::select(
            *link, "SELECT COUNT(*) AS spans FROM machine_span WHERE ended_at IS NULL");
        rows->next();
        return rows->getInt("spans");
    }
    std::string status() { return base::to_word(summary().status); }
    std::string job() {
        return base::to_word(summary().latest_job->operation) + ' ' +
               base::to_word(summary().latest_job->status);
    }
};

/// A state a cluster can be in, what abort and delete answer then, and the calls that lead out.
struct State {
    const char* name;
    std::function<void(Site&)> reach;
    const char* job;
    const char* status;
    const char* abort;
    const char* erase;
    /// In order; between two of them everything under way ends.
    std::vector<std::string (Site::*)()> way_out;
};

constexpr auto yes = "yes";
constexpr auto underway = "underway";
constexpr auto not_found =
    "The cluster has 3 machines, and none of them is found. An admin can end it by force.";
constexpr auto not_now = "Cannot be aborted at this time.";

void break_snapshot(Site& site) {
    site.execute("UPDATE cluster SET snapshot = '{\"from\":\"another version\"}'");
}

const std::vector<State>& states() {
    const std::vector<std::string (Site::*)()> one{&Site::erase};
    const std::vector<std::string (Site::*)()> two{&Site::abort, &Site::erase};
    static const std::vector<State> table{
        {"a create nobody has begun", [](Site&) {}, "cluster_create running", "pending", yes,
         underway, two},
        {"a create a worker is at", [](Site& site) { site.in_flight = site.claim(2); },
         "cluster_create running", "pending", yes, underway, two},
        {"a create that is paused", [](Site& site) { site.pause(); }, "cluster_create paused",
         "pending", yes, underway, two},
        {"a paused create a worker is at",
         [](Site& site) {
             site.in_flight = site.claim(1);
             site.pause();
         },
         "cluster_create paused", "pending", yes, underway, two},
        {"an aborted create a worker is still at",
         [](Site& site) {
             site.in_flight = site.claim(1);
             BOOST_REQUIRE(site.abort() == yes);
         },
         "cluster_create running", "pending", yes, underway, two},
        {"an aborted create whose worker is lost",
         [](Site& site) {
             BOOST_REQUIRE(site.claim(1).size() == 1);
             BOOST_REQUIRE(site.abort() == yes);
             site.queue.rescue({"w", "w/2"});
         },
         "cluster_create failed", "incomplete", yes, yes, one},
        {"a create that failed", [](Site& site) { site.fail_all(); }, "cluster_create failed",
         "incomplete", yes, yes, one},
        {"a create that was aborted before it began",
         [](Site& site) { BOOST_REQUIRE(site.abort() == yes); }, "cluster_create failed",
         "terminated", yes, yes, one},
        {"an active cluster", [](Site& site) { site.succeed_all(); }, "cluster_create complete",
         "active", yes, yes, one},
        {"an operation under way",
         [](Site& site) {
             site.succeed_all();
             site.execute(
                 "UPDATE cluster SET snapshot = REPLACE(snapshot, '\"start\"', '\"stop\"')");
             site.stop_services();
         },
         "stop_services running", "pending", yes, underway, two},
        {"an operation without tasks",
         [](Site& site) {
             site.succeed_all();
             site.stop_services();
         },
         "stop_services complete", "active", yes, yes, one},
        {"an operation that failed",
         [](Site& site) {
             site.succeed_all();
             site.execute(
                 "UPDATE cluster SET snapshot = REPLACE(snapshot, '\"start\"', '\"stop\"')");
             site.stop_services();
             site.fail_all();
         },
         "stop_services failed", "inconsistent", yes, yes, one},
        {"a deletion under way",
         [](Site& site) {
             site.succeed_all();
             BOOST_REQUIRE(site.erase() == yes);
         },
         "cluster_delete running",
         "pending",
         not_now,
         underway,
         {}},
        {"a deletion that is paused",
         [](Site& site) {
             site.succeed_all();
             BOOST_REQUIRE(site.erase() == yes);
             site.pause();
         },
         "cluster_delete paused", "pending", not_now, yes, one},
        {"a deletion that failed",
         [](Site& site) {
             site.succeed_all();
             BOOST_REQUIRE(site.erase() == yes);
             site.fail_all();
         },
         "cluster_delete failed", "incomplete", yes, yes, one},
        {"a deleted cluster",
         [](Site& site) {
             site.succeed_all();
             BOOST_REQUIRE(site.erase() == yes);
             site.succeed_all();
         },
         "cluster_delete complete", "terminated", yes, yes, one},
        {"a cluster without nodes",
         [](Site& site) {
             site.succeed_all();
             site.execute("DELETE FROM task");
             site.execute("DELETE FROM node");
             site.execute("UPDATE cluster SET node_count = 0");
         },
         "cluster_create complete", "active", yes, yes, one},
        {"a cluster whose nodes are not found",
         [](Site& site) {
             site.succeed_all();
             site.execute("DELETE FROM task");
             site.execute("DELETE FROM node");
         },
         "cluster_create complete",
         "active",
         yes,
         not_found,
         {&Site::give_up}},
        {"an active cluster whose services need each other in a circle",
         [](Site& site) {
             site.succeed_all();
             site.execute(
                 "UPDATE cluster SET snapshot = REPLACE(snapshot, "
                 "'\"name\":\"db\"', '\"name\":\"db\",\"dependencies\":{\"provides\":[],"
                 "\"conflicts\":[],\"runtime\":{\"requires\":[\"web\"]}}')");
         },
         "cluster_create complete", "active", yes, yes, one},
        {"an active cluster whose snapshot cannot be read",
         [](Site& site) {
             site.succeed_all();
             break_snapshot(site);
         },
         "cluster_create complete", "active", yes, yes, one},
        {"a create whose snapshot cannot be read",
         [](Site& site) {
             site.in_flight = site.claim(1);
             break_snapshot(site);
         },
         "cluster_create running", "pending", yes, underway, two},
        {"an active cluster whose secrets nobody can open",
         [](Site& site) {
             site.succeed_all();
             site.execute("UPDATE cluster SET secrets = '{\"key\":{\"sealed\":\"lost\"}}'");
         },
         "cluster_create complete", "active", yes, yes, one},
        {"an active cluster whose catalogue is gone",
         [](Site& site) {
             site.succeed_all();
             site.execute("DELETE FROM catalogue_entry");
             site.execute("DELETE FROM plugin_type");
         },
         "cluster_create complete", "active", yes, yes, one},
    };
    return table;
}

}  // namespace

BOOST_AUTO_TEST_CASE(abort_and_delete_answer_in_every_state_of_a_cluster) {
    for (const State& state : states()) {
        BOOST_TEST_CONTEXT(state.name) {
            Site aborted;
            state.reach(aborted);
            BOOST_TEST(aborted.job() == state.job);
            BOOST_TEST(aborted.status() == state.status);
            BOOST_TEST(aborted.abort() == state.abort);

            Site deleted;
            state.reach(deleted);
            BOOST_TEST(deleted.erase() == state.erase);
        }
    }
}

BOOST_AUTO_TEST_CASE(two_calls_lead_out_of_every_state_of_a_cluster) {
    for (const State& state : states()) {
        BOOST_TEST_CONTEXT(state.name) {
            Site site;
            state.reach(site);
            BOOST_TEST(state.way_out.size() <= 2U);
            for (const auto call : state.way_out) {
                BOOST_TEST((site.*call)() == yes);
                site.let_end();
            }
            site.let_end();
            BOOST_TEST(site.status() == "terminated");
        }
    }
}

BOOST_AUTO_TEST_CASE(an_admin_can_give_up_the_machines_of_a_cluster_in_every_state) {
    for (const State& state : states()) {
        BOOST_TEST_CONTEXT(state.name) {
            Site site;
            state.reach(site);
            const bool is_over = site.status() == "terminated";
            site.execute("UPDATE cluster SET secrets = '{\"key\":{\"sealed\":\"x\"}}'");

            BOOST_TEST(site.give_up() == yes);

            BOOST_TEST(site.status() == "terminated");
            if (!is_over) {
                BOOST_TEST(site.summary().message ==
                           "Given up by ann without deleting its machines.");
                BOOST_TEST(site.job() == "cluster_delete failed");
                BOOST_TEST((site.summary().latest_job->asked_by ==
                            model::Asker{site.caller.user.id, "ann"}));
            }
            // What workers still report changes nothing.
            site.let_end();
            BOOST_TEST(site.status() == "terminated");
            BOOST_TEST(site.claim().empty());
            BOOST_TEST(site.open_spans() == 0);
            BOOST_TEST(site.erase() == yes);
        }
    }
}

BOOST_AUTO_TEST_CASE(machines_are_given_up_by_admins_only_and_are_orphans_then) {
    Site site;
    site.succeed_all();
    model::Caller user = site.caller;
    user.user.role = model::Role::user;

    BOOST_TEST(said(operations::give_up_cluster(site.fresh.database, user, site.cluster,
                                                site.now)) == "user unauthorized, must be admin.");
    BOOST_TEST(said(operations::give_up_cluster(site.fresh.database, site.caller,
                                                model::ClusterId{99}, site.now)) ==
               "cluster 00000099 not found.");
    BOOST_TEST(site.status() == "active");

    BOOST_TEST(site.give_up() == yes);

    const model::MachineName name{site.cluster, 1000};
    const auto nodes = site.fresh.database.read(
        [&](store::Connection& connection) { return store::named_nodes(connection, {name}); });
    BOOST_TEST(nodes.at(name).gone);
}

BOOST_AUTO_TEST_CASE(a_deletion_of_a_cluster_that_cannot_be_read_leaves_the_way_to_give_it_up) {
    Site site;
    site.succeed_all();
    break_snapshot(site);
    BOOST_REQUIRE(site.erase() == yes);
    site.fail_all();
    BOOST_TEST(site.status() == "incomplete");
    BOOST_TEST(site.give_up() == yes);
    BOOST_TEST(site.status() == "terminated");
}

BOOST_AUTO_TEST_SUITE_END()
