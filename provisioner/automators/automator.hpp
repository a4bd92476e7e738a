#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "provisioner/automators/shared_values.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/model/action.hpp"
#include "provisioner/model/plugins/plugin_type.hpp"
#include "provisioner/remote/steps.hpp"

namespace provisioner::automators {

/// A file or archive that the tenant uploaded for an automator. Its content does not travel in
/// steps; nodes get it by checksum.
struct Resource {
    /// One of the types in the automator's PluginType: "scripts", "archives", ...
    std::string type;
    /// Name of the file, unique within its type.
    std::string name;
    /// SHA-256 of the content, 64 hexadecimal digits in lower case.
    std::string sha256;
    /// Size of the content in bytes.
    std::uint64_t size = 0;
    /// Whether the content is compressed with gzip, as archives are.
    bool is_gzip = false;
};

/// One action on one node, as input of a compilation. The daemon makes it from the claim and drops
/// it when the steps are compiled. So thousands of running tasks hold no documents.
struct AutomatorTask {
    /// Bootstrap, or one of the actions of a service.
    model::Action action = model::Action::bootstrap;
    /// The wire id of the task, "00000001-002-011"; unique in the installation. Names files on the
    /// node.
    std::string id;
    /// Name of the service; empty for bootstrap.
    std::string service;
    /// Values of the automator's fields for this action of this service; empty for bootstrap.
    std::map<std::string, std::string> fields;
    /// How long the action itself may run. The steps that prepare it have limits of their own.
    std::chrono::seconds limit = remote::Run{}.limit;
    /// Makes the task JSON of the wire contract (taskId, config{cluster, service, hostname, nodes,
    /// ...}). For service actions its macros are expanded. Whatever lists all nodes of the cluster
    /// is a reference into `shared`. Each call makes it again; only compile() may call it.
    std::function<base::Json()> document;
    /// Values that the documents of the cluster's tasks have in common; never null.
    std::shared_ptr<SharedValues> shared = std::make_shared<SharedValues>();
    /// The tenant's live resources of this automator type; never null. All tasks of a batch share
    /// the list.
    std::shared_ptr<const std::vector<Resource>> resources =
        std::make_shared<const std::vector<Resource>>();
};

/// A compiler from one action of one service on one node to steps. It does no I/O: sessions,
/// limits, retries and transcripts are the daemon's work, and tests compare texts.
///
/// Automators are constants without state. All event loops use the same objects, so any thread may
/// call them at any time.
class Automator {
 public:
    virtual ~Automator() = default;

    /// The steps, in order; may be empty when there is nothing to do. Otherwise all problems found,
    /// each with the name of the wrong field; the daemon then fails the task for good. Equal input
    /// must give equal steps, because the node compares them when a step is asked for again
    /// (remote::kinds_of()).
    virtual base::Checked<remote::Steps> compile(const AutomatorTask& task) const = 0;

    /// Name, fields and resource types; the web draws and checks its forms from them. The daemon
    /// publishes it once at start.
    virtual model::PluginType type() const = 0;
};

}  // namespace provisioner::automators
