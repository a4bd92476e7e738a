#include "fcgi/pages/catalogue/editors/parts.hpp"
#include "fcgi/pages/catalogue/editors/field_values.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::messages::translated;
using provisioner::model::PluginField;
using provisioner::model::PluginParameters;

namespace {

/// Fields whose values have several lines, as a rule.
const std::set<std::string> fields_of_lines{"machines",        "wipe_script",     "bmc_logins",
                                            "google_key_json", "json_attributes", "user_data",
                                            "variables",       "extra_vars",      "hiera_data"};

/// Whether values have several lines: by the field's name, and for secrets by what names and labels
/// of keys in text form contain.
bool has_lines(const PluginField& field) {
    if (fields_of_lines.contains(field.name)) return true;
    if (!field.is_secret()) return false;
    std::string words = field.name + ' ' + field.label;
    std::ranges::transform(words, words.begin(), [](char c) {
        const bool is_upper = c >= 'A' && c <= 'Z';
        return is_upper ? static_cast<char>(c - 'A' + 'a') : c == '_' || c == '-' ? ' ' : c;
    });
    words = ' ' + words + ' ';
    constexpr std::array signs{" private key ", " pem ", " json ", " certificate "};
    return std::ranges::any_of(
        signs, [&](const char* sign) { return words.find(sign) != std::string::npos; });
}

std::string hint_of(const PluginField& field) {
    std::string hint = field.tip;
    if (const auto range = field.numbers(); range && !field.is_secret()) {
        hint = joined_sentences(hint, translated("Enter {0}", words_of_numbers(*range)));
    }
    if (field.overridable) {
        hint = joined_sentences(hint, translated("Users may set it for their cluster"));
    }
    return hint;
}

/// What happens when nothing is chosen.
std::string words_of_default(const PluginField& field) {
    const std::string standard = text_of_value(field.default_value);
    if (standard.empty() || !field.default_applies) return translated("Not set");
    if (field.kind != "checkbox") return translated("Default: {0}", standard);
    if (standard == "true") return translated("Default: yes");
    return standard == "false" ? translated("Default: no") : translated("Default: {0}", standard);
}

std::vector<std::pair<std::string, std::string>> options_of(const PluginField& field) {
    std::vector<std::pair<std::string, std::string>> options{{"", words_of_default(field)}};
    if (field.kind == "checkbox") {
        options.emplace_back("true", translated("Yes"));
        options.emplace_back("false", translated("No"));
    }
    for (const auto& option : field.options) options.emplace_back(option, option);
    return options;
}

using Alternatives = std::vector<std::vector<std::string>>;

/// Whether whoever fills it in has filled in a smaller one, too.
bool asks_more_than_another(const std::vector<std::string>& alternative,
                            const Alternatives& alternatives) {
    const std::set<std::string> asked(alternative.begin(), alternative.end());
    return std::ranges::any_of(alternatives, [&](const auto& other) {
        return other.size() < asked.size() &&
               std::ranges::all_of(other, [&](const auto& name) { return asked.contains(name); });
    });
}

}  // namespace

const PluginField* field_named(const PluginParameters& parameters, const std::string& name) {
    const auto found = std::ranges::find(parameters.fields, name, &PluginField::name);
    return found == parameters.fields.end() ? nullptr : &*found;
}

std::string text_of_value(const Json& value) {
    if (value.is_null()) return "";
    if (value.is_string()) return value.get<std::string>();
    return value.is_structured() ? value.dump(2, ' ', false, Json::error_handler_t::replace)
                                 : provisioner::base::to_text(value);
}

FormField entry_field(const std::string& name, const std::string& label, const std::string& value,
                      const std::string& hint) {
    return {.id = "entry-" + name, .name = name, .label = label, .value = value, .hint = hint};
}

FormField plugin_control(const PluginField& field, const std::string& name, const Json* value,
                         bool is_new) {
    auto control = entry_field(name, field.label, "", hint_of(field));
    const bool is_text_area = has_lines(field);
    if (is_text_area) {
        control.control = FormField::Control::textarea;
        control.code = true;
        control.rows = 6;
    }
    if (field.is_secret()) {
        control.type = "password";
        control.autocomplete = "off";
        return control;
    }
    if (const auto range = field.numbers()) {
        // No input of type number: a browser would send nothing of what it cannot read.
        control.inputmode = range->is_whole ? "numeric" : "decimal";
    }
    control.value = text_of_value(value != nullptr ? *value
                                  : is_new         ? field.default_value
                                                   : Json());
    const std::string standard = text_of_value(field.default_value);
    const bool says_default = field.kind != "select" && field.kind != "checkbox";
    if (says_default && !standard.empty() && control.value != standard) {
        control.hint = joined_sentences(control.hint, field.default_applies
                                                          ? words_of_default(field)
                                                          : translated("Usual: {0}", standard));
    }
    if (control.value.find('\n') != std::string::npos && !is_text_area) {
        control.control = FormField::Control::textarea;
        control.code = true;
    }
    if (field.kind == "select" || field.kind == "checkbox") {
        control.control = FormField::Control::select;
        control.options = options_of(field);
        const auto is_value = [&](const auto& option) { return option.first == control.value; };
        if (std::ranges::none_of(control.options, is_value)) {
            control.options.emplace_back(control.value, control.value);
        }
    }
    return control;
}

std::string required_words(const PluginParameters& parameters) {
    std::string words;
    for (const auto& alternative : parameters.required) {
        if (asks_more_than_another(alternative, parameters.required)) continue;
        std::string labels;
        for (std::size_t i = 0; i < alternative.size(); ++i) {
            const auto* field = field_named(parameters, alternative[i]);
            if (i > 0) labels += i + 1 == alternative.size() ? translated(" and ") : ", ";
            labels += field == nullptr ? alternative[i] : field->label;
        }
        words += (words.empty() ? translated("Fill in ") : translated(", or ")) + labels;
    }
    return words.empty() ? "" : words + '.';
}

std::vector<std::string> first_alternative(const PluginParameters& parameters) {
    const auto first = std::ranges::find_if(parameters.required, [&](const auto& alternative) {
        return !asks_more_than_another(alternative, parameters.required);
    });
    return first == parameters.required.end() ? std::vector<std::string>{} : *first;
}

std::string alternatives_words(const PluginParameters& parameters) {
    const auto is_chosen = [&](const auto& alternative) {
        return !asks_more_than_another(alternative, parameters.required);
    };
    return std::ranges::count_if(parameters.required, is_chosen) > 1 ? required_words(parameters)
                                                                     : "";
}

bool is_always_required(const PluginParameters& parameters, const std::string& field) {
    return !parameters.required.empty() &&
           std::ranges::all_of(parameters.required, [&](const auto& alternative) {
               return std::ranges::count(alternative, field) > 0;
           });
}

bool is_named_in_required(const PluginParameters& parameters, const std::string& field) {
    return std::ranges::any_of(parameters.required, [&](const auto& alternative) {
        return std::ranges::count(alternative, field) > 0;
    });
}

std::vector<std::string> names_in_text(const std::string& text) {
    std::vector<std::string> names;
    std::string name;
    for (const char c : text + ' ') {
        if (c != ' ' && c != ',' && c != ';' && c != '\n' && c != '\r' && c != '\t') {
            name += c;
        } else if (!name.empty()) {
            if (std::ranges::count(names, name) == 0) names.push_back(name);
            name.clear();
        }
    }
    return names;
}

}  // namespace fcgi::pages
