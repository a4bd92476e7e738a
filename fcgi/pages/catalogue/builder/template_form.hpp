#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fcgi/http/form_data.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/model/catalogue/cluster_template.hpp"
#include "provisioner/model/catalogue/entity.hpp"
#include "provisioner/model/catalogue/version.hpp"
#include "provisioner/solver/layout_problem.hpp"

namespace fcgi::pages {

/// A duration in three controls. `rest` is what an entry has below a minute, in milliseconds: it is
/// kept although no control shows it.
struct DurationForm {
    std::string days{};
    std::string hours{};
    std::string minutes{};
    std::string rest{};
};

/// The editor of a template or partial template as text: what was typed, right or wrong. Controls
/// have the names of the API's members, so a Problem finds its control.
struct TemplateForm {
    /// A rule about services that share a machine.
    struct Group {
        /// Whether they must share it; else they never are all on one.
        bool is_together = true;
        std::vector<std::string> services{};
    };
    /// A rule about one service.
    struct Limit {
        std::string service{};
        std::string min{};
        std::string max{};
        std::vector<std::string> hardware_types{};
        std::vector<std::string> image_types{};

        bool operator==(const Limit&) const = default;
    };

    provisioner::model::CatalogueKind kind = provisioner::model::CatalogueKind::cluster_template;
    /// Name of the entry that is edited; empty for a new one.
    std::string was{};
    /// The version that the form was filled from; empty for a new one.
    std::string version{};
    /// The last line of its history then (model::SeenVersion).
    std::optional<long long> line{};
    /// The number of the draft of a change to `was` that is edited; empty: the template itself is.
    std::string draft{};
    /// What that draft said, in wire form, when the form was filled from it: what others save in it
    /// meanwhile is merged with what was typed.
    std::string seen{};
    /// Why, for the history.
    std::string note{};

    std::string name{};
    std::string label{};
    std::string description{};
    std::string icon{};
    DurationForm lease_initial{};
    DurationForm lease_max{};
    DurationForm lease_step{};

    std::vector<std::string> fit_services{};
    std::vector<std::string> fit_hardware_types{};
    std::vector<std::string> fit_image_types{};

    std::vector<std::string> services{};
    std::string provider{};
    std::string hardware_type{};
    std::string image_type{};
    std::string dns_suffix{};
    std::string config{};

    std::string size_min{};
    std::string size_max{};
    std::vector<Group> groups{};
    std::vector<Limit> limits{};

    std::string extends{};
    std::vector<std::string> includes{};
    /// (label, address)
    std::vector<std::pair<std::string, std::string>> links{};
    bool is_immutable = false;

    /// Whether the template is edited as JSON: then only `json` counts, beside was, version, note.
    bool is_json = false;
    std::string json{};

    /// Sizes of the preview.
    std::string from{};
    std::string to{};

    provisioner::model::SeenVersion version_seen() const;
    bool is_partial() const { return kind == provisioner::model::CatalogueKind::partial_template; }
};

/// Most rows of a list of the form, and most boxes of its rows. Larger templates are
/// edited as JSON.
inline constexpr std::size_t most_rows_of_a_form = 1000;
inline constexpr std::size_t most_cells_of_a_form = 50'000;
inline constexpr std::size_t most_names_of_a_form = 5000;

/// The form of a stored entry. `was` and `version` are set.
TemplateForm template_form_of(provisioner::model::CatalogueKind kind,
                              const provisioner::model::ClusterTemplate& stored);

/// The form of a new entry.
TemplateForm new_template_form(provisioner::model::CatalogueKind kind);

/// The form as sent; every form is accepted. An entry that exists keeps its name.
TemplateForm read_template_form(provisioner::model::CatalogueKind kind, const http::FormData& sent);

/// Puts the names of each list, rule and limit into their order in `before`, new ones behind. Boxes
/// are drawn in the order of the catalogue, which is no change of the template.
void keep_order(TemplateForm& form, const TemplateForm& before);

/// Does what a button of the form asks for: "add-group", "remove-group.2", "add-limit",
/// "remove-limit.0", "add-include", "remove-include.1", "raise-include.1", "add-link",
/// "remove-link.0", "json", "form", "apply:<changes>". Anything else changes nothing. Problems: why
/// the template cannot be shown as JSON or as a form.
provisioner::base::Problems press(TemplateForm& form, const std::string& button);

/// What becomes of a rule, or limits, in which nothing is chosen or filled in yet.
enum class EmptyRows { are_problems, are_left_out };

/// The entry in wire form. Problems name controls: what cannot be read, and what is wrong with the
/// rest. Where everything can be read, the operation checks the rest.
provisioner::base::Checked<provisioner::base::Json> template_document(
    const TemplateForm& form, EmptyRows empty = EmptyRows::are_problems);

/// All that is wrong with the form, at once: what cannot be read, and what the operation refuses by
/// itself. Problems name controls.
provisioner::base::Problems problems_with_form(const TemplateForm& form);

/// The template that the form describes, as the API would read it, without its empty rows.
provisioner::base::Checked<provisioner::model::ClusterTemplate> template_in(
    const TemplateForm& form);

/// Adds default services, and allows them if the template allows only some.
void add_services(TemplateForm& form, const std::vector<std::string>& services);

/// Whether the form has everything that the changes of a remedy need. Others come from a parent.
bool can_apply(const TemplateForm& form,
               const std::vector<provisioner::solver::TemplatePart>& parts);

/// The value of the button that applies them.
std::string button_for(const std::vector<provisioner::solver::TemplatePart>& parts);

/// Index of the row of the form with this rule; -1 if it has none. Of groups or limits, by kind.
int row_of(const TemplateForm& form, const provisioner::solver::TemplatePart& part);

}  // namespace fcgi::pages
