#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "provisioner/providers/provider.hpp"

namespace provisioner::providers {

/// The provider types a daemon has, by name. The composition root fills it; nothing registers
/// itself.
class Registry {
 public:
    /// Adds it under the name of its type(). Throws std::logic_error when that name is taken.
    void add(std::unique_ptr<Provider> provider);

    /// The provider of that type name, owned by the registry; null when there is none.
    Provider* find(std::string_view type) const;

    /// All of them, by type name.
    const std::map<std::string, std::unique_ptr<Provider>, std::less<>>& all() const {
        return providers_;
    }

    /// What the catalogue shows, sorted by name.
    std::vector<model::PluginType> types() const;

 private:
    std::map<std::string, std::unique_ptr<Provider>, std::less<>> providers_;
};

}  // namespace provisioner::providers
