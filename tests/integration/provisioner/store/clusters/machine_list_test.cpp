#include "provisioner/store/clusters/machine_list.hpp"
#include "provisioner/store/clusters/service_states.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/model/jobs/job_end.hpp"
#include "provisioner/operations/catalogue/edit.hpp"
#include "provisioner/operations/changes/change.hpp"
#include "provisioner/operations/clusters/configure.hpp"
#include "provisioner/operations/clusters/create.hpp"
#include "provisioner/operations/clusters/delete.hpp"
#include "provisioner/operations/clusters/service_actions.hpp"
#include "provisioner/operations/jobs/control.hpp"
#include "provisioner/store/machines/sighting_store.hpp"
#include "provisioner/store/overview/home_store.hpp"
#include "tests/integration/provisioner/site.hpp"

using namespace provisioner;
using model::Operation;

BOOST_AUTO_TEST_SUITE(machine_list)

namespace {

/// A cluster of three machines with "site", which starts and stops, and its create job in the
/// queue.
struct ListSite : tests::ClusterSite {
    ListSite() {
        succeed_all();
        save(model::CatalogueKind::service, R"({"name":"site","provisioner":{"actions":{
             "start":{"type":"shell","fields":{"script":"x"}},
             "stop":{"type":"shell","fields":{"script":"x"}}}}})");
        save(model::CatalogueKind::cluster_template, R"({"name":"sites",
             "defaults":{"services":["site"],"provider":"cloud"},
             "constraints":{"size":{"min":1,"max":5}}})");
        operations::CreateCluster wanted;
        wanted.name = "shop";
        wanted.cluster_template = "sites";
        wanted.machines = 3;
        cluster = *operations::create_cluster(fresh.database, caller, wanted, now);
    }

    void save(model::CatalogueKind kind, const std::string& text) {
        const auto made = operations::create_entry(fresh.database, caller, kind,
                                                   base::parse_json(text).value(), now);
        BOOST_REQUIRE(made.has_value());
    }

    void act(Operation operation) {
        const auto result = operations::act_on_services(fresh.database, caller, cluster,
                                                        {.operation = operation}, now);
        BOOST_REQUIRE(result.has_value());
    }

    void remove_machine(const std::string& number) {
        const auto result = operations::change_cluster(
            fresh.database, caller, cluster,
            {.change = operations::ShrinkCluster{.nodes = {number}}, .restart = true}, now);
        BOOST_REQUIRE(result.has_value());
    }

    std::vector<store::ListedMachine> machines(model::JobId job) {
        return fresh.database.read([&](store::Connection& connection) {
            return store::list_machines(connection, cluster, job).machines;
        });
    }

    std::vector<store::ListedMachine> machines() { return machines(summary().latest_job->id); }

    /// "1000 0/3, 1001 1/3 running create, 1002 2/3 failed": with the tasks of the latest job.
    std::string progress() {
        std::string text;
        for (const auto& machine : machines()) {
            text += (text.empty() ? "" : ", ") + std::to_string(machine.nodenum) + " " +
                    std::to_string(machine.done) + "/" + std::to_string(machine.tasks);
            if (machine.running > 0) {
                text += " running " + base::to_word(machine.action) +
                        (machine.service.empty() ? "" : " " + machine.service);
            }
            if (machine.failed > 0) text += " failed";
        }
        return text;
    }

    void succeed(const std::vector<queue::Claim>& claims) {
        for (const queue::Claim& claim : claims) finish(claim, queue::Succeeded{});
    }

    /// An abort stops these three tasks except the first ones.
    void cut_short(std::size_t done, const std::vector<queue::Claim>& claims) {
        BOOST_REQUIRE(claims.size() == 3);
        BOOST_REQUIRE(operations::abort_job(fresh.database, caller, cluster).has_value());
        auto stopped = tests::a_failure(std::nullopt);
        stopped.message = model::stopped_by_abort_message;
        for (std::size_t at = 0; at < claims.size(); ++at) {
            finish(claims[at], at < done ? queue::Outcome(queue::Succeeded{}) : stopped);
        }
    }

    void cut_short(std::size_t done) { cut_short(done, claim()); }

    /// "1000 site start done, 1001 ...": what is known of services on present machines, by number.
    std::string services() {
        std::map<model::NodeId, int> numbers;
        store::ServicePlaces wanted;
        for (const auto& machine : machines()) {
            numbers[machine.node] = machine.nodenum;
            for (const auto& service : machine.services) wanted.emplace(machine.node, service);
        }
        const auto states = fresh.database.read([&](store::Connection& connection) {
            return store::service_states(connection, cluster, wanted);
        });
        std::set<std::string> lines;
        for (const auto& state : states) {
            const auto found = numbers.find(state.node);
            lines.insert((found == numbers.end() ? "gone" : std::to_string(found->second)) + " " +
                         state.service + " " + base::to_word(state.action) + " " +
                         base::to_word(state.state));
        }
        std::string text;
        for (const auto& line : lines) text += (text.empty() ? "" : ", ") + line;
        return text;
    }
};

}  // namespace

