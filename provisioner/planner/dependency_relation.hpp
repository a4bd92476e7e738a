#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "provisioner/model/catalogue/service.hpp"

namespace provisioner::planner {

/// The two lists of dependencies of a service. `install` orders installs; `runtime` orders
/// initialize, start and stop.
enum class DependencyKind { install, runtime };

/// The relation "needs" among the services of one cluster, with its transitive closure. A name in
/// `requires` or `uses` stands for every other service that provides it. If none does, it stands
/// for the service of that name. Names that match neither are ignored. Circles are allowed: their
/// members need each other.
///
/// Immutable after construction, so threads may share it. It borrows the service definitions.
/// Queries for a service that is not in the relation throw std::logic_error.
class DependencyRelation {
 public:
    /// `services` are those of the cluster, each name once, in any order; they must outlive the
    /// relation and its copies. O(n * (n + d)) for n services with d dependencies in all.
    DependencyRelation(std::vector<const model::Service*> services, DependencyKind kind);

    /// Whether `service` needs `other`, directly or through others. A service in a circle needs
    /// itself. O(log n).
    bool needs(std::string_view service, std::string_view other) const;

    /// Names of all services that `service` needs, directly or through others, sorted.
    std::vector<std::string> all_needs_of(std::string_view service) const;

    /// The services whose `action` a task of `service` must wait for, sorted by name.
    ///
    /// A needed service without the action is replaced by what it needs itself. A service that
    /// another service of the answer needs is left out, because waiting for the latter is enough.
    /// Services in a circle with each other all stay in the answer.
    std::vector<std::string> awaited(std::string_view service, model::Action action) const;

    /// A shortest path from `service` to `other` along direct dependencies, both ends included.
    /// With equal ends: a shortest circle. Empty when there is no path.
    std::vector<std::string> way(std::string_view service, std::string_view other) const;

    /// The relation "is needed by": the same edges backwards. Borrows the same definitions.
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
