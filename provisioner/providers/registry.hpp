#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "provisioner/providers/provider.hpp"

namespace provisioner::providers {

/// The provider types of a daemon, by name. The composition root (daemon/main.cpp) fills it;
/// nothing registers itself. A daemon claims only tasks whose provider type it has.
///
/// Not thread-safe while it is filled. Afterwards it is only read, by any thread.
class Registry {
 public:
    /// Adds the provider under the name in its type(). Throws std::logic_error if that name is
    /// taken.
    void add(std::unique_ptr<Provider> provider);

    /// Claims tasks of a type that this installation does without and refuses them with `reason`
    /// (RefusingProvider). The type is neither in all() nor in types(). Throws std::logic_error if
    /// that name is taken.
    void refuse(const std::string& type, const std::string& reason);

    /// The names of all types whose tasks are claimed, those that are refused included; sorted.
    std::set<std::string> claimed() const;

    /// The provider of that type, owned by the registry; null if there is none.
    Provider* find(std::string_view type) const;

    /// All providers by type name.
    const std::map<std::string, std::unique_ptr<Provider>, std::less<>>& all() const {
        return providers_;
    }

    /// What the catalogue shows, sorted by name; each call makes a new list.
    std::vector<model::PluginType> types() const;

 private:
    using ByType = std::map<std::string, std::unique_ptr<Provider>, std::less<>>;

    /// Throws std::logic_error if the name is taken.
    void check_free(const std::string& type) const;

    ByType providers_;
    ByType refusing_;
};

}  // namespace provisioner::providers
