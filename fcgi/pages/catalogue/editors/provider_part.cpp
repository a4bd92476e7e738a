#include <algorithm>
#include <set>

#include "fcgi/pages/catalogue/editors/parts.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/model/plugins/sealed.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::base::member;
using provisioner::base::text_at;
using provisioner::messages::translated;
using provisioner::model::PluginField;
using provisioner::model::PluginParameters;
using provisioner::model::PluginType;

namespace {

const std::string fields_prefix = "provisioner.";
const std::string clear_prefix = "clear.";

const Json* field_value(const Json& entry, const std::string& name) {
    const Json* fields = member(entry, "provisioner");
    return fields == nullptr ? nullptr : member(*fields, name);
}

bool is_secret_stored(const EditPage& page, const PluginField& field) {
    const Json* stored = field_value(page.stored, field.name);
    return stored != nullptr && *stored != "" && !stored->is_null() &&
           text_at(page.stored, "providertype") == text_at(page.entry, "providertype");
}

FormField provider_control(const EditPage& page, const PluginParameters& parameters,
                           const PluginField& field) {
    // What is only suggested is not stored as if it were chosen, unless nothing works without it.
    const bool is_filled_in =
        page.is_new() && (field.default_applies || is_always_required(parameters, field.name));
    auto control = plugin_control(field, fields_prefix + field.name,
                                  field_value(page.entry, field.name), is_filled_in);
    const bool is_stored = field.is_secret() && is_secret_stored(page, field);
    control.required = is_always_required(parameters, field.name) && !is_stored &&
                       control.control != FormField::Control::select;
    if (is_stored) {
        control.hint += translated("{0}A value is stored; leave this empty to keep it",
                                   std::string(control.hint.empty() ? "" : ". "));
        control.clear_name = clear_prefix + field.name;
        control.is_cleared = std::ranges::count(page.cleared, field.name) > 0;
    }
    return control;
}

/// Whether somebody filled the field in: a secret is stored, or another value than the default.
bool is_set(const EditPage& page, const PluginField& field) {
    if (field.is_secret()) return is_secret_stored(page, field);
    const Json* value = field_value(page.entry, field.name);
    const std::string text = value == nullptr ? "" : text_of_value(*value);
    return !text.empty() && text != text_of_value(field.default_value);
}

bool is_wrong(const EditPage& page, const PluginField& field) {
    return !messages_for(fields_prefix + field.name, page.problems).empty();
}

/// Fields of a provider, drawn in an order.
using Fields = std::vector<const PluginField*>;

Fields fields_but(const PluginParameters& parameters, const std::set<std::string>& left_out) {
    Fields fields;
    for (const PluginField& field : parameters.fields) {
        if (!left_out.contains(field.name)) fields.push_back(&field);
    }
    return fields;
}

Json drawn_fields(const EditPage& page, const PluginParameters& parameters, const Fields& fields,
                  std::vector<NamedControl>& controls) {
    Json list = Json::array();
    for (const PluginField* field : fields) {
        const auto control = provider_control(page, parameters, *field);
        controls.push_back({control.name, control.id, control.label});
        list.push_back(to_json(control, page.problems));
    }
    return list;
}

/// Draws what may have to be filled in as `admin` and the others as `more`, which is open if one
/// of them is set or wrong. Of a type that requires nothing the others are those with a default.
void draw_admin_fields(const EditPage& page, const PluginParameters& parameters,
                       std::vector<NamedControl>& controls, Json& part) {
    Fields first = fields_but(parameters, {});
    Fields more;
    const bool requires_any = !parameters.required.empty();
    const auto others = std::ranges::stable_partition(first, [&](const PluginField* field) {
        return requires_any ? is_named_in_required(parameters, field->name)
                            : text_of_value(field->default_value).empty();
    });
    more.assign(others.begin(), others.end());
    first.erase(others.begin(), others.end());
    if (requires_any) {
        // What has to be filled in comes before the alternatives.
        std::ranges::stable_partition(first, [&](const PluginField* field) {
            return is_always_required(parameters, field->name);
        });
    }
    part["admin"] = drawn_fields(page, parameters, first, controls);
    part["more"] = drawn_fields(page, parameters, more, controls);
    part["has_more"] = !more.empty();
    part["is_more_open"] = std::ranges::any_of(more, [&](const PluginField* field) {
        return is_set(page, *field) || is_wrong(page, *field);
    });
}

FormField type_choice(const EditPage& page) {
    auto field =
        entry_field("providertype", translated("Type"), text_at(page.entry, "providertype"), "");
    field.control = FormField::Control::select;
    bool is_known = false;
    for (const PluginType& type : page.context.provider_types) {
        const std::string& name = type.header.name;
        const std::string label = type.header.label.value_or(name);
        field.options.emplace_back(name, label == name ? name : label + " (" + name + ")");
        is_known |= name == field.value;
    }
    if (!is_known && !field.value.empty()) field.options.emplace_back(field.value, field.value);
    return field;
}

std::set<std::string> names_of(const PluginParameters& parameters) {
    std::set<std::string> names;
    for (const PluginField& field : parameters.fields) names.insert(field.name);
    return names;
}

}  // namespace

