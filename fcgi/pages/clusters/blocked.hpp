#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "provisioner/base/json.hpp"
#include "provisioner/model/clusters/cluster.hpp"
#include "provisioner/model/jobs/job.hpp"
#include "provisioner/operations/changes/kept_machines.hpp"
#include "provisioner/store/jobs/job_end_store.hpp"

namespace fcgi::pages {

/// Whether `job`, the latest of the cluster, should have made it and failed by itself: a retry
/// makes it with the same values.
bool is_failed_creation(const provisioner::model::Cluster& cluster,
                        const std::optional<provisioner::model::Job>& job);

/// Whether the cluster is not made because its creation failed or was aborted: it can be retried
/// with another configuration (operations::retry_creation).
bool is_repairable_creation(const provisioner::model::Cluster& cluster,
                            const std::optional<provisioner::model::Job>& job);

/// What can be done after a job that did not succeed: at once (`post`) or on another page (`href`);
/// the other one is empty.
struct WayOut {
    std::string label{};
    std::string post{};
    std::string href{};
    /// Whether it is no page that the cluster has anyway: what the job has left is done without
    /// what failed, or undone.
    bool goes_on = false;
};

/// What is wrong with a cluster and the ways out, the best one first. Every page of the cluster
/// takes both from here: its Overview and buttons, and the forms of changes.
struct WaysOut {
    /// One or two sentences; empty if nothing is wrong.
    std::string words{};
    std::vector<WayOut> ways{};
};

/// What the job itself does not tell of its end; read_end() reads it.
struct EndFacts {
    /// Whether the job failed because the configuration is wrong.
    bool has_wrong_configuration = false;
    /// How many machines the job has left failed, or after an abort unfinished, as
    /// operations::failed_machines_after counts them. 0 if the cluster cannot go on without them.
    int failed_machines = 0;
    /// How many of these had served before the job: their data goes with them.
    int served_machines = 0;
    /// The services without which the cluster can go on, by name: those that the job could start
    /// nowhere, or was adding.
    std::vector<std::string> failed_services{};
    /// Whether some of these could not be stopped or removed, so that going on without them leaves
    /// what is installed as it is.
    bool leaves_failed = false;
    /// Services that are to be removed and are not, with the number of machines that have them.
    std::vector<std::pair<std::string, int>> left_behind{};
    /// Whether the cluster can go on and leave these as they are: not if the job failed at other
    /// services only, because it would fail there again.
    bool can_leave_behind = true;
    /// Machines that the job was taking away: they go in any case. Only read with failed ones.
    int leaving_machines = 0;
    /// How the cluster goes on after a replacement or a shrink so that the machines stay that were
    /// to go; nothing if it cannot.
    std::optional<provisioner::operations::WayToKeep> to_keep{};
    /// Whether the present configuration was never applied everywhere, and the last one that was is
    /// known and another one.
    bool can_go_back = false;
    /// Who aborted the job; empty if nobody did or that is not known.
    std::string aborted_by{};
    /// Whether no machine can be removed (operations::can_spare_any). Also read of a cluster whose
    /// job has not failed.
    bool are_all_needed = false;
};

/// Takes away the ways without services that would stop at the same failure again. A service that
/// failed while it was stopped or removed is then left as it is, beside those that no job could
/// start. `failures`: of the job; `can_spare`: whether the cluster can do without these services.
/// Pure.
void fit_to_failures(EndFacts& end, const std::vector<provisioner::store::FailedService>& failures,
                     const std::function<bool(const std::vector<std::string>&)>& can_spare);

/// What a way out is called, on its button and on the page that it leads to: "Go on without cache
/// and log", "Go on and leave cache as it is", "Go on without the 2 machines that failed; 1 had
/// served before", "Go on without the new machine and keep sim-1002", "Go back to the last
/// configuration that worked". `labels`: of services.
std::string label_without_services(const std::vector<std::string>& labels);
std::string label_leaving_services(const std::vector<std::string>& labels);
std::string label_without_failed(const provisioner::model::Job& job, const EndFacts& end);
std::string label_keeping(const provisioner::operations::WayToKeep& way);
std::string label_going_back();

/// The machines that stay: "sim-1002".
std::string names_of_kept(const provisioner::operations::WayToKeep& way);

/// What is called `name`, if so many machines go besides: "Go on without cache and remove 2
/// machines"; without any, `name`.
std::string label_with_going(const std::string& name, std::size_t machines);

/// After the latest job of a cluster.
WaysOut ways_out(const provisioner::model::Cluster& cluster,
                 const std::optional<provisioner::model::Job>& job, const EndFacts& end);

/// The same for views/clusters/_way_out: {"words", "ways": [{"label", "post", "href", "look"}]}.
/// The first way is the primary button if it `leads`.
provisioner::base::Json ways_json(const WaysOut& out, bool leads = true);

/// What a page says where the cluster cannot be changed, and what can be done first, as
/// ways_json(). Null if the status is one of `allowed`.
provisioner::base::Json blocked_json(const provisioner::model::Cluster& cluster,
                                     const std::optional<provisioner::model::Job>& job,
                                     const std::vector<provisioner::model::ClusterStatus>& allowed,
                                     const EndFacts& end = {});

}  // namespace fcgi::pages
