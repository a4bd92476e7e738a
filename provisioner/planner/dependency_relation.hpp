#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "provisioner/model/catalogue/service.hpp"

namespace provisioner::planner {

/// Which of a service's two lists of dependencies: those that order installs, or those that order
/// initialize, start and stop.
enum class DependencyKind { install, runtime };

/// "Needs" among the services of one cluster. A name in `requires` or `uses` stands for every other
/// service that provides it, else for the service of that name; names of neither are ignored.
/// Circles are allowed here: their services need each other.
class DependencyRelation {
 public:
    /// `services` are those of the cluster, each name once; they must outlive the relation.
    /// O(n * (n + d)) for n services with d dependencies.
    DependencyRelation(std::vector<const model::Service*> services, DependencyKind kind);

    /// Whether `service` needs `other`, directly or through others.
    bool needs(std::string_view service, std::string_view other) const;

    /// The services of the cluster that `service` needs, directly or through others, sorted.
    std::vector<std::string> all_needs_of(std::string_view service) const;

    /// Whose `action` a task of `service` has to wait for, sorted. Services without the action are
    /// looked through to what they need; left out is who is needed by another one of the answer,
    /// because waiting for that one is enough. Services in a circle with each other all stay.
    std::vector<std::string> awaited(std::string_view service, model::Action action) const;

    /// A shortest way from `service` to `other` along direct dependencies, both ends included;
    /// empty if there is none.
    std::vector<std::string> way(std::string_view service, std::string_view other) const;

    /// "Is needed by": the same relation read backwards.
    DependencyRelation reversed() const;

 private:
    std::size_t index_of(std::string_view name) const;
    void add_direct(std::size_t service, const std::string& name);
    void close();

    std::vector<const model::Service*> services_;
    std::vector<std::vector<std::size_t>> direct_;
    std::vector<std::vector<bool>> needs_;
};

}  // namespace provisioner::planner
