#include "provisioner/operations/daemons/daemons.hpp"

#include <algorithm>
#include <map>

#include "provisioner/identity/checksum.hpp"

namespace provisioner::operations {

namespace {

/// "host:/path/to/lock" -> "host".
std::string host_of(const std::string& instance) {
    return instance.substr(0, instance.find(':'));
}

std::vector<ProvisionerView> live_ones(const std::vector<store::DaemonRow>& daemons,
                                       base::Timestamp now) {
    std::vector<ProvisionerView> views;
    for (const store::DaemonRow& daemon : daemons) {
        if (!daemon.is_alive(now)) continue;
        ProvisionerView view;
        view.id = provisioner_id(daemon.instance);
        view.host = host_of(daemon.instance);
        view.capacity_total = daemon.capacity;
        view.capacity_free = daemon.capacity;
        views.push_back(std::move(view));
    }
    std::sort(views.begin(), views.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
    return views;
}

void promise(std::vector<ProvisionerView>& views, const model::Tenant& tenant) {
    int left = tenant.workers;
    for (ProvisionerView& view : views) {
        const int here = std::min(left, view.capacity_free);
        if (here <= 0) continue;
        view.assignments.emplace_back(tenant.name, here);
        view.capacity_free -= here;
        left -= here;
    }
}

void note_usage(std::vector<ProvisionerView>& views, const store::WorkInFlight& work) {
    for (ProvisionerView& view : views) {
        if (view.id != provisioner_id(store::instance_of(work.worker))) continue;
        const auto known = std::find_if(view.usage.begin(), view.usage.end(),
                                        [&](const auto& one) { return one.first == work.tenant; });
        if (known == view.usage.end()) {
            view.usage.emplace_back(work.tenant, work.tasks);
        } else {
            known->second += work.tasks;
        }
    }
}

}  // namespace

std::string provisioner_id(const std::string& instance) {
    constexpr std::size_t digits = 8;
    return host_of(instance) + "-" + identity::checksum(instance).substr(0, digits);
}

std::vector<ProvisionerView> provisioner_views(const ProvisionerFacts& facts, base::Timestamp now) {
    auto views = live_ones(facts.daemons, now);
    for (const model::Tenant& tenant : facts.tenants) promise(views, tenant);
    for (const store::WorkInFlight& work : facts.in_flight) note_usage(views, work);
    return views;
}

std::vector<ProvisionerView> provisioner_views(store::Connection& connection, base::Timestamp now) {
    return provisioner_views({.daemons = store::list_daemons(connection),
                              .tenants = store::list_tenants(connection),
                              .in_flight = store::work_in_flight(connection)},
                             now);
}

}  // namespace provisioner::operations
