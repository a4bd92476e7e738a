#include "fcgi/pages/clusters/blocked.hpp"

#include <algorithm>
#include <string>

#include "provisioner/messages/translated.hpp"
#include "provisioner/model/jobs/job_end.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::messages::translated;
using namespace provisioner::model;

namespace {

Json way_json(const std::string& href, const std::string& label) {
    return {{"href", href}, {"label", label}};
}

/// What the person can do after the cluster's latest job, which did not succeed. The Overview
/// offers the same.
Json way_out_json(const Cluster& cluster, const std::optional<Job>& job,
                  bool has_wrong_configuration) {
    const std::string href = "/clusters/" + wire_id(cluster.id);
    const Json overview = way_json(href, translated("See what you can do"));
    const Json repair = way_json(href + "/configure", translated("Change configuration and retry"));
    const bool is_configuration = cluster.status == ClusterStatus::inconsistent &&
                                  provisioner::model::is_failed_configuration(job);
    const bool is_creation = is_repairable_creation(cluster, job);
    if (is_configuration || (is_creation && has_wrong_configuration)) {
        return {
            {"words", has_wrong_configuration
                          ? translated("A value of the configuration is wrong, so a retry "
                                       "would fail again. Change it first.")
                          : translated("The latest configuration of this cluster failed. "
                                       "Change it, or retry it, first.")},
            {"ways", Json::array({is_creation ? repair
                                              : way_json(href + "/configure",
                                                         translated("Change the configuration")),
                                  overview})}};
    }
    if (is_left_unfinished(job)) {
        Json ways = Json::array({overview});
        if (is_creation) ways.push_back(repair);
        return {{"words", translated("The latest job of this cluster is not finished. Run its "
                                     "remaining tasks first.")},
                {"ways", ways}};
    }
    if (is_creation) {
        return {{"words", translated("The creation of this cluster failed. Retry it first, with "
                                     "the same or another configuration.")},
                {"ways", Json::array({overview, repair})}};
    }
    if (job && job->operation == Operation::cluster_delete) {
        return {{"words", translated("The deletion of this cluster failed. It can only be "
                                     "deleted.")},
                {"ways", Json::array({overview})}};
    }
    return {{"words", translated("The latest job of this cluster failed. Retry it first.")},
            {"ways", Json::array({overview})}};
}

}  // namespace

bool is_failed_creation(const Cluster& cluster, const std::optional<Job>& job) {
    return is_repairable_creation(cluster, job) && !is_left_unfinished(job);
}

bool is_repairable_creation(const Cluster& cluster, const std::optional<Job>& job) {
    return cluster.status == ClusterStatus::incomplete && job &&
           job->operation == Operation::cluster_create && job->status == JobStatus::failed;
}

Json blocked_json(const Cluster& cluster, const std::optional<Job>& job,
                  const std::vector<ClusterStatus>& allowed, bool has_wrong_configuration) {
    if (std::ranges::count(allowed, cluster.status) > 0) return nullptr;
    const std::string href = "/clusters/" + wire_id(cluster.id);
    switch (cluster.status) {
        case ClusterStatus::pending:
            return {{"words", translated("A job is running on this cluster. You can change the "
                                         "cluster when it has ended.")},
                    {"ways", Json::array({way_json(href, translated("Follow the job"))})}};
        case ClusterStatus::terminated:
            return {{"words", translated("This cluster is terminated.")},
                    {"ways", Json::array({way_json("/clusters/new?like=" + wire_id(cluster.id),
                                                   translated("Create it again"))})}};
        default:
            return way_out_json(cluster, job, has_wrong_configuration);
    }
}

}  // namespace fcgi::pages
