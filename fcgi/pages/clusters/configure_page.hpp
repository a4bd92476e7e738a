#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fcgi/pages/clusters/blocked.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/model/clusters/cluster.hpp"
#include "provisioner/model/clusters/node.hpp"
#include "provisioner/model/jobs/job.hpp"
#include "provisioner/operations/changes/change.hpp"
#include "provisioner/planner/task_graph.hpp"
#include "provisioner/store/clusters/service_states.hpp"
#include "provisioner/store/jobs/task_list.hpp"

namespace fcgi::pages {

/// The form for a new configuration of a cluster: views/clusters/configure. A wrong text is shown
/// again as it was typed.
struct ConfigurePage {
    provisioner::model::Cluster cluster{};
    /// Its latest job.
    std::optional<provisioner::model::Job> job{};
    EndFacts end{};
    /// Its tasks by kind, if it failed.
    std::vector<provisioner::store::KindCount> kinds{};
    /// The text in the form: what was typed, or a text_of_config().
    std::string config{};
    /// The configuration in the form, if a preview of it was asked for, with what its masks stand
    /// for.
    std::optional<provisioner::base::Json> preview{};
    /// What the job with that configuration would do; nothing without a preview, and where the
    /// creation is retried.
    std::optional<provisioner::planner::TaskGraph> plan{};
    /// The whole change, where that job also does what a failed one has left.
    std::optional<provisioner::operations::PreparedChange> finish{};
    /// Where services of the cluster are stopped.
    provisioner::store::ServicePlaces stopped{};
    /// The configuration that worked last, if the present one is another and was never applied
    /// everywhere.
    std::optional<provisioner::base::Json> working{};
    /// Whether the box for restarting services is ticked, and the one for keeping machines that a
    /// failed job was taking away (EndFacts::to_keep).
    bool restart = true;
    bool keep = false;
    /// The present nodes of the cluster.
    std::vector<provisioner::model::Node> nodes{};
    /// Names of the services that a restart of all stops and starts
    /// (operations/clusters/touched_services.hpp), without those that are stopped.
    std::vector<std::string> touched{};
    /// Why the configuration was refused; those of field "config" are shown beside the control.
    provisioner::base::Problems problems{};

    /// The heading: of the way out that the page is, if it previews the configuration that worked
    /// last, else "Configure shop". The title names the cluster in any case.
    std::string heading() const;
    std::string title() const;
};

/// The services without those that were stopped last on every machine that has them.
std::vector<std::string> without_stopped(
    std::vector<std::string> services, const std::vector<provisioner::model::Node>& nodes,
    const std::vector<provisioner::store::ServiceState>& states);

/// Tells a configuration as typed, with its masks, from another one, and the one that it replaces.
/// A form sends that of the configuration which was previewed, so that another one is previewed
/// first, and so that nobody replaces what somebody else has applied since. So are the choices
/// whether services restart and whether machines are kept.
std::string sum_of_config(const provisioner::base::Json& typed,
                          const provisioner::base::Json& present, bool restart, bool keep);

/// A configuration for the form, with an indent of two. A value below a name that suggests a secret
/// is the mask, which stands for the value in `present`, unless that has another one, or another
/// list, there.
std::string text_of_config(const provisioner::base::Json& config,
                           const provisioner::base::Json& present);

/// The hint says that the new object replaces the stored one as a whole.
provisioner::base::Json to_json(const ConfigurePage& page);

}  // namespace fcgi::pages