BOOST_AUTO_TEST_CASE(machines_are_listed_by_number_with_what_a_job_has_done_on_them) {
    ListSite site;
    BOOST_TEST(site.progress() == "1000 0/4, 1001 0/4, 1002 0/4");

    const auto claims = site.claim(2);
    BOOST_REQUIRE(claims.size() == 2);
    BOOST_TEST(site.progress() == "1000 0/4 running create, 1001 0/4 running create, 1002 0/4");

    site.finish(claims[0], queue::Succeeded{});
    site.finish(claims[1], tests::a_failure(std::nullopt));
    BOOST_TEST(site.progress() == "1000 1/4, 1001 0/4 failed, 1002 0/4");
}

BOOST_AUTO_TEST_CASE(what_a_job_will_not_do_any_more_on_a_machine_is_counted) {
    ListSite site;
    const auto claims = site.claim(3);
    BOOST_REQUIRE(claims.size() == 3);
    site.finish(claims[0], queue::Succeeded{});
    site.finish(claims[1], tests::a_failure(std::chrono::hours(1)));
    for (const auto& machine : site.machines()) BOOST_TEST(machine.cancelled == 0);
    site.finish(claims[2], tests::a_failure(std::nullopt));

    const auto machines = site.machines();

    BOOST_REQUIRE(machines.size() == 3);
    BOOST_TEST(machines[0].done == 1);
    BOOST_TEST(machines[0].cancelled == 3);
    BOOST_TEST(machines[0].failed == 0);
    BOOST_TEST((machines[0].own == store::MachineTasks{.tasks = machines[0].own.tasks,
                                                       .done = 1,
                                                       .cancelled = machines[0].own.tasks - 1}));
    BOOST_TEST(machines[0].own.tasks == 3);
    // One failed for good; one would have been tried again.
    for (const int i : {1, 2}) {
        BOOST_TEST(machines[i].cancelled == 3);
        BOOST_TEST(machines[i].failed == 1);
        BOOST_TEST(machines[i].own.failed == 1);
    }
}

BOOST_AUTO_TEST_CASE(a_listed_machine_has_what_its_node_has) {
    ListSite site;
    for (const queue::Claim& claim : site.claim()) site.finish(claim, queue::Succeeded{});
    for (const queue::Claim& claim : site.claim()) {
        queue::Succeeded reached;
        reached.addresses = {{"access_v4", "203.0.113.9"}, {"bind_v4", "10.0.0.1"}};
        site.finish(claim, reached);
    }

    const auto machines = site.machines();

    BOOST_REQUIRE(machines.size() == 3);
    BOOST_TEST(machines[0].nodenum == 1000);
    BOOST_TEST(machines[0].hostname.starts_with("shop"));
    BOOST_TEST(machines[0].hardware_type == "small");
    BOOST_TEST(machines[0].address == "203.0.113.9");
    BOOST_REQUIRE(machines[0].services.size() == 1);
    BOOST_TEST(machines[0].services[0] == "site");
}

