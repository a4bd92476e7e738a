#pragma once

#include "fcgi/pages/clusters/tabs/cluster_page.hpp"

namespace fcgi::pages {

/// The tab Settings, views/clusters/tabs/settings: what the cluster was made of, its lease and
/// cost, its configuration, and the callbacks about it.
provisioner::base::Json settings_json(const ClusterPage& page);

}  // namespace fcgi::pages
