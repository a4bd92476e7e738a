#include "fcgi/pages/catalogue/editors/edit_page.hpp"

#include <algorithm>
#include <iterator>

#include "fcgi/http/json_body.hpp"
#include "fcgi/pages/catalogue/builder/json_text.hpp"
#include "fcgi/pages/catalogue/editors/named_files.hpp"
#include "fcgi/pages/catalogue/editors/overtaken.hpp"
#include "fcgi/pages/catalogue/editors/parts.hpp"
#include "fcgi/pages/catalogue/entries.hpp"
#include "fcgi/pages/catalogue/misfits.hpp"
#include "fcgi/pages/catalogue/template_services.hpp"
#include "fcgi/pages/catalogue/versions/difference.hpp"
#include "fcgi/pages/catalogue/versions/seen_version.hpp"
#include "fcgi/pages/kept/to_check.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/model/plugins/sealed.hpp"
#include "provisioner/operations/catalogue/edit.hpp"
#include "provisioner/operations/catalogue/named_entries.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::base::member;
using provisioner::base::Problems;
using provisioner::base::text_at;
using provisioner::messages::translated;
using provisioner::model::CatalogueKind;
using provisioner::model::PluginType;
namespace model = provisioner::model;
namespace operations = provisioner::operations;

namespace {

const PluginType* type_named(const std::vector<PluginType>& types, const std::string& name) {
    const auto found = std::ranges::find_if(
        types, [&](const PluginType& type) { return type.header.name == name; });
    return found == types.end() ? nullptr : &*found;
}

std::vector<FormField> header_fields(const EditPage& page) {
    std::vector<FormField> fields;
    if (page.is_new()) {
        auto name = entry_field(
            "name", translated("Name"), text_at(page.entry, "name"),
            translated(
                "Letters, digits, dots, hyphens and underscores. It cannot be changed later."));
        name.required = true;
        fields.push_back(std::move(name));
    }
    fields.push_back(entry_field("label", translated("Label"), text_at(page.entry, "label"),
                                 translated("Shown instead of the name.")));
    fields.push_back(entry_field("description", translated("Description"),
                                 text_at(page.entry, "description"), ""));
    return fields;
}

std::string target_of(const EditPage& page) {
    if (page.is_new()) return "/catalogue/new/" + collection_word(page.kind);
    return entry_page(page.kind, text_at(page.stored, "name")) + "/edit";
}

Json warnings_json(const EditPage& page) {
    Json warnings = Json::array();
    // What is to be checked is in a box of its own; the rest is told once it is saved. A text that
    // cannot be read says nothing that could be checked.
    const bool is_unread = page.document && !entry_in_text(*page.document);
    if (page.is_untouched || is_unread || !page.to_check.empty()) return warnings;
    for (const auto& warning : warnings_about(page.kind, page.entry, page.context)) {
        const bool is_problem =
            std::ranges::any_of(page.problems, [&](const provisioner::base::Problem& problem) {
                return warning.find(problem.message) != std::string::npos;
            });
        if (!is_problem) warnings.push_back(Json{{"warning", warning}});
    }
    return warnings;
}

std::string title_of_problems_in(const EditPage& page) {
    if (!page.clashes.empty()) return translated("Not saved: somebody else changed the same");
    return page.is_switched ? translated("Solve this to switch between form and JSON")
                            : translated("Couldn't save the {0}", singular_title(page.kind));
}

void add_parts(const EditPage& page, Json& json) {
    std::vector<NamedControl> controls;
    json["mapped"] = nullptr;
    json["provider"] = nullptr;
    json["service"] = nullptr;
    switch (page.kind) {
        case CatalogueKind::hardware_type:
        case CatalogueKind::image_type:
            json["mapped"] = mapped_part(page, controls);
            break;
        case CatalogueKind::provider:
            json["provider"] = provider_part(page, controls);
            break;
        case CatalogueKind::service:
            json["service"] = service_part(page, controls);
            break;
        case CatalogueKind::cluster_template:
        case CatalogueKind::partial_template:
            break;
    }
    json.update(form_json(title_of_problems_in(page), header_fields(page),
                          beside_question(page.problems), controls));
}

bool names_missing(const model::PluginParameters& parameters, const Json* fields) {
    return !model::is_filled(parameters, fields == nullptr ? Json::object() : *fields);
}

void warn_about_provider(const Json& entry, const EditContext& context,
                         std::vector<std::string>& warnings) {
    const std::string name = text_at(entry, "providertype");
    if (name.empty()) return;
    const auto* type = context.provider_type(name);
    if (type == nullptr) {
        warnings.push_back(translated("No provisioner offers the provider type {0}.", name));
    } else if (names_missing(type->admin, member(entry, "provisioner"))) {
        warnings.push_back(translated("Fields are missing. {0}", required_words(type->admin)));
    }
}

void warn_about_service(const Json& entry, const EditContext& context,
                        std::vector<std::string>& warnings) {
    std::ranges::move(words_on_unprovided(context.entries, entry, false),
                      std::back_inserter(warnings));
    std::ranges::move(contradictions_of_service(context.entries, entry),
                      std::back_inserter(warnings));
    for (const auto& circle : operations::circles_of_service(context.entries, entry)) {
        warnings.push_back(circle.message);
    }
    const Json* provisioner = member(entry, "provisioner");
    const Json* actions = provisioner == nullptr ? nullptr : member(*provisioner, "actions");
    if (actions == nullptr || !actions->is_object() || actions->empty()) {
        warnings.push_back(translated("It has no action: nothing is done on machines for it."));
        return;
    }
    for (const auto& [action, done] : actions->items()) {
        const std::string name = text_at(done, "type");
        const auto* type = context.automator_type(name);
        if (type == nullptr && !name.empty()) {
            warnings.push_back(translated("{0}: no provisioner offers the automator {1}.",
                                          with_capital(action), name));
        } else if (type != nullptr && names_missing(type->admin, member(done, "fields"))) {
            warnings.push_back(translated("{0}: fields are missing. {1}", with_capital(action),
                                          required_words(type->admin)));
        }
    }
    for (const NamedFile& file : files_named_by(entry, context.given)) {
        if (auto warning = warning_about(file); !warning.empty()) {
            warnings.push_back(std::move(warning));
        }
    }
}

}  // namespace