BOOST_AUTO_TEST_CASE(a_cluster_says_how_many_of_its_services_are_stopped) {
    ListSite site;
    site.succeed_all();
    BOOST_TEST(site.summary().services_stopped == 0);

    site.act(Operation::stop_services);
    BOOST_TEST(site.summary().services_stopped == 0);
    site.succeed_all();
    BOOST_TEST(site.summary().services_stopped == 1);
    BOOST_TEST(site.details().services_stopped == 1);

    // Whoever takes a machine away has not started what is left.
    site.remove_machine("1001");
    site.succeed_all();
    BOOST_TEST(site.summary().services_stopped == 1);

    site.act(Operation::start_services);
    site.succeed_all();
    BOOST_TEST(site.summary().services_stopped == 0);
}

BOOST_AUTO_TEST_CASE(what_is_stopped_is_known_after_its_tasks_are_gone) {
    ListSite site;
    site.succeed_all();
    site.act(Operation::stop_services);
    site.succeed_all();
    site.fresh.database.write(
        [](store::Connection& connection) { connection.sql("DELETE FROM task") << store::exec; });
    BOOST_TEST(site.services() == "1000 site stop done, 1001 site stop done, 1002 site stop done");

    // All machines with it go, and it is not stopped any more.
    site.remove_machine("1000");
    site.succeed_all();
    BOOST_TEST(site.summary().services_stopped == 1);
    site.act(Operation::start_services);
    site.succeed_all();
    BOOST_TEST(site.summary().services_stopped == 0);
}

BOOST_AUTO_TEST_CASE(an_aborted_stop_counts_what_it_has_stopped) {
    ListSite site;
    site.succeed_all();
    site.act(Operation::stop_services);
    const auto claims = site.claim(1);
    BOOST_REQUIRE(claims.size() == 1);
    site.finish(claims[0], queue::Succeeded{});

    BOOST_REQUIRE(
        operations::abort_job(site.fresh.database, site.caller, site.cluster).has_value());

    BOOST_TEST((site.summary().status == model::ClusterStatus::inconsistent));
    BOOST_TEST(site.summary().services_stopped == 1);
    site.fresh.database.read([&](store::Connection& connection) {
        BOOST_TEST(store::count_clusters(connection, site.caller).stopped == 1);
        const auto stopped = store::stopped_services(connection, {site.cluster});
        BOOST_REQUIRE(stopped.contains(site.cluster));
        BOOST_TEST((stopped.at(site.cluster) == std::set<std::string>{"site"}));
        const auto run = store::services_that_run(connection, {site.cluster});
        BOOST_REQUIRE(run.contains(site.cluster));
        BOOST_TEST((run.at(site.cluster) == std::set<std::string>{"site"}));
    });
}

BOOST_AUTO_TEST_CASE(the_tasks_of_services_are_counted_by_machine) {
    ListSite site;
    site.succeed_all();
    site.act(Operation::stop_services);
    const auto claims = site.claim(1);
    BOOST_REQUIRE(claims.size() == 1);

    const auto job = site.summary().latest_job->id;
    const auto work = site.fresh.database
                          .read([&](store::Connection& connection) {
                              return store::list_machines(connection, site.cluster, job);
                          })
                          .of_services;

    BOOST_REQUIRE(work.size() == 3);
    int running = 0;
    for (const auto& [place, counts] : work) {
        BOOST_TEST(place.second == "site");
        running += counts.running;
    }
    BOOST_TEST(running == 1);
}

