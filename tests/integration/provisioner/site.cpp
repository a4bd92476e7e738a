#include "tests/integration/provisioner/site.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/operations/clusters/create.hpp"
#include "provisioner/store/database/statement.hpp"
#include "provisioner/store/jobs/job_store.hpp"

namespace tests {

using namespace provisioner;
using namespace std::chrono_literals;

ClusterSite::ClusterSite(int machines) {
    save_small_catalogue(fresh.database, caller);
    operations::CreateCluster wanted;
    wanted.name = "c1";
    wanted.cluster_template = "pair";
    wanted.machines = machines;
    const auto made = operations::create_cluster(fresh.database, caller, wanted, now);
    BOOST_REQUIRE(made.has_value());
    cluster = *made;
}

store::ClusterSummary ClusterSite::summary() {
    return *fresh.database.read([&](store::Connection& connection) {
        return store::find_summary(connection, caller, cluster);
    });
}

model::Cluster ClusterSite::details() {
    return *fresh.database.read([&](store::Connection& connection) {
        return store::find_cluster(connection, caller, cluster);
    });
}

std::vector<model::Task> ClusterSite::tasks() {
    const auto job = summary().latest_job->id;
    return fresh.database.read(
        [&](store::Connection& connection) { return store::tasks_of(connection, job); });
}

std::vector<queue::Claim> ClusterSite::claim(int limit) {
    return queue.claim("w/1", limit, 60s);
}

void ClusterSite::finish(const queue::Claim& claim, queue::Outcome outcome) {
    queue.finish({{claim, std::move(outcome)}});
}

base::Json ClusterSite::last_audited(const std::string& action) {
    return fresh.database.read([&](store::Connection& connection) {
        store::Rows row =
            connection.sql(
                "SELECT after_value AS t FROM audit_event WHERE action = ? ORDER BY number DESC "
                "LIMIT 1")
            << action << store::one_row;
        return base::parse_json(row.get<std::string>("t")).value();
    });
}

int ClusterSite::succeed_all() {
    return tests::succeed_all(queue);
}

int succeed_all(queue::TaskQueue& queue) {
    const auto claim = [&] { return queue.claim("w/1", 100, 60s); };
    int count = 0;
    for (auto claims = claim(); !claims.empty(); claims = claim()) {
        std::vector<queue::Finished> finished;
        for (const queue::Claim& one : claims) finished.push_back({one, queue::Succeeded{}});
        queue.finish(finished);
        count += static_cast<int>(claims.size());
    }
    return count;
}

queue::Failed a_failure(std::optional<std::chrono::milliseconds> retry_in, int code) {
    queue::Failed failed;
    failed.message = "it broke";
    failed.status_code = code;
    failed.retry_in = retry_in;
    return failed;
}

}  // namespace tests
