#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fcgi/app.hpp"
#include "fcgi/http/form_data.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/model/access/permission.hpp"
#include "provisioner/model/tenants/tenant.hpp"

namespace fcgi::pages {

/// An entry of the catalogue, and who may use it; without a permission everybody.
struct EntryRow {
    provisioner::model::EntryName entry{};
    std::optional<provisioner::model::Permission> permission{};
    /// False for a permission whose entry was deleted.
    bool is_there = true;
    /// What people read; empty: the name.
    std::string text{};
};

/// What roles may, and what the viewer may: views/access/permissions.
struct PermissionsPage {
    provisioner::model::Role role{};
    /// Groups of the viewer, sorted.
    std::vector<std::string> groups{};
    /// All entries for those who see the tenant, else those that the viewer may use; by kind and
    /// name.
    std::vector<EntryRow> entries{};
    /// Only entries with this in their name, label, kind or permission, whatever the case; empty:
    /// all.
    std::string search{};
    /// Only entries that not everybody may use.
    bool only_restricted = false;
    /// Types of providers that the tenant is restricted to; nothing: all.
    std::optional<std::vector<std::string>> provider_types{};
};

/// Who may use one entry: views/access/entry.
struct PermissionPage {
    EntryRow row{};
    /// All groups of the tenant.
    std::vector<std::string> groups{};
    /// False for auditors: no form.
    bool may_change = true;
    /// What the form shows instead of what is in force: as it was sent, after a refusal.
    std::optional<provisioner::model::Permission> wanted{};
    /// Whether it shows “Everybody” instead.
    bool wants_everybody = false;
    /// What those who may use it from then on would get that has to be read first.
    std::vector<std::string> to_check{};
    /// Names of more users as they were typed; used if there are problems.
    std::string more_users{};
    /// Users that can be added, for suggestions.
    std::vector<std::string> others{};
    provisioner::base::Problems problems{};
    std::string done{};
};

provisioner::base::Json to_json(const PermissionsPage& page);
provisioner::base::Json to_json(const PermissionPage& page);

/// Whether two permissions, of whatever entries, name the same roles, groups and users in any
/// order.
bool permits_the_same(provisioner::model::Permission one, provisioner::model::Permission other);

/// Whether somebody may use an entry afterwards, by role, group or name, who might not before;
/// without a permission everybody may.
bool is_wider(const std::optional<provisioner::model::Permission>& before,
              const std::optional<provisioner::model::Permission>& after);

/// Who may use the entry by a form of views/access/entry with “Only those below”.
provisioner::model::Permission permission_in(const provisioner::model::EntryName& entry,
                                             const http::FormData& sent);

/// "/permissions/services/php"
std::string href_of_permission(const provisioner::model::EntryName& entry);

/// Title and heading: "Who may use provider local".
std::string title_of(const PermissionPage& page);

/// "everybody", "administrators only" or "operators, group web, ada".
std::string permission_words(const std::optional<provisioner::model::Permission>& permission);

/// Whether it is for nobody but administrators: a template with it is a draft.
bool is_for_administrators_only(const provisioner::model::Permission& permission);

/// The names of the templates among the entries that are for administrators only.
std::set<std::string> templates_that_are_drafts(
    const std::vector<provisioner::model::Permission>& permissions);

/// GET /permissions
http::Response show_permissions(const http::Request& request, const auth::Visitor& visitor,
                                App& app);
/// GET /permissions/{kind}/{name}: 404 for a kind without permissions, and for an entry that is
/// neither there nor restricted.
http::Response show_permission(const http::Request& request, const auth::Visitor& visitor,
                               App& app);
/// POST /permissions/{kind}/{name}: carries it out. save_permission in catalogue/offer.hpp asks
/// first.
http::Response replace_permission(const http::Request& request, const auth::Visitor& visitor,
                                  App& app);
/// The form of that POST as it was sent, with what is to be checked first (422).
http::Response ask_about_permission(const http::Request& request, const auth::Visitor& visitor,
                                    App& app, const std::vector<std::string>& to_check);

}  // namespace fcgi::pages