BOOST_AUTO_TEST_CASE(one_machine_is_listed_as_among_the_others) {
    ListSite site;
    site.succeed_all();
    site.act(Operation::stop_services);
    BOOST_REQUIRE(site.claim(1).size() == 1);
    const auto job = site.summary().latest_job->id;
    site.fresh.database.read([&](store::Connection& connection) {
        const auto all = store::list_machines(connection, site.cluster, job).machines;
        BOOST_REQUIRE(all.size() == 3U);
        int at_work = 0;
        for (const auto& machine : all) {
            const auto alone = store::list_machine(connection, site.cluster, machine.nodenum, job);
            BOOST_REQUIRE(alone.machines.size() == 1U);
            const auto& same = alone.machines.front();
            BOOST_TEST(same.hostname == machine.hostname);
            BOOST_TEST(same.tasks == 1);
            BOOST_TEST(same.running == machine.running);
            BOOST_TEST(alone.of_services.size() == 1U);
            at_work += same.running;
        }
        BOOST_TEST(at_work == 1);
        for (const std::int64_t none : {std::int64_t{999}, (std::int64_t{1} << 32) + 1000}) {
            BOOST_TEST(store::list_machine(connection, site.cluster, none, job).machines.empty());
        }
    });
}

BOOST_AUTO_TEST_CASE(of_an_active_cluster_all_runs_that_is_not_stopped) {
    ListSite site;
    site.succeed_all();
    const auto nodes = site.machines();
    const store::ServicePlaces places{{nodes[0].node, "site"}, {nodes[1].node, "site"}};
    const auto actions = [&] {
        std::string text;
        const auto states = site.fresh.database.read([&](store::Connection& connection) {
            return store::states_of_active(connection, {site.cluster}, places);
        });
        for (const auto& state : states) text += base::to_word(state.action) + " ";
        return text;
    };
    BOOST_TEST(actions() == "start start ");

    site.act(Operation::stop_services);
    site.succeed_all();

    BOOST_TEST(actions() == "stop stop ");
}

BOOST_AUTO_TEST_CASE(stopped_clusters_are_a_choice_of_the_list) {
    ListSite site;
    site.succeed_all();
    const auto stopped = [&] {
        return site.fresh.database.read([&](store::Connection& connection) {
            return store::list_clusters(
                connection, site.caller,
                {.statuses = {model::ClusterStatus::active}, .only_stopped = true, .limit = 5});
        });
    };
    BOOST_TEST(stopped().empty());

    site.act(Operation::stop_services);
    site.succeed_all();

    BOOST_REQUIRE(stopped().size() == 1U);
    BOOST_TEST((stopped().front().id == site.cluster));
}

BOOST_AUTO_TEST_CASE(only_superadmins_list_the_clusters_of_all_tenants) {
    ListSite site;
    auto elsewhere = tests::a_caller(site.fresh.database, "elsewhere");
    const auto listed = [&](const model::Caller& caller,
                            std::vector<model::ClusterStatus> statuses) {
        return site.fresh.database.read([&](store::Connection& connection) {
            return store::list_clusters(
                connection, caller,
                {.statuses = std::move(statuses), .all_tenants = true, .limit = 5});
        });
    };
    BOOST_TEST(listed(elsewhere, {}).empty());

    elsewhere.user.role = model::Role::superadmin;

    const auto all = listed(elsewhere, {});
    BOOST_REQUIRE(all.size() == 2U);
    BOOST_TEST((all.front().id == site.cluster));
    BOOST_TEST(all.front().tenant == site.caller.tenant.name);
    BOOST_TEST(listed(elsewhere, {model::ClusterStatus::pending}).size() == 1U);
    BOOST_TEST(listed(elsewhere, {model::ClusterStatus::terminated}).empty());
    // Clusters of deleted tenants take no place of others.
    site.fresh.database.write([&](store::Connection& connection) {
        connection.sql("UPDATE tenant SET deleted_id = id WHERE name = ?")
            << site.caller.tenant.name << store::exec;
    });
    BOOST_TEST(listed(elsewhere, {}).empty());
    BOOST_TEST(listed(elsewhere, {model::ClusterStatus::pending}).empty());
}

