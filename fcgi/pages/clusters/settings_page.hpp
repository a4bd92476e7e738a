#pragma once

#include <string>

#include "provisioner/base/json.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/model/clusters/cluster.hpp"

namespace fcgi::pages {

/// A new configuration for a cluster: views/clusters/configure.
struct ConfigurePage {
    provisioner::model::Cluster cluster{};
    /// As it stands in the form.
    std::string config{};
    bool restart = true;
    provisioner::base::Problems problems{};
};

provisioner::base::Json to_json(const ConfigurePage& page);

/// When a cluster's lease ends: views/clusters/lease.
struct LeasePage {
    provisioner::model::Cluster cluster{};
    /// As it stands in the form, "2026-11-20T23:28" in UTC.
    std::string expires{};
    provisioner::base::Problems problems{};
};

provisioner::base::Json to_json(const LeasePage& page);

/// The text an <input type="datetime-local"> has for a moment in UTC, and the moment of such a text
/// (seconds may be given); nothing when it is none.
std::string input_of(provisioner::base::Timestamp moment);
std::optional<provisioner::base::Timestamp> moment_in(const std::string& input);

}  // namespace fcgi::pages
