#include "fcgi/pages/tenants/identity_providers.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include "fcgi/pages/form_field.hpp"
#include "fcgi/pages/tenants/identity_provider_findings.hpp"
#include "fcgi/pages/tenants/identity_provider_merge.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/model/names.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::messages::translated;
using provisioner::messages::translated_count;
using provisioner::model::IdentityKind;
using provisioner::model::IdentityProvider;
namespace base = provisioner::base;
namespace model = provisioner::model;

namespace {

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
    if (page.has_lost_secret) field.hint = translated("Enter it again: secrets are not kept.");
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
        if (!field.caution.empty() || !messages_for(field.name, page.problems).empty()) return true;
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

/// Whether what is on, and shown as it is stored, lets nobody in for want of a rule.
bool shows_no_rule(const IdentityProviderPage& page) {
    return !page.is_new && page.is_on && page.rows.empty();
}

std::string taken_words() {
    return translated("New value, saved meanwhile.");
}

std::string notes_of_group(const std::string& group, const base::Problems& notes) {
    std::string all;
    for (const base::Problem& note : notes) {
        if (note.field == model::note_of_rule(group)) all = joined_sentences(all, note.message);
    }
    return all;
}

void add_cautions(const base::Problems& notes, std::vector<FormField>& fields) {
    for (FormField& field : fields) field.caution = messages_for(field.name, notes);
}

void mark_taken(const std::vector<std::string>& taken, std::vector<FormField>& fields) {
    for (FormField& field : fields) {
        if (std::ranges::count(taken, field.name) > 0) {
            field.hint = joined_sentences(taken_words(), field.hint);
        }
    }
}

/// What saving replaces of what somebody else saved meanwhile, as far as no problem says so.
base::Problems clashes_beside_problems(const IdentityProviderPage& page) {
    auto clashes = clashes_of(page);
    std::erase_if(clashes, [&](const base::Problem& clash) {
        return std::ranges::count(page.problems, clash.message, &base::Problem::message) > 0;
    });
    return clashes;
}

std::string words_in_line(const std::vector<std::string>& words) {
    std::string line;
    for (const std::string& word : words) line += (line.empty() ? "" : " ") + word;
    return line;
}

/// What somebody else saved meanwhile, and what the form has to remember of it.
Json overtaken_json(const IdentityProviderPage& page, const base::Problems& clashes,
                    const std::vector<NamedControl>& controls) {
    Json json;
    json["base"] = page.base;
    json["before"] = page.before;
    json["taken"] = words_in_line(page.taken);
    json["clashing"] = words_in_line(page.clashing);
    json["is_overtaken"] = page.is_overtaken;
    const auto left = left_of_theirs(page);
    json["has_taken"] = has_saved_fields(left);
    json["lost_rules"] = has_lost_rules(left);
    json["has_clashes"] = page.is_overtaken && !clashes_of(page).empty();
    json["tells_clashes"] = !clashes.empty();
    json["clashes"] = linked_sentences(clashes, controls);
    json["last_change"] = to_json(page.last_change, page.now);
    return json;
}

}  // namespace

Json to_json(const IdentityProviderPage& page) {
    auto fields = fields_to_fill(page);
    auto more = fields_in_more(page);
    const auto taken = left_of_theirs(page);
    mark_taken(taken, fields);
    mark_taken(taken, more);
    const base::Problems clashes = clashes_beside_problems(page);
    base::Problems cautions = clashes;
    std::ranges::copy(cautions_of(page), std::back_inserter(cautions));
    add_cautions(cautions, fields);
    add_cautions(cautions, more);
    const auto controls = controls_of_tests(page, fields, more);
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
    for (std::size_t i = 0; i < std::min(page.rows.size(), json["rules"].size()); ++i) {
        const std::string warning = warning_about_row(page.rows, i, page.provider.kind);
        json["rules"][i]["value_warning"] =
            joined_sentences(warning, notes_of_group(page.rows[i].value, cautions));
    }
    json["rules_hint"] = std::ranges::count(taken, "rules") > 0
                             ? joined_sentences(taken_words(), rules_hint(page.provider.kind))
                             : rules_hint(page.provider.kind);
    json["value_label"] = page.provider.kind == IdentityKind::oidc
                              ? translated("Group at the provider")
                              : translated("Group in the directory");
    json["tenants"] = Json::array();
    for (const std::string& tenant : page.tenants) {
        json["tenants"].push_back({{"tenant_name", tenant}});
    }
    json["is_unsaved"] = page.is_unsaved;
    json["is_new"] = page.is_new;
    json.update(overtaken_json(page, clashes, controls));
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
    json["rules_caution"] = joined_sentences(
        messages_for("rules", clashes),
        shows_no_rule(page) ? translated("There is no rule: nobody can log in.") : std::string());
    json["saved"] = saved_provider_json(page, controls);
    json.update(identity_findings_json(page, controls));
    json["works_words"] =
        page.provider.kind == IdentityKind::oidc
            ? translated("The provider responds, and what it says about itself is fine.")
            : translated("The directory responds, and its users can be looked up.");
    json["keeps_working"] = page.keeps_working;
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
    page.before = sent.trimmed("before");
    // "Test" and the buttons of rows draw the form again, with the warning that it had.
    page.is_overtaken = sent.has("overtaken");
    page.taken = IdentityProvider::words_of(sent.trimmed("taken"));
    page.clashing = IdentityProvider::words_of(sent.trimmed("clashing"));
    return page;
}

}  // namespace fcgi::pages
