#pragma once

#include <string>
#include <vector>

#include "fcgi/app.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/operations/catalogue/references.hpp"

namespace fcgi::pages {

/// What may not be meant about the sizes of a template.
struct SizeCheck {
    std::vector<std::string> warnings{};
    /// Whether the warnings are about single sizes, which the preview of the builder shows;
    /// otherwise they say why there are no sizes at all.
    bool is_about_sizes = false;
};

/// Works out the first sizes of a template that need not be stored, in wire form. Nothing while the
/// viewer, or many others, have such work under way, because it may take seconds; and for a
/// template that has misfits (misfits_of_template), of which no size works.
SizeCheck check_sizes(const auth::Visitor& visitor, App& app,
                      const provisioner::base::Json& cluster_template,
                      provisioner::operations::CatalogueEntries entries);

/// Whether there is anything to check in a template that need not be stored, in wire form: warnings
/// of its page. May take seconds.
bool is_to_be_checked(const auth::Visitor& visitor, App& app,
                      const provisioner::base::Json& cluster_template);

}  // namespace fcgi::pages
