#pragma once

#include <map>

#include "fcgi/pages/clusters/tabs/cluster_page.hpp"

namespace fcgi::pages {

/// On how many machines a service is in which state.
struct ServiceSummary {
    std::string name{};
    /// Machines that have it.
    int machines = 0;
    /// The last start succeeded.
    int running = 0;
    /// The last stop succeeded.
    int stopped = 0;
    /// The last start or stop failed, or any task of the latest job for it.
    int failed = 0;
    /// One is under way.
    int at_work = 0;
    /// Of the others, those where it was not started because the latest job goes on, or ended
    /// before its end: how far they are, in the words of the overview.
    std::map<MachineLook, int> not_there_yet{};
    /// Whether it has a start or stop action at all. Others are there and nothing more is known.
    bool runs = false;
    /// Its machines are deleted.
    bool is_gone = false;
};

/// The services of machines that have a start or stop action.
provisioner::store::ServicePlaces services_that_run(const ClusterPage& page);

/// What is known of a service on a machine. All pages of a cluster take it from looks_of_places().
enum class PlaceLook {
    /// The last start or stop failed, or any task of the latest job for it.
    failed,
    /// A start or stop is under way.
    at_work,
    /// The last start succeeded: also after a change that has not reached it.
    running,
    /// The last stop succeeded.
    stopped
};
using PlaceLooks = std::map<std::pair<provisioner::model::NodeId, std::string>, PlaceLook>;

/// Of each service of the present machines of which something is known; a failed deletion may have
/// deleted some.
PlaceLooks looks_of_places(const ClusterPage& page);

/// The services of the cluster by name.
std::vector<ServiceSummary> summaries_of(const ClusterPage& page);

/// "running", "stopped", "running on 3 and stopped on 1 of 4 machines", "installed" for a service
/// that is never started, "gone" of a terminated cluster, "not started" and other words of machines
/// where the latest job has not come so far, "unknown" where nothing is known.
std::string words_of_service(const ServiceSummary& service);

/// Whether the template allows a service that the cluster does not have.
bool may_get_more(const provisioner::model::Cluster& cluster);

/// The tab Services, views/clusters/tabs/services. Buttons while the cluster is active.
provisioner::base::Json services_json(const ClusterPage& page);

}  // namespace fcgi::pages
