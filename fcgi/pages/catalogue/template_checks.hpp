#pragma once

#include <set>
#include <string>
#include <vector>

#include "fcgi/app.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/model/catalogue/entity.hpp"
#include "provisioner/operations/catalogue/references.hpp"

namespace fcgi::pages {

/// What may not be meant about the sizes of a template.
struct SizeCheck {
    std::vector<std::string> warnings{};
    /// Whether the warnings are about single sizes, which the preview of the builder shows;
    /// otherwise they say why there are no sizes at all.
    bool is_about_sizes = false;
};

/// Works out the first sizes of a template that need not be stored, in wire form, with what
/// `entries` have, which need not be stored either, and keeps the answer for lists
/// (operations/clusters/kept_sizes.hpp). Nothing while the viewer, or many others, have such work
/// under way, because it may take seconds; and for a template that has misfits
/// (misfits_of_template), of which no size works.
SizeCheck check_sizes(const auth::Visitor& visitor, App& app,
                      const provisioner::base::Json& cluster_template,
                      provisioner::operations::CatalogueEntries entries);

struct EditContext;

/// What there is to check in a cluster or partial template, in wire form, of whose sizes `check` is
/// known: the warnings about it, those about its sizes, and the files that its default services
/// lack. Pure.
std::vector<std::string> told_of_template(const EditContext& context,
                                          provisioner::model::CatalogueKind kind,
                                          const provisioner::base::Json& entry,
                                          const SizeCheck& check);

/// The same of one that need not be stored: the warnings of its page. May take seconds.
std::vector<std::string> things_to_check(const auth::Visitor& visitor, App& app,
                                         provisioner::model::CatalogueKind kind,
                                         const provisioner::base::Json& entry);

/// What there is to read before a change reaches users.
struct ChangeCheck {
    /// To be confirmed: what it breaks for users (words_to_confirm).
    std::vector<std::string> to_check{};
    /// Told beside it (notes_on).
    std::vector<std::string> notes{};
};

/// What a change of the catalogue does to the templates of the viewer's tenant, but for those
/// of `apart`. Works out sizes for some seconds, and says of which
/// it did not.
ChangeCheck check_change(const auth::Visitor& visitor, App& app,
                         provisioner::operations::CatalogueEntries before,
                         provisioner::operations::CatalogueEntries after,
                         std::set<std::string> apart);

/// What an entry, in wire form, brings users in place of `before`, which is null for a new one:
/// what there is to check in a template or partial template and was not before, unless it is for
/// administrators only; that a service contradicts itself; and what becomes of templates that use
/// it or take something from it. Nothing for providers. May take seconds.
ChangeCheck check_of_entry(const auth::Visitor& visitor, App& app,
                           provisioner::model::CatalogueKind kind,
                           const provisioner::base::Json& before,
                           const provisioner::base::Json& entry);

}  // namespace fcgi::pages
