#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fcgi/pages/audit/last_change.hpp"
#include "fcgi/pages/catalogue/builder/rebased.hpp"
#include "fcgi/pages/catalogue/builder/sizes.hpp"
#include "fcgi/pages/catalogue/builder/template_form.hpp"
#include "fcgi/pages/catalogue/change_drafts.hpp"
#include "fcgi/pages/catalogue/misfits.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/operations/catalogue/references.hpp"

namespace fcgi::pages {

/// Names in the catalogue that a template can use.
struct TemplateOffer {
    std::vector<std::string> services{};
    std::vector<std::string> hardware_types{};
    std::vector<std::string> image_types{};
    std::vector<std::string> providers{};
    /// Other templates, and partial ones.
    std::vector<std::string> templates{};
    std::vector<std::string> partials{};
    /// The template that is edited included.
    TemplateSurroundings around{};
};

/// The editor of a template, one page with sections: views/catalogue/builder/template.
struct TemplatePage {
    TemplateForm form{};
    TemplateOffer offer{};
    /// Each field is the name of a control or of a member of the API.
    provisioner::base::Problems problems{};
    /// True if a preview was asked for, so that nothing was to be saved.
    bool is_preview = false;
    /// Whether another button than those that save was pressed: problems are of what it does.
    bool is_redrawn = false;
    /// The version that somebody else saved meanwhile; empty: none.
    std::string newer{};
    /// Whether it is the draft that was saved meanwhile, or is there beside the template.
    bool is_draft_newer = false;
    /// What that changed and the form as well; empty: it is not known.
    std::vector<EntryClash> clashing{};
    /// What only others changed meanwhile: the form has it now (rebased.hpp).
    std::vector<std::string> taken_over{};
    /// The template as `newer` has it, in wire form; null where that is not known.
    provisioner::base::Json in_force{};
    /// Who did, and when.
    std::optional<LastChange> last_change{};
    provisioner::base::Timestamp now{};
    SizesSection preview{};
    /// Whether clusters of it get no services unless they are chosen (lacks_default_services).
    bool lacks_services = false;
    /// What its services require. Empty for a partial template, and for what cannot be read.
    LackingServices lacking{};
    /// What it has from others, by the part of the form (template_facts.hpp).
    std::map<std::string, std::vector<std::string>> taken{};
    /// Included partial templates whose lease and constraints have no effect (misfits.hpp).
    std::vector<std::string> without_effect{};
    /// What there is to check before users get it, and was not before (check_of_entry), and what
    /// is told beside it.
    std::vector<std::string> to_check{};
    std::vector<std::string> to_note{};
    /// Whether it is a stored template for administrators only.
    bool is_draft = false;
    /// The draft of a change to it; it is what is edited if the form says so.
    std::optional<provisioner::model::TemplateDraft> change{};
    /// Services that it was opened with beside those that are stored.
    std::vector<std::string> added{};
    /// Whether the form was drawn anew with something that is not saved.
    bool is_unsaved = false;
};

/// "New template", "Edit web", likewise for partial templates; "Change the draft of web".
std::string title_of(const TemplatePage& page);

/// Controls, choices, rows with their buttons, and the preview. Names that the form has are offered
/// even if the catalogue lacks them.
provisioner::base::Json to_json(const TemplatePage& page);

/// Makes the form of a template that somebody else deleted meanwhile one of a new template.
void begin_anew(TemplatePage& page);

/// Whether the form has no more rows and boxes than a page draws: most_rows_of_a_form and
/// most_cells_of_a_form, and does not name more than most_names_of_a_form.
bool fits_on_a_page(const TemplatePage& page);

}  // namespace fcgi::pages
