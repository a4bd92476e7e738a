#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "provisioner/model/catalogue/cluster_template.hpp"
#include "provisioner/model/catalogue/entity.hpp"
#include "provisioner/operations/catalogue/references.hpp"

namespace provisioner::operations {

/// A template or partial template that another one takes something from.
struct Relative {
    model::CatalogueKind kind{};
    model::ClusterTemplate own{};
};

/// What a template extends and includes, in all generations, in the order in which they are merged
/// (model/catalogue/template_family.hpp): what comes later overrides what came before. Relatives
/// that `entries` lack, or that cannot be read, are left out, and so is what follows a circle, or
/// has no room in the family (model::FamilyRoom). Pure.
std::vector<Relative> relatives_of(const CatalogueEntries& entries,
                                   const model::ClusterTemplate& own);

/// The cluster templates, in wire form, that take something from a cluster template or a partial
/// one, in all generations. They are among `entries`, and in their order. Pure.
std::vector<const base::Json*> heirs_of(const CatalogueEntries& entries, model::CatalogueKind kind,
                                        const std::string& name);

/// A template, in wire form, with all that it takes from those relatives, as clusters are made of
/// it. Nothing if it cannot be read, or cannot be merged with them. Pure.
std::optional<model::ClusterTemplate> template_in_force(const CatalogueEntries& entries,
                                                        const base::Json& cluster_template);

/// The cluster templates that have an entry of a kind among their defaults without naming it
/// themselves, because they take it from relatives: names by the entry's name. Pure.
std::map<std::string, std::vector<std::string>> inherited_uses(const CatalogueEntries& entries,
                                                               model::CatalogueKind kind);

}  // namespace provisioner::operations
