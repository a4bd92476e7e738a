#pragma once

#include "fcgi/pages/clusters/tabs/cluster_page.hpp"

namespace fcgi::pages {

/// Machines of a large cluster as cells, for each set of services: [{services, count, lines:
/// [{line, numbers, width, height, paths: [{look, words, d}]}], states: [{look, words, count,
/// href}]}], the largest group first. Before them are the machines themselves, while a job makes or
/// deletes some or one has failed; the groups show the state of the services. Each line is a
/// picture of at most 25 cells. static/js/cells.js says which machine a cell is and leads there.
///
/// All cells of a state are one SVG path of horizontal strokes, a stroke for each run of neighbours
/// (site.css draws gaps between them). So 1,000 machines are a handful of elements and, as states
/// move through a cluster in waves, a few hundred bytes. `states` is the same as a table.
provisioner::base::Json cells_json(const ClusterPage& page);

/// The legend of such a picture: [{look, words}], what the picture has.
provisioner::base::Json legend_of_cells_json(const provisioner::base::Json& groups);

}  // namespace fcgi::pages
