#pragma once

#include <map>
#include <string>

#include "fcgi/pages/clusters/tabs/services.hpp"

namespace fcgi::pages {

/// The states of the machines of a cluster, for its pages and for the list of all machines. Where
/// no task of the latest job runs and nothing has failed, what is known of the services
/// (looks_of_places()) says more than the tasks: until a change reaches a machine they run on, also
/// if it was aborted before.
class MachineLooks {
 public:
    explicit MachineLooks(const ClusterPage& page);
    MachineLooks(const ClusterAtWork& cluster, const LostMachines& lost, const PlaceLooks& places);

    /// The state of a machine of the cluster, or of a part of it.
    MachineLook of(const provisioner::store::ListedMachine& machine,
                   MachinePart part = MachinePart::all) const;

    /// What is said beside the state. What the latest job has not done yet, or has left undone, on
    /// a machine where services run or are stopped: "change waiting", "change not finished". Of a
    /// machine that waits to be deleted that it does, or whether its services run: "running".
    std::string left_words(const provisioner::store::ListedMachine& machine,
                           MachinePart part = MachinePart::all) const;

 private:
    /// What is known of the services of one machine.
    struct OfServices {
        bool has_failed = false;
        /// Whether a task works on one, or one was neither started nor stopped, but will be.
        bool is_unsettled = false;
        bool has_running = false;
        bool has_stopped = false;
        /// Whether a start or stop of one was cut short.
        bool has_unknown = false;

        bool have_served() const { return has_running || has_stopped || has_unknown; }
    };

    /// Of services that were started once.
    static MachineLook look_of_served(const OfServices& services);

    OfServices services_of(const provisioner::store::ListedMachine& machine) const;

    MachineLook by_tasks(const provisioner::store::ListedMachine& machine, MachinePart part) const;

    ClusterAtWork cluster_{};
    LostMachines lost_{};
    std::map<provisioner::model::NodeId, OfServices> services_{};
};

}  // namespace fcgi::pages
