// Prints one JSON object about the jobs of a cluster: how long their first tasks lay in the queue,
// from the moment the request was taken in (the solving and writing of the job included) to the
// claim.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>

#include "provisioner/base/config.hpp"
#include "provisioner/store/jobs/job_store.hpp"

namespace {

using namespace provisioner;
using Milliseconds = std::chrono::duration<double, std::milli>;

std::vector<double> delays_of(store::Connection& connection, model::ClusterId cluster) {
    std::vector<double> delays;
    for (const model::Job& job : store::jobs_of(connection, cluster)) {
        std::optional<base::Timestamp> first;
        for (const model::Task& task : store::tasks_of(connection, job.id)) {
            if (task.started_at && (!first || *task.started_at < *first)) first = task.started_at;
        }
        if (first) delays.push_back(Milliseconds(*first - job.created_at).count());
    }
    std::sort(delays.begin(), delays.end());
    return delays;
}

int report(const base::Config& config, model::ClusterId cluster) {
    store::Database database(config);
    const auto delays = database.read(
        [&](store::Connection& connection) { return delays_of(connection, cluster); });
    if (delays.empty()) throw std::runtime_error("no task of this cluster was ever claimed");
    // The smallest delay that at most that part of all exceed.
    const auto at = [&](double part) {
        const auto last = static_cast<double>(delays.size() - 1);
        return delays[static_cast<std::size_t>(std::ceil(part * last))];
    };
    std::cout << base::Json{{"jobs", delays.size()}, {"median_ms", at(0.5)}, {"p99_ms", at(0.99)}}
              << "\n";
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        std::cerr << "usage: bench_claim_delay SETTINGS-FILE CLUSTER-ID\n";
        return 2;
    }
    try {
        return report(base::Config::load(argv[1], "migrate"),
                      model::ClusterId{std::atoll(argv[2])});
    } catch (const std::exception& error) {
        std::cerr << "bench_claim_delay: " << error.what() << "\n";
        return 1;
    }
}
