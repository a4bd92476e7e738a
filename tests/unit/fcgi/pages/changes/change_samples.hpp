#pragma once

#include "fcgi/pages/changes/change_page.hpp"
#include "tests/unit/fcgi/pages/clusters/cluster_builder.hpp"

namespace samples {

// Pages that change which machines and services a cluster has.

/// A growth of a cluster of `machines` by one.
ChangePage growing_page(int machines);
ChangePage shrinking_page();
/// A preview that removes every other machine.
ChangePage scattered_page();
/// A long list of machines to remove, filtered, with some chosen.
ChangePage picking_page();
/// After a growth that failed on some machines: they are chosen.
ChangePage unfinished_page();
/// After a creation that failed on machines that the cluster needs.
ChangePage unfinished_creation_page();
/// After a shrink that was aborted before it touched a machine: only the machine is kept, and
/// nothing is to be done.
ChangePage keeping_page();
/// The same form with machines chosen besides.
ChangePage keeping_and_removing_page();
ChangePage removing_page();

}  // namespace samples
