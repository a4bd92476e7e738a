#pragma once

#include <map>
#include <string>
#include <vector>

#include "fcgi/pages/catalogue/builder/clashes.hpp"
#include "fcgi/pages/catalogue/files/given_files.hpp"
#include "fcgi/pages/catalogue/withheld_needs.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/operations/clusters/kept_sizes.hpp"

namespace fcgi::pages {

// What lists say of templates that do not work. Of sizes they have short forms of the warnings of
// their pages (warnings_about_sizes), of answers that were worked out before
// (operations/clusters/kept_sizes).

/// How much of a template does not work, the worst first.
enum class TroubleWeight {
    /// No cluster can be made with its defaults.
    nothing_works,
    /// Some sizes are not possible, or some of its users may not use its defaults.
    some_works,
    /// Services that no machine runs, at some sizes or at all, or whose actions lack a file.
    works_in_part,
    /// Who creates a cluster must choose services.
    works_with_a_choice,
};

/// Why a template does not work, a sentence each.
struct TemplateTrouble {
    TroubleWeight weight{};
    std::vector<std::string> sentences{};
};

/// What is known of all cluster templates of a catalogue.
struct TemplateTroubles {
    /// By name, without those that work.
    std::map<std::string, TemplateTrouble> templates{};
    /// Templates whose sizes were not worked out since something they depend on was changed.
    int unknown = 0;
};

/// "1 machine and 3–8 machines: not possible." Labels are those of services.
std::vector<std::string> words_on_size_troubles(
    const std::vector<provisioner::operations::SizeTrouble>& troubles, const Labels& labels);

/// `kept` are the answers of the tenant (store::list_template_sizes). Nothing is worked out.
/// `lacking` are files that services need and machines do not get. Pure.
TemplateTroubles troubles_of_templates(const TemplateSurroundings& around,
                                       const std::map<std::string, provisioner::base::Json>& kept,
                                       const Audience& audience = {},
                                       const LackingFiles& lacking = {});

}  // namespace fcgi::pages
