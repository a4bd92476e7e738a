#include "fcgi/pages/clusters/blocked.hpp"

#include <algorithm>

#include "provisioner/messages/translated.hpp"
#include "provisioner/model/jobs/job_end.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::messages::translated;
using namespace provisioner::model;

bool is_failed_creation(const Cluster& cluster, const std::optional<Job>& job) {
    return is_repairable_creation(cluster, job) && !is_left_unfinished(job);
}

bool is_repairable_creation(const Cluster& cluster, const std::optional<Job>& job) {
    return cluster.status == ClusterStatus::incomplete && job &&
           job->operation == Operation::cluster_create && job->status == JobStatus::failed;
}

Json blocked_json(const Cluster& cluster, const std::optional<Job>& job,
                  const std::vector<ClusterStatus>& allowed) {
    if (std::ranges::count(allowed, cluster.status) > 0) return nullptr;
    const std::string id = wire_id(cluster.id);
    if (is_failed_creation(cluster, job)) {
        return {{"words", translated("The creation of this cluster failed. Retry it first, or "
                                     "create the cluster again with the changes and delete this "
                                     "one.")},
                {"href", "/clusters/new?like=" + id},
                {"way", translated("Create it again with changes")}};
    }
    switch (cluster.status) {
        case ClusterStatus::pending:
            return {{"words", translated("A job is running on this cluster. You can send this form "
                                         "when it has ended.")},
                    {"href", "/clusters/" + id},
                    {"way", translated("Follow the job")}};
        case ClusterStatus::terminated:
            return {{"words", translated("This cluster is terminated.")},
                    {"href", "/clusters/new?like=" + id},
                    {"way", translated("Create it again")}};
        default:
            return {{"words", translated("The latest job of this cluster failed. You can send this "
                                         "form when a retry has succeeded.")},
                    {"href", "/clusters/" + id},
                    {"way", translated("See what failed and what you can do")}};
    }
}

}  // namespace fcgi::pages
