#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "provisioner/planner/change.hpp"
#include "provisioner/planner/dependency_relation.hpp"

namespace provisioner::planner {

/// By service: indices of nodes, ascending, without repeats.
using Places = std::map<std::string, std::vector<std::size_t>>;

/// Where services are before and after a change, and which of them must be reconfigured. Computed
/// once for all passes. Borrows from its ChangeRequest, which must outlive it.
struct ChangePlaces {
    const ChangeRequest& request;
    /// Definitions of the services that are on some node before or after, by name.
    std::map<std::string, const model::Service*> services;
    /// Nodes that join or resume, nodes that stay, and nodes that a service leaves. A node that
    /// stays or resumes counts as leaving for the services taken away from it.
    Places arriving;
    Places staying;
    Places leaving;
    /// Runtime dependencies among these services, and the same relation read backwards.
    DependencyRelation needs;
    DependencyRelation needed_by;
    /// Services that stay and need another one that arrives or leaves somewhere, and those of
    /// ChangeRequest::also_restarted. With ChangeRequest::reconfigure_all: all services that stay.
    std::set<std::string> dependents{};
    /// Others that stay and arrive or leave somewhere themselves, and those of
    /// ChangeRequest::also_configured.
    std::set<std::string> peers{};

    /// Whether `service`, where it stays, is stopped and started; otherwise it is at most
    /// configured.
    bool is_restarted(const std::string& service) const;

    /// Whether `service` defines `action`. Throws std::out_of_range for a service that is nowhere.
    bool defines(const std::string& service, model::Action action) const;

    /// The nodes of a service in `places`; an empty list where it has none. Valid as long as
    /// `places`.
    static const std::vector<std::size_t>& in(const Places& places, const std::string& service);
};

/// Computes the places of a request. Refused with one Problem for each service on a node that has
/// no definition.
base::Checked<ChangePlaces> places_of(const ChangeRequest& request);

}  // namespace provisioner::planner
