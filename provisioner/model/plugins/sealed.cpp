#include "provisioner/model/plugins/sealed.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace provisioner::model {

namespace {

constexpr auto key_of_sealed = "sealed";

}  // namespace

base::Problems problems_with_sizes(const std::string& path, const base::Json& secrets) {
    base::Problems problems;
    std::size_t total = 0;
    for (const auto& [name, value] : secrets.items()) {
        const std::size_t size =
            value.dump(-1, ' ', false, base::Json::error_handler_t::replace).size();
        // A sealed text is base64 of the secret.
        total += is_sealed(value) ? size / 4 * 3 : size;
        if (size <= longest_secret || is_sealed(value)) continue;
        problems.push_back(
            {path + '.' + name, "is longer than " + std::to_string(longest_secret) + " bytes"});
    }
    if (problems.empty() && total > most_secret_bytes) {
        problems.push_back({path, "has more than " + std::to_string(most_secret_bytes) +
                                      " bytes in secret fields together"});
    }
    return problems;
}

base::Json sealed_value(const std::string& sealed) {
    return {{key_of_sealed, sealed}};
}

bool is_sealed(const base::Json& value) {
    const base::Json* text = value.size() == 1 ? base::member(value, key_of_sealed) : nullptr;
    return text != nullptr && text->is_string();
}

std::string sealed_text(const base::Json& value) {
    return value.at(key_of_sealed).get<std::string>();
}

base::Json masked(const base::Json& fields) {
    base::Json shown = fields;
    for (const auto& [name, value] : shown.items()) {
        if (is_sealed(value)) value = std::string(secret_mask);
    }
    return shown;
}

base::Json without_sealed(const base::Json& fields) {
    base::Json open = base::Json::object();
    for (const auto& [name, value] : fields.items()) {
        if (!is_sealed(value)) open[name] = value;
    }
    return open;
}

base::Json shown_entry(base::Json entry) {
    if (entry.contains("providertype") && entry.contains("provisioner")) {
        entry["provisioner"] = masked(entry["provisioner"]);
    }
    return entry;
}

bool sounds_secret(std::string name) {
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    constexpr std::array words{"password", "passwd",  "passphrase", "pwd",     "_pass", "secret",
                               "token",    "private", "credential", "api_key", "apikey"};
    return std::any_of(words.begin(), words.end(),
                       [&](const char* word) { return name.find(word) != std::string::npos; });
}

namespace {

/// Objects whose members are named after services, providers and actions: an object of the name
/// "token-server" is no secret. Not within a configuration, whose names are anybody's.
bool has_names_as_keys(const std::string& key) {
    return key == "services" || key == "providermap" || key == "actions";
}

/// What is known of a value from the names above it.
struct Above {
    bool is_secret = false;
    bool is_config = false;
    /// The names of the object's members are those of entries.
    bool is_keyed_by_name = false;

