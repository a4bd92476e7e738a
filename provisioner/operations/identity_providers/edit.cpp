#include "provisioner/operations/identity_providers/edit.hpp"

#include <algorithm>
#include <set>

#include "provisioner/federation/certificates.hpp"
#include "provisioner/identity/checksum.hpp"
#include "provisioner/operations/audit.hpp"
#include "provisioner/operations/identity_providers/groups.hpp"
#include "provisioner/operations/sign_in/passwords.hpp"
#include "provisioner/store/sign_in/identity_provider_store.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"

namespace provisioner::operations {

using model::IdentityKind;
using model::IdentityProvider;

namespace {

constexpr int users_at_once = 1000;

/// The installation's chain.
constexpr model::TenantId no_tenant_chain{};

void show_names(IdentityProvider& provider, const std::vector<model::Tenant>& tenants) {
    for (model::MembershipRule& rule : provider.rules) {
        const auto tenant =
            std::find_if(tenants.begin(), tenants.end(),
                         [&](const model::Tenant& one) { return one.uid == rule.tenant; });
        if (tenant != tenants.end()) rule.tenant = tenant->name;
    }
}

/// Puts uids for names of tenants, and adds what is wrong with the rules.
void resolve_rules(store::Connection& connection, IdentityProvider& provider,
                   base::Problems& problems) {
    // problems_with() has said so.
    if (provider.rules.size() > model::most_membership_rules) return;
    // Tenants and groups that are deleted at this moment are found in these rules, or not here.
    std::set<std::string> named;
    for (const model::MembershipRule& rule : provider.rules) named.insert(rule.tenant);
    for (const model::Tenant& tenant : store::list_tenants(connection)) {
        if (named.contains(tenant.name)) store::lock_tenant(connection, tenant.id);
    }
    const auto tenants = store::list_tenants(connection);
    for (std::size_t i = 0; i < provider.rules.size(); ++i) {
        model::MembershipRule& rule = provider.rules[i];
        const std::string field = "rules." + std::to_string(i);
        const auto tenant =
            std::find_if(tenants.begin(), tenants.end(),
                         [&](const model::Tenant& one) { return one.name == rule.tenant; });
        if (tenant == tenants.end()) {
            if (!rule.tenant.empty()) {
                problems.push_back({field, "There is no tenant " + rule.tenant + "."});
            }
            continue;
        }
        rule.tenant = tenant->uid;
        if (rule.role == model::Role::superadmin && tenant->uid != "superadmin") {
            problems.push_back({field, "Superadmins belong to the tenant superadmin."});
        }
        if (rule.groups.size() > model::most_rule_groups) continue;
        const std::string wrong = problem_with_groups(connection, tenant->id, rule.groups);
        if (!wrong.empty()) problems.push_back({field, wrong});
    }
}

/// What is wrong with the settings alone.
base::Problems problems_of_settings(const IdentityProvider& provider, bool plain_loopback) {
    auto problems = model::problems_with(provider, plain_loopback);
    if (provider.authorities.empty()) return problems;
    std::string wrong = federation::problem_with_authorities(provider.authorities);
    if (!wrong.empty()) problems.push_back({"authorities", std::move(wrong)});
    return problems;
}

bool has_new_server(const IdentityProvider& before, const IdentityProvider& after) {
    const auto known = IdentityProvider::words_of(before.servers);
    const auto wanted = IdentityProvider::words_of(after.servers);
    return std::ranges::any_of(
        wanted, [&](const std::string& server) { return std::ranges::count(known, server) == 0; });
}

/// The setting whose change would send the stored secret somewhere else.
std::string leads_elsewhere(const IdentityProvider& before, const IdentityProvider& after) {
    if (before.kind != after.kind) return "kind";
    if (before.issuer != after.issuer) return "issuer";
    if (has_new_server(before, after)) return "servers";
    if (before.authorities != after.authorities) return "authorities";
    return "";
}

void settle_secret(const std::optional<IdentityProvider>& before,
                   const std::optional<base::Secret>& secret, IdentityProvider& provider,
                   base::Problems& problems) {
    const bool is_oidc = provider.kind == IdentityKind::oidc;
    const bool needs_none = is_oidc ? provider.client_auth == "none" : provider.bind_dn.empty();
    if (needs_none) {
        provider.secret = {};
        return;
    }
    if (secret && !secret->empty()) {
        provider.secret = *secret;
        if (secret->reveal().size() > model::longest_identity_secret) {
            problems.push_back({"secret", "It is too long: it has at most " +
                                              std::to_string(model::longest_identity_secret) +
                                              " bytes."});
        }
    } else if (before && !before->secret.empty()) {
        const std::string elsewhere = leads_elsewhere(*before, provider);
        if (!elsewhere.empty()) {
            problems.push_back({"secret", "Enter it again: with another " + elsewhere +
                                              " the stored one would go elsewhere."});
        }
        provider.secret = before->secret;
    }
    if (provider.secret.empty()) {
        problems.push_back({"secret", is_oidc ? "The client secret is missing."
                                              : "The password of the service account is missing."});
    }
}

/// Users are known by what the provider calls them. Another one may call others so.
void keep_identities(store::Connection& connection, const IdentityProvider& before,
                     const IdentityProvider& wanted, base::Problems& problems) {
    if (store::list_external_users(connection, before.id, {}, 1).empty()) return;
    const std::string why =
        " cannot change while users of this provider are known: make another provider.";
    if (wanted.kind != before.kind) problems.push_back({"kind", "The kind" + why});
    if (wanted.issuer != before.issuer) problems.push_back({"issuer", "The issuer" + why});
    if (wanted.id_attribute != before.id_attribute) {
        problems.push_back({"idAttribute", "The attribute" + why});
    }
}

/// For the audit log, with the names of tenants. A secret is masked there: its checksum tells
/// whether it was changed.
base::Json audited_provider(store::Connection& connection, IdentityProvider provider) {
    show_names(provider, store::list_tenants(connection));
    base::Json json = model::to_json(provider);
    json["secret"] =
        provider.secret.empty() ? std::string() : identity::checksum(provider.secret.reveal());
    return json;
}

Act act_on(const std::string& action, const IdentityProvider& provider, base::Json before,
           base::Json after) {
    return {.action = action,
            .object = {.kind = audited_identity_provider,
                       .id = std::to_string(provider.id.value),
                       .name = provider.name},
            .before = std::move(before),
            .after = std::move(after),
            .chain = no_tenant_chain};
}

base::unexpected<Refusal> no_such_provider(const std::string& name) {
    return refuse(Refusal::Kind::not_found, "", "identity provider " + name + " not found");
}

bool is_overtaken(store::Connection& connection, IdentityProvider stored, const std::string& base) {
    show_names(stored, store::list_tenants(connection));
    return fingerprint_of(stored) != base;
}

}  // namespace

std::string fingerprint_of(const IdentityProvider& provider) {
    // Whoever sees it learns nothing of the secret, which the moment stands for.
    return identity::checksum(base::to_text(model::to_json(provider)) +
                              base::to_sql(provider.changed_at));
}

std::vector<IdentityProvider> list_identity_providers(store::Database& database) {
    return database.read([](store::Connection& connection) {
        auto providers = store::list_identity_providers(connection);
        const auto tenants = store::list_tenants(connection);
        for (IdentityProvider& provider : providers) show_names(provider, tenants);
        return providers;
    });
}

Result<IdentityProvider> identity_provider(store::Database& database, const std::string& name) {
    return database.read([&](store::Connection& connection) -> Result<IdentityProvider> {
        auto provider = store::find_identity_provider(connection, name);
        if (!provider) return no_such_provider(name);
        show_names(*provider, store::list_tenants(connection));
        return *std::move(provider);
    });
}

Result<void> save_identity_provider(store::Database& database, const model::Caller& caller,
                                    IdentityProvider wanted,
                                    const std::optional<base::Secret>& secret, bool plain_loopback,
                                    base::Timestamp now, bool is_new,
                                    const std::optional<std::string>& base,
                                    const std::string& reason) {
    if (auto fine = check_lets_in(caller); !fine) return fine;
    return database.write([&](store::Connection& connection) -> Result<void> {
        IdentityProvider provider = wanted;
        auto problems = problems_of_settings(provider, plain_loopback);
        const auto before = store::lock_identity_provider(connection, provider.name);
        if (base && !before) return no_such_provider(provider.name);
        if (base && is_overtaken(connection, *before, *base)) {
            return refuse(Refusal::Kind::conflict, "base",
                          "Somebody else saved this identity provider meanwhile.");
        }
        if (is_new && before) problems.push_back({"name", "There is one of this name already."});
        resolve_rules(connection, provider, problems);
        settle_secret(before, secret, provider, problems);
        if (before) keep_identities(connection, *before, provider, problems);
        if (!problems.empty()) return refuse(Refusal::Kind::invalid, std::move(problems));
        if (before) provider.id = before->id;
        provider.id = store::save_identity_provider(connection, provider, now);
        while (!provider.enabled &&
               !store::end_external_sessions(connection, provider.id, "", "").empty()) {
        }
        if (before) leave_groups(connection, *before, provider);
        Act act = act_on(before ? "identity-provider.change" : "identity-provider.create", provider,
                         before ? audited_provider(connection, *before) : base::Json(),
                         audited_provider(connection, provider));
        act.reason = reason;
        audit(connection, caller, std::move(act));
        return {};
    });
}

Result<IdentityProvider> provider_to_test(store::Database& database, const model::Caller& caller,
                                          IdentityProvider provider,
                                          const std::optional<base::Secret>& secret,
                                          bool plain_loopback, bool is_new) {
    auto problems = problems_of_settings(provider, plain_loopback);
    std::erase_if(problems, [](const base::Problem& problem) {
        return problem.field == "name" || problem.field == "label" || problem.field == "clientId" ||
               problem.field.starts_with("rules");
    });
    // Tests of OpenID Connect send no secret.
    if (provider.kind == IdentityKind::ldap) {
        const auto before = database.read([&](store::Connection& connection) {
            return is_new ? std::nullopt : store::find_identity_provider(connection, provider.name);
        });
        settle_secret(before, secret, provider, problems);
    }
    if (!problems.empty()) return refuse(Refusal::Kind::invalid, std::move(problems));
    if (caller.must_prove) throw ProofNeeded();
    return provider;
}

Result<void> delete_identity_provider(store::Database& database, const model::Caller& caller,
                                      const std::string& name, base::Timestamp now) {
    if (auto fine = check_lets_in(caller); !fine) return fine;
    return database.write([&](store::Connection& connection) -> Result<void> {
        const auto provider = store::lock_identity_provider(connection, name);
        if (!provider) return no_such_provider(name);
        leave_groups(connection, *provider, std::nullopt);
        model::UserId last{};
        for (;;) {
            const auto users =
                store::list_external_users(connection, provider->id, last, users_at_once);
            if (users.empty()) break;
            for (const auto& user : users) let_go(connection, *provider, user, now);
            last = users.back().user.id;
        }
        store::delete_identity_provider(connection, provider->id);
        audit(connection, caller,
              act_on("identity-provider.delete", *provider, audited_provider(connection, *provider),
                     base::Json()));
        return {};
    });
}

}  // namespace provisioner::operations
