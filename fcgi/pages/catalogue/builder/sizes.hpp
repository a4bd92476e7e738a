#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fcgi/pages/catalogue/builder/clashes.hpp"
#include "fcgi/pages/catalogue/builder/template_form.hpp"
#include "fcgi/pages/form_field.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/operations/clusters/template_sizes.hpp"

namespace fcgi::pages {

/// Sizes in a row that are alike.
struct SizeRun {
    int first = 0;
    int last = 0;
    /// The layout of the first; nothing: these sizes are impossible.
    std::optional<provisioner::solver::ClusterLayout> layout{};
    /// What each machine more brings: a group of one machine. Nothing for a single size.
    std::optional<provisioner::solver::NodeGroup> each_more{};
    /// For impossible sizes: of the first.
    provisioner::solver::Unsatisfiable why{};
};

/// Merges sizes whose layouts grow by the same kind of machine and leave out the same of
/// `services`, and impossible ones with the same reasons. In ascending order, without gaps.
std::vector<SizeRun> runs_of(const std::vector<provisioner::operations::SizeAnswer>& sizes,
                             const std::vector<std::string>& services);

/// "1 machine", "3–8 machines"; "3 machines or more" if larger sizes than the last are alike.
std::string range_words(int first, int last, bool goes_on);

/// A sentence for each run of impossible sizes: which, why, and what rules clash, with the parents
/// that they come from; and for each run of sizes with a default service that no machine runs.
/// `form` is the template's.
std::vector<std::string> warnings_about_sizes(const provisioner::operations::TemplateSizes& sizes,
                                              const TemplateForm& form,
                                              const TemplateSurroundings& around);

/// The preview beside the form, as views/catalogue/builder/_sizes draws it.
struct SizesSection {
    /// Nothing: not asked for.
    std::optional<provisioner::operations::TemplateSizes> sizes{};
    /// Why there is no preview.
    provisioner::base::Problems problems{};
};

/// The members `sizes_*` and `runs`. Rules link to where they stand (rules_that_clash); remedies
/// have a button where the form has what they change. Problems link to `controls`.
provisioner::base::Json sizes_json(const SizesSection& section, const TemplateForm& form,
                                   const std::vector<NamedControl>& controls = {},
                                   const TemplateSurroundings& around = {});

}  // namespace fcgi::pages
