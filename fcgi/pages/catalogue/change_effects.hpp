#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "provisioner/operations/catalogue/references.hpp"
#include "provisioner/operations/clusters/kept_sizes.hpp"

namespace fcgi::pages {

// What a change of services, types and other entries does to services and to cluster templates that
// are not changed themselves. Pure.

/// A change that need not be stored.
struct CatalogueChange {
    provisioner::operations::CatalogueEntries before{};
    provisioner::operations::CatalogueEntries after{};
    /// Cluster templates for administrators only, by name.
    std::set<std::string> drafts{};
    /// Cluster templates that are not looked at, by name.
    std::set<std::string> apart{};
};

/// The sizes of a problem that do not work, found by its digest (digest_of_sizes) or worked out.
/// Nothing: that takes too long.
using TroublesOf = std::function<std::optional<std::vector<provisioner::operations::SizeTrouble>>(
    const std::string& digest, const provisioner::solver::LayoutProblem& problem)>;

/// A template that worked before, or did so better.
struct BrokenTemplate {
    /// What people read for it.
    std::string label{};
    bool is_draft = false;
    /// Misfits (misfits.hpp) and sizes (words_on_size_troubles) that are new.
    std::vector<std::string> sentences{};
};

struct ChangeEffects {
    /// "Service Shop needs cache, which nothing provides then." for each service that loses what it
    /// requires.
    std::vector<std::string> unprovided{};
    /// Those that users are offered first, then by name.
    std::vector<BrokenTemplate> broken{};
    /// What people read for templates whose sizes change and were not worked out; in the same
    /// order.
    std::vector<std::string> unchecked{};
    /// Whether users are offered one of those.
    bool leaves_offered_unchecked = false;
};

/// `troubles_of` is asked about templates whose digest changes and that have no misfits, in the
/// order of the effects.
ChangeEffects effects_of_change(const CatalogueChange& change, const TroublesOf& troubles_of);

/// What services lose, then "Cluster template Shop, offered to users: 3–8 machines: not possible.",
/// a sentence for each thing; of many the first. Drafts are left out.
std::vector<std::string> words_to_confirm(const ChangeEffects& effects);

/// The same of drafts and of what was not checked, in a line each without reasons.
std::vector<std::string> notes_on(const ChangeEffects& effects);

/// The catalogue with an entry, in wire form, in place of the one of its name.
provisioner::operations::CatalogueEntries with_entry(provisioner::operations::CatalogueEntries all,
                                                     provisioner::model::CatalogueKind kind,
                                                     const provisioner::base::Json& entry);

}  // namespace fcgi::pages