BOOST_AUTO_TEST_CASE(current_clusters_of_a_name_are_found_with_the_time_others_took) {
    ListSite site;
    const auto named = [&](const std::string& name) {
        return site.fresh.database.read([&](store::Connection& connection) {
            return store::clusters_named(connection, site.caller, name).size();
        });
    };
    const auto times = [&](const std::string& cluster_template) {
        return site.fresh.database.read([&](store::Connection& connection) {
            return store::creation_times(connection, site.caller.tenant.id, cluster_template,
                                         "cloud");
        });
    };
    const auto before = named("shop");
    BOOST_TEST(before >= 1U);
    BOOST_TEST(named("nothing") == 0U);
    BOOST_TEST(times("sites").empty());

    site.succeed_all();
    BOOST_REQUIRE(times("sites").size() == 1U);
    BOOST_TEST(times("sites").front().count() >= 0);
    BOOST_TEST(times("other").empty());

    BOOST_REQUIRE(
        operations::delete_cluster(site.fresh.database, site.caller, site.cluster, site.now)
            .has_value());
    site.succeed_all();
    BOOST_TEST(named("shop") == before - 1);
}

BOOST_AUTO_TEST_CASE(machines_of_several_clusters_are_listed_the_newest_cluster_first) {
    ListSite site;
    const auto clusters = site.fresh.database.read([&](store::Connection& connection) {
        return store::list_clusters(
            connection, site.caller,
            {.statuses = {model::ClusterStatus::pending, model::ClusterStatus::active}});
    });
    BOOST_REQUIRE(clusters.size() == 2U);
    BOOST_REQUIRE(site.claim(1).size() == 1U);
    const auto listed = [&](const std::string& text) {
        std::vector<store::ListedCluster> both;
        for (const auto& cluster : clusters) {
            both.push_back({.cluster = cluster.id, .job = cluster.latest_job->id});
        }
        const auto machines = site.fresh.database.read([&](store::Connection& connection) {
            return store::list_machines(connection, both, text).machines;
        });
        std::string all;
        for (const auto& machine : machines) {
            all += (machine.cluster == site.cluster ? "shop " : "other ") +
                   std::to_string(machine.nodenum) + (machine.running > 0 ? " at work, " : ", ");
        }
        return all;
    };

    BOOST_TEST(listed("").starts_with("shop 1000 at work, shop 1001, shop 1002, other 1000, "));
    BOOST_TEST(listed("SHOP") == "shop 1000 at work, shop 1001, shop 1002, ");
    BOOST_TEST(listed("%") == "");
    BOOST_TEST(site.fresh.database
                   .read([&](store::Connection& connection) {
                       return store::list_machines(connection, {}, "");
                   })
                   .machines.empty());
}

BOOST_AUTO_TEST_CASE(clusters_are_chosen_by_their_machines) {
    using model::ClusterStatus;
    ListSite site;
    const auto chosen = [&](const std::string& text, store::MachineTrouble trouble) {
        const auto clusters = site.fresh.database.read([&](store::Connection& connection) {
            return store::list_clusters(
                connection, site.caller,
                {.statuses = {ClusterStatus::pending, ClusterStatus::active,
                              ClusterStatus::incomplete, ClusterStatus::inconsistent},
                 .machine_text = text,
                 .trouble = trouble,
                 .limit = 5});
        });
        std::vector<std::string> names;
        for (const auto& cluster : clusters) names.push_back(cluster.name);
        return names;
    };
    using Names = std::vector<std::string>;
    using enum store::MachineTrouble;
    BOOST_TEST(chosen("Shop", any) == Names{"shop"});
    BOOST_TEST(chosen("no such host", any) == Names{});
    BOOST_TEST(chosen("203.0.113.9", any) == Names{});
    BOOST_TEST(chosen("", failed) == Names{});
    BOOST_TEST(chosen("", lost) == Names{});

    for (const queue::Claim& claim : site.claim()) site.finish(claim, queue::Succeeded{});
    const auto claims = site.claim();
    BOOST_REQUIRE(claims.size() == 3);
    for (std::size_t at = 0; at < claims.size(); ++at) {
        queue::Succeeded reached;
        reached.addresses = {{"access_v4", "203.0.113." + std::to_string(at + 8)}};
        if (at < 2) site.finish(claims[at], reached);
    }
    site.finish(claims[2], tests::a_failure(std::nullopt));

    BOOST_TEST(chosen("203.0.113.9", any) == Names{"shop"});
    BOOST_TEST(chosen("", failed) == Names{"shop"});
    BOOST_TEST(chosen("203.0.113.9", failed) == Names{"shop"});
    BOOST_TEST(chosen("203.0.113.77", failed) == Names{});
    BOOST_TEST(chosen("", lost) == Names{});
}

