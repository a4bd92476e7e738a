#include "provisioner/operations/clusters/touched_services.hpp"

#include <algorithm>
#include <set>

#include "provisioner/planner/scope.hpp"

namespace provisioner::operations {

namespace {

std::vector<const model::Service*> services_on(const model::Cluster& cluster) {
    std::vector<const model::Service*> services;
    for (const model::Service& service : cluster.snapshot.services) {
        if (std::ranges::count(cluster.services, service.header.name) > 0) {
            services.push_back(&service);
        }
    }
    return services;
}

bool runs(const model::Service& service) {
    return service.actions.contains(model::Action::start) ||
           service.actions.contains(model::Action::stop);
}

}  // namespace

TouchedServices::TouchedServices(const model::Cluster& cluster)
    : services_(services_on(cluster)),
      runtime_(services_, planner::DependencyKind::runtime),
      reversed_(runtime_.reversed()) {}

std::vector<std::string> TouchedServices::by(model::Operation operation,
                                             const std::vector<std::string>& services) const {
    std::vector<std::string> named;
    for (const model::Service* service : services_) {
        const std::string& name = service->header.name;
        if (services.empty() || std::ranges::count(services, name) > 0) named.push_back(name);
    }
    const auto all = planner::expanded(operation, named, runtime_, reversed_);
    std::vector<std::string> touched;
    for (const model::Service* service : services_) {
        if (runs(*service) && all.contains(service->header.name)) {
            touched.push_back(service->header.name);
        }
    }
    std::ranges::sort(touched);
    return touched;
}

std::vector<std::string> TouchedServices::left_by_start(
    const std::vector<std::string>& services) const {
    const auto started = by(model::Operation::start_services, services);
    std::vector<std::string> left;
    std::ranges::set_difference(by(model::Operation::stop_services, services), started,
                                std::back_inserter(left));
    return left;
}

}  // namespace provisioner::operations
