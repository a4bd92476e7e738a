#include "provisioner/queue/job_end.hpp"

#include <stdexcept>

namespace provisioner::queue {

const char* const nothing_created_message =
    "Unable to create nodes, please check your provider settings";

namespace {

model::ClusterStatus after_failure(model::Operation operation) {
    switch (operation) {
        case model::Operation::solve_layout:
            return model::ClusterStatus::terminated;
        case model::Operation::cluster_create:
        case model::Operation::cluster_delete:
            return model::ClusterStatus::incomplete;
        case model::Operation::cluster_configure:
        case model::Operation::cluster_configure_with_restart:
        case model::Operation::stop_services:
        case model::Operation::start_services:
        case model::Operation::restart_services:
        case model::Operation::add_services:
            return model::ClusterStatus::inconsistent;
    }
    throw std::logic_error("unknown operation");
}

}  // namespace

JobEnd end_of(const JobTally& tally) {
    if (tally.failed == 0) {
        if (tally.done < tally.total) return {};
        const bool deleted = tally.operation == model::Operation::cluster_delete;
        return {
            .job = model::JobStatus::complete,
            .cluster = deleted ? model::ClusterStatus::terminated : model::ClusterStatus::active};
    }
    if (tally.claimed > 0) return {};
    const bool nothing_created = tally.operation == model::Operation::cluster_create &&
                                 tally.done == 0 && tally.only_refused_creates;
    return {.job = model::JobStatus::failed,
            .cluster =
                nothing_created ? model::ClusterStatus::terminated : after_failure(tally.operation),
            .nothing_created = nothing_created};
}

}  // namespace provisioner::queue
