#include "fcgi/pages/tenants/identity_providers.hpp"

#include "fcgi/pages/form_field.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/problem_words.hpp"
#include "fcgi/pages/refusals.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/operations/identity_providers/edit.hpp"
#include "provisioner/store/sign_in/external_store.hpp"

namespace fcgi::pages {

using http::Request;
using http::Response;
using provisioner::base::Json;
using provisioner::messages::translated;
using provisioner::messages::translated_count;
using provisioner::model::IdentityKind;
using provisioner::model::IdentityProvider;
namespace base = provisioner::base;
namespace model = provisioner::model;
namespace operations = provisioner::operations;
namespace store = provisioner::store;

namespace {

std::string page_of(const IdentityProvider& provider) {
    return "/identity-providers/" + http::percent_encode(provider.name);
}

std::string words_of(IdentityKind kind) {
    return kind == IdentityKind::oidc ? translated("OpenID Connect") : "LDAP";
}

FormField choice(const std::string& name, const std::string& label, const std::string& value,
                 std::vector<std::pair<std::string, std::string>> options) {
    FormField field{.id = "provider-" + name, .name = name, .label = label, .value = value};
    field.control = FormField::Control::select;
    field.options = std::move(options);
    return field;
}

FormField rules_field(const IdentityProviderPage& page) {
    FormField field{.id = "provider-rules", .name = "rules", .label = translated("Rules")};
    field.value = page.rules.value_or(model::to_lines(page.provider.rules));
    field.hint = translated(
        "One per line: group | tenant | role. The first that fits counts; the group * is "
        "everybody. "
        "People whom no rule matches cannot log in.");
    if (page.provider.kind == IdentityKind::ldap) {
        field.hint += translated(" Groups are distinguished names.");
    }
    field.control = FormField::Control::textarea;
    field.rows = 6;
    field.code = true;
    return field;
}

FormField secret_of(const IdentityProviderPage& page) {
    const bool is_oidc = page.provider.kind == IdentityKind::oidc;
    FormField field{.id = "provider-secret", .name = "secret"};
    field.label =
        is_oidc ? translated("Client secret") : translated("Password of the service account");
    field.hint = page.is_new ? "" : translated("Leave empty to keep the stored one.");
    field.type = "password";
    field.autocomplete = "off";
    return field;
}

std::vector<FormField> fields_of(const IdentityProviderPage& page) {
    const IdentityProvider& provider = page.provider;
    std::vector<FormField> fields;
    if (page.is_new) {
        FormField name{.id = "provider-name", .name = "name", .label = translated("Name")};
        name.value = provider.name;
        name.hint = translated("Used in addresses. It cannot be changed later.");
        name.required = true;
        fields.push_back(std::move(name));
    }
    fields.push_back(choice("enabled", translated("People can log in with it"),
                            provider.enabled ? "yes" : "no",
                            {{"yes", translated("Yes")}, {"no", translated("No")}}));
    for (const model::IdentityField& one : model::identity_fields()) {
        if (one.kind && *one.kind != provider.kind) continue;
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
        fields.push_back(std::move(field));
    }
    fields.push_back(secret_of(page));
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
    fields.push_back(rules_field(page));
    return fields;
}

Response draw_provider(App& app, const auth::Visitor& visitor, int status,
                       IdentityProviderPage page) {
    if (app.identity_providers != nullptr && page.provider.kind == IdentityKind::oidc) {
        const std::string& address = app.identity_providers->settings().address;
        if (!address.empty()) {
            page.redirect = app.identity_providers->redirect_address(page.provider);
            if (page.provider.name.empty()) page.redirect += "NAME";
            page.backchannel = address + "/login/backchannel";
        }
    }
    const std::string title =
        page.is_new ? translated("New identity provider") : page.provider.name;
    return drawn(app, visitor, status, "tenants/identity_provider",
                 {.title = title, .section = "identity_providers"}, to_json(page));
}

/// The question, after a refusal with its reason.
Response ask_to_delete(const Request& request, const auth::Visitor& visitor, App& app,
                       const operations::Refusal* refusal) {
    const auto found = operations::identity_provider(app.database, request.path_value("name"));
    if (!found) return nothing_there(app, visitor, translated("identity provider"));
    IdentityProviderDeletionPage page{.provider = *found};
    page.users = app.database.read([&](store::Connection& connection) {
        return store::count_unlocked_external_users(connection, found->id);
    });
    if (refusal != nullptr) page.problem = problem_words(refusal->problems.front().message);
    auto answer =
        drawn(app, visitor, 200, "tenants/delete_identity_provider",
              {.title = translated("Delete {0}", found->name), .section = "identity_providers"},
              to_json(page));
    return refusal == nullptr ? answer : with_status_of(*refusal, std::move(answer));
}

}  // namespace

Json to_json(const IdentityProviderDeletionPage& page) {
    Json json;
    json["provider"] = page.provider.name;
    json["href"] = page_of(page.provider);
    json["kind_words"] = words_of(page.provider.kind);
    json["problem"] = page.problem;
    json["users"] =
        page.users == 0 ? std::string() : translated_count(page.users, "{0} user", "{0} users");
    return json;
}

Json to_json(const IdentityProvidersPage& page) {
    Json json;
    json["done"] = page.done;
    json["has_providers"] = !page.providers.empty();
    json["providers"] = Json::array();
    for (const IdentityProvider& provider : page.providers) {
        Json item;
        item["provider"] = provider.name;
        item["href"] = page_of(provider);
        item["label"] = provider.label;
        item["kind"] = words_of(provider.kind);
        item["state"] = provider.enabled ? "on" : "off";
        json["providers"].push_back(std::move(item));
    }
    return json;
}

Json to_json(const IdentityProviderPage& page) {
    const auto fields = fields_of(page);
    Json json = form_json(translated("Couldn't save the identity provider"), fields, page.problems);
    json["is_new"] = page.is_new;
    json["provider"] = page.provider.name;
    json["kind"] = base::to_word(page.provider.kind);
    json["kind_words"] = words_of(page.provider.kind);
    json["href"] = page_of(page.provider);
    json["redirect"] = page.redirect;
    json["backchannel"] = page.backchannel;
    json["is_saved"] = page.is_saved;
    json["works"] = page.tested && page.tested->empty();
    json["fails"] = page.tested && !page.tested->empty();
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
    provider.has_second_factor = sent.trimmed("secondFactor") == "provider";
    provider.nested_groups = sent.trimmed("nestedGroups") == "true";
    for (const model::IdentityField& field : model::identity_fields()) {
        if (field.kind && *field.kind != provider.kind) continue;
        if (!sent.has(field.name)) continue;
        provider.*field.text = sent.trimmed(field.name);
        // Browsers end the lines of a text with CR LF.
        if (field.lines > 1) std::erase(provider.*field.text, '\r');
    }
    page.rules = sent.first("rules").value_or("");
    std::erase(*page.rules, '\r');
    auto rules = model::rules_from_lines(*page.rules);
    if (rules) {
        provider.rules = *std::move(rules);
    } else {
        page.problems = rules.error();
    }
    return page;
}

Response list_identity_providers(const Request& request, const auth::Visitor& visitor, App& app) {
    IdentityProvidersPage page{.providers = operations::list_identity_providers(app.database)};
    const std::string done = request.query_value("done").value_or("");
    if (done == "deleted")
        page.done = translated("Identity provider deleted. Its users are locked.");
    return drawn(app, visitor, 200, "tenants/identity_providers",
                 {.title = translated("Identity providers"), .section = "identity_providers"},
                 to_json(page));
}

Response new_identity_provider(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto kind = base::from_word<IdentityKind>(request.path_value("kind"));
    if (!kind) return nothing_there(app, visitor, translated("kind of identity provider"));
    IdentityProviderPage page{.is_new = true};
    page.provider.kind = *kind;
    return draw_provider(app, visitor, 200, std::move(page));
}

Response show_identity_provider(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto found = operations::identity_provider(app.database, request.path_value("name"));
    if (!found) return nothing_there(app, visitor, translated("identity provider"));
    return draw_provider(app, visitor, 200,
                         {.provider = *found, .is_saved = request.query_value("done") == "saved"});
}

Response save_identity_provider(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto sent = http::parse_form(request.body);
    auto page = identity_provider_in(sent);
    if (!page.is_new && !operations::identity_provider(app.database, page.provider.name)) {
        return nothing_there(app, visitor, translated("identity provider"));
    }
    if (page.problems.empty()) {
        const auto secret = base::Secret(sent.first("secret").value_or(""));
        const bool plain = app.identity_providers->settings().plain_loopback;
        const auto saved =
            operations::save_identity_provider(app.database, visitor.who(), page.provider, secret,
                                               plain, app.clock.now(), page.is_new);
        if (saved) return http::see_other(page_of(page.provider) + "?done=saved");
        page.problems = saved.error().problems;
    }
    return draw_provider(app, visitor, 422, std::move(page));
}

Response test_identity_provider(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto found = operations::identity_provider(app.database, request.path_value("name"));
    if (!found) return nothing_there(app, visitor, translated("identity provider"));
    IdentityProviderPage page{.provider = *found};
    page.tested = app.identity_providers->test(*found);
    return draw_provider(app, visitor, 200, std::move(page));
}

Response ask_to_delete_identity_provider(const Request& request, const auth::Visitor& visitor,
                                         App& app) {
    return ask_to_delete(request, visitor, app, nullptr);
}

Response delete_identity_provider(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto deleted = operations::delete_identity_provider(
        app.database, visitor.who(), request.path_value("name"), app.clock.now());
    if (deleted) return http::see_other("/identity-providers?done=deleted");
    return ask_to_delete(request, visitor, app, &deleted.error());
}

}  // namespace fcgi::pages
