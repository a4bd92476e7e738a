#pragma once

#include <map>

#include "fcgi/pages/clusters/tabs/services.hpp"

namespace fcgi::pages {

/// The states of the machines of a cluster, for its overview, its lists and its filters. Where no
/// task of the latest job runs and nothing has failed, what is known of the services
/// (looks_of_places()) says more than the tasks: until a change reaches a machine they run on, also
/// if it was aborted before. Keeps a reference to the page.
class MachineLooks {
 public:
    explicit MachineLooks(const ClusterPage& page);

    /// The state of a machine of the page, or of a part of it.
    MachineLook of(const provisioner::store::ListedMachine& machine,
                   MachinePart part = MachinePart::all) const;

    /// What the latest job has not done yet, or has left undone, on a machine where services run or
    /// are stopped: "change waiting", "change not finished"; else empty.
    std::string left_words(const provisioner::store::ListedMachine& machine,
                           MachinePart part = MachinePart::all) const;

 private:
    /// What is known of the services of one machine.
    struct OfServices {
        bool has_failed = false;
        /// Whether one is starting or stopping, or can run and nothing is known of it.
        bool is_unsettled = false;
        bool has_running = false;
        bool has_stopped = false;
    };

    const ClusterPage& page_;
    std::map<provisioner::model::NodeId, OfServices> services_{};
};

}  // namespace fcgi::pages
