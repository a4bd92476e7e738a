#include "fcgi/pages/tenants/identity_provider_findings.hpp"

#include <algorithm>
#include <iterator>

#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::messages::translated;
using provisioner::messages::translated_count;
using provisioner::model::IdentityKind;
using provisioner::model::IdentityProvider;
namespace base = provisioner::base;
namespace model = provisioner::model;
namespace operations = provisioner::operations;

namespace {

/// What the last test of what is shown noted, or warned about.
bool tells_last_test(const IdentityProviderPage& page) {
    return (page.is_saved || page.is_stored) && page.provider.last_test;
}
const base::Problems& notes_of(const IdentityProviderPage& page) {
    return tells_last_test(page) ? page.provider.last_test->notes : page.notes;
}
const base::Problems& warnings_of(const IdentityProviderPage& page) {
    return tells_last_test(page) ? page.provider.last_test->warnings : page.warnings;
}

/// The reasons with the settings that `known` says of the same words, each once.
base::Problems with_settings(const std::vector<std::string>& reasons, base::Problems known) {
    base::Problems told;
    for (const std::string& reason : reasons) {
        const auto found = std::ranges::find(known, reason, &base::Problem::message);
        told.push_back({found == known.end() ? "" : found->field, reason});
        if (found != known.end()) known.erase(found);
    }
    return told;
}

/// What the last test found, of a provider that is shown as it is stored; null after saving, which
/// says it.
Json last_test_json(const IdentityProviderPage& page, const std::vector<NamedControl>& controls) {
    if (page.is_saved || !tells_last_test(page)) return nullptr;
    const model::IdentityTest& test = *page.provider.last_test;
    Json json;
    json["when"] = moment(test.at, page.now);
    json["failures"] = linked_sentences(with_settings(test.problems, test.notes), controls);
    json["has_failures"] = !test.problems.empty();
    return json;
}

std::string saved_words(const IdentityProviderPage& page, bool works) {
    const IdentityProvider& provider = page.provider;
    if (page.awaits_test) {
        return translated(
            "{0} saved. It stays off, because its test failed: mend it and save it again. “Yes, "
            "even if its test fails” switches it on nevertheless.",
            provider.name);
    }
    if (!provider.enabled) {
        return translated("{0} saved. It is off: nobody can log in with it.", provider.name);
    }
    if (!works) {
        return translated(
            "{0} saved. The login page shows it, but it does not work yet: mend it, or switch it "
            "off until it works.",
            provider.name);
    }
    if (!provider.last_test->warnings.empty()) {
        return translated(
            "{0} saved. The login page shows it. It responds, but it seems that nobody can log in.",
            provider.name);
    }
    return translated("{0} saved. It responds. The login page shows it.", provider.name);
}

}  // namespace

base::Problems cautions_of(const IdentityProviderPage& page) {
    base::Problems cautions = page.likenesses;
    std::ranges::copy(notes_of(page), std::back_inserter(cautions));
    std::ranges::copy(warnings_of(page), std::back_inserter(cautions));
    return cautions;
}

Json linked_sentences(const base::Problems& told, const std::vector<NamedControl>& controls) {
    Json list = Json::array();
    for (const base::Problem& one : told) {
        auto control = std::ranges::find(controls, one.field, &NamedControl::name);
        if (control == controls.end()) {
            const std::string field = one.field.substr(0, one.field.find('.'));
            control = std::ranges::find(controls, field, &NamedControl::name);
        }
        const bool is_linked = !one.field.empty() && control != controls.end();
        list.push_back({{"target", is_linked ? control->id : ""},
                        {"label", is_linked ? control->label : ""},
                        {"reason", one.message}});
    }
    return list;
}

std::vector<NamedControl> controls_of_tests(const IdentityProviderPage& page,
                                            const std::vector<FormField>& fields,
                                            const std::vector<FormField>& more) {
    std::vector<NamedControl> controls;
    for (const auto* some : {&fields, &more}) {
        for (const FormField& field : *some) {
            controls.push_back({field.name, field.id, field.label});
        }
    }
    std::size_t row = 0;
    const auto cells = controls_of(page.rows);
    for (const NamedControl& cell : cells) {
        if (!cell.name.ends_with(".value")) continue;
        controls.push_back({model::note_of_rule(page.rows[row++].value), cell.id, cell.label});
    }
    controls.push_back({"rules", "rules-title", translated("Who may log in")});
    return controls;
}

