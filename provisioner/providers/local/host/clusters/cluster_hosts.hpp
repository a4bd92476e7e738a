#pragma once

#include <string>

#include "provisioner/providers/local/host/state_dir.hpp"

namespace provisioner::providers::local {

// Who knows whom: each host of a cluster has the lines of all of them in its /etc/hosts. The text
// is kept at StateDir::hosts_of(), which no host can reach, and copied into each host that runs
// (write_inside()). A host that prevents the copy keeps its old file and hinders nobody. All three
// take the cluster's lock.

/// Adds the machine's line, gives its future host the file, and the others their copy. Returns the
/// text. The machine's host must not exist yet. Throws Failure.
std::string join_cluster(const StateDir& dir, const Record& record);

/// Copies the text to the machine's host if it is no longer `known`: others may have joined or left
/// since join_cluster(), which could not tell a host that did not run yet. The record must be saved
/// as complete. Throws Failure.
void catch_up(const StateDir& dir, const Record& record, const std::string& known);

/// Removes the machine's line and gives the others their copy. With the last line the file goes. To
/// be called when the host is dead; harmless to repeat. Throws Failure.
void leave_cluster(const StateDir& dir, const Record& record);

}  // namespace provisioner::providers::local
