#pragma once

#include <vector>

#include "provisioner/store/daemon_store.hpp"

namespace fcgi::pages {

/// The provisioner processes and what they are at: views/daemons/index. Of each at most the 50
/// tasks that take longest are shown.
struct DaemonsPage {
    std::vector<provisioner::store::DaemonRow> daemons{};
    provisioner::base::Timestamp now{};
};

provisioner::base::Json to_json(const DaemonsPage& page);

}  // namespace fcgi::pages
