#pragma once

#include "fcgi/pages/clusters/list_page.hpp"
#include "fcgi/pages/clusters/preview_page.hpp"
#include "tests/unit/fcgi/pages/clusters/cluster_builder.hpp"

namespace samples {

// The list of clusters, the form of a new one, and its preview.

ClustersPage clusters_page(bool show_owner);
ClustersPage clusters_of_all_tenants();
ClustersPage found_clusters_page();
ClustersPage terminated_clusters_page();
ClustersPage clusters_found_among_terminated();
ClustersPage searched_clusters_page();
NewClusterPage new_cluster_page();
NewClusterPage new_cluster_like_another();
NewClusterPage new_cluster_in_doubt(bool is_admin);
NewClusterPage new_cluster_with_problems();
/// All services left out, and a template of one size.
NewClusterPage new_cluster_of_one_size();
/// The template's types cannot be used at the provider that the user chose.
NewClusterPage new_cluster_of_draft();
NewClusterPage new_cluster_elsewhere(bool is_admin);
PreviewPage explained_preview_page();
PreviewPage preview_page(int machines);

}  // namespace samples
