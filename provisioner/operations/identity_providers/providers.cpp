#include "provisioner/operations/identity_providers/providers.hpp"

#include <algorithm>

#include "provisioner/federation/ldap/directory.hpp"
#include "provisioner/model/names.hpp"
#include "provisioner/operations/sign_in/sign_in.hpp"
#include "provisioner/operations/sign_in/throttle.hpp"
#include "provisioner/store/sign_in/identity_provider_store.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"

namespace provisioner::operations {

using base::Json;
using federation::Deadline;
using federation::Trouble;
using model::IdentityKind;
using model::IdentityProvider;
using End = SignInResult::End;

namespace {

/// A claim by its name, or by a path with dots ("realm_access.roles").
const Json* claim_at(const Json& claims, const std::string& path) {
    if (const Json* claim = base::member(claims, path)) return claim;
    const Json* at = &claims;
    std::size_t begin = 0;
    while (at != nullptr) {
        const auto end = path.find('.', begin);
        at = base::member(*at, path.substr(begin, end - begin));
        if (end == std::string::npos) return at;
        begin = end + 1;
    }
    return nullptr;
}

}  // namespace

void limit_requests(const base::Config& config) {
    federation::allow_only(config.get_or("http.allowed", ""));
}

ProviderSettings provider_settings(const base::Config& config) {
    constexpr long usual_threads = 8;
    const std::string address = config.get_or("web.address", "");
    const std::string choice = config.get_or("auth.plain_loopback", "off");
    ProviderSettings settings{
        .address = address.empty() ? "" : address + config.get_or("web.prefix", ""),
        .plain_loopback = choice == "on",
        .at_once = static_cast<int>(config.number_or("web.threads", usual_threads) / 4)};
    if (address.empty()) return settings;
    const bool is_host = model::is_secure_address(address, "http", settings.plain_loopback) &&
                         address.find_first_of("/?#", address.find("://") + 3) == std::string::npos;
    if (!is_host) {
        throw std::runtime_error(
            "web.address is https:// and the host under which browsers reach this site, not " +
            address);
    }
    return settings;
}

Person person_in(const IdentityProvider& provider, const Json& claims) {
    Person person{.subject = base::text_at(claims, "sub")};
    const Json* name = claim_at(claims, provider.name_claim);
    if (name != nullptr && name->is_string()) person.name = name->get<std::string>();
    const Json* groups =
        provider.groups_claim.empty() ? nullptr : claim_at(claims, provider.groups_claim);
    if (groups == nullptr) return person;
    if (groups->is_string()) person.values.insert(groups->get<std::string>());
    for (std::string& group : base::strings_of(groups)) person.values.insert(std::move(group));
    return person;
}

IdentityProviders::IdentityProviders(store::Database& database, const base::Log& log,
                                     ProviderSettings settings, federation::OidcClient::Fetch fetch)
    : database_(database),
      log_(log),
      settings_(std::move(settings)),
      oidc_(std::move(fetch), settings_.plain_loopback),
      gate_(settings_.at_once),
      message_gate_(settings_.at_once) {
    federation::initialise_ldap();
}

std::vector<SignInChoice> IdentityProviders::choices() {
    const auto all = database_.read(
        [](store::Connection& connection) { return store::list_identity_providers(connection); });
    std::vector<SignInChoice> choices;
    for (const IdentityProvider& provider : all) {
        if (!provider.enabled) continue;
        choices.push_back({provider.name, provider.label, provider.kind});
    }
    return choices;
}

std::optional<SignInChoice> IdentityProviders::provider_of(model::UserId user) {
    const auto all = database_.read([&](store::Connection& connection) {
        const auto external = store::find_external_user(connection, user);
        auto providers = store::list_identity_providers(connection);
        std::erase_if(providers, [&](const IdentityProvider& one) {
            return !external || one.id != external->provider;
        });
        return providers;
    });
    if (all.empty()) return std::nullopt;
    return SignInChoice{all.front().name, all.front().label, all.front().kind};
}

std::optional<IdentityProvider> IdentityProviders::find(const std::string& name) {
    auto found = database_.read([&](store::Connection& connection) {
        return store::find_identity_provider(connection, name);
    });
    if (!found || !found->enabled) return std::nullopt;
    return found;
}

SignInResult IdentityProviders::failed(const IdentityProvider& provider, const Trouble& trouble,
                                       ProviderGate::Stay& stay) {
    log_.warn("identity_provider.failed",
              {{"provider", provider.name}, {"reason", trouble.reason}});
    SignInResult result{.end = End::provider_refused, .given = "provider " + provider.name};
    result.reason = provider.label + " did not confirm who you are.";
    result.technical_reason = trouble.reason;
    if (trouble.kind == Trouble::Kind::away) {
        stay.provider_is_away();
        result.end = End::provider_away;
        result.reason = provider.label + " does not answer.";
    }
    return result;
}

SignInResult IdentityProviders::check_password(const SignInRequest& wanted,
                                               const std::string& chosen, const SignInRules& rules,
                                               base::Timestamp now) {
    constexpr std::size_t longest_typed = 256;
    SignInResult result{.tenant = wanted.tenant, .user = wanted.user, .client = wanted.client};
    if (wanted.user.size() > longest_typed || wanted.password.empty()) return result;
    std::optional<std::string> tenant;
    std::vector<IdentityProvider> directories;
    const bool is_possible = database_.read([&](store::Connection& connection) {
        directories.clear();
        if (!wanted.tenant.empty()) {
            const auto found = store::find_tenant(connection, wanted.tenant);
            if (!found) return false;
            tenant = found->uid;
        }
        for (const IdentityProvider& one : store::list_identity_providers(connection)) {
            const bool is_meant = chosen.empty() || one.name == chosen;
            const bool leads_there = !tenant || std::any_of(one.rules.begin(), one.rules.end(),
                                                            [&](const model::MembershipRule& rule) {
                                                                return rule.tenant == *tenant;
                                                            });
            if (!one.enabled || one.kind != IdentityKind::ldap || !is_meant || !leads_there) {
                continue;
            }
            directories.push_back(*store::find_identity_provider(connection, one.id));
        }
        return true;
    });
    if (!is_possible) return result;
    std::optional<SignInResult> trouble;
    for (const IdentityProvider& directory : directories) {
        auto answer = ask_directory(directory, wanted, tenant, rules, now);
        if (!answer) continue;
        const bool knows_nothing = answer->end == End::provider_away ||
                                   answer->end == End::too_busy ||
                                   answer->end == End::provider_refused;
        if (!knows_nothing) return *std::move(answer);
        // Another may have the name.
        if (!trouble) trouble = std::move(answer);
    }
    return trouble.value_or(result);
}

std::optional<SignInResult> IdentityProviders::ask_directory(
    const IdentityProvider& provider, const SignInRequest& wanted,
    const std::optional<std::string>& tenant, const SignInRules& rules, base::Timestamp now) {
    SignInResult result{.tenant = wanted.tenant, .user = wanted.user, .client = wanted.client};
    result.given = "provider " + provider.name;
    ProviderGate::Stay stay(gate_, provider.id);
    if (stay.answer() == ProviderGate::Answer::busy) {
        result.end = End::too_busy;
        result.wait = busy_wait;
        return result;
    }
    if (stay.answer() == ProviderGate::Answer::away) {
        result.end = End::provider_away;
        result.reason = provider.label + " does not answer.";
        return result;
    }
    const auto failure = [&](const Trouble& trouble) {
        SignInResult refused = failed(provider, trouble, stay);
        refused.tenant = wanted.tenant;
        refused.user = wanted.user;
        refused.client = wanted.client;
        return refused;
    };
    const Deadline deadline(federation::whole_limit);
    auto directory = federation::Directory::connect(provider, deadline);
    if (!directory) return failure(directory.error());
    const auto user = directory->find_by_name(wanted.user, deadline);
    if (!user) return failure(user.error());
    if (!*user) {
        // As long as a wrong password takes, so that the time does not tell which names there are.
        const auto nobody = directory->try_nobody(wanted.password, deadline);
        if (!nobody) return failure(nobody.error());
        return std::nullopt;
    }
    // The directory may know the user by other spellings, each with a counter of its own.
    const auto subjects =
        directory_subjects(provider.id.value, (*user)->subject, wanted.client.address);
    if (const auto wait = begin_sign_in(database_, subjects, now)) {
        result.end = End::must_wait;
        result.wait = *wait;
        return result;
    }
    const auto is_right = directory->is_password(**user, wanted.password, deadline);
    if (!is_right) {
        database_.write(
            [&](store::Connection& connection) { end_sign_in(connection, subjects, {}); });
        return failure(is_right.error());
    }
    if (!*is_right || (*user)->is_disabled) return result;
    const Person person{(*user)->subject, (*user)->name, (*user)->groups};
    database_.write([&](store::Connection& connection) {
        const bool is_in = admit_person(connection, provider, person, tenant, rules, now, result);
        const bool is_all = is_in && result.stage != model::SessionStage::code;
        end_sign_in(connection, subjects, is_all ? std::optional(now) : std::nullopt);
        if (!is_in) return;
        result.external =
            store::ExternalSession{.provider = provider.id, .subject = person.subject};
        open_session(connection, result, rules, now, now);
    });
    return result;
}

SignInResult IdentityProviders::prove(const model::Caller& caller, const SignInRequest& wanted) {
    SignInResult result{.tenant = wanted.tenant, .user = wanted.user, .client = wanted.client};
    std::optional<IdentityProvider> provider;
    std::string subject;
    database_.read([&](store::Connection& connection) {
        const auto user = store::find_external_user(connection, caller.user.id);
        if (!user) return;
        subject = user->subject;
        provider = store::find_identity_provider(connection, user->provider);
    });
    if (!provider || !provider->enabled || provider->kind != IdentityKind::ldap) return result;
    result.given = "provider " + provider->name;
    ProviderGate::Stay stay(gate_, provider->id);
    if (stay.answer() != ProviderGate::Answer::go) {
        result.end = End::provider_away;
        result.reason = provider->label + " does not answer.";
        return result;
    }
    const Deadline deadline(federation::whole_limit);
    auto directory = federation::Directory::connect(*provider, deadline);
    if (!directory) return failed(*provider, directory.error(), stay);
    const auto user = directory->find_by_subject(subject, deadline);
    if (!user) return failed(*provider, user.error(), stay);
    if (!*user || (*user)->is_disabled) return result;
    const auto is_right = directory->is_password(**user, wanted.password, deadline);
    if (!is_right) return failed(*provider, is_right.error(), stay);
    if (*is_right) result.end = End::done;
    return result;
}

IdentityFindings IdentityProviders::test_stored(const IdentityProvider& provider,
                                                base::Timestamp now, bool is_to_switch_on) {
    auto findings = test(provider);
    note_test(provider, findings, now, is_to_switch_on);
    return findings;
}

void IdentityProviders::note_test(const IdentityProvider& provider,
                                  const IdentityFindings& findings, base::Timestamp now,
                                  bool is_to_switch_on) {
    const bool was_to = provider.last_test && provider.last_test->is_to_switch_on;
    const model::IdentityTest found{
        .at = now,
        .problems = findings.problems,
        .warnings = findings.warnings,
        .notes = findings.notes,
        .is_to_switch_on = !provider.enabled && (is_to_switch_on || was_to)};
    database_.write([&](store::Connection& connection) {
        store::record_identity_test(connection, provider, found);
    });
}

IdentityFindings IdentityProviders::test(const IdentityProvider& provider) {
    // No provider's id: what was typed is another provider than the one that is away, and who has
    // just mended one wants to know.
    ProviderGate::Stay stay(gate_, {});
    if (stay.answer() != ProviderGate::Answer::go) {
        return {.problems = {
                    "Too many requests wait for identity providers. Try again in a few seconds."}};
    }
    if (provider.kind == IdentityKind::ldap) return findings_of_directory(provider);
    auto findings = findings_of_oidc(oidc_, provider);
    if (settings_.address.empty()) {
        findings.problems.insert(
            findings.problems.begin(),
            "The setting web.address is missing: the provider cannot send browsers back.");
    }
    return findings;
}

}  // namespace provisioner::operations
