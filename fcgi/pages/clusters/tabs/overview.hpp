#pragma once

#include "fcgi/pages/clusters/tabs/cluster_page.hpp"

namespace fcgi::pages {

/// The tab Overview, views/clusters/tabs/overview: what failed, how far the latest job is, what
/// does not run, links, and the machines as a table of services or, if they are many, as cells.
provisioner::base::Json overview_json(const ClusterPage& page);

}  // namespace fcgi::pages
