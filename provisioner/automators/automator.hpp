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

/// A file or archive the tenant keeps for an automator; its content is brought to nodes by
/// checksum.
struct Resource {
    /// "scripts", "archives", ...
    std::string type;
    std::string name;
    int version = 1;
    /// Of the content, 64 hexadecimal digits in lower case.
    std::string sha256;
    /// Bytes.
    std::uint64_t size = 0;
    /// Whether the content is gzip'd, as archives are.
    bool is_gzip = false;
};

/// What an automator turns into steps.
struct AutomatorTask {
    model::Action action = model::Action::bootstrap;
    /// The wire id of the task, unique in the installation.
    std::string id;
    std::string ssh_user = "root";
    /// The service the action is of; empty for bootstrap.
    std::string service;
    /// Values of the automator's fields for this action of this service; empty for bootstrap.
    std::map<std::string, std::string> fields;
    /// How long the action itself may run; what is made ready for it has limits of its own.
    std::chrono::seconds limit = remote::Run{}.limit;
    /// The whole task as the wire contract's task JSON (taskId, config{cluster, service, hostname,
    /// nodes, ...}), macros expanded for service actions; made only for those who ask. What speaks
    /// of every node of the cluster is a reference into `shared`.
    std::function<base::Json()> document;
    /// What the documents of the cluster's tasks have in common.
    std::shared_ptr<SharedValues> shared = std::make_shared<SharedValues>();
    /// The tenant's live resources of this automator type, shared by all tasks of a batch.
    std::shared_ptr<const std::vector<Resource>> resources =
        std::make_shared<const std::vector<Resource>>();
};

/// A compiler from one action to the steps that do it on a node; no I/O.
class Automator {
 public:
    virtual ~Automator() = default;

    /// The steps, in order; Problems name the field that is wrong.
    virtual base::Checked<remote::Steps> compile(const AutomatorTask& task) const = 0;

    /// What the catalogue's forms show and check.
    virtual model::PluginType type() const = 0;
};

}  // namespace provisioner::automators
