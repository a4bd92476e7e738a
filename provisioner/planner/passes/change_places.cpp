#include "provisioner/planner/passes/change_places.hpp"

#include <algorithm>

namespace provisioner::planner {

namespace {

void add(Places& places, const std::string& service, std::size_t node) {
    auto& nodes = places[service];
    if (nodes.empty() || nodes.back() != node) nodes.push_back(node);
}

std::map<std::string, const model::Service*> definitions(const ChangeRequest& request,
                                                         base::Problems& problems) {
    std::map<std::string, const model::Service*> defined;
    for (const model::Service& service : request.services) {
        defined.emplace(service.header.name, &service);
    }
    std::map<std::string, const model::Service*> found;
    for (const ChangedNode& node : request.nodes) {
        auto names = node.services;
        for (const auto* going : {&node.leaving, &node.left_behind}) {
            for (const auto& [name, steps] : *going) names.push_back(name);
        }
        for (const std::string& name : names) {
            const auto entry = defined.find(name);
            if (entry != defined.end()) {
                found.insert(*entry);
            } else {
                problems.push_back(
                    {"services", "service " + name + " of node " + node.name + " is not defined"});
            }
        }
    }
    return found;
}

DependencyRelation relation_among(const std::map<std::string, const model::Service*>& services) {
    std::vector<const model::Service*> values;
    values.reserve(services.size());
    for (const auto& [name, service] : services) values.push_back(service);
    return {std::move(values), DependencyKind::runtime};
}

/// The services whose nodes change. What resumes or was left behind does not count: the job that
/// began it has planned who is told of it.
std::set<std::string> changed_services(const ChangePlaces& places) {
    std::set<std::string> changed;
    for (const ChangedNode& node : places.request.nodes) {
        for (const auto& [name, steps] : node.leaving) changed.insert(name);
        const bool is_changed =
            node.membership != Membership::stays && node.membership != Membership::resumes;
        if (is_changed) changed.insert(node.services.begin(), node.services.end());
    }
    return changed;
}

void find_reconfigured(ChangePlaces& places) {
    const auto changed = changed_services(places);
    for (const auto& staying : places.staying) {
        const std::string& name = staying.first;
        const auto needs = places.needs.all_needs_of(name);
        const bool depends = std::ranges::any_of(needs, [&](const std::string& needed) {
            return needed != name && changed.contains(needed);
        });
        const ChangeRequest& request = places.request;
        if (depends || request.reconfigure_all || request.also_restarted.contains(name)) {
            places.dependents.insert(name);
        } else if (changed.contains(name) || request.also_configured.contains(name)) {
            places.peers.insert(name);
        }
    }
}

}  // namespace

bool ChangePlaces::is_restarted(const std::string& service) const {
    return dependents.contains(service) &&
           (request.restart || request.also_restarted.contains(service));
}

bool ChangePlaces::defines(const std::string& service, model::Action action) const {
    return services.at(service)->actions.contains(action);
}

const std::vector<std::size_t>& ChangePlaces::in(const Places& places, const std::string& service) {
    static const std::vector<std::size_t> nowhere;
    const auto found = places.find(service);
    return found == places.end() ? nowhere : found->second;
}

base::Checked<ChangePlaces> places_of(const ChangeRequest& request) {
    base::Problems problems;
    auto services = definitions(request, problems);
    if (!problems.empty()) return base::unexpected(std::move(problems));
    const auto needs = relation_among(services);
    ChangePlaces places{.request = request,
                        .services = std::move(services),
                        .arriving = {},
                        .staying = {},
                        .leaving = {},
                        .needs = needs,
                        .needed_by = needs.reversed()};
    for (std::size_t at = 0; at < request.nodes.size(); ++at) {
        const ChangedNode& node = request.nodes[at];
        const bool going =
            node.membership == Membership::leaves || node.membership == Membership::dropped;
        const bool stays = node.membership == Membership::stays;
        for (const std::string& service : node.services) {
            Places& where = going                                          ? places.leaving
                            : stays || node.rest.settled.contains(service) ? places.staying
                                                                           : places.arriving;
            add(where, service, at);
        }
        for (const auto* names : {&node.leaving, &node.left_behind}) {
            for (const auto& [service, steps] : *names) add(places.leaving, service, at);
        }
    }
    find_reconfigured(places);
    return places;
}

}  // namespace provisioner::planner