BOOST_AUTO_TEST_CASE(a_part_of_the_clusters_is_chosen_by_their_sizes) {
    ListSite site;
    auto far = tests::a_caller(site.fresh.database, "far");
    const auto sizes = [&](const model::Caller& caller, store::ClusterQuery query) {
        query.statuses = {model::ClusterStatus::pending, model::ClusterStatus::active};
        return site.fresh.database.read([&](store::Connection& connection) {
            return store::cluster_sizes(connection, caller, query);
        });
    };

    const auto all = sizes(site.caller, {});
    BOOST_REQUIRE(all.size() == 2U);
    BOOST_TEST((all[0].cluster == site.cluster));
    BOOST_TEST(all[0].nodes == 3);
    BOOST_TEST((all[0].status == model::ClusterStatus::pending));
    BOOST_TEST(all[0].services_stopped == 0);
    BOOST_TEST(sizes(site.caller, {.limit = 1}).size() == 1U);
    BOOST_TEST(sizes(site.caller, {.from = site.cluster}).size() == 1U);
    BOOST_TEST(sizes(site.caller, {.from = all[1].cluster}).size() == 2U);
    BOOST_TEST(sizes(site.caller, {.before = site.cluster}).size() == 1U);
    BOOST_TEST(sizes(far, {}).empty());
    BOOST_TEST(sizes(far, {.all_tenants = true}).empty());
    far.user.role = model::Role::superadmin;
    BOOST_TEST(sizes(far, {.all_tenants = true}).size() == 2U);
}

BOOST_AUTO_TEST_CASE(machines_that_a_text_means_are_counted_by_cluster) {
    ListSite site;
    auto far = tests::a_caller(site.fresh.database, "far");
    const auto counted = [&](const model::Caller& caller, store::ClusterQuery query) {
        query.statuses = {model::ClusterStatus::pending, model::ClusterStatus::active};
        const auto counts = site.fresh.database.read([&](store::Connection& connection) {
            return store::count_machines(connection, caller, query);
        });
        std::string words;
        for (const auto& [cluster, count] : counts) {
            words += (cluster == site.cluster ? "shop " : "other ") + std::to_string(count) + ", ";
        }
        return words;
    };

    BOOST_TEST(counted(site.caller, {.machine_text = "SHOP"}) == "shop 3, ");
    BOOST_TEST(counted(site.caller, {.machine_text = "shop", .before = site.cluster}) == "");
    BOOST_TEST(counted(site.caller, {.machine_text = "%"}) == "");
    BOOST_TEST(counted(site.caller, {.machine_text = "-1001"}).starts_with("shop 1, "));
    BOOST_TEST(counted(site.caller, {.machine_text = "-1001", .from = site.cluster}) == "shop 1, ");
    BOOST_TEST(counted(far, {.machine_text = "shop"}) == "");
    BOOST_TEST(counted(far, {.all_tenants = true, .machine_text = "shop"}) == "");
    far.user.role = model::Role::superadmin;
    BOOST_TEST(counted(far, {.all_tenants = true, .machine_text = "shop"}) == "shop 3, ");

    site.succeed_all();
    site.remove_machine("1001");
    site.succeed_all();

    BOOST_TEST(counted(site.caller, {.machine_text = "shop"}) == "shop 2, ");
}

