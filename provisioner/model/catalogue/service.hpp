#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <vector>

#include "provisioner/model/action.hpp"
#include "provisioner/model/catalogue/entity.hpp"

namespace provisioner::model {

/// What a service does for one action: the automator type that does it and the values of its
/// fields.
struct ServiceAction {
    /// Name of the automator type, such as "shell"; never empty.
    std::string type;
    /// By field name. Values may hold macros, which the daemon expands for each task.
    std::map<std::string, std::string> fields;
    /// How long it may run on a node before it is killed and counts as failed, from a second to a
    /// day; nothing: as long as steps usually may.
    std::optional<std::chrono::milliseconds> limit = std::nullopt;

    bool operator==(const ServiceAction&) const = default;
};

/// `required` services must be on the cluster; `used` ones only order actions when they are there.
struct DependencyNames {
    /// Names of services, or names that services provide. Each once.
    std::vector<std::string> required;
    /// The same.
    std::vector<std::string> used;

    bool operator==(const DependencyNames&) const = default;
};

/// What a service offers, conflicts with and needs. `install` orders installs; `runtime` orders
/// initialize, start and stop.
struct Dependencies {
    /// Names under which others may depend on the service, beside its own.
    std::vector<std::string> provides;
    /// Services that must not be on the same cluster.
    std::vector<std::string> conflicts;
    /// What has to be installed before this service is installed.
    DependencyNames install;
    /// What has to run while this service runs: started before it, stopped after it.
    DependencyNames runtime;

    bool operator==(const Dependencies&) const = default;
};

/// Software with actions, fields and dependencies.
struct Service {
    EntityHeader header;
    Dependencies dependencies;
    /// Whether the input had a dependencies block; an absent one stays absent in the output and
    /// means "none".
    bool has_dependencies = false;
    /// Service actions only: install, configure, initialize, start, stop, remove. An action that is
    /// missing is left out of plans.
    std::map<Action, ServiceAction> actions;
    /// Ports that clients reach: "80/tcp", "8000-8100/udp" (ports.hpp). Each once. Clouds open them
    /// in the cluster's firewall. Ours: Coopr has none.
    std::vector<std::string> ports{};
    /// Shown with every cluster that has the service. Each once, in the order written.
    std::vector<Link> links;

    bool operator==(const Service&) const = default;
};

/// Reads a service in wire form; Problems name the member that is wrong, all of them at once.
/// `version` in the input is ignored, and so are unknown members.
base::Checked<Service> service_from_json(const base::Json& json);

/// The wire form, `version` included.
base::Json to_json(const Service& service);

}  // namespace provisioner::model
