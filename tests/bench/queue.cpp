// Prints one JSON object: what claiming and finishing tasks costs next to raw UPDATEs by primary
// key, on the same private server, in the same run, over as many connections.
//   bench_queue MIGRATIONS-FOLDER CONNECTIONS
#include <cppconn/connection.h>
#include <cppconn/prepared_statement.h>
#include <cppconn/resultset.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <thread>

#include "provisioner/migrate/mysql_migrator.hpp"
#include "provisioner/planner/task_graph.hpp"
#include "provisioner/queue/bulk.hpp"
#include "provisioner/queue/link.hpp"
#include "provisioner/queue/mysql_task_queue.hpp"
#include "provisioner/store/clusters/cluster_store.hpp"
#include "provisioner/store/jobs/job_store.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"
#include "tests/support/database_server.hpp"

namespace {

using namespace provisioner;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr int jobs = 8;
constexpr int nodes_per_job = 500;
constexpr int tasks_per_node = 4;
constexpr int batch = 200;

double seconds_since(Clock::time_point began) {
    return std::chrono::duration<double>(Clock::now() - began).count();
}

/// A running job with a chain of tasks for each of its nodes.
void add_job(store::Connection& connection, model::TenantId tenant, int number) {
    const base::Timestamp now = base::from_sql("2026-01-01 00:00:00.000000");
    model::Cluster cluster;
    cluster.tenant = tenant;
    cluster.owner = "bench";
    cluster.name = "bench" + std::to_string(number);
    cluster.created_at = now;
    cluster.node_count = nodes_per_job;
    cluster.id = store::insert_cluster(connection, cluster);
    std::vector<model::Node> nodes(nodes_per_job);
    planner::TaskGraph graph;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        nodes[i].cluster = cluster.id;
        nodes[i].uuid = base::random_uuid();
        nodes[i].nodenum = static_cast<int>(i);
        nodes[i].hostname = "n" + std::to_string(i);
        const std::array<planner::TaskKey, tasks_per_node> chain{{
            {i, model::Action::create, ""},
            {i, model::Action::confirm, ""},
            {i, model::Action::bootstrap, ""},
            {i, model::Action::install, "web"},
        }};
        for (std::size_t k = 1; k < chain.size(); ++k) graph.order(chain[k - 1], chain[k]);
    }
    model::Job job;
    job.cluster = cluster.id;
    job.operation = model::Operation::cluster_create;
    job.status = model::JobStatus::running;
    job.created_at = now;
    job.tasks_total = static_cast<int>(graph.tasks().size());
    cluster.latest_job = store::insert_job(connection, job);
    store::update_cluster(connection, cluster);
    store::enqueue(connection, cluster.latest_job, graph, store::insert_nodes(connection, nodes),
                   now);
}

/// Runs `work(i)` on so many threads at once; the seconds until the last has ended.
template <class Work>
double on_threads(int count, Work&& work) {
    const auto began = Clock::now();
    std::vector<std::thread> threads;
    for (int i = 0; i < count; ++i) threads.emplace_back([&work, i] { work(i); });
    for (std::thread& thread : threads) thread.join();
    return seconds_since(began);
}

/// One row after the other, each its own transaction: what a queue does that knows no batches.
double raw_updates_per_second(const base::Config& config, int connections) {
    std::atomic<long long> done{0};
    const double took = on_threads(connections, [&](int i) {
        const auto connection = queue::connect(config);
        const std::unique_ptr<sql::PreparedStatement> update(
            connection->prepareStatement("UPDATE task SET fence = fence + 1 WHERE id = ?"));
        const auto began = Clock::now();
        for (long long id = i + 1; seconds_since(began) < 3; id += connections) {
            update->setInt64(1, id % (jobs * nodes_per_job * tasks_per_node) + 1);
            update->executeUpdate();
            ++done;
        }
    });
    return static_cast<double>(done) / took;
}

struct Drained {
    long long tasks = 0;
    double seconds = 0;
};

/// Claims and finishes until every job has ended.
Drained drain(const base::Config& config, int connections) {
    std::atomic<long long> done{0};
    constexpr long long total = jobs * nodes_per_job * tasks_per_node;
    const double took = on_threads(connections, [&](int i) {
        queue::MysqlTaskQueue queue(config);
        const std::string worker = "bench" + std::to_string(i) + "/1";
        while (done < total) {
            const auto claims = queue.claim(worker, batch, 60s);
            std::vector<queue::Finished> finished;
            for (const queue::Claim& claim : claims) {
                queue::Succeeded succeeded;
                const bool made = claim.action == model::Action::create;
                if (made) succeeded.facts["providerid"] = std::to_string(claim.node.value);
                finished.push_back({claim, succeeded});
            }
            if (!finished.empty()) queue.finish(finished);
            done += static_cast<long long>(finished.size());
        }
    });
    return {.tasks = done, .seconds = took};
}

/// How often two transactions waited for each other since the server was started.
long long deadlocks_of(const base::Config& config) {
    const auto connection = queue::connect(config);
    const auto row = queue::select(*connection, "SHOW GLOBAL STATUS LIKE 'Innodb_deadlocks'");
    return row->next() ? row->getInt64(2) : -1;
}

int report(const std::string& schema, int connections) {
    tests::DatabaseServer server;
    const base::Config config = server.config("bench");
    migrate::migrate(config, migrate::read_schema(schema));
    store::Database database(config);
    database.write([](store::Connection& connection) {
        model::Tenant tenant;
        tenant.uid = base::random_uuid();
        tenant.name = "bench";
        const auto now = base::from_sql("2026-01-01 00:00:00.000000");
        tenant.id = store::insert_tenant(connection, tenant, now);
        for (int i = 0; i < jobs; ++i) add_job(connection, tenant.id, i);
    });
    const double raw = raw_updates_per_second(config, connections);
    const Drained drained = drain(config, connections);
    const double rate = static_cast<double>(drained.tasks) / drained.seconds;
    std::cout << base::Json{{"connections", connections},
                            {"raw_updates_per_second", raw},
                            {"tasks", drained.tasks},
                            {"tasks_per_second", rate},
                            {"deadlocks", deadlocks_of(config)},
                            {"ratio", rate / raw}}
              << "\n";
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        std::cerr << "usage: bench_queue MIGRATIONS-FOLDER CONNECTIONS\n";
        return 2;
    }
    try {
        return report(argv[1], std::max(1, std::atoi(argv[2])));
    } catch (const std::exception& error) {
        std::cerr << "bench_queue: " << error.what() << "\n";
        return 1;
    }
}
