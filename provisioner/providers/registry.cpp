#include "provisioner/providers/registry.hpp"

#include <stdexcept>

namespace provisioner::providers {

void Registry::add(std::unique_ptr<Provider> provider) {
    const std::string name = provider->type().header.name;
    if (providers_.contains(name)) throw std::logic_error("two provider types are called " + name);
    providers_[name] = std::move(provider);
}

Provider* Registry::find(std::string_view type) const {
    const auto at = providers_.find(type);
    return at == providers_.end() ? nullptr : at->second.get();
}

std::vector<model::PluginType> Registry::types() const {
    std::vector<model::PluginType> types;
    for (const auto& [name, provider] : providers_) types.push_back(provider->type());
    return types;
}

}  // namespace provisioner::providers
