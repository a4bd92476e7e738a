#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fcgi/pages/clusters/blocked.hpp"
#include "fcgi/pages/clusters/jobs/retries.hpp"
#include "fcgi/pages/clusters/tabs/machine_state.hpp"
#include "provisioner/base/clock.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/model/clusters/failed_deletions.hpp"
#include "provisioner/model/jobs/callback.hpp"
#include "provisioner/operations/prices/costs.hpp"
#include "provisioner/store/clusters/service_states.hpp"
#include "provisioner/store/jobs/job_breaks.hpp"
#include "provisioner/store/jobs/task_list.hpp"

namespace fcgi::pages {

/// What the pages of one cluster show: its tabs Overview, Machines, Jobs, Services and Settings.
/// reads.cpp fills what the tab needs and leaves the rest empty, so that a page of a large cluster
/// costs little.
struct ClusterPage {
    /// Also the source of template, provider and links: its snapshot.
    provisioner::model::Cluster cluster{};
    /// What people read for its services, hardware types and image types.
    Labels labels{};
    /// The latest job; nothing if there is none.
    std::optional<provisioner::model::Job> job{};
    /// The present machines by number, with the tasks of that job; in lists of an active cluster
    /// without them, because all are done.
    std::vector<provisioner::store::ListedMachine> machines{};
    /// Nodes whose machines are not there any more, with the first look that missed them.
    LostMachines lost{};
    /// The last start or stop of services.
    std::vector<provisioner::store::ServiceState> services{};
    /// The nodes with all that is known of them: for links, costs and the page of one machine.
    std::vector<provisioner::model::Node> nodes{};
    /// Tasks of the latest job, if it is not complete: all of small clusters, the failed ones of
    /// large ones; on the page of a machine those of the machine in any case.
    std::vector<provisioner::model::Task> tasks{};
    /// Those of the services on these machines, counted.
    provisioner::store::TasksOfServices work{};
    /// All tasks of the job whose failures are shown, by kind; empty where none are shown.
    std::vector<provisioner::store::KindCount> kinds{};
    /// The tasks of failed jobs of the list, by kind; empty where no list is shown.
    std::map<provisioner::model::JobId, std::vector<provisioner::store::KindCount>> kinds_of_jobs{};
    /// Retries of its jobs; only where jobs are listed, or one is shown.
    std::vector<JobRetry> retries{};
    /// How its latest job ended.
    EndFacts end{};
    /// When the job under way will probably end, in words; empty if that is not known.
    std::string forecast{};
    /// When nothing was done of the jobs whose times the page tells.
    std::vector<provisioner::store::JobBreak> breaks{};
    /// Earlier jobs of the machine, newest first; only on its page.
    std::vector<provisioner::model::Job> earlier_jobs{};
    /// Tasks of a job under way that are being tried again.
    std::vector<provisioner::model::Task> retried{};
    /// The end of the output of some of these tasks, as printed.
    std::map<provisioner::model::TaskId, std::string> outputs{};
    /// The latest callbacks of the cluster, newest first; empty if none was asked for.
    std::vector<provisioner::model::Callback> callbacks{};
    /// Set if the lease has ended and the deletion failed so far.
    std::optional<provisioner::model::FailedDeletions> failed_deletions{};
    /// Nothing without any price list.
    std::optional<provisioner::operations::ClusterCost> cost{};
    /// The version of the template that the cluster had before it was updated just now.
    std::optional<int> updated_from{};
    /// The version in force of its template if that says something else; 0: not read, the template
    /// was deleted, or says the same.
    int newest_template = 0;
    /// Of a cluster that has another one: operations::PresentEntry::is_newer_than() of its
    /// template.
    bool is_of_earlier_template = false;
    /// True if the viewer may give up the machines of the cluster. The handler sets it.
    bool for_admin = false;
    /// False if the viewer changes nothing: no buttons. The handler sets it.
    bool may_operate = true;
    /// The time that durations are computed for.
    provisioner::base::Timestamp now{};

    /// Whether a job is under way, so that the browser must follow it.
    bool changes() const;
    /// Whether the latest job deletes the cluster and has not done so.
    bool is_half_deleted() const;
    /// Whether the latest job gave the cluster a configuration and failed: with the same one a
    /// retry may fail again.
    bool has_failed_configuration() const;
    /// Whether the cluster's creation failed by itself: a retry makes it with the same values.
    bool has_failed_creation() const;
    /// Whether the creation can be retried with another configuration: it failed or was aborted.
    bool has_repairable_creation() const;
    /// Whether the latest job was aborted, or some of its machines were not retried: nothing fails
    /// any more, and tasks are left.
    bool is_left_unfinished() const;
    /// Whether the viewer may run the latest job, which failed, again.
    bool may_retry() const;
    /// "/clusters/00000042".
    std::string href() const;
    /// The form of a new cluster, filled in like this one.
    std::string create_again_href() const;
};

/// Whether a link of the template or of a service may be shown, so that nodes are needed: there are
/// some, no job is under way, and the cluster is not deleted.
bool may_have_links(const provisioner::model::Cluster& cluster);

/// The tabs of a cluster, in their order.
enum class ClusterTab { overview, machines, jobs, services, settings };

/// Above this many machines they are drawn as cells and listed on pages, without their tasks.
inline constexpr std::size_t machines_with_all_tasks = 40;

/// The cluster of the page, as the states of its machines depend on it.
ClusterAtWork at_work(const ClusterPage& page);

/// The state of one machine of the page, by its tasks alone: see MachineLooks.
MachineLook look_of(const ClusterPage& page, const provisioner::store::ListedMachine& machine,
                    MachinePart part = MachinePart::all);

/// What a viewer may do with a cluster: at once (`post`) or on a page that asks first (`href`); the
/// other one is empty.
struct ClusterButton {
    std::string label{};
    std::string post{};
    std::string href{};
    /// A class of site.css; may be empty.
    std::string look{};
};
/// The buttons in the head of the page, in their order: what the cluster's present state allows.
std::vector<ClusterButton> buttons_of(const ClusterPage& page);

/// Adds to `json` what stands above every tab: title, status, buttons and tabs
/// (views/clusters/tabs/_head). The buttons offer what the cluster's status allows; the operations
/// check it again.
void add_head(provisioner::base::Json& json, const ClusterPage& page, ClusterTab tab);

}  // namespace fcgi::pages
