#pragma once

#include <string>
#include <vector>

#include "fcgi/pages/clusters/blocked.hpp"
#include "provisioner/base/clock.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/model/clusters/cluster.hpp"
#include "provisioner/model/jobs/job.hpp"
#include "provisioner/store/database/database.hpp"

namespace fcgi::pages {

/// Somebody aborted, paused or resumed a job, ran one again that had not succeeded, or began one
/// that configures the cluster, as the audit log has it.
struct JobRetry {
    enum class Kind { retry, abort, pause, resume, configure };
    provisioner::model::JobId job{};
    Kind kind = Kind::retry;
    /// Who asked for it.
    std::string user{};
    provisioner::base::Timestamp at{};
    bool has_new_configuration = false;
    /// The hostnames of the machines that were retried; empty for all.
    std::vector<std::string> machines{};
    /// The values that the new configuration changed: "web.port from 80 to 81". What sounds secret
    /// has no values.
    std::vector<std::string> changed{};
};

/// JobRetry::changed of an event that configured a cluster, by its `before` and `after`; empty if
/// the log has not both.
std::vector<std::string> changed_values(const std::string& before, const std::string& after);

/// The newest 50 of each kind of the jobs of a cluster, newest first. Does not check who may see
/// it.
std::vector<JobRetry> read_retries(provisioner::store::Connection& connection,
                                   const provisioner::model::Cluster& cluster);

/// Retries and aborts of one job, oldest first: [{words, at}], "Retried by ada with another
/// configuration (changed: web.port from 80 to 81)". The abort that ended it is left out:
/// abort_words() has it.
provisioner::base::Json retries_json(const std::vector<JobRetry>& retries,
                                     const provisioner::model::Job& job,
                                     provisioner::base::Timestamp now);

/// How the job ended, so far as its row does not tell. Reads the audit log only of an aborted job.
EndFacts read_end(provisioner::store::Connection& connection,
                  const provisioner::model::Cluster& cluster,
                  const std::optional<provisioner::model::Job>& job);

/// Who stopped the job, or lets it go on: "Aborted by ada.", "Paused by ada.", "Resumed by ada.";
/// empty if nobody did, or that is not known.
std::string stop_words(const std::vector<JobRetry>& retries, const provisioner::model::Job& job);

/// "Changed: web.port from 80 to 81." for a job that an event of the log names as the one that
/// configured; empty without one.
std::string configured_words(const std::vector<JobRetry>& retries,
                             const provisioner::model::Job& job);

}  // namespace fcgi::pages