Json saved_provider_json(const IdentityProviderPage& page,
                         const std::vector<NamedControl>& controls) {
    if (!page.is_saved) return nullptr;
    const IdentityProvider& provider = page.provider;
    const bool works = provider.last_test && provider.last_test->problems.empty();
    const bool fails = !works && (provider.enabled || page.awaits_test);
    const bool is_useless = provider.enabled && provider.rules.empty();
    const bool is_shut = provider.enabled && works && !provider.last_test->warnings.empty();
    Json json;
    json["look"] = fails || is_useless || is_shut ? "warn" : "good";
    json["words"] = saved_words(page, works);
    json["failures"] = Json::array();
    if (fails && provider.last_test) {
        json["failures"] = linked_sentences(
            with_settings(provider.last_test->problems, provider.last_test->notes), controls);
    }
    json["has_failures"] = !json["failures"].empty();
    json["no_rules"] = is_useless;
    json["is_merged"] = page.is_merged;
    json["lost_rules"] = page.has_lost_rules;
    return json;
}

Json identity_findings_json(const IdentityProviderPage& page,
                            const std::vector<NamedControl>& controls) {
    const auto& warnings = warnings_of(page);
    base::Problems notes = notes_of(page);
    base::Problems known = notes;
    known.insert(known.end(), warnings.begin(), warnings.end());
    const auto tested = page.tested.value_or(std::vector<std::string>());
    const auto failures = tells_last_test(page) ? page.provider.last_test->problems : tested;
    // Said already.
    std::erase_if(notes, [&](const base::Problem& note) {
        return std::ranges::count(failures, note.message) > 0;
    });
    const bool fails = !tested.empty();
    Json json;
    json["fails"] = fails;
    json["works"] = page.tested && !fails && page.problems.empty() && warnings.empty();
    json["failures"] = linked_sentences(with_settings(tested, known), controls);
    // Those that keep it from being saved are among the failures.
    json["has_warnings"] = !warnings.empty() && !page.keeps_working;
    json["is_warned_unsaved"] = page.is_unsaved && !fails;
    json["warnings"] = linked_sentences(warnings, controls);
    json["has_notes"] = !notes.empty();
    json["notes_words"] =
        translated_count(notes.size(), "The test noted {0} thing:", "The test noted {0} things:");
    json["notes"] = linked_sentences(notes, controls);
    json["last_test"] = last_test_json(page, controls);
    return json;
}

base::Problems likenesses_of(const IdentityProvider& provider,
                             const std::vector<IdentityProvider>& others) {
    base::Problems found;
    for (const IdentityProvider& other : others) {
        if (other.name == provider.name) continue;
        if (!provider.label.empty() && other.label == provider.label) {
            found.push_back({"label", translated("{0} has the same label: the login page cannot "
                                                 "tell them apart.",
                                                 other.name)});
        }
        const bool is_same_client =
            provider.kind == IdentityKind::oidc && other.kind == IdentityKind::oidc &&
            !provider.client_id.empty() && other.issuer == provider.issuer &&
            other.client_id == provider.client_id;
        if (is_same_client) {
            found.push_back(
                {"clientId", translated("{0} has the same issuer and client ID.", other.name)});
        }
    }
    return found;
}

std::vector<std::string> what_breaks(const IdentityProvider& wanted, const IdentityProvider& stored,
                                     const operations::IdentityFindings& found) {
    auto breaks = found.problems;
    for (const base::Problem& warning : found.warnings) breaks.push_back(warning.message);
    if (wanted.rules.empty() && !stored.rules.empty()) {
        breaks.push_back(translated("It has no rules: nobody can log in with it."));
    }
    return breaks;
}

}  // namespace fcgi::pages