BOOST_AUTO_TEST_CASE(lost_machines_are_known_by_their_clusters) {
    ListSite site;
    site.succeed_all();
    site.fresh.database.write([&](store::Connection& connection) {
        connection.sql(
            "INSERT INTO provider_account (tenant_id, provider_type, name, provider, known_at, "
            "next_look_at, failures, error) VALUES (0, 'aws', 'b', '', UTC_TIMESTAMP(6), "
            "UTC_TIMESTAMP(6), 0, '')")
            << store::exec;
        connection.sql("UPDATE node SET results = JSON_SET(results, '$.providerid', 'i-2')")
            << store::exec;
        connection.sql(
            "INSERT INTO machine_sighting (node_id, account_id, machine_id, misses, missing_since) "
            "SELECT node.id, provider_account.id, 'i-2', 2, UTC_TIMESTAMP(6) FROM node "
            "JOIN provider_account WHERE node.cluster_id = ? AND node.nodenum = 1001")
            << site.cluster.value << store::exec;
    });
    const auto lost = [&](std::vector<model::ClusterId> clusters) {
        return site.fresh.database
            .read([&](store::Connection& connection) {
                return store::lost_machines_of(connection, clusters);
            })
            .size();
    };

    BOOST_TEST(lost({site.cluster}) == 1U);
    BOOST_TEST(lost({model::ClusterId{site.cluster.value + 1}}) == 0U);
    BOOST_TEST(lost({}) == 0U);
    const auto chosen = site.fresh.database.read([&](store::Connection& connection) {
        return store::list_clusters(connection, site.caller,
                                    {.statuses = {model::ClusterStatus::active},
                                     .trouble = store::MachineTrouble::lost,
                                     .limit = 5});
    });
    BOOST_REQUIRE(chosen.size() == 1U);
    BOOST_TEST((chosen.front().id == site.cluster));
}

BOOST_AUTO_TEST_CASE(a_machine_that_has_left_does_not_bring_its_cluster) {
    ListSite site;
    site.succeed_all();
    const auto found = [&] {
        return site.fresh.database
            .read([&](store::Connection& connection) {
                return store::list_clusters(connection, site.caller,
                                            {.statuses = {model::ClusterStatus::active},
                                             .machine_text = "-1001",
                                             .limit = 5});
            })
            .size();
    };
    const auto before = found();

    site.remove_machine("1001");
    site.succeed_all();

    BOOST_TEST(found() + 1 == before);
}

BOOST_AUTO_TEST_CASE(without_a_job_no_tasks_are_counted) {
    ListSite site;

    const auto machines = site.machines(model::JobId{});

    BOOST_REQUIRE(machines.size() == 3);
    BOOST_TEST(machines[0].tasks == 0);
    BOOST_TEST(machines[0].address.empty());
}

BOOST_AUTO_TEST_CASE(machines_that_have_left_are_not_listed_and_those_that_leave_are) {
    ListSite site;
    site.succeed_all();
    site.remove_machine("1001");
    BOOST_TEST(site.machines().size() == 3U);

    site.succeed_all();

    const auto machines = site.machines();
    BOOST_REQUIRE(machines.size() == 2);
    BOOST_TEST(machines[0].nodenum == 1000);
    BOOST_TEST(machines[1].nodenum == 1002);
}

BOOST_AUTO_TEST_CASE(of_a_service_the_last_start_or_stop_that_began_is_known) {
    ListSite site;
    BOOST_TEST(site.services() == "");
    site.succeed_all();
    BOOST_TEST(site.services() ==
               "1000 site start done, 1001 site start done, 1002 site start done");

    site.act(Operation::stop_services);
    BOOST_TEST(site.services() ==
               "1000 site start done, 1001 site start done, 1002 site start done");
    const auto claims = site.claim();
    BOOST_REQUIRE(claims.size() == 3);
    site.finish(claims[0], queue::Succeeded{});
    site.finish(claims[1], tests::a_failure(std::nullopt));
    BOOST_TEST(site.services() ==
               "1000 site stop done, 1001 site stop failed, 1002 site stop claimed");
}

