#include "fcgi/pages/tenants/identity_provider_merge.hpp"

#include <algorithm>
#include <iterator>

#include "fcgi/http/form_data.hpp"
#include "provisioner/base/merge.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/operations/identity_providers/edit.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::messages::translated;
using provisioner::model::IdentityProvider;
namespace base = provisioner::base;
namespace model = provisioner::model;
namespace operations = provisioner::operations;

namespace {

/// As a form sends it: blanks around a text do not count.
Json provider_settings(const IdentityProvider& provider) {
    Json settings = model::to_json(provider);
    for (auto& [name, value] : settings.items()) {
        if (value.is_string()) value = std::string(http::trim(value.get<std::string>()));
    }
    return settings;
}

void take_setting(const std::string& name, const IdentityProvider& stored,
                  IdentityProviderPage& page) {
    IdentityProvider& provider = page.provider;
    for (const model::IdentityField& field : model::identity_fields()) {
        if (field.name == name) provider.*field.text = stored.*field.text;
    }
    if (name == "enabled") provider.enabled = stored.enabled;
    if (name == "secondFactor") provider.has_second_factor = stored.has_second_factor;
    if (name == "nestedGroups") provider.nested_groups = stored.nested_groups;
    if (name == "rules") {
        provider.rules = stored.rules;
        page.rows = membership_rows_of(stored.rules);
    }
}

/// The label of one of the values of a setting, or the value.
std::string setting_in_words(const std::string& name, const Json& value) {
    if (value.is_boolean()) return value.get<bool>() ? translated("Yes") : translated("No");
    const std::string text = value.is_string() ? value.get<std::string>() : base::to_text(value);
    for (const model::IdentityField& field : model::identity_fields()) {
        for (const model::IdentityChoice& choice : field.choices) {
            if (field.name == name && choice.value == text) return choice.label;
        }
    }
    return text;
}

std::string words_for_both(const std::string& name, const Json& value) {
    if (name == "rules") {
        return translated("Other rules were saved meanwhile. Saving replaces them.");
    }
    const std::string theirs = setting_in_words(name, value);
    return theirs.empty() ? translated("This was emptied meanwhile.")
                          : translated("\"{0}\" was saved meanwhile.", theirs);
}

void add_name(const std::string& name, std::vector<std::string>& names) {
    if (std::ranges::count(names, name) == 0) names.push_back(name);
}

/// What was saved meanwhile for a field; null if it is not known.
const Json* theirs_of(const Json& before, const std::string& name) {
    return before.is_object() ? base::member(before, name) : nullptr;
}

Json before_of(const IdentityProviderPage& page) {
    return base::parse_json(page.before).value_or(Json());
}

/// Whether the stored rules are those of before without the ones of tenants that are gone.
bool lost_rules_with_tenants(const Json& before, const IdentityProvider& stored,
                             const std::vector<std::string>& tenants) {
    const Json* rules = theirs_of(before, "rules");
    if (rules == nullptr || !rules->is_array()) return false;
    Json left = Json::array();
    for (const Json& rule : *rules) {
        const bool is_gone = std::ranges::count(tenants, base::text_at(rule, "tenant")) == 0;
        if (!is_gone) left.push_back(rule);
    }
    return left.size() < rules->size() && left == provider_settings(stored)["rules"];
}

}  // namespace

std::string provider_before(const IdentityProvider& provider) {
    return base::to_text(provider_settings(provider));
}

bool merge_with_stored(IdentityProviderPage& page, const IdentityProvider& stored) {
    const auto before = base::parse_json(page.before);
    if (!before || !before->is_object() || stored.kind != page.provider.kind) return false;
    const auto both =
        base::merged_members(*before, provider_settings(page.provider), provider_settings(stored));
    for (const std::string& name : both.theirs) take_setting(name, stored, page);
    const bool has_lost_rules = lost_rules_with_tenants(*before, stored, page.tenants);
    for (const std::string& name : both.theirs) {
        const bool is_lost = name == "rules" && has_lost_rules;
        add_name(is_lost ? rules_without_tenant : name, page.taken);
    }
    for (const base::Overlap& overlap : both.overlaps) add_name(overlap.member, page.clashing);
    if (!page.typed_secret.empty()) add_name("secret", page.clashing);
    page.base = operations::fingerprint_of(stored);
    page.before = provider_before(stored);
    std::ranges::move(clashes_of(page), std::back_inserter(page.problems));
    return true;
}

void overtake(IdentityProviderPage& page, const IdentityProvider& stored) {
    if (!merge_with_stored(page, stored)) page.base = operations::fingerprint_of(stored);
    page.is_overtaken = true;
}

base::Problems clashes_of(const IdentityProviderPage& page) {
    const Json before = before_of(page);
    const Json ours = provider_settings(page.provider);
    base::Problems clashes;
    for (const std::string& name : page.clashing) {
        const Json* theirs = theirs_of(before, name);
        const Json* typed = theirs_of(ours, name);
        if (theirs != nullptr && typed != nullptr && *theirs != *typed) {
            clashes.push_back({name, words_for_both(name, *theirs)});
        }
        // Nobody can tell whether they saved another secret, too.
        if (name == "secret" && !page.typed_secret.empty()) {
            clashes.push_back({name, translated("This provider was saved meanwhile, perhaps with "
                                                "another secret. Saving replaces it by yours.")});
        }
    }
    return clashes;
}

std::vector<std::string> left_of_theirs(const IdentityProviderPage& page) {
    const Json before = before_of(page);
    const Json ours = provider_settings(page.provider);
    auto left = page.taken;
    std::erase_if(left, [&](const std::string& one) {
        const std::string name = one.substr(0, one.find('.'));
        const Json* theirs = theirs_of(before, name);
        const Json* typed = theirs_of(ours, name);
        return theirs != nullptr && typed != nullptr && *theirs != *typed;
    });
    return left;
}

bool has_saved_fields(const std::vector<std::string>& left) {
    return std::ranges::any_of(
        left, [](const std::string& name) { return name != rules_without_tenant; });
}

bool has_lost_rules(const std::vector<std::string>& left) {
    return std::ranges::count(left, rules_without_tenant) > 0;
}

}  // namespace fcgi::pages
