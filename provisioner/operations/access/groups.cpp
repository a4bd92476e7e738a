#include "provisioner/operations/access/groups.hpp"

#include <algorithm>
#include <map>

#include "provisioner/model/names.hpp"
#include "provisioner/operations/access/membership_rules.hpp"
#include "provisioner/operations/audit.hpp"
#include "provisioner/store/access/group_store.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"
#include "provisioner/store/tenants/user_store.hpp"

namespace provisioner::operations {

namespace {

base::Json audited_group(const model::Group& group) {
    return {{"description", group.description}, {"members", group.members}};
}

model::audit::Object object_of_group(const model::Group& group) {
    return {.kind = "group", .id = std::to_string(group.id.value), .name = group.name};
}

base::Problems problems_with_group(const GroupSpec& wanted) {
    base::Problems problems;
    if (auto wrong = model::problem_with_new_name(wanted.name)) {
        problems.push_back({"name", *std::move(wrong)});
    }
    if (wanted.description.size() > model::longest_text) {
        problems.push_back({"description", "must have at most 65535 bytes"});
    }
    return problems;
}

/// The ids of the members, or a problem for each that is no user of the tenant.
base::Checked<std::vector<model::UserId>> ids_of_members(store::Connection& connection,
                                                         model::TenantId tenant,
                                                         const std::vector<std::string>& names) {
    std::map<std::string, model::UserId> known;
    for (const model::User& user : store::list_users(connection, tenant)) {
        known[user.name] = user.id;
    }
    std::vector<model::UserId> ids;
    base::Problems problems;
    for (const std::string& name : names) {
        const auto found = known.find(name);
        if (found != known.end()) ids.push_back(found->second);
        if (found == known.end()) problems.push_back({"members", "There is no user " + name + "."});
    }
    if (!problems.empty()) return base::unexpected(std::move(problems));
    return ids;
}

Result<void> write_group(store::Database& database, const model::Caller& caller,
                         const GroupSpec& wanted, bool must_be_new, base::Timestamp now) {
    return database.write([&](store::Connection& connection) -> Result<void> {
        const model::TenantId tenant = caller.tenant.id;
        store::lock_tenant(connection, tenant);
        const auto before = store::find_group(connection, tenant, wanted.name);
        const auto members = before && wanted.keeps_members
                                 ? before->members
                                 : model::sorted(model::without_repetition(wanted.members));
        auto problems = problems_with_group(wanted);
        const auto ids = ids_of_members(connection, tenant, members);
        if (!ids) problems.insert(problems.end(), ids.error().begin(), ids.error().end());
        if (!problems.empty()) return refuse(Refusal::Kind::invalid, std::move(problems));
        if (before && must_be_new) {
            return refuse(Refusal::Kind::conflict, "name",
                          "Group " + wanted.name + " already exists.");
        }
        model::Group group{
            .name = wanted.name, .description = wanted.description, .members = members};
        group.id = before ? before->id : store::insert_group(connection, tenant, group, now);
        if (before) store::update_group(connection, group);
        store::replace_members(connection, group.id, *ids);
        audit(connection, caller,
              {.action = before ? "group.replace" : "group.create",
               .object = object_of_group(group),
               .before = before ? audited_group(*before) : base::Json(),
               .after = audited_group(group)});
        return {};
    });
}

}  // namespace

Result<void> save_group(store::Database& database, const model::Caller& caller,
                        const GroupSpec& wanted, base::Timestamp now) {
    return write_group(database, caller, wanted, false, now);
}

Result<void> create_group(store::Database& database, const model::Caller& caller,
                          const GroupSpec& wanted, base::Timestamp now) {
    return write_group(database, caller, wanted, true, now);
}

Result<void> set_members(store::Database& database, const model::Caller& caller,
                         const std::string& group, const std::vector<std::string>& users,
                         bool are_members) {
    return database.write([&](store::Connection& connection) -> Result<void> {
        const model::TenantId tenant = caller.tenant.id;
        store::lock_tenant(connection, tenant);
        const auto before = store::find_group(connection, tenant, group);
        if (!before) return refuse(Refusal::Kind::not_found, "", "group " + group + " not found");
        model::Group after = *before;
        for (const std::string& user : users) {
            std::erase(after.members, user);
            if (are_members) after.members.push_back(user);
        }
        after.members = model::sorted(after.members);
        if (after.members == before->members) return {};
        const auto ids = ids_of_members(connection, tenant, after.members);
        if (!ids) return refuse(Refusal::Kind::invalid, ids.error());
        store::replace_members(connection, after.id, *ids);
        audit(connection, caller,
              {.action = "group.replace",
               .object = object_of_group(after),
               .before = audited_group(*before),
               .after = audited_group(after)});
        return {};
    });
}

Result<void> delete_group(store::Database& database, const model::Caller& caller,
                          const std::string& name) {
    return database.write([&](store::Connection& connection) -> Result<void> {
        lock_membership_rules(connection);
        store::lock_tenant(connection, caller.tenant.id);
        const auto group = store::find_group(connection, caller.tenant.id, name);
        if (!group) return refuse(Refusal::Kind::not_found, "", "group " + name + " not found");
        store::delete_group(connection, group->id);
        auto acts = forget_group_in_rules(connection, caller.tenant.uid, name);
        acts.push_back({.action = "group.delete",
                        .object = object_of_group(*group),
                        .before = audited_group(*group)});
        audit_all(connection, caller, std::move(acts));
        return {};
    });
}

std::vector<std::string> set_memberships(store::Connection& connection,
                                         const model::audit::Actor& actor, const model::User& user,
                                         const std::vector<std::string>& groups) {
    store::lock_tenant(connection, user.tenant);
    std::vector<std::string> unknown;
    std::vector<std::string> names;
    std::vector<model::GroupId> ids;
    for (const std::string& name : model::sorted(model::without_repetition(groups))) {
        const auto group = store::find_group(connection, user.tenant, name);
        if (!group) {
            unknown.push_back(name);
            continue;
        }
        names.push_back(name);
        ids.push_back(group->id);
    }
    const auto before = store::groups_of(connection, user.id);
    if (before == names) return unknown;
    store::replace_groups(connection, user.id, ids);
    audit_as(connection, actor,
             {.action = "user.change-groups",
              .object = {.kind = "user", .id = std::to_string(user.id.value), .name = user.name},
              .before = {{"groups", before}},
              .after = {{"groups", names}},
              .chain = user.tenant});
    return unknown;
}

}  // namespace provisioner::operations
