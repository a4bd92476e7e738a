#include "provisioner/providers/registry.hpp"

#include <stdexcept>

#include "provisioner/providers/refusing_provider.hpp"

namespace provisioner::providers {

void Registry::add(std::unique_ptr<Provider> provider) {
    const std::string name = provider->type().header.name;
    check_free(name);
    providers_[name] = std::move(provider);
}

void Registry::refuse(const std::string& type, const std::string& reason) {
    check_free(type);
    refusing_[type] = std::make_unique<RefusingProvider>(type, reason);
}

void Registry::check_free(const std::string& type) const {
    if (find(type) != nullptr) throw std::logic_error("two provider types are called " + type);
}

std::set<std::string> Registry::claimed() const {
    std::set<std::string> names;
    for (const auto& [name, provider] : providers_) names.insert(name);
    for (const auto& [name, provider] : refusing_) names.insert(name);
    return names;
}

Provider* Registry::find(std::string_view type) const {
    const auto at = providers_.find(type);
    if (at != providers_.end()) return at->second.get();
    const auto refusing = refusing_.find(type);
    return refusing == refusing_.end() ? nullptr : refusing->second.get();
}

std::vector<model::PluginType> Registry::types() const {
    std::vector<model::PluginType> types;
    for (const auto& [name, provider] : providers_) types.push_back(provider->type());
    return types;
}

}  // namespace provisioner::providers
