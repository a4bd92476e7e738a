#pragma once

#include "fcgi/pages/clusters/tabs/cluster_page.hpp"
#include "fcgi/pages/layout_picture.hpp"

namespace fcgi::pages {

/// The layout picture of a cluster: the machine itself and every service, as looks_of_places() has
/// it. Rows are in the order of the machines, services by name.
LayoutPicture picture_of_page(const ClusterPage& page);

}  // namespace fcgi::pages
