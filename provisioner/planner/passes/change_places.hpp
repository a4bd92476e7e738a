#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "provisioner/planner/change.hpp"
#include "provisioner/planner/dependency_relation.hpp"

namespace provisioner::planner {

/// Indices of nodes by service, ascending.
using Places = std::map<std::string, std::vector<std::size_t>>;

/// Who is where when a cluster changes, worked out once for all passes. Borrows from its
/// ChangeRequest, which must outlive it.
struct ChangePlaces {
    const ChangeRequest& request;
    /// Definitions of the services that are anywhere before or after.
    std::map<std::string, const model::Service*> services;
    Places arriving;
    Places staying;
    Places leaving;
    /// Who needs whom at run time, and the same read backwards.
    DependencyRelation needs;
    DependencyRelation needed_by;
    /// Services that stay and need one that arrives or leaves somewhere; all when everybody is
    /// told.
    std::set<std::string> dependents{};
    /// Services that stay and themselves arrive or leave somewhere, when they are no dependents.
    std::set<std::string> peers{};

    bool defines(const std::string& service, model::Action action) const;

    /// Indices of the nodes of a service in `places`; empty where it has none.
    static const std::vector<std::size_t>& in(const Places& places, const std::string& service);
};

/// Problems: a node has a service nobody defined.
base::Checked<ChangePlaces> places_of(const ChangeRequest& request);

}  // namespace provisioner::planner
