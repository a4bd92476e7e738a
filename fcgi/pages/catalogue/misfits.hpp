#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "provisioner/base/json.hpp"
#include "provisioner/model/access/permission.hpp"
#include "provisioner/model/catalogue/cluster_template.hpp"
#include "provisioner/operations/catalogue/references.hpp"

namespace fcgi::pages {

// What templates need and do not have: services that their services require, and a flavor or an
// image of hardware and image types at their provider; and services that conflict. A template is
// merged with its parents and partial templates among `entries`. Pure; no layout is worked out.
// Entries that cannot be read, or merged, have no misfits.

/// What a template says of hardware types, or of image types.
struct WantedType {
    provisioner::model::CatalogueKind kind{};
    std::string usual{};
    std::vector<std::string> allowed{};
};

std::array<WantedType, 2> wanted_types(const provisioner::model::ClusterTemplate& whole);

/// Whether a hardware or image type, in wire form, has a flavor or an image at a provider.
bool works_at(provisioner::model::CatalogueKind kind, const provisioner::base::Json& type,
              const std::string& provider);

/// What the default services of a template require and it does not have.
struct LackingServices {
    /// "Shop requires Database, which is not among its default services."
    std::vector<std::string> sentences{};
    /// Services of the catalogue that meet all that can be met, with what they require themselves.
    /// Those that the template allows are preferred.
    std::vector<std::string> to_add{};
};

/// The same with the services of its parents and partial templates. `cluster_template` is in wire
/// form.
LackingServices services_lacking_in(const provisioner::operations::CatalogueEntries& entries,
                                    const provisioner::base::Json& cluster_template);

/// "Add Database to the template"; empty if there is nothing to add.
std::string words_on_adding(const LackingServices& lacking,
                            const provisioner::operations::CatalogueEntries& entries);

/// Why clusters of a template, in wire form, do not work with its defaults, a sentence each: what
/// its services require, which of them conflict, then what its provider does not have. The last is
/// not asked without a default provider.
std::vector<std::string> misfits_of_template(
    const provisioner::operations::CatalogueEntries& entries,
    const provisioner::base::Json& cluster_template);

/// Why templates that extend a cluster template, or include a partial one, do not work with their
/// defaults because of it, a sentence each. `entry` is in wire form and counts instead of the
/// stored one.
std::vector<std::string> misfits_of_heirs(const provisioner::operations::CatalogueEntries& entries,
                                          provisioner::model::CatalogueKind kind,
                                          const provisioner::base::Json& entry);

/// A sentence for each partial template whose lease or constraints a template, in wire form,
/// includes: the merge takes both from cluster templates only
/// (model/catalogue/template_family.hpp).
std::vector<std::string> parts_without_effect(
    const provisioner::operations::CatalogueEntries& entries,
    const provisioner::base::Json& cluster_template);

/// The same at the partial template, in wire form; empty if it sets neither.
std::string words_on_partial_without_effect(const provisioner::base::Json& partial);

/// "It names service db, which is not in the catalogue."
std::string words_on_missing(const provisioner::model::EntryName& missing);

/// Why cluster templates of `entries` do not work as they are: their misfits, what they name and
/// the catalogue lacks, and that they give no services (template_services.hpp); by name, without
/// those that work. Sizes are not worked out.
std::map<std::string, std::vector<std::string>> templates_that_do_not_work(
    const provisioner::operations::CatalogueEntries& entries);

/// Sentences about each stored cluster template that has a service, in wire form, by default and
/// not what it requires, or what it conflicts with. The service need not be stored.
std::vector<std::string> misfits_of_service(
    const provisioner::operations::CatalogueEntries& entries, const provisioner::base::Json& entry);

/// A sentence for each stored cluster template that uses a hardware or image type by default at a
/// provider that the type, in wire form, has no setting for. Empty for other kinds.
std::vector<std::string> misfits_of_type(const provisioner::operations::CatalogueEntries& entries,
                                         provisioner::model::CatalogueKind kind,
                                         const provisioner::base::Json& type);

/// A sentence for each service that a service, in wire form, requires and conflicts with, and one
/// if it requires itself. What the others say is as it is stored.
std::vector<std::string> contradictions_of_service(
    const provisioner::operations::CatalogueEntries& entries, const provisioner::base::Json& entry);

}  // namespace fcgi::pages
