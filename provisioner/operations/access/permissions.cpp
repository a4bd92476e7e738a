#include "provisioner/operations/access/permissions.hpp"

#include <algorithm>
#include <map>

#include "provisioner/model/names.hpp"
#include "provisioner/operations/audit.hpp"
#include "provisioner/store/access/group_store.hpp"
#include "provisioner/store/catalogue/catalogue_store.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"
#include "provisioner/store/tenants/user_store.hpp"

namespace provisioner::operations {

namespace {

base::Json audited_permission(const model::Permission& permission) {
    base::Json roles = base::Json::array();
    for (const model::Role role : permission.roles) roles.push_back(base::to_word(role));
    return {{"everybody", false},
            {"roles", std::move(roles)},
            {"groups", permission.groups},
            {"users", permission.users}};
}

std::string words_of_kind(model::CatalogueKind kind) {
    std::string words = base::to_word(kind);
    std::ranges::replace(words, '_', ' ');
    return words;
}

model::audit::Object object_of_entry(const model::EntryName& entry) {
    std::string kind = base::to_word(entry.kind);
    std::ranges::replace(kind, '_', '-');
    return {.kind = std::move(kind), .name = entry.name};
}

void audit_permission(store::Connection& connection, const model::Caller& caller,
                      const model::EntryName& entry, const std::optional<model::Permission>& before,
                      const std::optional<model::Permission>& after) {
    const auto shown = [](const std::optional<model::Permission>& permission) {
        return permission ? audited_permission(*permission) : base::Json{{"everybody", true}};
    };
    audit(connection, caller,
          {.action = after ? "permission.set" : "permission.remove",
           .object = object_of_entry(entry),
           .before = shown(before),
           .after = shown(after)});
}

/// The ids behind names. A problem for each name that is unknown.
template <class Id, class Row>
std::vector<Id> ids_behind(const std::vector<std::string>& names, const std::vector<Row>& rows,
                           const std::string& field, const std::string& noun,
                           base::Problems& problems) {
    std::vector<Id> ids;
    for (const std::string& name : names) {
        const auto found = std::ranges::find(rows, name, &Row::name);
        if (found != rows.end()) {
            ids.push_back(found->id);
        } else {
            problems.push_back({field, "There is no " + noun + " " + name + "."});
        }
    }
    return ids;
}

std::string listed_types(const std::string& singular, const std::vector<std::string>& names) {
    if (names.empty()) return "";
    constexpr std::size_t most = 10;
    std::string text = singular + (names.size() > 1 ? "s " : " ");
    for (std::size_t i = 0; i < std::min(names.size(), most); ++i) {
        text += (i == 0 ? "" : ", ") + names[i];
    }
    return names.size() > most ? text + " and others" : text;
}

}  // namespace

Result<void> set_permission(store::Database& database, const model::Caller& caller,
                            const model::Permission& asked) {
    model::Permission wanted = asked;
    std::ranges::sort(wanted.roles);
    const auto repeated = std::ranges::unique(wanted.roles);
    wanted.roles.erase(repeated.begin(), repeated.end());
    wanted.groups = model::sorted(model::without_repetition(wanted.groups));
    wanted.users = model::sorted(model::without_repetition(wanted.users));
    return database.write([&](store::Connection& connection) -> Result<void> {
        const model::TenantId tenant = caller.tenant.id;
        store::lock_tenant(connection, tenant);
        base::Problems problems;
        const store::Grants grants{
            .roles = wanted.roles,
            .groups = ids_behind<model::GroupId>(
                wanted.groups, store::list_groups(connection, tenant), "groups", "group", problems),
            .users = ids_behind<model::UserId>(wanted.users, store::list_users(connection, tenant),
                                               "users", "user", problems)};
        if (auto wrong = model::problem_with_name(wanted.entry.name)) {
            problems.push_back({"name", *std::move(wrong)});
        }
        if (!problems.empty()) return refuse(Refusal::Kind::invalid, std::move(problems));
        const auto before = store::find_permission(connection, tenant, wanted.entry);
        store::replace_permission(connection, tenant, wanted.entry, grants);
        audit_permission(connection, caller, wanted.entry, before, wanted);
        return {};
    });
}

void withhold_from_users(store::Connection& connection, const model::Caller& caller,
                         const model::EntryName& entry) {
    const auto before = store::find_permission(connection, caller.tenant.id, entry);
    store::replace_permission(connection, caller.tenant.id, entry, {});
    const model::Permission withheld{.entry = entry};
    if (before) return audit_permission(connection, caller, entry, before, withheld);
    // It is new: nobody was offered it.
    audit(connection, caller,
          {.action = "permission.set",
           .object = object_of_entry(entry),
           .after = base::Json{{"administratorsOnly", true}}});
}

void remove_permission(store::Database& database, const model::Caller& caller,
                       const model::EntryName& entry) {
    database.write([&](store::Connection& connection) {
        store::lock_tenant(connection, caller.tenant.id);
        const auto before = store::find_permission(connection, caller.tenant.id, entry);
        if (!before) return;
        store::delete_permission(connection, caller.tenant.id, entry);
        audit_permission(connection, caller, entry, before, std::nullopt);
    });
}

base::Problems withheld_problems(const model::Withheld& withheld,
                                 const std::vector<NamedEntry>& entries) {
    base::Problems problems;
    for (const auto& [field, kind, name] : entries) {
        if (!withheld.contains(kind, name)) continue;
        problems.push_back({field, "You may not use " + words_of_kind(kind) + " " + name +
                                       ": an administrator permits it to others only."});
    }
    return problems;
}

model::Withheld not_on_offer(store::Connection& connection, const model::Caller& caller) {
    const auto withheld = store::withheld_from(connection, caller);
    const auto tenant = store::find_tenant(connection, caller.tenant.name);
    if (!tenant || !tenant->provider_types) return withheld;
    std::set<model::EntryName> entries = withheld.entries();
    constexpr auto kind = model::CatalogueKind::provider;
    for (const base::Json& entry : store::list_entries(connection, caller.tenant.id, kind)) {
        const std::string type = base::text_at(entry, "providertype");
        if (std::ranges::count(*tenant->provider_types, type) > 0) continue;
        entries.insert({kind, base::text_at(entry, "name")});
    }
    return model::Withheld(std::move(entries));
}

std::optional<std::string> left_out(const std::vector<std::string>& hardware_types,
                                    const std::vector<std::string>& image_types) {
    if (hardware_types.empty() && image_types.empty()) return std::nullopt;
    const std::string hardware = listed_types("hardware type", hardware_types);
    const std::string image = listed_types("image type", image_types);
    return "Left out, because an administrator permits them to others only: " + hardware +
           (hardware.empty() || image.empty() ? "" : "; ") + image + ".";
}

Refusal with_left_out(Refusal refusal, const std::optional<std::string>& sentence) {
    if (sentence) refusal.problems.push_back({"", *sentence});
    return refusal;
}

std::optional<base::Problem> problem_with_provider_type(store::Connection& connection,
                                                        const model::Caller& caller,
                                                        const std::string& field,
                                                        const model::Provider& provider) {
    const auto tenant = store::find_tenant(connection, caller.tenant.name);
    if (!tenant || !tenant->provider_types) return std::nullopt;
    const auto& types = *tenant->provider_types;
    if (std::ranges::count(types, provider.provider_type) > 0) return std::nullopt;
    return base::Problem{field, "Tenant " + tenant->name + " may not use providers of type " +
                                    provider.provider_type + ", such as " + provider.header.name +
                                    "."};
}

}  // namespace provisioner::operations
