#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fcgi/pages/clusters/choices/fitting_types.hpp"
#include "fcgi/pages/clusters/choices/possible_sizes.hpp"
#include "fcgi/pages/clusters/form.hpp"
#include "fcgi/pages/form_field.hpp"
#include "fcgi/pages/labels.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/model/plugins/plugin_type.hpp"
#include "provisioner/solver/layout_problem.hpp"

namespace fcgi::pages {

/// The choices in the form of a new cluster: names from the tenant's catalogue. read_offer fills
/// it.
struct Offer {
    /// Every template that can be read, merged with what it extends and includes where that
    /// succeeds.
    std::vector<provisioner::model::ClusterTemplate> templates{};
    /// All providers, sorted by name.
    NamedTexts providers{};
    /// to_json narrows them to those that the template allows and the provider has.
    std::vector<TypeChoice> hardware_types{};
    std::vector<TypeChoice> image_types{};
    /// As the providers; to_json narrows them to those that the template allows.
    NamedTexts services{};
    /// Fields of the chosen provider's type that a user fills in, and administrators' fields a user
    /// may override.
    std::vector<provisioner::model::PluginField> provider_fields{};
    /// What is known of sizes of the templates without a layout.
    TroublesOfSizes size_troubles{};

    /// The template of that name; null if there is none. Points into `templates`.
    const provisioner::model::ClusterTemplate* find(const std::string& name) const;
    /// Whether hardware and image types of the template can be used at its own provider; true for
    /// one without.
    bool can_work(const provisioner::model::ClusterTemplate& cluster_template) const;
    /// The sizes of what a form asks for. Known troubles count for the template's own choices only.
    PossibleSizes sizes_of(const ClusterForm& form) const;
    /// What people read for what is offered.
    Labels labels() const;
};

/// The form of a new cluster, drawn from its template: views/clusters/new. It is shown empty, and
/// again with `problems` if the request was refused.
struct NewClusterPage {
    /// What can be chosen.
    Offer offer{};
    /// What was typed, or the template's defaults.
    ClusterForm form{};
    /// Why the request was refused; each field is the name of a control.
    provisioner::base::Problems problems{};
    /// Whether the request was refused: what is wrong with the services is said then whichever they
    /// are.
    bool is_refused = false;
    /// Services that the chosen ones need; the form offers to add them.
    std::vector<MissingService> missing{};
    /// Whether all services were left out.
    bool is_none_chosen = false;
    /// Changes that would make the request possible: by the user, or by the author of the template.
    std::vector<provisioner::solver::Remedy> remedies{};
    /// The provider that the form was drawn for before; what depends on it is shown where the user
    /// chose another one.
    std::string drawn_provider{};
    /// What the form does not have from the cluster that it is like: words_not_copied(). Shown
    /// beside the controls.
    std::map<std::string, std::string> not_copied{};
    /// Why no layout fits the form as it is drawn, or what its layout lacks.
    std::vector<std::string> doubts{};
    /// Whether no layout fits.
    bool is_impossible = false;
    /// That no such cluster can be created until there are prices (costs.hpp); empty: it is not so,
    /// or not known.
    std::string unpriced{};
    /// Whether the viewer may change the catalogue.
    bool is_admin = false;
};

/// Whether something is wrong with the chosen services alone, whatever else the form has.
bool has_wrong_services(const NewClusterPage& page);

/// The form with the types that its controls begin with where nobody chose one: the template's own
/// if they fit.
ClusterForm form_as_drawn(const NewClusterPage& page);

/// The controls, choices and problems of the form. The advanced part is open if a problem concerns
/// one of its controls. Secrets have no control: the preview asks for them, and the form says so.
/// An unknown template gives a form without defaults.
provisioner::base::Json to_json(const NewClusterPage& page);

}  // namespace fcgi::pages