BOOST_AUTO_TEST_CASE(
    a_service_whose_last_attempt_failed_has_failed_also_where_its_task_was_cancelled) {
    ListSite site;
    site.succeed_all();
    site.act(Operation::restart_services);
    site.succeed(site.claim());
    const auto claims = site.claim();
    BOOST_REQUIRE(claims.size() == 3);
    site.finish(claims[0], tests::a_failure(std::chrono::hours(1)));
    site.finish(claims[1], queue::Succeeded{});

    site.finish(claims[2], tests::a_failure(std::nullopt));

    BOOST_TEST(site.services() ==
               "1000 site start failed, 1001 site start done, 1002 site start failed");
}

BOOST_AUTO_TEST_CASE(of_a_service_that_served_it_is_known_that_its_start_or_stop_was_cut_short) {
    ListSite site;
    site.succeed_all();
    site.act(Operation::restart_services);
    site.cut_short(1);
    BOOST_TEST(site.services() ==
               "1000 site stop done, 1001 site stop cancelled, 1002 site stop cancelled");

    ListSite restarted;
    restarted.succeed_all();
    restarted.act(Operation::restart_services);
    restarted.succeed(restarted.claim());
    restarted.cut_short(1);
    BOOST_TEST(restarted.services() ==
               "1000 site start done, 1001 site start cancelled, 1002 site start cancelled");
}

BOOST_AUTO_TEST_CASE(of_a_service_whose_first_start_was_cut_short_nothing_is_known) {
    ListSite site;
    auto claims = site.claim();
    while (claims.front().action != model::Action::start) {
        site.succeed(claims);
        claims = site.claim();
    }
    site.cut_short(1, claims);

    BOOST_TEST(site.services() == "1000 site start done");
}

BOOST_AUTO_TEST_CASE(of_a_service_that_was_removed_and_has_come_back_nothing_is_known) {
    ListSite site;
    site.succeed_all();
    site.act(Operation::stop_services);
    site.succeed_all();
    site.act(Operation::start_services);
    site.succeed_all();
    site.fresh.database.write([&](store::Connection& connection) {
        connection.sql("UPDATE task SET action = 'remove' WHERE job_id = ?")
            << site.summary().latest_job->id.value << store::exec;
    });

    BOOST_TEST(site.services() == "");
}

BOOST_AUTO_TEST_CASE(what_is_older_than_the_newest_jobs_is_found_too) {
    ListSite site;
    site.succeed_all();
    site.act(Operation::stop_services);
    site.succeed_all();
    for (int i = 0; i < 12; ++i) {
        const auto done =
            operations::configure_cluster(site.fresh.database, site.caller, site.cluster,
                                          {.config = {{"n", i}}, .restart = false}, site.now);
        BOOST_REQUIRE(done.has_value());
        site.succeed_all();
    }

    BOOST_TEST(site.services() == "1000 site stop done, 1001 site stop done, 1002 site stop done");
}

BOOST_AUTO_TEST_CASE(only_what_was_asked_for_is_told) {
    ListSite site;
    site.succeed_all();
    const auto machines = site.machines();

    const auto states = site.fresh.database.read([&](store::Connection& connection) {
        return store::service_states(connection, site.cluster, {{machines[1].node, "site"}});
    });

    BOOST_REQUIRE(states.size() == 1);
    BOOST_TEST((states[0].node == machines[1].node));
}

BOOST_AUTO_TEST_CASE(services_of_machines_that_have_left_are_not_known) {
    ListSite site;
    site.succeed_all();
    site.remove_machine("1001");
    site.succeed_all();

    BOOST_TEST(site.services() == "1000 site start done, 1002 site start done");
}

BOOST_AUTO_TEST_SUITE_END()
