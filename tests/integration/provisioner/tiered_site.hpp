#pragma once

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "provisioner/operations/catalogue/edit.hpp"
#include "provisioner/operations/changes/change.hpp"
#include "provisioner/operations/changes/go_on.hpp"
#include "provisioner/operations/changes/unfinished.hpp"
#include "provisioner/operations/clusters/create.hpp"
#include "provisioner/operations/jobs/control.hpp"
#include "provisioner/store/clusters/cluster_store.hpp"
#include "provisioner/store/clusters/machine_list.hpp"
#include "provisioner/store/jobs/job_end_store.hpp"
#include "provisioner/store/jobs/job_store.hpp"
#include "tests/integration/provisioner/site.hpp"

namespace tests {

inline std::string actions_json(const std::vector<std::string>& actions) {
    std::string text;
    for (const std::string& action : actions) {
        text += (text.empty() ? "" : ",") + ('"' + action) +
                R"(":{"type":"shell","fields":{"script":"x"}})";
    }
    return text;
}

/// A cluster of two app nodes (1000, 1001), a front (1002) that needs them and a store (1003) they
/// need; a cache, which app uses, can be added.
struct TieredSite : ClusterSite {
    TieredSite() {
        succeed_all();
        save_service("store", "", {"configure", "start", "stop"});
        save_service("app", R"("requires":["store"],"uses":["cache"])",
                     {"configure", "start", "stop"});
        save_service("front", R"("requires":["app"])", {"configure", "start", "stop"});
        save_service("cache", "", {"install", "start", "stop", "remove"});
        save_service("log", "", {});
        save_service("picky", R"("requires":["mail"])", {"start"});
        save(provisioner::model::CatalogueKind::cluster_template, R"({"name":"tiers",
            "defaults":{"services":["front","app","store"],"provider":"cloud",
                        "dnsSuffix":"example.test"},
            "compatibility":{"services":["front","app","store","cache","log","picky","ghost"]},
            "constraints":{
              "layout":{"cantcoexist":[["front","app"],["app","store"],["front","store"],
                                       ["cache","front"],["cache","store"]]},
              "services":{"front":{"quantities":{"min":1,"max":1}},
                          "store":{"quantities":{"min":1,"max":1}},
                          "app":{"quantities":{"min":1}},"cache":{"quantities":{"max":1}},
                          "log":{"quantities":{"min":5}}},
              "size":{"min":3,"max":6}}})");
        provisioner::operations::CreateCluster wanted;
        wanted.name = "shop";
        wanted.cluster_template = "tiers";
        wanted.machines = 4;
        cluster = *provisioner::operations::create_cluster(fresh.database, caller, wanted, now);
    }

    void save(provisioner::model::CatalogueKind kind, const std::string& text) {
        const auto json = provisioner::base::parse_json(text);
        BOOST_REQUIRE(json.has_value());
        const auto made =
            provisioner::operations::create_entry(fresh.database, caller, kind, *json, now);
        if (!made) BOOST_FAIL(provisioner::base::to_text(made.error().problems));
    }

    void save_service(const std::string& name, const std::string& runtime,
                      const std::vector<std::string>& actions) {
        save(provisioner::model::CatalogueKind::service,
             R"({"name":")" + name +
                 R"(","dependencies":{"provides":[],"conflicts":[],"runtime":{)" + runtime +
                 R"(}},"provisioner":{"actions":{)" + actions_json(actions) + "}}}");
    }

    provisioner::operations::Result<void> change(
        const provisioner::operations::ClusterChange& wanted, bool restart = true) {
        return provisioner::operations::change_cluster(fresh.database, caller, cluster,
                                                       {.change = wanted, .restart = restart}, now);
    }

    provisioner::operations::Result<void> retry() {
        return provisioner::operations::retry_job(fresh.database, caller, cluster);
    }

    std::vector<provisioner::model::Node> nodes_in(
        provisioner::store::Connection& connection) const {
        return provisioner::store::nodes_of(connection, cluster);
    }

    std::vector<provisioner::model::Node> nodes() {
        return fresh.database.read(
            [&](provisioner::store::Connection& connection) { return nodes_in(connection); });
    }

    /// "1000 app, 1002 front".
    std::string layout() {
        std::string text;
        for (const provisioner::model::Node& node : nodes()) {
            text += (text.empty() ? "" : ", ") + std::to_string(node.nodenum);
            for (const std::string& service : node.services) text += " " + service;
            if (node.leaves) text += " leaving";
        }
        return text;
    }

    /// "configure app 1000, delete 1001": what the latest job does, sorted.
    std::string work() {
        std::map<provisioner::model::NodeId, int> numbers;
        fresh.database.read([&](provisioner::store::Connection& connection) {
            for (const auto& node : provisioner::store::nodes_ever_of(connection, cluster)) {
                numbers[node.id] = node.nodenum;
            }
        });
        std::vector<std::string> lines;
        for (const provisioner::model::Task& task : tasks()) {
            lines.push_back(provisioner::base::to_word(task.action) +
                            (task.service.empty() ? "" : " " + task.service) + " " +
                            std::to_string(numbers.at(task.node)));
        }
        std::sort(lines.begin(), lines.end());
        std::string text;
        for (const std::string& line : lines) text += (text.empty() ? "" : ", ") + line;
        return text;
    }

    /// The number of the only machine on which something failed.
    int failed_machine() {
        const auto failed = fresh.database.read([&](provisioner::store::Connection& connection) {
            const auto stored = provisioner::store::find_cluster(connection, caller, cluster);
            return provisioner::operations::unfinished_work(connection, *stored, nodes()).failed;
        });
        BOOST_REQUIRE(failed.size() == 1U);
        return *failed.begin();
    }

    /// The machines that pages list, by number.
    std::map<int, provisioner::store::ListedMachine> listed() {
        std::map<int, provisioner::store::ListedMachine> machines;
        fresh.database.read([&](provisioner::store::Connection& connection) {
            const auto job = summary().latest_job->id;
            auto found = provisioner::store::list_machines(connection, cluster, job).machines;
            for (auto& machine : found) machines[machine.nodenum] = std::move(machine);
        });
        return machines;
    }

    provisioner::base::Json stored_config() {
        return fresh.database.read([&](provisioner::store::Connection& connection) {
            return provisioner::store::find_cluster(connection, caller, cluster)->config;
        });
    }

    /// How many machines the way "Go on without" is about. The form that it leads to has the same.
    int failed_that_count() {
        return fresh.database.read([&](provisioner::store::Connection& connection) {
            const auto stored = provisioner::store::find_cluster(connection, caller, cluster);
            const auto job = provisioner::store::find_job(connection, stored->latest_job);
            const auto which = provisioner::operations::failed_machines_after(*stored, job);
            BOOST_REQUIRE(which.has_value());
            int failed = 0;
            for (const auto& group :
                 provisioner::store::machine_groups(connection, cluster, job->id, *which)) {
                failed += group.failed;
            }
            const auto work =
                provisioner::operations::unfinished_work(connection, *stored, nodes_in(connection));
            const bool are_new = *which == provisioner::store::FailedMachines::not_set_up;
            const auto& chosen = are_new ? work.new_ones : work.failed;
            BOOST_TEST(static_cast<int>(chosen.size()) == failed);
            return failed;
        });
    }

    std::string status() { return provisioner::base::to_word(summary().status); }

    std::string operation() { return provisioner::base::to_word(summary().latest_job->operation); }

    /// Lets everything succeed until a task with that action comes up, which fails for good.
    void fail_at(provisioner::model::Action action, const std::string& service = "",
                 const std::optional<int>& exit_code = std::nullopt) {
        for (auto claims = claim(1); !claims.empty(); claims = claim(1)) {
            const bool fails = claims.front().action == action &&
                               (service.empty() || claims.front().service == service);
            if (fails) {
                provisioner::queue::Failed failure = a_failure(std::nullopt);
                if (exit_code) failure.status_code = *exit_code;
                finish(claims.front(), failure);
                return;
            }
            finish(claims.front(), provisioner::queue::Succeeded{});
        }
        BOOST_FAIL("the action never came up");
    }
};

/// The same, active.
struct ActiveTiers : TieredSite {
    ActiveTiers() {
        succeed_all();
        BOOST_REQUIRE(status() == "active");
        BOOST_REQUIRE(layout() == "1000 app, 1001 app, 1002 front, 1003 store");
    }
};

inline std::string why(const provisioner::operations::Result<void>& result) {
    if (result) return "accepted";
    std::string text;
    for (const auto& problem : result.error().problems) {
        text += (text.empty() ? "" : " ") + problem.message;
    }
    return text;
}

inline bool is(const provisioner::operations::Result<void>& result,
               provisioner::operations::Refusal::Kind kind) {
    return !result && result.error().kind == kind;
}

}  // namespace tests
