#include "provisioner/model/jobs/job_end.hpp"

#include <stdexcept>

namespace provisioner::model {

const char* const nothing_created_message =
    "Unable to create nodes, please check your provider settings";

const char* const aborted_message = "Aborted by user.";

const char* const stopped_by_abort_message = "stopped because the job was aborted";

const char* const left_out_message = "Some machines were not retried.";

namespace {

ClusterStatus after_failure(Operation operation) {
    switch (operation) {
        case Operation::solve_layout:
            return ClusterStatus::terminated;
        case Operation::cluster_create:
        case Operation::cluster_delete:
        case Operation::cluster_grow:
        case Operation::cluster_shrink:
        case Operation::replace_node:
            return ClusterStatus::incomplete;
        case Operation::cluster_configure:
        case Operation::cluster_configure_with_restart:
        case Operation::stop_services:
        case Operation::start_services:
        case Operation::restart_services:
        case Operation::add_services:
        case Operation::remove_services:
            return ClusterStatus::inconsistent;
    }
    throw std::logic_error("unknown operation");
}

}  // namespace

bool JobTally::ends_badly() const {
    const bool rest_is_done = left > 0 && done + left == total;
    return failed > 0 || aborted || rest_is_done;
}

JobEnd end_of(const JobTally& tally) {
    if (tally.done == tally.total) {
        const bool deleted = tally.operation == Operation::cluster_delete;
        return {.job = JobStatus::complete,
                .cluster = deleted ? ClusterStatus::terminated : ClusterStatus::active};
    }
    if (!tally.ends_badly() || tally.claimed > 0) return {};
    const bool nothing_created = tally.operation == Operation::cluster_create && tally.done == 0 &&
                                 tally.only_refused_creates;
    return {.job = JobStatus::failed,
            .cluster = nothing_created ? ClusterStatus::terminated : after_failure(tally.operation),
            .nothing_created = nothing_created};
}

bool may_change_stopped(Operation operation) {
    return operation != Operation::solve_layout && operation != Operation::cluster_create &&
           operation != Operation::cluster_configure && operation != Operation::cluster_delete;
}

bool configures(Operation operation) {
    return operation == Operation::cluster_configure ||
           operation == Operation::cluster_configure_with_restart;
}

bool is_failed_configuration(const std::optional<Job>& job) {
    return job && job->status == JobStatus::failed && configures(job->operation);
}

bool is_failed_service_action(const std::optional<Job>& job) {
    const auto is = [&](Operation operation) { return job->operation == operation; };
    return job && job->status == JobStatus::failed &&
           (is(Operation::start_services) || is(Operation::stop_services) ||
            is(Operation::restart_services));
}

bool is_left_unfinished(const std::optional<Job>& job) {
    return job && (job->aborted || job->message == left_out_message);
}

std::string message_of_end(const JobTally& tally, const JobEnd& end) {
    if (end.job != JobStatus::failed) return "";
    if (tally.aborted) return aborted_message;
    return end.nothing_created ? nothing_created_message : "";
}

}  // namespace provisioner::model