std::string title_of(const EditPage& page) {
    if (page.is_new()) return translated("New {0}", singular_title(page.kind));
    return translated("Edit {0}", kind_and_name(page.kind, text_at(page.stored, "name")));
}

const PluginType* EditContext::provider_type(const std::string& name) const {
    return type_named(provider_types, name);
}

const PluginType* EditContext::automator_type(const std::string& name) const {
    return type_named(given.automator_types, name);
}

bool has_form(CatalogueKind kind) {
    return kind != CatalogueKind::cluster_template && kind != CatalogueKind::partial_template;
}

Json blank_entry(CatalogueKind kind, const std::string& provider_type) {
    Json entry;
    entry["name"] = "";
    entry["description"] = "";
    if (kind == CatalogueKind::provider) {
        entry["providertype"] = provider_type;
        entry["provisioner"] = Json::object();
    }
    if (kind == CatalogueKind::hardware_type || kind == CatalogueKind::image_type) {
        entry["providermap"] = Json::object();
    }
    if (kind == CatalogueKind::service) {
        entry["provisioner"]["actions"] = Json::object();
    }
    return entry;
}

Json entry_in_form(CatalogueKind kind, const http::FormData& sent, const Json& stored,
                   const EditContext& context) {
    Json entry = stored;
    entry.erase("version");
    if (stored.empty()) entry["name"] = sent.trimmed("name");
    for (const char* name : {"label", "description"}) {
        const std::string text = sent.trimmed(name);
        if (text.empty() && !entry.contains(name)) continue;
        if (text.empty() && std::string_view(name) == "label") {
            entry.erase(name);
        } else {
            entry[name] = text;
        }
    }
    switch (kind) {
        case CatalogueKind::hardware_type:
        case CatalogueKind::image_type:
            read_mapped(sent, kind, entry);
            break;
        case CatalogueKind::provider:
            read_provider(sent, context, stored, entry);
            break;
        case CatalogueKind::service:
            read_service(sent, context, stored, entry);
            break;
        case CatalogueKind::cluster_template:
        case CatalogueKind::partial_template:
            break;
    }
    return entry;
}

bool changes_nothing(CatalogueKind kind, const Json& stored, const Json& entry) {
    auto before = operations::canonical_entry(kind, stored);
    auto after = operations::canonical_entry(kind, entry);
    if (!before || !after) return false;
    before->erase("version");
    after->erase("version");
    return *before == *after;
}

provisioner::base::Checked<Json> entry_in_text(const std::string& text) {
    const auto wrong = [](std::string message) {
        return provisioner::base::unexpected(Problems{{"document", std::move(message)}});
    };
    if (provisioner::base::nesting_of(text) > http::json_depth_limit) {
        return wrong(translated("This is nested too deeply."));
    }
    auto entry = provisioner::base::parse_json(text);
    if (!entry) return wrong(provisioner::base::problem_with_json(text));
    if (!entry->is_object()) return wrong(translated("This must be a JSON object: {...}."));
    return *std::move(entry);
}