    Above member(const std::string& key, const base::Json& value) const {
        const bool is_entry = is_keyed_by_name && value.is_object();
        return {.is_secret = is_secret || (!is_entry && sounds_secret(key)),
                .is_config = is_config || key == "config",
                .is_keyed_by_name = !is_config && has_names_as_keys(key)};
    }
    Above element() const { return {.is_secret = is_secret, .is_config = is_config}; }
};

Above root_of(DocumentKind kind) {
    return {.is_config = kind == DocumentKind::configuration};
}

void hide(base::Json& json, std::string_view instead, const Above& above) {
    if (above.is_secret && (json.is_string() || json.is_number())) json = instead;
    if (json.is_array()) {
        for (base::Json& value : json) hide(value, instead, above.element());
    }
    if (!json.is_object()) return;
    for (const auto& [key, value] : json.items()) hide(value, instead, above.member(key, value));
}

/// Stands for what is stored below a list that is another now.
const base::Json changed_list;

/// The element of a list that `element` is with masks in place of its secrets; null if there is
/// none or more than one.
const base::Json* unmasked_element(const base::Json& element, const base::Json* list,
                                   const Above& above) {
    if (list == nullptr || !list->is_array()) return nullptr;
    const base::Json* found = nullptr;
    for (const base::Json& candidate : *list) {
        base::Json masked = candidate;
        hide(masked, secret_mask, above);
        if (masked != element || (found != nullptr && *found == candidate)) continue;
        if (found != nullptr) return nullptr;
        found = &candidate;
    }
    return found;
}

/// Puts what stands in `present` in place of the mask, below names that sound secret. A list is
/// taken over as a whole if it is the stored one with masks, else each element that is one of the
/// stored ones with masks. A problem for each other mask, and for a mask where no secret stands:
/// it would be stored as it is.
void restore(base::Json& json, const base::Json* present, const Above& above,
             const std::string& path, base::Problems& problems) {
    if (above.is_secret && json == secret_mask) {
        const bool has_value = present != nullptr && !present->is_structured() &&
                               !present->is_null() && *present != secret_mask;
        if (has_value) {
            json = *present;
        } else {
            // The API's answer has no fields: the message names the place.
            problems.push_back(
                {path,
                 path + ": " + std::string(secret_mask) +
                     (present == &changed_list
                          ? " stays only in an element of a list that is as it was: give the value"
                          : " stands for a stored value, but there is none")});
        }
    }
    if (!above.is_secret && json == secret_mask && (present == nullptr || *present != json)) {
        problems.push_back(
            {path, path + ": " + std::string(secret_mask) +
                       " stands for a stored value only below the name of a secret: give the "
                       "value"});
    }
    if (json.is_array()) {
        base::Json masked = present == nullptr ? base::Json() : *present;
        hide(masked, secret_mask, above);
        if (json == masked) {
            json = *present;
            return;
        }
        for (std::size_t i = 0; i < json.size(); ++i) {
            const base::Json* element = unmasked_element(json[i], present, above.element());
            if (element != nullptr) json[i] = *element;
            if (element != nullptr) continue;
            restore(json[i], &changed_list, above.element(), path + '.' + std::to_string(i),
                    problems);
        }
    }
    if (!json.is_object()) return;
    for (const auto& [key, value] : json.items()) {
        const bool is_beside = present == nullptr || present == &changed_list;
        restore(value, is_beside ? present : base::member(*present, key), above.member(key, value),
                path.empty() ? key : path + '.' + key, problems);
    }
}

}  // namespace

void hide_what_sounds_secret(base::Json& document, std::string_view instead, DocumentKind kind) {
    hide(document, instead, root_of(kind));
}

base::Json readable_by(const Caller& caller, base::Json document, DocumentKind kind) {
    if (!caller.may(Right::use_clusters)) hide_what_sounds_secret(document, secret_mask, kind);
    return document;
}

base::Checked<base::Json> with_masked_values(base::Json document,
                                             const std::optional<base::Json>& present) {
    base::Problems problems;
    restore(document, present ? &*present : nullptr, {}, "", problems);
    if (!problems.empty()) return base::unexpected(std::move(problems));
    return document;
}

base::Checked<base::Json> with_masked_config(const base::Json& config, const base::Json& present) {
    base::Json whole = config;
    base::Problems problems;
    restore(whole, &present, root_of(DocumentKind::configuration), "", problems);
    if (problems.empty()) return whole;
    for (base::Problem& problem : problems) problem.field = "config";
    return base::unexpected(std::move(problems));
}

bool is_secret_field(const PluginType* type, const std::string& name) {
    if (type != nullptr) {
        for (const PluginParameters* parameters : {&type->admin, &type->user}) {
            for (const PluginField& field : parameters->fields) {
                if (field.name == name) return field.is_secret();
            }
        }
    }
    return sounds_secret(name);
}

}  // namespace provisioner::model
