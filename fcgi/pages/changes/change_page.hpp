#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fcgi/http/form_data.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/operations/changes/change.hpp"

namespace fcgi::pages {

/// What changes which nodes or services a cluster has.
enum class Change { add_services, remove_services, grow, shrink, replace };

/// Asks what to change, and shows which machines and services come and go before it is done:
/// views/changes/change.
struct ChangePage {
    Change change = Change::grow;
    provisioner::model::Cluster cluster{};
    std::vector<provisioner::model::Node> nodes{};
    /// The node to be replaced, as the address has it.
    std::string node{};
    /// Services that could be added.
    std::vector<std::string> offered{};
    /// The form as it was sent; empty at first.
    http::FormData asked{};
    /// What it would do; nothing before it is asked or when it cannot be done.
    std::optional<provisioner::operations::PreparedChange> preview{};
    provisioner::base::Problems problems{};

    /// "Grow shop".
    std::string title() const;
    /// "/clusters/00000042/grow"
    std::string address() const;
};

/// The controls read as a request; problems name controls.
provisioner::base::Checked<provisioner::operations::ChangeCluster> change_in(
    Change change, const std::string& node, const http::FormData& form);

provisioner::base::Json to_json(const ChangePage& page);

}  // namespace fcgi::pages
