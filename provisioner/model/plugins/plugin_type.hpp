#pragma once

#include <optional>
#include <string>
#include <vector>

#include "provisioner/model/catalogue/entity.hpp"

namespace provisioner::model {

/// Which numbers a field takes.
struct NumberRange {
    /// Nothing means no bound.
    std::optional<double> least{};
    std::optional<double> most{};
    /// Whether the number has no decimal point.
    bool is_whole = true;

    /// Whether the text is such a number: digits, with a decimal point among them unless it is
    /// whole, and a minus sign unless `least` forbids one ("-0", too). Blanks around it are not
    /// allowed. Plugins must read whatever it holds.
    bool holds(std::string_view text) const;

    bool operator==(const NumberRange&) const = default;
};

/// A field that a plugin asks people to fill in. The web side builds forms from it and checks
/// values with it, without knowledge of the plugin.
struct PluginField {
    /// Key of the value; unique among the fields of one audience.
    std::string name;
    /// Caption in forms; required and not empty.
    std::string label;
    /// Form control: text, password, select or checkbox. Required; other values are not refused.
    std::string kind = "text";
    /// Hint in forms; may be empty.
    std::string tip;
    /// Null when there is none. Shown by forms; the server does not apply it.
    base::Json default_value;
    /// Whether the plugin does the same with a missing or empty value as with `default_value`. Else
    /// that is only what forms suggest: some defaults of Coopr are so, and must not change.
    bool default_applies = false;
    /// Whether a user may set this admin field for one cluster. No effect on user fields.
    bool overridable = false;
    /// Whether values are secrets: sealed when stored, masked when shown.
    bool sensitive = false;
    /// Whether the value says where the provider's calls go, or by whom they may be answered.
    /// Secrets are not kept when it changes (operations/catalogue/provider_secrets.hpp).
    bool leads = false;
    /// Whether the value gives the machines rights in the provider's account. For one cluster only
    /// administrators may give another value than the provider's.
    bool grants = false;
    /// Choices of a select, in order; empty for other kinds.
    std::vector<std::string> options;
    /// For a field whose values are numbers, as texts or JSON numbers. Nothing: see numbers().
    std::optional<NumberRange> number{};

    /// The numbers that the field takes: `number`, any number for kind "number", else nothing.
    std::optional<NumberRange> numbers() const {
        if (number || kind != "number") return number;
        return NumberRange{.is_whole = false};
    }

    /// Whether values are secrets: declared sensitive, or of kind password.
    bool is_secret() const { return sensitive || kind == "password"; }

    bool operator==(const PluginField&) const = default;
};

/// Fields for one audience. `required` lists alternatives: one of the sets must be filled in
/// completely. An empty list requires nothing.
struct PluginParameters {
    /// In the order of the form.
    std::vector<PluginField> fields;
    /// Alternative sets of names from `fields`.
    std::vector<std::vector<std::string>> required;

    bool operator==(const PluginParameters&) const = default;
};

/// A kind of file that tenants upload for a plugin, for example "cookbooks" of chef-solo.
struct PluginResourceType {
    /// Part of the path under which resources are uploaded.
    std::string name;
    /// "file", or "archive": unpacked on the node.
    std::string format = "file";
    /// Octal digits such as "0755"; only for "file". Nothing: the automator decides.
    std::optional<std::string> permissions;

    bool operator==(const PluginResourceType&) const = default;
};

/// Whether `fields` fills one of the required sets, or none is required. Null and an empty text do
/// not fill a field. `fields` is an object; other JSON counts as empty.
[[nodiscard]] bool is_filled(const PluginParameters& parameters, const base::Json& fields);

/// Kinds of plugins.
enum class PluginKind {
    /// Creates, confirms and deletes machines (provisioner/providers).
    provider,
    /// Turns actions into steps (provisioner/automators).
    automator
};

/// What a provider type or automator type offers. Each plugin describes itself (Provider::type(),
/// Automator::type()); the daemon stores that at its start (store::save_plugin_type). The web side
/// reads it for forms and checks, so it knows plugins without linking them. A type stays stored
/// when no daemon offers it any more; a superadmin can delete it.
struct PluginType {
    /// `version` grows when a daemon offers a different description.
    EntityHeader header;
    PluginKind kind = PluginKind::provider;
    /// For admins: fields of a provider in the catalogue, or of an automator's service action.
    PluginParameters admin;
    /// For users: fields they fill in when they create a cluster.
    PluginParameters user;
    /// Empty for a plugin that needs no files.
    std::vector<PluginResourceType> resource_types;
    /// Name of the field that says where a provider makes its machines ("aws_region"), by which
    /// prices differ. Not a secret one. Empty: there are no regions.
    std::string region_field{};
    /// Whether daemons put keys on a provider's machines and may replace them there. False for
    /// machines that are reached otherwise, that carry keys of their owners, or whose provider puts
    /// the first key back.
    bool login_keys = false;

    bool operator==(const PluginType&) const = default;
};

/// Where a provider with these fields makes its machines: the value of the region field, or that
/// field's default. Empty for a type without regions.
std::string region_of(const PluginType& type, const base::Json& fields);

/// The fields that lead and are not equal in both objects of fields. Null, an empty text, the
/// default and no value at all are equal, and so are the line ends of Windows.
std::vector<std::string> leading_changes(const PluginType& type, const base::Json& before,
                                         const base::Json& after);

/// Reads the wire form; the problems name all members that are wrong. Ignores "version", which the
/// caller sets, and unknown members.
///
///     {"name": "shell", "description": "...",
///      "parameters": {
///          "admin": {"fields": {"script": {"label": "Script", "type": "text", "tip": "...",
///                                          "override": false, "sensitive": false}},
///                    "required": [["script"]]}},
///      "resourceTypes": {"scripts": {"format": "file", "permissions": "0755"}}}
///
/// A field may also have "default" and "options"; "user" has the form of "admin". A provider type
/// with regions has "regionField", one whose machines get our keys "loginKeys", and fields that
/// lead have "leads", those that grant "grants", those of numbers "number": {"min": 1, "max":
/// 16384, "decimals": true}; all are outside the wire contract.
base::Checked<PluginType> plugin_type_from_json(PluginKind kind, const base::Json& json);
/// The wire form, with version. Leaves out an audience that has no fields.
base::Json to_json(const PluginType& type);

}  // namespace provisioner::model

namespace provisioner::base {

/// Words of plugin_type.kind.
template <>
inline constexpr std::array words<model::PluginKind>{
    std::pair{model::PluginKind::provider, std::string_view("provider")},
    std::pair{model::PluginKind::automator, std::string_view("automator")}};

}  // namespace provisioner::base
