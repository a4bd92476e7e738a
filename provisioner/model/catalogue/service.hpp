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
    std::string type;
    std::map<std::string, std::string> fields;
    /// How long it may run on a node before it is killed and counts as failed, from a second to a
    /// day; nothing: as long as steps usually may.
    std::optional<std::chrono::milliseconds> limit = std::nullopt;

    bool operator==(const ServiceAction&) const = default;
};

/// `required` services must be on the cluster; `used` ones only order actions when they are there.
struct DependencyNames {
    std::vector<std::string> required;
    std::vector<std::string> used;

    bool operator==(const DependencyNames&) const = default;
};

/// What a service offers, conflicts with and needs. `install` orders installs; `runtime` orders
/// initialize, start and stop.
struct Dependencies {
    std::vector<std::string> provides;
    std::vector<std::string> conflicts;
    DependencyNames install;
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
    std::map<Action, ServiceAction> actions;
    std::vector<Link> links;

    bool operator==(const Service&) const = default;
};

base::Checked<Service> service_from_json(const base::Json& json);
base::Json to_json(const Service& service);

}  // namespace provisioner::model
