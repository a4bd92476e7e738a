#pragma once

#include <string>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/model/clusters/cluster.hpp"
#include "provisioner/model/jobs/job.hpp"
#include "provisioner/store/database/database.hpp"

namespace fcgi::pages {

/// A job that had not succeeded was run again, as the audit log has it.
struct JobRetry {
    provisioner::model::JobId job{};
    /// Who asked for it.
    std::string user{};
    provisioner::base::Timestamp at{};
    bool has_new_configuration = false;
    /// The paths of the values that the new configuration changed: "web.port".
    std::vector<std::string> changed{};
};

/// The newest 50 retries of the jobs of a cluster, newest first. Does not check who may see it.
std::vector<JobRetry> read_retries(provisioner::store::Connection& connection,
                                   const provisioner::model::Cluster& cluster);

/// Those of one job, oldest first: [{words, at}], "Retried by ada with another configuration
/// (changed: web.port)".
provisioner::base::Json retries_json(const std::vector<JobRetry>& retries,
                                     provisioner::model::JobId job,
                                     provisioner::base::Timestamp now);

}  // namespace fcgi::pages
