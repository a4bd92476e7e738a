#pragma once

#include <memory>
#include <vector>

#include "provisioner/model/clusters/node.hpp"
#include "provisioner/remote/steps.hpp"

namespace provisioner::daemon {

/// A step that keeps the names of a cluster's nodes in the machine's /etc/hosts, for providers that
/// give machines no names of each other (Provider::gives_names()). Nodes without an address yet are
/// left out; lines of others in the file stay. The names travel as a file of their own, which a
/// machine that has it is not sent again.
remote::Run names_step(const std::vector<std::shared_ptr<const model::Node>>& nodes);

}  // namespace provisioner::daemon
