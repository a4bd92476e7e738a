#include "provisioner/planner/dependency_relation.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>

namespace provisioner::planner {

namespace {

const std::string& name_of(const model::Service* service) {
    return service->header.name;
}

const model::DependencyNames& names_of(const model::Service& service, DependencyKind kind) {
    switch (kind) {
        case DependencyKind::install:
            return service.dependencies.install;
        case DependencyKind::runtime:
            return service.dependencies.runtime;
    }
    throw std::logic_error("unknown kind of dependency");
}

bool provides(const model::Service& service, const std::string& name) {
    const auto& provided = service.dependencies.provides;
    return std::find(provided.begin(), provided.end(), name) != provided.end();
}

}  // namespace

DependencyRelation::DependencyRelation(std::vector<const model::Service*> services,
                                       DependencyKind kind)
    : services_(std::move(services)), direct_(services_.size()) {
    std::ranges::sort(services_, {}, name_of);
    for (std::size_t service = 0; service < services_.size(); ++service) {
        const auto& names = names_of(*services_[service], kind);
        for (const auto& name : names.required) add_direct(service, name);
        for (const auto& name : names.used) add_direct(service, name);
    }
    close();
}

void DependencyRelation::add_direct(std::size_t service, const std::string& name) {
    bool provided = false;
    std::optional<std::size_t> namesake;
    for (std::size_t other = 0; other < services_.size(); ++other) {
        if (other == service) continue;
        if (name_of(services_[other]) == name) namesake = other;
        if (!provides(*services_[other], name)) continue;
        direct_[service].push_back(other);
        provided = true;
    }
    if (!provided && namesake) direct_[service].push_back(*namesake);
}

void DependencyRelation::close() {
    needs_.assign(services_.size(), std::vector<bool>(services_.size(), false));
    for (std::size_t service = 0; service < services_.size(); ++service) {
        std::vector<std::size_t> open = direct_[service];
        while (!open.empty()) {
            const std::size_t other = open.back();
            open.pop_back();
            if (needs_[service][other]) continue;
            needs_[service][other] = true;
            open.insert(open.end(), direct_[other].begin(), direct_[other].end());
        }
    }
}

std::size_t DependencyRelation::index_of(std::string_view name) const {
    const auto found = std::ranges::lower_bound(services_, name, {}, name_of);
    if (found == services_.end() || name_of(*found) != name) {
        throw std::logic_error("service " + std::string(name) + " is not on the cluster");
    }
    return static_cast<std::size_t>(found - services_.begin());
}

bool DependencyRelation::needs(std::string_view service, std::string_view other) const {
    return needs_[index_of(service)][index_of(other)];
}

std::vector<std::string> DependencyRelation::all_needs_of(std::string_view service) const {
    const auto& needed = needs_[index_of(service)];
    std::vector<std::string> names;
    for (std::size_t other = 0; other < services_.size(); ++other) {
        if (needed[other]) names.push_back(name_of(services_[other]));
    }
    return names;
}

std::vector<std::string> DependencyRelation::awaited(std::string_view service,
                                                     model::Action action) const {
    const std::size_t self = index_of(service);
    std::vector<std::size_t> able;
    for (std::size_t other = 0; other < services_.size(); ++other) {
        if (other == self || !needs_[self][other]) continue;
        if (services_[other]->actions.contains(action)) able.push_back(other);
    }
    std::vector<std::string> names;
    for (const std::size_t other : able) {
        const bool covered = std::ranges::any_of(able, [&](std::size_t nearer) {
            return needs_[nearer][other] && !needs_[other][nearer];
        });
        if (!covered) names.push_back(name_of(services_[other]));
    }
    return names;
}

std::vector<std::string> DependencyRelation::way(std::string_view service,
                                                 std::string_view other) const {
    const std::size_t start = index_of(service);
    const std::size_t goal = index_of(other);
    std::vector<std::optional<std::size_t>> from(services_.size());
    std::vector<std::size_t> open{start};
    for (std::size_t done = 0; done < open.size() && !from[goal]; ++done) {
        for (const std::size_t next : direct_[open[done]]) {
            if (from[next]) continue;
            from[next] = open[done];
            open.push_back(next);
        }
    }
    if (!from[goal]) return {};
    std::vector<std::string> names{name_of(services_[goal])};
    for (std::size_t at = *from[goal]; at != start; at = *from[at]) {
        names.push_back(name_of(services_[at]));
    }
    names.push_back(name_of(services_[start]));
    std::ranges::reverse(names);
    return names;
}

DependencyRelation DependencyRelation::reversed() const {
    DependencyRelation backwards = *this;
    for (auto& others : backwards.direct_) others.clear();
    for (std::size_t service = 0; service < services_.size(); ++service) {
        for (const std::size_t other : direct_[service])
            backwards.direct_[other].push_back(service);
    }
    backwards.close();
    return backwards;
}

}  // namespace provisioner::planner
