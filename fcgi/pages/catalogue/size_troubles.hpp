#pragma once

#include <map>
#include <string>
#include <vector>

#include "fcgi/pages/catalogue/builder/clashes.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/operations/clusters/kept_sizes.hpp"

namespace fcgi::pages {

// What lists say of sizes of templates: short forms of the warnings of their pages
// (warnings_about_sizes), of answers that were worked out before (operations/clusters/kept_sizes).

/// Why templates do not work, a sentence each, by name; without those that work.
using Troubles = std::map<std::string, std::vector<std::string>>;

/// What is known of all cluster templates of a catalogue.
struct TemplateTroubles {
    /// Whatever the size (templates_that_do_not_work). Such a template is not among the others.
    Troubles misfits{};
    /// At some sizes only, or at all.
    Troubles sizes{};
    /// Templates whose sizes were not worked out since something they depend on was changed.
    int unknown = 0;
};

/// "1 machine and 3–8 machines: not possible." Labels are those of services.
std::vector<std::string> words_on_size_troubles(
    const std::vector<provisioner::operations::SizeTrouble>& troubles, const Labels& labels);

/// `kept` are the answers of the tenant (store::list_template_sizes). Nothing is worked out. Pure.
TemplateTroubles troubles_of_templates(const TemplateSurroundings& around,
                                       const std::map<std::string, provisioner::base::Json>& kept);

}  // namespace fcgi::pages