std::vector<std::string> warnings_about(CatalogueKind kind, const Json& entry,
                                        const EditContext& context) {
    std::vector<std::string> warnings;
    if (kind == CatalogueKind::provider) warn_about_provider(entry, context, warnings);
    if (kind == CatalogueKind::service) warn_about_service(entry, context, warnings);
    const bool is_template = kind == CatalogueKind::cluster_template;
    if (is_template && lacks_default_services(context.entries, entry)) {
        warnings.push_back(words_on_lacking_services());
    }
    for (auto& misfit : is_template ? misfits_of_template(context.entries, entry)
                                    : misfits_of_type(context.entries, kind, entry)) {
        warnings.push_back(std::move(misfit));
    }
    if (is_template || kind == CatalogueKind::partial_template) {
        std::ranges::move(misfits_of_heirs(context.entries, kind, entry),
                          std::back_inserter(warnings));
    }
    // What services lack is told above, with what follows from it.
    if (kind == CatalogueKind::service) {
        std::ranges::move(misfits_of_service(context.entries, entry), std::back_inserter(warnings));
        return warnings;
    }
    const auto known = operations::known_names(context.entries);
    for (const auto& missing : operations::missing_entries(known, kind, entry)) {
        warnings.push_back(words_on_missing(missing));
    }
    return warnings;
}

std::vector<std::string> words_on_unprovided(const operations::CatalogueEntries& all,
                                             const Json& service, bool only_required) {
    std::vector<std::string> sentences;
    for (const auto& [name, is_required] : operations::unprovided_names(all, service)) {
        if (only_required && !is_required) continue;
        sentences.push_back(
            translated("No service provides {0}{1}", name,
                       (is_required ? translated(": clusters with this service cannot be created.")
                                    : translated(", so using it has no effect."))));
    }
    return sentences;
}

Json without_secrets(Json entry, const EditContext& context) {
    entry = model::shown_entry(std::move(entry));
    const std::string type_name = text_at(entry, "providertype");
    if (type_name.empty()) return entry;
    const auto fields = entry.find("provisioner");
    if (fields == entry.end() || !fields->is_object()) return entry;
    const auto* type = context.provider_type(type_name);
    for (const auto& [name, value] : fields->items()) {
        if (value == "" || value.is_null() || !model::is_secret_field(type, name)) continue;
        value = model::secret_mask;
    }
    return entry;
}

Json without_masked_fields(Json entry) {
    const auto fields = entry.find("provisioner");
    if (!entry.contains("providertype") || fields == entry.end() || !fields->is_object()) {
        return entry;
    }
    Json open = Json::object();
    for (const auto& [name, value] : fields->items()) {
        if (value != model::secret_mask) open[name] = value;
    }
    *fields = std::move(open);
    return entry;
}

Json to_json(const EditPage& page) {
    const bool as_json = page.document || !has_form(page.kind);
    Json json;
    json["heading"] = title_of(page);
    json["crumb"] = plural_title(page.kind);
    json["crumb_href"] = "/catalogue/" + collection_word(page.kind);
    json["target"] = target_of(page);
    json["cancel_href"] = page.is_new() ? "/catalogue/" + collection_word(page.kind)
                                        : entry_page(page.kind, text_at(page.stored, "name"));
    json["is_new"] = page.is_new();
    json["version"] = form_value(page.seen());
    json["last_change"] = to_json(page.last_change, page.now);
    json["overtaken"] = page.is_overtaken ? Json(page.version) : Json();
    json["overtaking"] = words_on_overtaking(page);
    json["gone"] = page.is_gone ? Json(words_on_deletion(page)) : Json();
    json["save_label"] = page.is_gone ? translated("Save as a new entry") : translated("Save");
    json["latest"] = page.is_overtaken
                         ? Json(page.stored.dump(2, ' ', false, Json::error_handler_t::replace))
                         : Json();
    json["difference"] = page.is_overtaken ? difference_json(page.stored, page.entry) : Json();
    json["warnings"] = warnings_json(page);
    json["has_warnings"] = !json["warnings"].empty();
    json.update(to_json(CheckBox{.title = translated("Not saved yet: please check"),
                                 .to_check = page.to_check,
                                 .notes = page.to_note,
                                 .act = translated("Save"),
                                 .name = "do",
                                 .value = "save",
                                 .is_asked = is_question(page.problems)}));
    json["as_json"] = as_json;
    json["has_form"] = has_form(page.kind);
    json["document"] = page.document.value_or("");
    json["note_fields"] = {
        to_json(FormField{.id = "entry-note",
                          .name = "note",
                          .label = translated("Why"),
                          .value = page.note,
                          .hint = translated("A note for the history of versions.")},
                page.problems)};
    Json stored = page.stored;
    stored.erase("version");
    json["is_unsaved"] =
        page.is_new() ? !page.is_untouched || page.is_redrawn : page.entry != stored;
    json["document_problem"] = "";
    json["mapped"] = nullptr;
    json["provider"] = nullptr;
    json["service"] = nullptr;
    if (!as_json) {
        add_parts(page, json);
        return json;
    }
    const auto problems = problems_in_text(beside_question(page.problems), "document");
    json["document_problem"] = messages_for("document", problems);
    json.update(form_json(title_of_problems_in(page), {}, problems,
                          {{"document", "entry-document", "JSON"}}));
    return json;
}

}  // namespace fcgi::pages
