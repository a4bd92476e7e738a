#pragma once

#include <string>
#include <vector>

#include "fcgi/app.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/model/access/group.hpp"
#include "provisioner/model/access/permission.hpp"
#include "provisioner/store/database/database.hpp"

namespace fcgi::pages {

/// What was typed into the form of a group.
struct GroupForm {
    std::string name{};
    std::string description{};
    /// Names of more members, with commas between them.
    std::string added{};
};

/// The groups of a tenant, with a form for a new one: views/access/groups.
struct GroupsPage {
    std::vector<provisioner::model::Group> groups{};
    /// False for auditors: no forms.
    bool may_change = true;
    GroupForm form{};
    provisioner::base::Problems problems{};
    std::string done{};
};

/// An entry of the catalogue that a group may use.
struct PermittedEntry {
    provisioner::model::EntryName entry{};
    /// What people read.
    std::string text{};
};

/// One group: views/access/group.
struct GroupPage {
    provisioner::model::Group group{};
    /// What it may use, of what not everybody may: by kind and name.
    std::vector<PermittedEntry> permitted{};
    /// Users who are no members, for suggestions.
    std::vector<std::string> others{};
    bool may_change = true;
    GroupForm form{};
    provisioner::base::Problems problems{};
    std::string done{};
};

/// Names of users of the tenant, without some, for suggestions while one types; at most 500.
std::vector<std::string> users_without(provisioner::store::Connection& connection,
                                       provisioner::model::TenantId tenant,
                                       const std::vector<std::string>& without);

/// Why a user cannot be taken out of the group; nothing for a member.
std::optional<std::string> problem_with_removal(const provisioner::model::Group& group,
                                                const std::string& user);

provisioner::base::Json to_json(const GroupsPage& page);
provisioner::base::Json to_json(const GroupPage& page);

/// GET /groups
http::Response list_groups(const http::Request& request, const auth::Visitor& visitor, App& app);
/// POST /groups: a new one.
http::Response create_group(const http::Request& request, const auth::Visitor& visitor, App& app);
/// GET /groups/{group}
http::Response show_group(const http::Request& request, const auth::Visitor& visitor, App& app);
/// POST /groups/{group}: its description; with `add`, names of users, or `remove`, one name, those
/// members.
http::Response replace_group(const http::Request& request, const auth::Visitor& visitor, App& app);
/// POST /groups/{group}/delete
http::Response delete_group(const http::Request& request, const auth::Visitor& visitor, App& app);

}  // namespace fcgi::pages
