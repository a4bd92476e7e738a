#pragma once

#include <string>
#include <vector>

#include "fcgi/pages/catalogue/builder/template_form.hpp"
#include "fcgi/pages/labels.hpp"
#include "provisioner/operations/catalogue/references.hpp"
#include "provisioner/solver/layout_problem.hpp"

namespace fcgi::pages {

/// What of the catalogue the words about a template need.
struct TemplateSurroundings {
    /// What people read for entries.
    Labels labels{};
    /// In wire form; all templates and partial ones.
    provisioner::operations::CatalogueEntries entries{};
};

/// The labels are those of the entries. Pure.
TemplateSurroundings surroundings_in(provisioner::operations::CatalogueEntries entries);

/// Something that a template says, and that takes part in making a size impossible.
struct ClashingRule {
    /// "Cache and Web share a machine".
    std::string words{};
    /// The control of it: of this form ("#group-0"), or of the builder of the template that it
    /// comes from ("/builder/clustertemplates/base#group-0"). Empty in an entry edited as JSON.
    std::string href{};
    /// Whom it comes from, "cluster template base"; empty for the edited template itself.
    std::string source{};
};

/// The rules that clash, each with where it stands. Where none do, but default types or services
/// cannot be had: those defaults, and the lists of what is compatible if they leave one out. Empty
/// for other reasons. Pure.
std::vector<ClashingRule> rules_that_clash(const provisioner::solver::Unsatisfiable& why,
                                           const TemplateForm& form,
                                           const TemplateSurroundings& around);

}  // namespace fcgi::pages
