#pragma once

#include <map>
#include <set>

#include "fcgi/pages/clusters/tabs/cluster_page.hpp"
#include "fcgi/pages/clusters/tabs/place_looks.hpp"

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
    /// The machine is not there any more.
    int lost = 0;
    /// A task of the latest job works on it.
    int at_work = 0;
    /// Of the others, those where it was not started because the latest job goes on, or ended
    /// before its end: how far they are, in the words of the overview.
    std::map<MachineLook, int> not_there_yet{};
    /// Whether it has a start or stop action at all. Others are there and nothing more is known.
    bool runs = false;
    /// Its machines are deleted.
    bool is_gone = false;
};

/// The same on its machines.
provisioner::store::ServicePlaces services_that_run(const ClusterPage& page);

/// The state of each service of the present machines: all pages of a cluster take it from here.
PlaceLooks looks_of_places(const ClusterPage& page);

/// The same as places_that_were_there().
provisioner::store::ServicePlaces places_that_were_there(const ClusterPage& page);

/// The services of the cluster by name.
std::vector<ServiceSummary> summaries_of(const ClusterPage& page);

/// "running", "stopped", "running on 3 and stopped on 1 of 4 machines", "installed" for a service
/// that is never started, "deleted" of a deleted cluster, "not started" and other words of machines
/// where the latest job has not come so far, "unknown" where nothing is known, or where a start or
/// stop was cut short.
std::string words_of_service(const ServiceSummary& service);

/// Whether the template allows a service that the cluster does not have.
bool may_get_more(const provisioner::model::Cluster& cluster);

/// The tab Services, views/clusters/tabs/services. Buttons while the cluster is active.
provisioner::base::Json services_json(const ClusterPage& page);

}  // namespace fcgi::pages
