#include "fcgi/pages/catalogue/withheld_needs.hpp"

#include <algorithm>

#include "fcgi/pages/catalogue/entry_facts.hpp"
#include "fcgi/pages/catalogue/misfits.hpp"
#include "fcgi/pages/kinds.hpp"
#include "fcgi/pages/labels.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/model/tenants/rights.hpp"
#include "provisioner/operations/catalogue/template_relatives.hpp"
#include "provisioner/store/access/group_store.hpp"
#include "provisioner/store/access/permission_store.hpp"
#include "provisioner/store/tenants/user_store.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::base::text_at;
using provisioner::messages::translated;
using provisioner::model::CatalogueKind;
using provisioner::model::EntryName;
using provisioner::model::Permission;
using provisioner::operations::CatalogueEntries;
using provisioner::operations::entries_of;
namespace model = provisioner::model;
namespace store = provisioner::store;

namespace {

constexpr std::size_t most_users_named = 3;

bool is_granted(const AudienceMember& member, const Permission& permission) {
    return std::ranges::count(permission.roles, member.role) > 0 ||
           std::ranges::count(permission.users, member.user) > 0 ||
           std::ranges::any_of(member.groups, [&](const std::string& group) {
               return std::ranges::count(permission.groups, group) > 0;
           });
}

bool may_use_entry(const Audience& audience, const AudienceMember& member, const EntryName& entry) {
    const auto permission = audience.permissions.find(entry);
    return permission == audience.permissions.end() || is_granted(member, permission->second);
}

/// A default with the entries of which its users must be granted one.
struct DefaultOfTemplate {
    EntryName entry{};
    std::vector<EntryName> one_of{};
};

/// The types that can be chosen where there is no default one.
std::vector<EntryName> types_to_choose(const CatalogueEntries& entries, const WantedType& wanted,
                                       const std::string& provider) {
    std::vector<EntryName> types;
    for (const Json& type : entries_of(entries, wanted.kind)) {
        const std::string name = text_at(type, "name");
        const bool is_allowed =
            wanted.allowed.empty() || std::ranges::count(wanted.allowed, name) > 0;
        if (is_allowed && works_at(wanted.kind, type, provider)) {
            types.push_back({wanted.kind, name});
        }
    }
    return types;
}

std::vector<DefaultOfTemplate> defaults_of(const CatalogueEntries& entries,
                                           const model::ClusterTemplate& whole) {
    std::vector<DefaultOfTemplate> defaults;
    const auto add = [&](CatalogueKind kind, const std::string& name) {
        defaults.push_back({.entry = {kind, name}, .one_of = {{kind, name}}});
    };
    for (const std::string& service : whole.defaults.services) add(CatalogueKind::service, service);
    const std::string provider = whole.defaults.provider.value_or("");
    if (!provider.empty()) add(CatalogueKind::provider, provider);
    for (const WantedType& wanted : wanted_types(whole)) {
        if (!wanted.usual.empty()) {
            add(wanted.kind, wanted.usual);
        } else if (!provider.empty()) {
            defaults.push_back(
                {.entry = {wanted.kind, ""}, .one_of = types_to_choose(entries, wanted, provider)});
        }
    }
    // That there is none for anybody is said elsewhere.
    std::erase_if(defaults, [](const DefaultOfTemplate& one) { return one.one_of.empty(); });
    return defaults;
}

/// "its default service Database"
std::string words_on_default(const EntryName& entry, const CatalogueEntries& entries) {
    if (entry.name.empty()) {
        return entry.kind == CatalogueKind::hardware_type
                   ? translated("a hardware type that works at its provider")
                   : translated("an image type that works at its provider");
    }
    Labels labels;
    labels.add(entry.kind, told_apart(entries_of(entries, entry.kind)));
    return translated("its default {0}",
                      kind_and_name(entry.kind, labels.of(entry.kind, entry.name)));
}

std::string words_on_template(const WithheldNeed& need, const CatalogueEntries& entries) {
    constexpr auto kind = CatalogueKind::cluster_template;
    Labels labels;
    labels.add(kind, told_apart(entries_of(entries, kind)));
    return translated("{0}: {1}",
                      with_capital(kind_and_name(kind, labels.of(kind, need.cluster_template))),
                      words_on_withheld(need, entries));
}

/// Whether it says no more than one of the others does.
bool is_known_need(const std::vector<WithheldNeed>& known, const WithheldNeed& need) {
    return std::ranges::any_of(known, [&](const WithheldNeed& other) {
        return other.cluster_template == need.cluster_template && other.entry == need.entry &&
               std::ranges::includes(other.users, need.users);
    });
}

}  // namespace

