#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "provisioner/model/catalogue/entity.hpp"
#include "provisioner/model/tenants/tenant.hpp"

namespace provisioner::model {

// Who may use an entry of the catalogue. Permissions belong to a name, not to a version, and are
// no part of the entry: catalogues are exported and imported without them. Pure.

/// An entry of a tenant's catalogue, in all its versions.
struct EntryName {
    CatalogueKind kind = CatalogueKind::provider;
    std::string name{};

    auto operator<=>(const EntryName&) const = default;
};

/// Those who may use an entry, beside the roles with Right::every_entry, who always may.
struct Permission {
    EntryName entry{};
    /// In the order of all_roles.
    std::vector<Role> roles{};
    /// Names of groups and users of the tenant, sorted.
    std::vector<std::string> groups{};
    std::vector<std::string> users{};
};

/// The entries that a user may not use. What is not in it may be used.
class Withheld {
 public:
    /// Nothing is withheld.
    Withheld() = default;
    explicit Withheld(std::set<EntryName> entries) : entries_(std::move(entries)) {}

    bool contains(CatalogueKind kind, const std::string& name) const {
        return !entries_.empty() && entries_.contains({kind, name});
    }
    const std::set<EntryName>& entries() const { return entries_; }

    /// Takes entries that may not be used out of a list of values with a header, and returns the
    /// names of those.
    template <class Entity>
    std::vector<std::string> take_from(std::vector<Entity>& entities, CatalogueKind kind) const {
        std::vector<std::string> taken;
        std::erase_if(entities, [&](const Entity& entity) {
            if (!contains(kind, entity.header.name)) return false;
            taken.push_back(entity.header.name);
            return true;
        });
        return taken;
    }

 private:
    std::set<EntryName> entries_{};
};

/// Whether permissions are kept for a kind: for all but partial templates, which users cannot name.
constexpr bool can_be_withheld(CatalogueKind kind) {
    return kind != CatalogueKind::partial_template;
}

/// The collection of a kind, as paths of the API and of pages name it: "hardwaretypes".
std::string_view collection_of(CatalogueKind kind);
/// The kind of a collection; nothing for another word.
std::optional<CatalogueKind> kind_of_collection(std::string_view collection);

}  // namespace provisioner::model
