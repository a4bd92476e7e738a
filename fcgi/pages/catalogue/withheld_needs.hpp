#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "provisioner/base/json.hpp"
#include "provisioner/model/access/permission.hpp"
#include "provisioner/operations/catalogue/references.hpp"
#include "provisioner/store/database/database.hpp"

namespace fcgi::pages {

// What cluster templates use by default, and some of those whom they are offered to may not use:
// services, the provider, and hardware and image types. Templates are merged with their parents and
// partial templates. Drafts are offered to nobody, and administrators may use everything.

/// Somebody who may not use every entry anyhow.
struct AudienceMember {
    /// Empty: stands for those who will be created, with the role `user` and without groups.
    std::string user{};
    provisioner::model::Role role = provisioner::model::Role::user;
    std::vector<std::string> groups{};
};

/// Whom entries of a tenant are for.
struct Audience {
    /// Users who can log in and may create clusters, by name, and those who will be created.
    std::vector<AudienceMember> members{};
    /// Entries without one are for everybody.
    std::map<provisioner::model::EntryName, provisioner::model::Permission> permissions{};
};

/// Without members if nothing is withheld but templates, unless they are asked for.
Audience read_audience(provisioner::store::Connection& connection,
                       provisioner::model::TenantId tenant, bool always_with_members = false);

/// A default of a template that some of its users may not use.
struct WithheldNeed {
    std::string cluster_template{};
    /// With an empty name: all types that could be chosen where there is no default one.
    provisioner::model::EntryName entry{};
    /// Users who are offered the template and may not use the entry; "" for those who will be
    /// created.
    std::vector<std::string> users{};
    /// Whether these are all users whom the template is offered to.
    bool is_withheld_from_all = false;
};

/// Of one template, in wire form, that need not be among the entries. Pure.
std::vector<WithheldNeed> withheld_needs_of(
    const provisioner::operations::CatalogueEntries& entries, const Audience& audience,
    const provisioner::base::Json& cluster_template);

/// Of all templates among the entries, in their order. Pure.
std::vector<WithheldNeed> withheld_needs(const provisioner::operations::CatalogueEntries& entries,
                                         const Audience& audience);

/// "ada and bob may not use its default service Database."
std::string words_on_withheld(const WithheldNeed& need,
                              const provisioner::operations::CatalogueEntries& entries);

/// What withholds an entry from users of templates that use it by default, a sentence for each such
/// template: "Cluster template Shop: ada may not use its default service Database." Pure.
std::vector<std::string> words_on_entry_withheld(
    const provisioner::operations::CatalogueEntries& entries, const Audience& audience,
    const provisioner::model::EntryName& entry);

/// The same sentences about what another permission of an entry adds: those who lose a service, a
/// type or a provider that templates use by default, and those who get a template without all that
/// it uses by default. Without a permission the entry is for everybody. Pure.
std::vector<std::string> broken_by_permission(
    const provisioner::operations::CatalogueEntries& entries, const Audience& audience,
    const provisioner::model::EntryName& entry,
    const std::optional<provisioner::model::Permission>& permission);

}  // namespace fcgi::pages