Json provider_part(const EditPage& page, std::vector<NamedControl>& controls) {
    static const PluginType unknown;
    const auto* found = page.context.provider_type(text_at(page.entry, "providertype"));
    const PluginType& type = found == nullptr ? unknown : *found;
    const auto of_admins = names_of(type.admin);
    auto declared = of_admins;
    declared.merge(names_of(type.user));
    const auto choice = type_choice(page);
    controls.push_back({choice.name, choice.id, choice.label});
    Json part;
    part["type"] = to_json(choice, page.problems);
    part["about"] = type.header.description.value_or("");
    part["required"] = alternatives_words(type.admin);
    draw_admin_fields(page, type.admin, controls, part);
    const Fields of_users = fields_but(type.user, of_admins);
    part["user"] = drawn_fields(page, type.user, of_users, controls);
    part["has_user"] = !of_users.empty();
    part["is_user_open"] = std::ranges::any_of(of_users, [&](const PluginField* field) {
        return is_set(page, *field) || is_wrong(page, *field);
    });
    part["others"] = Json::array();
    if (const Json* fields = member(page.entry, "provisioner");
        fields != nullptr && fields->is_object()) {
        for (const auto& [name, value] : fields->items()) {
            if (!declared.contains(name)) part["others"].push_back(Json{{"other", name}});
        }
    }
    part["has_others"] = !part["others"].empty();
    return part;
}

void read_provider(const http::FormData& sent, const EditContext& context, const Json& stored,
                   Json& entry) {
    const std::string type_name = sent.trimmed("providertype");
    const bool is_same_type = text_at(stored, "providertype") == type_name;
    entry["providertype"] = type_name;
    const auto* type = context.provider_type(type_name);
    Json fields = Json::object();
    std::set<std::string> controlled;
    // The form of a new provider is filled with defaults: they are not stored, so that another
    // default reaches the provider, too.
    const auto is_left_as_it_was = [&](const PluginField& field, const std::string& text) {
        return stored.empty() && field.default_applies &&
               text == text_of_value(field.default_value) &&
               !is_named_in_required(type->admin, field.name);
    };
    const auto take = [&](const PluginField& field) {
        const std::string name = fields_prefix + field.name;
        if (!controlled.insert(field.name).second || !sent.has(name)) return;
        std::string text = *sent.first(name);
        std::erase(text, '\r');
        if (field.numbers()) text = http::trim(text);
        if (is_left_as_it_was(field, text)) return;
        const Json* before = is_same_type ? field_value(stored, field.name) : nullptr;
        if (!text.empty()) {
            // Numbers and truths stay what they are while their text does.
            fields[field.name] =
                before != nullptr && text_of_value(*before) == text ? *before : Json(text);
        } else if (field.is_secret() && before != nullptr && !sent.has(clear_prefix + field.name)) {
            fields[field.name] = *before;
        }
    };
    if (type != nullptr) {
        for (const PluginField& field : type->admin.fields) take(field);
        for (const PluginField& field : type->user.fields) take(field);
    }
    const Json* before = member(stored, "provisioner");
    if (is_same_type && before != nullptr && before->is_object()) {
        for (const auto& [name, value] : before->items()) {
            if (!controlled.contains(name)) fields[name] = value;
        }
    }
    entry["provisioner"] = std::move(fields);
}

}  // namespace fcgi::pages
