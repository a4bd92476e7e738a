#include "fcgi/pages/tenants/identity_providers.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "fcgi/pages/form_field.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/refusals.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/model/names.hpp"
#include "provisioner/operations/identity_providers/edit.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"

namespace fcgi::pages {

using http::Request;
using http::Response;
using provisioner::base::Json;
using provisioner::messages::translated;
using provisioner::model::IdentityKind;
using provisioner::model::IdentityProvider;
namespace base = provisioner::base;
namespace model = provisioner::model;
namespace operations = provisioner::operations;
namespace store = provisioner::store;

namespace {

/// The value of "enabled" that switches a provider on without a passed test.
constexpr auto on_without_test = "untested";

/// The button that saves a provider that is on although its test fails.
constexpr auto save_failing = "save-failing";

FormField choice(const std::string& name, const std::string& label, const std::string& value,
                 std::vector<std::pair<std::string, std::string>> options) {
    FormField field{.id = "provider-" + name, .name = name, .label = label, .value = value};
    field.control = FormField::Control::select;
    field.options = std::move(options);
    return field;
}

FormField secret_of(const IdentityProviderPage& page) {
    const bool is_oidc = page.provider.kind == IdentityKind::oidc;
    FormField field{.id = "provider-secret", .name = "secret"};
    field.label =
        is_oidc ? translated("Client secret") : translated("Password of the service account");
    field.hint = !page.is_new ? translated("Leave empty to keep the stored one.")
                 : is_oidc    ? translated("Empty only for a public client.")
                              : translated("Empty only without a service account.");
    field.value = page.typed_secret;
    field.type = "password";
    field.autocomplete = "off";
    return field;
}

/// What has no default that fits most providers, and what cannot change later.
constexpr std::array main_fields{std::string_view("label"),      std::string_view("issuer"),
                                 std::string_view("clientId"),   std::string_view("servers"),
                                 std::string_view("bindDn"),     std::string_view("userBase"),
                                 std::string_view("groupBase"),  std::string_view("nameAttribute"),
                                 std::string_view("idAttribute")};

bool is_main(const model::IdentityField& field) {
    return std::ranges::count(main_fields, std::string_view(field.name)) > 0;
}

/// "Default: preferred_username."
std::string default_words(const model::IdentityField& field) {
    std::string usual = IdentityProvider().*field.text;
    for (const model::IdentityChoice& option : field.choices) {
        if (option.value == usual) usual = option.label;
    }
    return usual.empty() ? std::string() : translated("Default: {0}.", usual);
}

FormField text_field(const model::IdentityField& one, const IdentityProvider& provider) {
    FormField field{.id = std::string("provider-") + one.name,
                    .name = one.name,
                    .label = one.label,
                    .value = provider.*one.text,
                    .hint = one.hint};
    field.required = one.is_required;
    for (const model::IdentityChoice& option : one.choices) {
        field.options.emplace_back(option.value, option.label);
    }
    if (!field.options.empty()) field.control = FormField::Control::select;
    if (one.lines > 1) {
        field.control = FormField::Control::textarea;
        field.rows = one.lines;
        field.code = true;
    }
    if (!is_main(one)) field.hint = joined_sentences(field.hint, default_words(one));
    return field;
}

FormField enabled_field(const IdentityProviderPage& page) {
    const bool is_wanted = page.provider.enabled || page.awaits_test;
    FormField field =
        choice("enabled", translated("Users can log in with it"), is_wanted ? "yes" : "no", {});
    if (page.is_on) {
        field.options = {{"yes", translated("Yes")}, {"no", translated("No")}};
        return field;
    }
    if (page.is_on_untested) field.value = on_without_test;
    field.options = {{"yes", translated("Yes, if its test passes")},
                     {on_without_test, translated("Yes, even if its test fails")},
                     {"no", translated("No")}};
    return field;
}

/// What has to be filled in.
std::vector<FormField> fields_to_fill(const IdentityProviderPage& page) {
    const IdentityProvider& provider = page.provider;
    std::vector<FormField> fields;
    if (page.is_new) {
        FormField name{.id = "provider-name", .name = "name", .label = translated("Name")};
        name.value = provider.name;
        name.hint = translated("Used in addresses. It cannot be changed later.");
        name.required = true;
        fields.push_back(std::move(name));
    } else {
        fields.push_back(enabled_field(page));
    }
    for (const model::IdentityField& one : model::identity_fields()) {
        if (one.kind && *one.kind != provider.kind) continue;
        if (is_main(one)) fields.push_back(text_field(one, provider));
        // Beside whose secret it is.
        const std::string_view name = one.name;
        if (name == "clientId" || name == "bindDn") fields.push_back(secret_of(page));
    }
    return fields;
}

/// What most providers leave as it is.
std::vector<FormField> fields_in_more(const IdentityProviderPage& page) {
    const IdentityProvider& provider = page.provider;
    std::vector<FormField> fields;
    if (page.is_new) fields.push_back(enabled_field(page));
    for (const model::IdentityField& one : model::identity_fields()) {
        if (one.kind && *one.kind != provider.kind) continue;
        if (!is_main(one)) fields.push_back(text_field(one, provider));
    }
    if (provider.kind == IdentityKind::ldap) {
        fields.push_back(choice("nestedGroups", translated("Nested groups"),
                                provider.nested_groups ? "true" : "false",
                                {{"false", translated("Ignored")},
                                 {"true", translated("Counted (Active Directory)")}}));
    }
    if (provider.kind == IdentityKind::oidc) {
        fields.push_back(
            choice("secondFactor", translated("Second factor"),
                   provider.has_second_factor ? "provider" : "local",
                   {{"local", translated("Always asked for here")},
                    {"provider", translated("Not asked for here if the provider already did")}}));
    }
    return fields;
}

/// Whether something in "More settings" is wrong, or another than by default.
bool shows_more(const IdentityProviderPage& page, const std::vector<FormField>& more) {
    for (const FormField& field : more) {
        if (!messages_for(field.name, page.problems).empty()) return true;
    }
    IdentityProvider usual;
    const IdentityProvider& provider = page.provider;
    for (const model::IdentityField& one : model::identity_fields()) {
        const bool is_shown = !one.kind || *one.kind == provider.kind;
        if (is_shown && !is_main(one) && provider.*one.text != usual.*one.text) return true;
    }
    return provider.nested_groups || provider.has_second_factor ||
           (page.is_new && (!provider.enabled || page.is_on_untested));
}

std::string rules_hint(IdentityKind kind) {
    const std::string hint = translated(
        "The first rule that fits decides the tenant and the role. The group * is everybody. "
        "Users whom no rule fits cannot log in.");
    if (kind == IdentityKind::oidc) return hint;
    return hint + ' ' + translated("Groups of the directory are distinguished names.");
}

Response draw_provider(App& app, const auth::Visitor& visitor, int status,
                       IdentityProviderPage page) {
    if (app.identity_providers != nullptr && page.provider.kind == IdentityKind::oidc) {
        const std::string& address = app.identity_providers->settings().address;
        if (!address.empty()) {
            page.redirect = app.identity_providers->redirect_address(page.provider);
            page.backchannel = address + "/login/backchannel";
        }
    }
    app.database.read([&](store::Connection& connection) {
        page.tenants.clear();
        for (const auto& tenant : store::list_tenants(connection)) {
            page.tenants.push_back(tenant.name);
        }
        if (!page.is_overtaken) return;
        page.last_change = last_change_of(connection, {}, operations::audited_identity_provider,
                                          page.provider.name);
    });
    page.now = app.clock.now();
    const std::string title =
        page.is_new ? translated("New identity provider") : page.provider.name;
    return drawn(app, visitor, status, "tenants/identity_provider",
                 {.title = title, .section = "identity_providers"}, to_json(page));
}

/// What is said after saving; null if it was not saved just now.
Json saved_json(const IdentityProviderPage& page) {
    if (!page.is_saved) return nullptr;
    const IdentityProvider& provider = page.provider;
    const bool works = provider.last_test && provider.last_test->problems.empty();
    const bool fails = !works && (provider.enabled || page.awaits_test);
    const bool is_useless = provider.enabled && provider.rules.empty();
    Json json;
    json["look"] = fails || is_useless ? "warn" : "good";
    json["words"] =
        page.awaits_test
            ? translated(
                  "{0} saved. It stays off, because its test failed: mend it and save it "
                  "again. “Yes, even if its test fails” switches it on nevertheless.",
                  provider.name)
        : !provider.enabled
            ? translated("{0} saved. It is off: nobody can log in with it.", provider.name)
        : works ? translated("{0} saved. It responds. The login page offers it.", provider.name)
                : translated(
                      "{0} saved. The login page offers it, but it does not work yet: mend "
                      "it, or switch it off until it works.",
                      provider.name);
    json["failures"] = Json::array();
    if (fails && provider.last_test) {
        for (const auto& reason : provider.last_test->problems) {
            json["failures"].push_back({{"reason", reason}});
        }
    }
    json["has_failures"] = !json["failures"].empty();
    json["no_rules"] = is_useless;
    return json;
}

}  // namespace

Json to_json(const IdentityProviderPage& page) {
    const auto fields = fields_to_fill(page);
    const auto more = fields_in_more(page);
    const auto problems = with_cells(page.problems);
    auto others = controls_of(page.rows);
    for (const FormField& field : more) others.push_back({field.name, field.id, field.label});
    Json json = form_json(page.tested ? translated("Couldn't test the identity provider")
                                      : translated("Couldn't save the identity provider"),
                          fields, problems, others);
    // Whether it may be empty depends on the kind of client, as its hint says.
    for (Json& field : json["fields"]) {
        if (field["name"] == "secret") field["optional"] = false;
    }
    json["more"] = Json::array();
    for (const FormField& field : more) {
        json["more"].push_back(to_json(field, page.problems));
        // What has a default is neither asked for nor optional.
        json["more"].back()["optional"] = false;
    }
    json["is_more_open"] = shows_more(page, more);
    json.update(membership_json(page.rows, page.empty_rows, page.tenants, problems));
    json["rules_hint"] = rules_hint(page.provider.kind);
    json["value_label"] = page.provider.kind == IdentityKind::oidc
                              ? translated("Group at the provider")
                              : translated("Group in the directory");
    json["tenants"] = Json::array();
    for (const std::string& tenant : page.tenants) {
        json["tenants"].push_back({{"tenant_name", tenant}});
    }
    json["is_unsaved"] = page.is_unsaved;
    json["is_new"] = page.is_new;
    json["base"] = page.base;
    json["is_overtaken"] = page.is_overtaken;
    json["last_change"] = to_json(page.last_change, page.now);
    json["provider"] = page.provider.name;
    json["kind"] = base::to_word(page.provider.kind);
    json["kind_words"] = identity_kind_words(page.provider.kind);
    json["href"] = identity_provider_href(page.provider);
    // Complete as soon as the name is known; until then it ends with an example, in whose place a
    // script puts what is typed.
    const bool has_own = page.provider.callback == "own";
    const std::string typed = has_own ? page.provider.name : std::string();
    json["redirect"] = page.redirect.substr(0, page.redirect.size() - typed.size());
    // A name that no provider can have is in no address.
    const bool lacks_name = page.is_new && has_own && model::problem_with_new_name(typed);
    const std::string name = lacks_name ? std::string() : typed;
    json["lacks_name"] = lacks_name;
    json["redirect_name"] = lacks_name ? "example" : name;
    json["follows_name"] = page.is_new && has_own;
    json["backchannel"] = page.backchannel;
    json["saved"] = saved_json(page);
    json["works"] = page.tested && page.tested->empty() && page.problems.empty();
    json["fails"] = page.tested && !page.tested->empty();
    json["keeps_working"] = page.keeps_working;
    json["failures"] = Json::array();
    if (page.tested) {
        for (const std::string& reason : *page.tested) {
            Json failure;
            failure["reason"] = reason;
            json["failures"].push_back(std::move(failure));
        }
    }
    return json;
}

IdentityProviderPage identity_provider_in(const http::FormData& sent) {
    IdentityProviderPage page;
    IdentityProvider& provider = page.provider;
    page.is_new = sent.has("new");
    provider.name = sent.trimmed("name");
    provider.kind =
        base::from_word<IdentityKind>(sent.trimmed("kind")).value_or(IdentityKind::oidc);
    provider.enabled = sent.trimmed("enabled") != "no";
    page.is_on_untested = sent.trimmed("enabled") == on_without_test;
    provider.has_second_factor = sent.trimmed("secondFactor") == "provider";
    provider.nested_groups = sent.trimmed("nestedGroups") == "true";
    for (const model::IdentityField& field : model::identity_fields()) {
        if (field.kind && *field.kind != provider.kind) continue;
        if (!sent.has(field.name)) continue;
        provider.*field.text = sent.trimmed(field.name);
        // Browsers end the lines of a text with CR LF.
        if (field.lines > 1) std::erase(provider.*field.text, '\r');
    }
    page.rows = membership_rows_in(sent);
    // As many as there were: "Add a rule" adds one.
    page.empty_rows = std::max(page.rows.empty() ? empty_membership_rows : 0, empty_rows_in(sent));
    if (page.rows.size() > model::most_membership_rules) {
        page.problems.push_back({"rules", translated("There are at most {0} rules, not {1}.",
                                                     grouped(model::most_membership_rules),
                                                     grouped(page.rows.size()))});
    } else {
        provider.rules = rules_of(page.rows, page.problems);
    }
    page.base = sent.trimmed("base");
    // "Test" and the buttons of rows draw the form again, with the warning that it had.
    page.is_overtaken = sent.has("overtaken");
    return page;
}

Response new_identity_provider(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto kind = base::from_word<IdentityKind>(request.path_value("kind"));
    if (!kind) return no_such_page();
    IdentityProviderPage page{.is_new = true};
    page.provider.kind = *kind;
    return draw_provider(app, visitor, 200, std::move(page));
}

Response show_identity_provider(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto found = operations::identity_provider(app.database, request.path_value("name"));
    if (!found) return nothing_there(translated("identity provider"));
    const auto done = request.query_value("done");
    const bool is_to_switch_on = found->last_test && found->last_test->is_to_switch_on;
    return draw_provider(app, visitor, 200,
                         {.provider = *found,
                          .is_on = found->enabled,
                          .awaits_test = is_to_switch_on && !found->enabled,
                          .rows = membership_rows_of(found->rules),
                          .empty_rows = found->rules.empty() ? empty_membership_rows : 0,
                          .is_saved = done == "saved" || done == "failed",
                          .base = operations::fingerprint_of(*found)});
}

namespace {

/// Whether the form has the stored settings, but for rules.
bool is_as_stored(const IdentityProvider& wanted, const IdentityProvider& stored) {
    IdentityProvider same = wanted;
    same.rules = stored.rules;
    return model::to_json(same) == model::to_json(stored);
}

/// Whether a test of the stored settings says the same of those of the form: labels and rules are
/// no part of it.
bool is_tested_alike(const IdentityProvider& wanted, const IdentityProvider& stored) {
    IdentityProvider same = wanted;
    same.label = stored.label;
    return is_as_stored(same, stored);
}

/// Whether the provider is on and the form has other settings of which a test fails: its users
/// could not log in any more. `page` has what the test found then.
bool would_break(App& app, const model::Caller& caller, const base::Secret& secret,
                 bool plain_loopback, const IdentityProvider& stored, IdentityProviderPage& page) {
    const bool stays_on = stored.enabled && page.provider.enabled;
    if (!stays_on || (secret.empty() && is_tested_alike(page.provider, stored))) return false;
    const auto wanted = operations::provider_to_test(app.database, caller, page.provider, secret,
                                                     plain_loopback, page.is_new);
    // What cannot be tested is not saved, and all that is wrong with it is said then.
    if (!wanted) return false;
    auto found = app.identity_providers->test(*wanted);
    if (found.empty()) return false;
    page.tested = std::move(found);
    page.keeps_working = true;
    return true;
}

/// Asks the provider that was typed.
void try_provider(App& app, const model::Caller& caller, const base::Secret& secret,
                  bool plain_loopback, const operations::Result<IdentityProvider>& stored,
                  IdentityProviderPage& page) {
    const auto wanted = operations::provider_to_test(app.database, caller, page.provider, secret,
                                                     plain_loopback, page.is_new);
    page.tested.emplace();
    if (!wanted) {
        page.problems = wanted.error().problems;
    } else if (stored && secret.empty() && is_as_stored(page.provider, *stored)) {
        page.tested = app.identity_providers->test_stored(*stored, app.clock.now());
    } else {
        page.tested = app.identity_providers->test(*wanted);
    }
}

/// Tests a provider that was saved if it is on or is `to_be_on`, switches it on if it is to be, and
/// leads to its page, which says how that ended.
Response saved_provider(App& app, const auth::Visitor& visitor, const std::string& name,
                        bool to_be_on) {
    const auto found = operations::identity_provider(app.database, name);
    if (!found) return nothing_there(translated("identity provider"));
    const bool is_tested = found->enabled || to_be_on;
    const bool works =
        is_tested && app.identity_providers->test_stored(*found, app.clock.now(), to_be_on).empty();
    if (to_be_on && works) {
        IdentityProvider on = *found;
        on.enabled = true;
        // Who saved it meanwhile decides.
        operations::save_identity_provider(app.database, visitor.who(), on, std::nullopt,
                                           app.identity_providers->settings().plain_loopback,
                                           app.clock.now(), false,
                                           operations::fingerprint_of(*found));
        // What a test found is of the settings that were saved last.
        const auto saved = operations::identity_provider(app.database, name);
        if (saved) app.identity_providers->test_stored(*saved, app.clock.now());
    }
    const bool stays_off = to_be_on && !works;
    return http::see_other(identity_provider_href(*found) +
                           (stays_off ? "?done=failed" : "?done=saved"));
}

}  // namespace

Response save_identity_provider(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto sent = http::parse_form(request.body);
    const bool is_on_untested = sent.trimmed("enabled") == on_without_test;
    if (!is_on_untested && !yes_or_no(sent, "enabled")) return incomplete_form(app, visitor);
    auto page = identity_provider_in(sent);
    const auto stored = operations::identity_provider(app.database, page.provider.name);
    if (!page.is_new && !stored) {
        return nothing_there(translated("identity provider"));
    }
    page.is_on = !page.is_new && stored->enabled;
    // The form has empty rows even of a provider without rules.
    if (!page.is_new && !sent.has("rule.value")) {
        page.rows = membership_rows_of(stored->rules);
        page.problems.push_back(
            {"rules", translated("The form came without its rules. Those below are the stored "
                                 "ones: check them, and save again.")});
    }
    const auto secret = base::Secret(sent.first("secret").value_or(""));
    const bool plain = app.identity_providers->settings().plain_loopback;
    const std::string wish = sent.trimmed("do");
    page.is_unsaved = true;
    page.typed_secret = sent.first("secret").value_or("");
    if (!wish.empty() && wish != "save" && wish != save_failing) {
        page.problems.clear();
        if (wish == "test") try_provider(app, visitor.who(), secret, plain, stored, page);
        if (wish == "rows") ++page.empty_rows;
        Response redrawn =
            draw_provider(app, visitor, page.problems.empty() ? 200 : 422, std::move(page));
        redrawn.is_redrawn_form = true;
        return redrawn;
    }
    // Without a proof, saving says what else is wrong with the form, and asks for the proof: the
    // form comes again after it.
    const bool is_tried = !page.is_new && wish != save_failing && !visitor.who().must_prove;
    if (is_tried && page.problems.empty() &&
        would_break(app, visitor.who(), secret, plain, *stored, page)) {
        return draw_provider(app, visitor, 422, std::move(page));
    }
    if (page.problems.empty()) {
        // It is off until its test has passed. One that is on stays so: its users are logged in.
        const bool to_be_on = page.provider.enabled && !page.is_on && !is_on_untested;
        IdentityProvider wanted = page.provider;
        if (to_be_on) wanted.enabled = false;
        const auto saved = operations::save_identity_provider(
            app.database, visitor.who(), wanted, secret, plain, app.clock.now(), page.is_new,
            page.is_new ? std::nullopt : std::optional(page.base));
        if (saved) return saved_provider(app, visitor, page.provider.name, to_be_on);
        page.problems = saved.error().problems;
        const bool was_overtaken = page.problems.front().field == "base";
        page.is_overtaken = page.is_overtaken || was_overtaken;
        if (was_overtaken) {
            const auto latest = operations::identity_provider(app.database, page.provider.name);
            page.base = latest ? operations::fingerprint_of(*latest) : std::string();
        }
        return with_status_of(saved.error(), draw_provider(app, visitor, 422, std::move(page)));
    }
    return draw_provider(app, visitor, 422, std::move(page));
}

}  // namespace fcgi::pages
