#pragma once

#include <map>
#include <string>
#include <vector>

#include "fcgi/pages/catalogue/builder/clashes.hpp"
#include "fcgi/pages/catalogue/entry_facts.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/model/catalogue/entity.hpp"

namespace fcgi::pages {

/// Something that is in force for clusters of a template.
struct TemplateFact {
    /// Facts with the same heading follow each other.
    std::string heading{};
    /// The part of the builder's form that it belongs to: "defaults"; empty for others.
    std::string part{};
    Fact fact{};
};

/// What is in force for a template with all that it extends and includes among `around`, and from
/// whom it has it; of a partial template, and of a template that cannot be merged, what it says
/// itself. Size and lease are said although they are the usual ones, unless something that it takes
/// from is missing. Nothing for an entry that cannot be read. Pure.
std::vector<TemplateFact> template_facts(provisioner::model::CatalogueKind kind,
                                         const provisioner::base::Json& entry,
                                         const TemplateSurroundings& around);

/// Size and services of a cluster template, in force.
Facts template_columns(const provisioner::base::Json& entry, const TemplateSurroundings& around);

/// What a template has from others, "Services: Web, inherited from Base", by the part of the
/// builder's form.
std::map<std::string, std::vector<std::string>> taken_by_part(
    const provisioner::base::Json& cluster_template, const TemplateSurroundings& around);

}  // namespace fcgi::pages