Audience read_audience(store::Connection& connection, model::TenantId tenant,
                       bool always_with_members) {
    Audience audience;
    bool withholds_needs = always_with_members;
    for (auto& permission : store::list_permissions(connection, tenant)) {
        const EntryName entry = permission.entry;
        withholds_needs = withholds_needs || entry.kind != CatalogueKind::cluster_template;
        audience.permissions.emplace(entry, std::move(permission));
    }
    if (!withholds_needs) return audience;
    std::map<std::string, std::vector<std::string>> groups;
    for (const auto& group : store::list_groups(connection, tenant)) {
        for (const auto& member : group.members) groups[member].push_back(group.name);
    }
    audience.members.emplace_back();
    for (const auto& user : store::list_users(connection, tenant)) {
        const bool is_reached = !user.disabled &&
                                model::has(user.role, model::Right::use_clusters) &&
                                !model::has(user.role, model::Right::every_entry);
        if (!is_reached) continue;
        audience.members.push_back(
            {.user = user.name, .role = user.role, .groups = std::move(groups[user.name])});
    }
    return audience;
}

std::vector<WithheldNeed> withheld_needs_of(const CatalogueEntries& entries,
                                            const Audience& audience,
                                            const Json& cluster_template) {
    std::vector<WithheldNeed> needs;
    if (audience.members.empty()) return needs;
    const auto whole = provisioner::operations::template_in_force(entries, cluster_template);
    if (!whole) return needs;
    const EntryName offered{CatalogueKind::cluster_template, whole->header.name};
    for (auto& [entry, one_of] : defaults_of(entries, *whole)) {
        const bool is_for_everybody = std::ranges::any_of(
            one_of, [&](const EntryName& one) { return !audience.permissions.contains(one); });
        if (is_for_everybody) continue;
        WithheldNeed need{
            .cluster_template = whole->header.name, .entry = entry, .is_withheld_from_all = true};
        for (const AudienceMember& member : audience.members) {
            if (!may_use_entry(audience, member, offered)) continue;
            const bool has_one = std::ranges::any_of(
                one_of, [&](const EntryName& one) { return may_use_entry(audience, member, one); });
            if (has_one) {
                need.is_withheld_from_all = false;
            } else {
                need.users.push_back(member.user);
            }
        }
        std::ranges::sort(need.users);
        if (!need.users.empty()) needs.push_back(std::move(need));
    }
    return needs;
}

std::vector<WithheldNeed> withheld_needs(const CatalogueEntries& entries,
                                         const Audience& audience) {
    std::vector<WithheldNeed> all;
    if (audience.members.empty()) return all;
    for (const Json& one : entries_of(entries, CatalogueKind::cluster_template)) {
        std::ranges::move(withheld_needs_of(entries, audience, one), std::back_inserter(all));
    }
    return all;
}

std::string words_on_withheld(const WithheldNeed& need, const CatalogueEntries& entries) {
    const std::string withheld = words_on_default(need.entry, entries);
    if (need.is_withheld_from_all) return translated("None of its users may use {0}.", withheld);
    auto users = need.users;
    std::erase(users, "");
    return users.empty()
               ? translated("New users may not use {0}.", withheld)
               : translated("{0} may not use {1}.", some_listed(users, most_users_named), withheld);
}

std::vector<std::string> words_on_entry_withheld(const CatalogueEntries& entries,
                                                 const Audience& audience, const EntryName& entry) {
    std::vector<std::string> sentences;
    if (!audience.permissions.contains(entry)) return sentences;
    for (const auto& need : withheld_needs(entries, audience)) {
        if (need.entry == entry) sentences.push_back(words_on_template(need, entries));
    }
    return sentences;
}

std::vector<std::string> broken_by_permission(const CatalogueEntries& entries,
                                              const Audience& audience, const EntryName& entry,
                                              const std::optional<Permission>& permission) {
    Audience after = audience;
    after.permissions.erase(entry);
    if (permission) after.permissions.emplace(entry, *permission);
    const auto known = withheld_needs(entries, audience);
    std::vector<std::string> sentences;
    for (const auto& need : withheld_needs(entries, after)) {
        if (!is_known_need(known, need)) sentences.push_back(words_on_template(need, entries));
    }
    return sentences;
}

}  // namespace fcgi::pages
