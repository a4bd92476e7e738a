#pragma once

#include "fcgi/pages/clusters/tabs/cluster_page.hpp"

namespace fcgi::pages {

/// Machines of a large cluster as cells of one picture per set of services: [{services, count,
/// width, height, cell_step, cell_numbers, lines: [{line, paths: [{look, words, d}]}],
/// states: [{look, words, count, href}]}], the largest group first. static/js/cells.js says which
/// machine a cell is and leads there.
///
/// All cells of a state are one SVG path of horizontal strokes, a stroke for each run of neighbours
/// (site.css draws gaps between them). So 1,000 machines are a handful of elements and, as states
/// move through a cluster in waves, a few hundred bytes. `states` is the same as a table.
provisioner::base::Json cells_json(const ClusterPage& page);

/// The legend of such a picture: [{look, words}].
provisioner::base::Json legend_of_cells_json(const ClusterPage& page);

}  // namespace fcgi::pages
