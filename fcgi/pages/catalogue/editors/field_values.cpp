#include "fcgi/pages/catalogue/editors/field_values.hpp"

#include <algorithm>
#include <array>

#include "fcgi/pages/catalogue/editors/parts.hpp"
#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::base::member;
using provisioner::base::Problems;
using provisioner::base::text_at;
using provisioner::messages::translated;
using provisioner::model::CatalogueKind;
using provisioner::model::NumberRange;
using provisioner::model::PluginField;
using provisioner::model::PluginParameters;

namespace {

/// As people write it: without a decimal point where none is needed.
std::string bound_words(double bound) {
    std::string words = std::to_string(bound);
    words.erase(words.find_last_not_of('0') + 1);
    if (words.ends_with('.')) words.pop_back();
    return words;
}

bool is_one_of(const std::vector<std::string>& words, const std::string& word) {
    return std::ranges::count(words, word) > 0;
}

/// The words that plugins read as yes and no.
bool is_truth(const std::string& text) {
    constexpr std::array words{"true", "false", "yes", "no", "on", "off", "1", "0"};
    return std::ranges::count(words, provisioner::base::in_small_letters(text)) > 0;
}

struct FieldsPlace {
    /// Of the controls: "provisioner.".
    std::string prefix{};
    bool may_hold_macros = false;
    /// Whether it was filled in as a form: then choices are closed, and what is always required
    /// must be there. Text may lack it for now.
    bool is_form = true;
};

void check_fields(const PluginParameters& parameters, const Json* values, const Json* stored,
                  const FieldsPlace& place, Problems& problems) {
    for (const PluginField& field : parameters.fields) {
        const Json* value = values == nullptr ? nullptr : member(*values, field.name);
        const bool is_empty = value == nullptr || text_of_value(*value).empty();
        const bool is_choice = field.kind == "select" || field.kind == "checkbox";
        if (is_empty && place.is_form && !is_choice && is_always_required(parameters, field.name)) {
            problems.push_back({place.prefix + field.name, translated("Fill this in.")});
        }
        if (value == nullptr) continue;
        const bool is_macro =
            place.may_hold_macros && text_of_value(*value).find('%') != std::string::npos;
        if (is_macro) continue;
        const Json* before = stored == nullptr ? nullptr : member(*stored, field.name);
        auto problem = problem_with_value(field, *value, before, place.is_form);
        if (!problem.empty()) problems.push_back({place.prefix + field.name, std::move(problem)});
    }
}

/// The fields of an action; null where there are none.
const Json* fields_of_action(const Json& entry, const std::string& action) {
    const Json* found = &entry;
    for (const auto& name :
         {std::string("provisioner"), std::string("actions"), action, std::string("fields")}) {
        found = found == nullptr ? nullptr : member(*found, name);
    }
    return found;
}

void check_actions(const EditPage& page, Problems& problems) {
    const Json* actions = member(page.entry, "provisioner");
    if (actions != nullptr) actions = member(*actions, "actions");
    if (actions == nullptr || !actions->is_object()) return;
    for (const auto& [action, done] : actions->items()) {
        const auto* type = page.context.automator_type(text_at(done, "type"));
        if (type == nullptr) continue;
        check_fields(type->admin, fields_of_action(page.entry, action),
                     fields_of_action(page.stored, action),
                     {.prefix = "provisioner.actions." + action + ".fields.",
                      .may_hold_macros = true,
                      .is_form = !page.document},
                     problems);
    }
}

/// Where it is a matter of choice what has to be filled in, the first field of it is told.
void check_alternatives(const PluginParameters& parameters, const Json* values,
                        Problems& problems) {
    if (provisioner::model::is_filled(parameters, values == nullptr ? Json::object() : *values)) {
        return;
    }
    const auto is_missing = [&](const std::string& name) {
        const Json* value = values == nullptr ? nullptr : member(*values, name);
        return value == nullptr || text_of_value(*value).empty();
    };
    const auto names = first_alternative(parameters);
    const auto missing = std::ranges::find_if(names, [&](const std::string& name) {
        return is_missing(name) && !is_always_required(parameters, name);
    });
    if (missing != names.end()) {
        problems.push_back({"provisioner." + *missing, required_words(parameters)});
    }
}

void check_provider(const EditPage& page, Problems& problems) {
    const std::string name = text_at(page.entry, "providertype");
    const auto* type = page.context.provider_type(name);
    const bool is_same_type = text_at(page.stored, "providertype") == name;
    if (type == nullptr) {
        // A type that is gone since then is no reason to refuse a change of something else.
        const bool is_unknown = !name.empty() && !is_same_type && !page.document;
        if (is_unknown) problems.push_back({"providertype", translated("Choose one of the list.")});
        return;
    }
    const Json* stored = is_same_type ? member(page.stored, "provisioner") : nullptr;
    if (!page.document)
        check_alternatives(type->admin, member(page.entry, "provisioner"), problems);
    for (const auto* parameters : {&type->admin, &type->user}) {
        Problems found;
        check_fields(*parameters, member(page.entry, "provisioner"), stored,
                     {.prefix = "provisioner.", .is_form = !page.document}, found);
        for (auto& problem : found) {
            // A field of both audiences has one control.
            const bool is_known = std::ranges::any_of(
                problems, [&](const auto& known) { return known.field == problem.field; });
            if (!is_known) problems.push_back(std::move(problem));
        }
    }
}

}  // namespace

std::string words_of_numbers(const NumberRange& range) {
    const auto& [least, most, is_whole] = range;
    const std::string number = is_whole ? translated("a whole number") : translated("a number");
    if (least && most) {
        return translated("{0} from {1} to {2}", number, bound_words(*least), bound_words(*most));
    }
    if (least) return translated("{0}, at least {1}", number, bound_words(*least));
    return most ? translated("{0}, at most {1}", number, bound_words(*most)) : number;
}

std::string problem_with_value(const PluginField& field, const Json& value, const Json* stored,
                               bool choices_are_closed) {
    const std::string text = text_of_value(value);
    if (text.empty() || field.is_secret()) return "";
    if (const auto range = field.numbers()) {
        return range->holds(text) ? "" : translated("Must be {0}.", words_of_numbers(*range));
    }
    const bool is_stored = stored != nullptr && text_of_value(*stored) == text;
    if (is_stored || text == text_of_value(field.default_value)) return "";
    if (field.kind == "checkbox" && !is_truth(text)) return translated("Choose yes or no.");
    const bool is_closed = choices_are_closed && field.kind == "select" && !field.options.empty();
    if (is_closed && !is_one_of(field.options, text)) return translated("Choose one of the list.");
    return "";
}

Problems problems_with_values(const EditPage& page) {
    Problems problems;
    if (page.kind == CatalogueKind::provider) check_provider(page, problems);
    if (page.kind == CatalogueKind::service) check_actions(page, problems);
    return problems;
}

}  // namespace fcgi::pages
