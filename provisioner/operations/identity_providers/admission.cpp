#include "provisioner/operations/identity_providers/admission.hpp"

#include <algorithm>

#include "provisioner/base/utf8.hpp"
#include "provisioner/model/names.hpp"
#include "provisioner/operations/audit.hpp"
#include "provisioner/operations/identity_providers/groups.hpp"
#include "provisioner/operations/sign_in/factors.hpp"
#include "provisioner/store/sign_in/factor_store.hpp"
#include "provisioner/store/sign_in/identity_provider_store.hpp"
#include "provisioner/store/sign_in/session_store.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"
#include "provisioner/store/tenants/user_store.hpp"

namespace provisioner::operations {

namespace {

constexpr std::size_t longest_local_name = 255;
constexpr auto ask_administrator = "Ask your administrator.";

std::optional<model::Tenant> tenant_with(store::Connection& connection, const std::string& uid) {
    const auto tenants = store::list_tenants(connection);
    const auto found = std::find_if(tenants.begin(), tenants.end(),
                                    [&](const model::Tenant& one) { return one.uid == uid; });
    return found == tenants.end() ? std::nullopt : std::optional(*found);
}

std::optional<model::Tenant> tenant_with(store::Connection& connection, model::TenantId id) {
    const auto tenants = store::list_tenants(connection);
    const auto found = std::find_if(tenants.begin(), tenants.end(),
                                    [&](const model::Tenant& one) { return one.id == id; });
    return found == tenants.end() ? std::nullopt : std::optional(*found);
}

/// The role of a rule; that of superadmins is given in their own tenant only.
model::Role role_of(const model::MembershipRule& rule) {
    const bool is_too_much = rule.role == model::Role::superadmin && rule.tenant != "superadmin";
    return is_too_much ? model::Role::user : rule.role;
}

model::audit::Object user_object(const model::User& user) {
    return {.kind = "user", .id = std::to_string(user.id.value), .name = user.name};
}

void record_act(store::Connection& connection, const model::IdentityProvider& provider,
                const char* action, const model::User& user, const base::Json& before,
                const std::string& client = {}) {
    base::Json after = audited(user);
    after["identityProvider"] = provider.name;
    audit_as(connection, actor_of(provider, client),
             {.action = action,
              .object = user_object(user),
              .before = before,
              .after = std::move(after),
              .chain = user.tenant});
}

/// Role, lock and groups as a rule has them. Returns whether role or lock changed.
bool apply_rule(store::Connection& connection, const model::IdentityProvider& provider,
                const store::ExternalUser& external, const model::MembershipRule& rule,
                model::User& user, const std::string& client = {}) {
    const base::Json before = audited(external.user);
    user = external.user;
    user.role = role_of(rule);
    if (external.gone_at) user.disabled = false;
    set_groups_of(connection, provider, user, rule.groups, client);
    if (external.gone_at) store::mark_gone(connection, user.id, std::nullopt);
    const bool has_changed =
        user.role != external.user.role || user.disabled != external.user.disabled;
    if (!has_changed) return false;
    store::update_access(connection, user.id, user.role, user.disabled);
    store::end_sessions(connection, user.id);
    record_act(connection, provider, action_of_access(external.user, user), user, before, client);
    return true;
}

/// Disables the person's users in all tenants in which no rule fits.
void let_go_elsewhere(store::Connection& connection, const model::IdentityProvider& provider,
                      const Person& person, base::Timestamp now) {
    for (const auto& user : store::lock_external_users(connection, provider.id, person.subject)) {
        const auto tenant = tenant_with(connection, user.user.tenant);
        const bool fits =
            tenant && model::first_fitting(provider, person.values, tenant->uid) != nullptr;
        if (!fits && !user.gone_at) let_go(connection, provider, user, now);
    }
}

model::SessionStage stage_of_external(store::Connection& connection,
                                      const model::IdentityProvider& provider, const Person& person,
                                      const model::User& user, const SignInRules& rules) {
    if (provider.has_second_factor && person.gave_second_factor) return model::SessionStage::open;
    if (view_factor(connection, user.id).has_factor) return model::SessionStage::code;
    return must_have_factor(connection, rules, user) ? model::SessionStage::factor
                                                     : model::SessionStage::open;
}

}  // namespace

std::string local_name(const std::string& name) {
    std::string made;
    for (const char c : name.substr(0, longest_local_name - 1)) {
        const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                              (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-';
        made += is_plain ? c : '_';
    }
    if (made.starts_with('-') || made.starts_with('.')) made.insert(made.begin(), '_');
    return made;
}

std::string words_of_person(const model::IdentityProvider& provider, const Person& person) {
    constexpr std::size_t most_bytes = 100;
    constexpr std::size_t most_groups = 20;
    std::string words = provider.name + (person.name.empty() ? " has no name for the person \""
                                                             : " calls the person \"");
    words += base::printable(person.name.empty() ? person.subject : person.name, most_bytes);
    const std::size_t count = person.values.size();
    if (count == 0) return words + "\" and states no groups";
    words += "\" and states " + std::to_string(count) + (count == 1 ? " group" : " groups");
    if (count > most_groups) words += ", the first " + std::to_string(most_groups);
    std::size_t told = 0;
    for (const std::string& group : person.values) {
        if (told == most_groups) break;
        words += (told++ == 0 ? ": " : "; ") + base::printable(group, most_bytes);
    }
    return words;
}

void let_go(store::Connection& connection, const model::IdentityProvider& provider,
            const store::ExternalUser& user, base::Timestamp now) {
    // A user who was locked by an administrator stays so when the provider knows them again.
    if (user.user.disabled) return;
    model::User changed = user.user;
    changed.disabled = true;
    store::mark_gone(connection, changed.id, now);
    store::update_access(connection, changed.id, changed.role, true);
    store::end_sessions(connection, changed.id);
    record_act(connection, provider, "user.gone", changed, audited(user.user));
}

std::optional<model::IdentityProvider> hold_unchanged(store::Connection& connection,
                                                      const model::IdentityProvider& asked) {
    auto present = store::hold_identity_provider(connection, asked.id);
    if (!present || !present->enabled) return std::nullopt;
    // What may differ has not been used yet: rules and factor decide from here on.
    model::IdentityProvider same = asked;
    same.rules = present->rules;
    same.label = present->label;
    same.has_second_factor = present->has_second_factor;
    if (model::to_json(same) != model::to_json(*present)) return std::nullopt;
    return present;
}

base::expected<model::Caller, NotAdmitted> admit(store::Connection& connection,
                                                 const model::IdentityProvider& provider,
                                                 const Person& person,
                                                 const std::optional<std::string>& tenant,
                                                 const Client& client, base::Timestamp now) {
    const auto* rule = model::first_fitting(provider, person.values, tenant);
    const auto home = rule == nullptr ? std::nullopt : tenant_with(connection, rule->tenant);
    if (home) store::lock_tenant(connection, home->id);
    let_go_elsewhere(connection, provider, person, now);
    if (!home) {
        return base::unexpected(
            tenant ? NotAdmitted{.reason = "None of your groups has a place in this tenant."}
                   : NotAdmitted{.reason = "None of your groups has a place here.",
                                 .advice = "Ask your administrator for one."});
    }
    model::Caller caller;
    caller.tenant = *home;
    caller.client = client.address;
    const auto users = store::lock_external_users(connection, provider.id, person.subject);
    const auto known =
        std::find_if(users.begin(), users.end(),
                     [&](const store::ExternalUser& one) { return one.user.tenant == home->id; });
    if (known != users.end()) {
        if (known->user.disabled && !known->gone_at) {
            return base::unexpected(
                NotAdmitted{.reason = "Your account is locked.", .advice = ask_administrator});
        }
        apply_rule(connection, provider, *known, *rule, caller.user, client.address);
        store::confirm_external_user(connection, caller.user.id, now);
        return caller;
    }
    model::User user;
    user.tenant = home->id;
    user.name = local_name(person.name);
    user.role = role_of(*rule);
    if (model::problem_with_new_name(user.name)) {
        return base::unexpected(
            NotAdmitted{.reason = "The identity provider gives you no user name."});
    }
    if (store::find_user(connection, home->id, user.name)) {
        return base::unexpected(
            NotAdmitted{.reason = "Somebody else has the user name " + user.name + " here.",
                        .advice = ask_administrator});
    }
    user.id = store::insert_user(connection, user, now);
    store::insert_external_user(
        connection,
        {.user = user, .provider = provider.id, .subject = person.subject, .confirmed_at = now});
    set_groups_of(connection, provider, user, rule->groups, client.address);
    record_act(connection, provider, "user.create", user, base::Json(), client.address);
    caller.user = user;
    return caller;
}

bool follow_provider(store::Connection& connection, const model::IdentityProvider& provider,
                     const store::ExternalUser& user, const std::optional<Person>& person,
                     base::Timestamp now) {
    const auto tenant = tenant_with(connection, user.user.tenant);
    const auto* rule =
        person && tenant ? model::first_fitting(provider, person->values, tenant->uid) : nullptr;
    if (rule == nullptr) {
        if (user.gone_at || user.user.disabled) return false;
        let_go(connection, provider, user, now);
        return true;
    }
    store::confirm_external_user(connection, user.user.id, now);
    model::User changed;
    return apply_rule(connection, provider, user, *rule, changed);
}

bool admit_person(store::Connection& connection, const model::IdentityProvider& asked,
                  const Person& person, const std::optional<std::string>& tenant,
                  const SignInRules& rules, base::Timestamp now, SignInResult& result) {
    const auto provider = hold_unchanged(connection, asked);
    if (!provider) {
        result.end = SignInResult::End::provider_refused;
        result.reason = asked.label + " was changed here meanwhile. Log in again.";
        return false;
    }
    const auto admitted = admit(connection, *provider, person, tenant, result.client, now);
    if (!admitted) {
        result.end = SignInResult::End::not_admitted;
        result.reason = admitted.error().reason;
        result.advice = admitted.error().advice;
        result.technical_reason = words_of_person(*provider, person);
        return false;
    }
    result.end = SignInResult::End::done;
    result.tenant = admitted->tenant.name;
    result.user = admitted->user.name;
    result.tenant_id = admitted->tenant.id;
    result.user_id = admitted->user.id;
    result.stage = stage_of_external(connection, *provider, person, admitted->user, rules);
    return true;
}

}  // namespace provisioner::operations
