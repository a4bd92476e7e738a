#pragma once

#include <vector>

#include "provisioner/model/catalogue/entity.hpp"

namespace provisioner::model {

/// One field of a plugin's form. `kind` is text, password, select or checkbox.
struct PluginField {
    std::string name;
    std::string label;
    std::string kind = "text";
    std::string tip;
    /// Null when there is none; shown by forms, not applied by the server.
    base::Json default_value;
    bool overridable = false;
    bool sensitive = false;
    std::vector<std::string> options;

    /// Whether its values are secrets: declared so, or a password.
    bool is_secret() const { return sensitive || kind == "password"; }

    bool operator==(const PluginField&) const = default;
};

/// Fields of one audience, and the alternative sets of which one must be filled.
struct PluginParameters {
    std::vector<PluginField> fields;
    std::vector<std::vector<std::string>> required;

    bool operator==(const PluginParameters&) const = default;
};

/// A kind of file a plugin keeps: "file" with permissions, or "archive".
struct PluginResourceType {
    std::string name;
    std::string format = "file";
    std::optional<std::string> permissions;

    bool operator==(const PluginResourceType&) const = default;
};

/// Whether one of the alternative sets has something in each of its fields, or none is asked for.
[[nodiscard]] bool is_filled(const PluginParameters& parameters, const base::Json& fields);

enum class PluginKind { provider, automator };

/// What a provider or automator type offers: written by the running daemon, read by forms and
/// checks.
struct PluginType {
    EntityHeader header;
    PluginKind kind = PluginKind::provider;
    PluginParameters admin;
    PluginParameters user;
    std::vector<PluginResourceType> resource_types;

    bool operator==(const PluginType&) const = default;
};

base::Checked<PluginType> plugin_type_from_json(PluginKind kind, const base::Json& json);
base::Json to_json(const PluginType& type);

}  // namespace provisioner::model

namespace provisioner::base {

template <>
inline constexpr std::array words<model::PluginKind>{
    std::pair{model::PluginKind::provider, std::string_view("provider")},
    std::pair{model::PluginKind::automator, std::string_view("automator")}};

}  // namespace provisioner::base
