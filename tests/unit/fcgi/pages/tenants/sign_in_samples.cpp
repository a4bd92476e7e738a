// Samples of the login and of identity providers.
#include "fcgi/pages/tenants/external.hpp"
#include "fcgi/pages/tenants/identity_providers.hpp"
#include "fcgi/pages/tenants/login.hpp"
#include "sample_values.hpp"
#include "samples.hpp"

namespace samples {

using namespace fcgi::pages;
using namespace provisioner::model;
using namespace std::chrono_literals;
using provisioner::base::Json;
using provisioner::base::Timestamp;

namespace {

Json login(const LoginPage& page) {
    return framed(to_json(page), {.title = "Log in", .section = "login"},
                  {.csrf = "5f3c", .once = "0a1b"});
}

IdentityProvider some_provider() {
    IdentityProvider provider;
    provider.name = "corp";
    provider.label = "Corp";
    provider.issuer = "https://id.example";
    provider.client_id = "cooperage";
    provider.rules = {{.value = "admins", .tenant = "demo", .role = Role::admin}};
    provider.last_test = {.at = now - 1h, .problems = {}};
    return provider;
}

IdentityProvider some_directory() {
    IdentityProvider provider;
    provider.name = "staff";
    provider.kind = IdentityKind::ldap;
    provider.enabled = false;
    provider.label = "Staff directory";
    provider.servers = "ldaps://d.example";
    provider.user_base = "ou=people,dc=example";
    return provider;
}

IdentityProvider broken() {
    auto provider = some_provider();
    provider.name = provider.label = "lab";
    provider.last_test = {.at = now - 2h,
                          .problems = {"https://id.example: Could not resolve host"}};
    return provider;
}

IdentityProvider off() {
    IdentityProvider provider = broken();
    provider.enabled = false;
    provider.last_test->is_to_switch_on = true;
    return provider;
}

IdentityProvider shut() {
    auto provider = some_provider();
    provider.name = provider.label = "shut";
    provider.last_test->warnings = {{"rules", "No rule is for a group of the directory."}};
    return provider;
}

IdentityProvider noted() {
    auto provider = some_provider();
    provider.name = provider.label = "noted";
    provider.last_test->notes = {{"servers", "One does not answer."}, {"label", "Another note."}};
    return provider;
}

IdentityProvider bare() {
    auto provider = some_provider();
    provider.name = provider.label = "bare";
    provider.rules.clear();
    provider.last_test.reset();
    return provider;
}

/// Two have changed the label and the rules; as it stands after a test.
IdentityProviderPage tested_clash() {
    return {.provider = some_provider(),
            .is_on = true,
            .rows = {{.value = "*", .tenant = "demo", .role = "user"}},
            .tenants = {"demo", "superadmin"},
            .is_unsaved = true,
            .base = "5f3c",
            .before = R"({"label": "Their Corp", "rules": [{}]})",
            .taken = {"clientId"},
            .clashing = {"label", "rules"},
            .is_overtaken = true,
            .last_change = LastChange{.user = "grace",
                                      .at = now - std::chrono::minutes{3},
                                      .href = "/audit/12?scope=installation"},
            .now = now,
            .tested = std::vector<std::string>{}};
}

/// As it stands after a save that was refused.
IdentityProviderPage clash() {
    auto page = tested_clash();
    page.problems = {{"label", "\"Their Corp\" was saved meanwhile."},
                     {"rules", "Other rules were saved meanwhile. Saving replaces them."}};
    page.before = R"({"label": "Their Corp", "rules": []})";
    page.tested = std::nullopt;
    return page;
}

Json in_sign_in(Json page) {
    return framed(std::move(page), {.title = "Identity providers", .section = "identity_providers"},
                  visitor);
}

}  // namespace

std::vector<Sample> of_sign_in() {
    const LoginPage wrong{.tenant = "demo",
                          .user = "ada",
                          .next = "/clusters",
                          .problems = {{"", "Incorrect user name, tenant or password."}}};
    const LoginPage ways{.next = "/clusters",
                         .ways = {{"/login/with/corp?next=%2Fclusters", "Corp"}},
                         .directories = {{"staff", "Staff"}, {"guests", "Guests"}},
                         .directory = "staff"};
    LoginPage late = ways;
    late.kept =
        provisioner::store::KeptForm{.path = "/clusters", .body = "name=shop&numMachines=5"};
    return {
        {"login", "tenants/login", login({})},
        {"login_wrong", "tenants/login", login(wrong)},
        {"login_ways", "tenants/login", login(ways)},
        {"login_late", "tenants/login", login(late)},
        {"login_with_a_form", "tenants/login",
         login({.next = "/clusters", .kept = {{.path = "/people", .body = "name=ann"}}})},
        {"logged_out", "tenants/notice",
         framed(to_json(NoticePage{.heading = "You are logged out here",
                                   .text = "You are still logged in to Corp in this browser.",
                                   .links = {{"https://id.example/end", "Also log out of Corp"},
                                             {"/login", "Log in again"}}}),
                {.title = "You are logged out here", .section = "login"},
                {.csrf = "5f3c", .once = "0a1b"})},
        {"identity_providers", "tenants/identity_providers",
         in_sign_in(
             to_json(IdentityProvidersPage{.providers = {some_provider(), some_directory(),
                                                         broken(), off(), bare(), shut(), noted()},
                                           .done = identity_provider_deleted_words("old", 3),
                                           .now = now}))},
        {"identity_providers_none", "tenants/identity_providers",
         in_sign_in(to_json(IdentityProvidersPage{}))},
        {"identity_provider", "tenants/identity_provider",
         in_sign_in(to_json(
             IdentityProviderPage{.provider = some_provider(),
                                  .rows = {{.value = "admins", .tenant = "demo", .role = "admin"},
                                           {.value = "staff", .tenant = "demo", .role = "user"},
                                           {.value = "*", .tenant = "demo", .role = "auditor"}},
                                  .tenants = {"demo", "superadmin"},
                                  .is_saved = true,
                                  .tested = std::vector<std::string>{},
                                  .redirect = "https://c.example/login/callback/corp",
                                  .backchannel = "https://c.example/login/backchannel"}))},
        {"identity_provider_saved_broken", "tenants/identity_provider",
         in_sign_in(to_json(IdentityProviderPage{
             .provider = broken(), .tenants = {"demo", "superadmin"}, .is_saved = true}))},
        {"identity_provider_stays_off", "tenants/identity_provider",
         in_sign_in(to_json(IdentityProviderPage{.provider = off(),
                                                 .awaits_test = true,
                                                 .tenants = {"demo", "superadmin"},
                                                 .is_saved = true}))},
        {"identity_provider_keeps_working", "tenants/identity_provider",
         in_sign_in(to_json(IdentityProviderPage{
             .provider = some_provider(),
             .is_on = true,
             .rows = {{.value = "*", .tenant = "demo", .role = "user"}},
             .tenants = {"demo", "superadmin"},
             .is_unsaved = true,
             .base = "5f3c",
             .tested = std::vector<std::string>{"https://id2.example: Could not resolve host"},
             .keeps_working = true}))},
        {"identity_provider_merged", "tenants/identity_provider",
         in_sign_in(to_json(IdentityProviderPage{.provider = some_provider(),
                                                 .is_on = true,
                                                 .tenants = {"demo", "superadmin"},
                                                 .is_saved = true,
                                                 .is_merged = true}))},
        {"identity_provider_clash", "tenants/identity_provider", in_sign_in(to_json(clash()))},
        {"identity_provider_clash_tested", "tenants/identity_provider",
         in_sign_in(to_json(tested_clash()))},
        {"identity_provider_without_tenant", "tenants/identity_provider",
         in_sign_in(to_json(IdentityProviderPage{.provider = some_provider(),
                                                 .is_on = true,
                                                 .tenants = {"demo", "superadmin"},
                                                 .is_saved = true,
                                                 .has_lost_rules = true}))},
        {"identity_provider_opened_broken", "tenants/identity_provider",
         in_sign_in(to_json(IdentityProviderPage{.provider = broken(),
                                                 .is_on = true,
                                                 .tenants = {"demo", "superadmin"},
                                                 .is_stored = true,
                                                 .now = now}))},
        {"identity_provider_opened_shut", "tenants/identity_provider",
         in_sign_in(to_json(IdentityProviderPage{.provider = shut(),
                                                 .is_on = true,
                                                 .rows = {{.value = "staff", .tenant = "demo"}},
                                                 .tenants = {"demo", "superadmin"},
                                                 .is_stored = true,
                                                 .now = now}))},
        {"identity_provider_saved_bare", "tenants/identity_provider",
         in_sign_in(to_json(IdentityProviderPage{.provider = bare(),
                                                 .is_on = true,
                                                 .tenants = {"demo", "superadmin"},
                                                 .is_saved = true}))},
        {"identity_provider_saved_shut", "tenants/identity_provider",
         in_sign_in(to_json(IdentityProviderPage{.provider = shut(),
                                                 .is_on = true,
                                                 .rows = {{.value = "staff", .tenant = "demo"}},
                                                 .tenants = {"demo", "superadmin"},
                                                 .is_saved = true}))},
        {"identity_provider_shut", "tenants/identity_provider",
         in_sign_in(to_json(IdentityProviderPage{
             .provider = some_provider(),
             .rows = {{.value = "staff", .tenant = "demo"}},
             .tenants = {"demo", "superadmin"},
             .is_unsaved = true,
             .tested = std::vector<std::string>{},
             .warnings = {{"rules", "No rule is for a group of the directory."}}}))},
        {"identity_provider_fails", "tenants/identity_provider",
         in_sign_in(to_json(IdentityProviderPage{
             .provider = some_directory(),
             .rows = {{.value = "*", .tenant = "demo", .role = "user"},
                      {.value = "staff", .tenant = "demo", .role = "user"}},
             .tenants = {"demo", "superadmin"},
             .is_unsaved = true,
             .base = "5f3c",
             .is_overtaken = true,
             .last_change = LastChange{.user = "grace",
                                       .at = now - std::chrono::minutes{3},
                                       .href = "/audit/12?scope=installation"},
             .now = now,
             .tested =
                 std::vector<std::string>{
                     "ldaps://d.example: it does not answer, or ended the connection"},
             .warnings = {{"userFilter",
                           "ldaps://e.example: below ou=people,dc=example nobody fits the filter "
                           "(objectClass=computer)."}},
             .notes = {{"authorities",
                        "ldaps://d.example: it does not answer, or ended the connection"},
                       {"servers", "ldaps://f.example: Timed out. Logins use ldaps://e.example."},
                       {"groupAttribute", "ldaps://e.example: no entry has memberOfX."}}}))},
        {"identity_provider_delete", "tenants/delete_identity_provider",
         in_sign_in(to_json(IdentityProviderDeletionPage{
             .provider = some_provider(),
             .users = 1200,
             .locked = 2,
             .problem = "Your session is not one of a superadmin any more."}))},
        {"identity_provider_delete_unused", "tenants/delete_identity_provider",
         in_sign_in(to_json(IdentityProviderDeletionPage{.provider = some_directory()}))},
        {"identity_provider_new", "tenants/identity_provider",
         in_sign_in(to_json(
             IdentityProviderPage{.is_new = true,
                                  .rows = {{.value = "staff", .tenant = "nowhere", .role = "user"},
                                           {.value = "", .tenant = "demo", .role = "king"},
                                           {.value = "*", .tenant = "demo", .groups = "none"}},
                                  .tenants = {"demo", "superadmin"},
                                  .problems = {{"rules.0", "There is no tenant nowhere."},
                                               {"rules.1", "A rule needs a group."},
                                               {"rules.1", "Choose a role."},
                                               {"rules.2", "The tenant has no group none."},
                                               {"rules", "There are at most 500 rules, not 512."},
                                               {"issuer", "Issuer is missing."},
                                               {"nameClaim", "Claim is missing."}},
                                  .redirect = "https://c.example/login/callback/",
                                  .backchannel = "https://c.example/login/backchannel"}))},
    };
}

}  // namespace samples
