#include "fcgi/pages/catalogue/exchange/exchange_page.hpp"

#include <algorithm>
#include <set>

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/catalogue/builder/json_text.hpp"
#include "fcgi/pages/catalogue/entries.hpp"
#include "fcgi/pages/filter_links.hpp"
#include "fcgi/pages/form_field.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/model/plugins/sealed.hpp"
#include "provisioner/operations/catalogue/named_entries.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::messages::translated;
using provisioner::messages::translated_count;
using provisioner::model::CatalogueKind;

namespace {

/// "backup.json: shop, web"
std::string name_of_import(const UnfinishedImport& import) {
    const auto from = import.file.empty() ? translated("Pasted text") : import.file;
    return import.names.empty() ? from : translated("{0}: {1}", from, import.names);
}

}  // namespace

bool may_keep_import(const std::string& text, const Json& catalogue,
                     const std::vector<provisioner::model::PluginType>& types) {
    namespace model = provisioner::model;
    constexpr std::size_t longest_kept = 1024UL * 1024;
    if (text.size() > longest_kept || entries_in(catalogue) == 0) return false;
    Json hidden = catalogue;
    model::hide_what_sounds_secret(hidden, model::secret_mask);
    if (hidden != catalogue) return false;
    const Json* const providers = provisioner::base::member(catalogue, "providers");
    if (providers == nullptr || !providers->is_array()) return true;
    return std::ranges::none_of(*providers, [&](const Json& provider) {
        const auto type =
            std::ranges::find(types, provisioner::base::text_at(provider, "providertype"),
                              [](const model::PluginType& one) { return one.header.name; });
        const Json* const fields = provisioner::base::member(provider, "provisioner");
        if (fields == nullptr || !fields->is_object()) return false;
        const auto& values = fields->get_ref<const Json::object_t&>();
        return std::ranges::any_of(values, [&](const auto& field) {
            const auto& [name, value] = field;
            const bool is_open = value.is_null() || value == "" || value == model::secret_mask;
            // What a type that nobody knows takes for a secret is not known.
            return !is_open && (type == types.end() || model::is_secret_field(&*type, name));
        });
    });
}

std::size_t entries_in(const Json& catalogue) {
    std::size_t entries = 0;
    for (const auto& [collection, list] : catalogue.items()) {
        if (catalogue_kind(collection) && list.is_array()) entries += list.size();
    }
    return entries;
}

std::string first_names_in(const Json& catalogue) {
    constexpr std::size_t most_named = 3;
    constexpr std::size_t longest_named = 40;
    std::string names;
    std::size_t named = 0;
    for (const auto& [collection, list] : catalogue.items()) {
        if (!catalogue_kind(collection) || !list.is_array()) continue;
        for (const Json& entry : list) {
            const auto name = provisioner::base::text_at(entry, "name");
            if (name.empty() || name.size() > longest_named) continue;
            if (named++ == most_named) return names;
            names += (names.empty() ? "" : ", ") + name;
        }
    }
    return names;
}

std::vector<std::string> words_on_left_out(const Json& catalogue) {
    std::vector<std::string> sentences;
    for (const auto& [member, value] : catalogue.items()) {
        if (!catalogue_kind(member)) {
            sentences.push_back(
                translated("{0} is no list of a catalogue, so it is not imported.", member));
        } else if (!value.is_array() && !value.is_null()) {
            sentences.push_back(translated("{0} is not a list, so it is not imported.", member));
        }
    }
    constexpr std::size_t most_told = 20;
    if (sentences.size() > most_told) {
        const auto more = sentences.size() - most_told;
        sentences.resize(most_told);
        sentences.push_back(translated("And {0} more.", more));
    }
    return sentences;
}

std::string choice_value(CatalogueKind kind, const std::string& name) {
    return collection_word(kind) + "/" + name;
}

std::optional<std::pair<CatalogueKind, std::string>> choice_in(const std::string& value) {
    const auto slash = value.find('/');
    const auto kind = catalogue_kind(value.substr(0, slash));
    if (slash == std::string::npos || !kind) return std::nullopt;
    return std::pair{*kind, value.substr(slash + 1)};
}

Json selection_of(const Json& all, const std::vector<std::string>& ticked, bool with_needs) {
    std::vector<provisioner::model::EntryName> chosen;
    for (const std::string& value : ticked) {
        if (auto choice = choice_in(value)) chosen.push_back({choice->first, choice->second});
    }
    std::set<provisioner::model::EntryName> going(chosen.begin(), chosen.end());
    if (with_needs) {
        provisioner::operations::CatalogueEntries catalogue;
        for (const auto& [collection, entries] : all.items()) {
            if (const auto kind = catalogue_kind(collection)) {
                catalogue[*kind] = entries.get<std::vector<Json>>();
            }
        }
        going = provisioner::operations::with_needed_entries(catalogue, chosen);
    }
    Json selection = Json::object();
    for (const auto& [collection, entries] : all.items()) {
        Json& kept = selection[collection] = Json::array();
        const auto kind = catalogue_kind(collection);
        for (const Json& entry : entries) {
            const auto name = provisioner::base::text_at(entry, "name");
            if (kind && going.contains({*kind, name})) kept.push_back(entry);
        }
    }
    return selection;
}

Json to_json(const ExchangePage& page) {
    FormField text{
        .id = "import-text",
        .name = "text",
        .label = translated("Catalogue as JSON"),
        .value = page.text,
        .hint = translated("An export, whole or in part. Nothing changes before you have seen the "
                           "differences."),
        .control = FormField::Control::textarea,
        .rows = 12,
        .code = true};
    const bool is_export = !page.problems.empty() && page.problems.front().field == "entry";
    auto json = form_json(
        is_export ? translated("Nothing was exported") : translated("Couldn't read the import"),
        {text}, page.problems, {{"entry", "export", translated("Export")}});
    json["file_name"] = page.file;
    json["may_import"] = page.may_import;
    json["unfinished"] = Json::array();
    for (const auto& one : page.unfinished) {
        json["unfinished"].push_back(
            {{"import_href", "/exchange/drafts/" + one.id},
             {"import_id", one.id},
             {"import", name_of_import(one)},
             {"amount", translated_count(one.entries, "{0} entry", "{0} entries")},
             {"uploaded", moment(one.at, page.now)}});
    }
    json["has_unfinished"] = !page.unfinished.empty();
    json["done"] = page.done;
    json["search"] = page.search;
    json["with_needs"] = page.with_needs;
    bool is_empty = true;
    json["collections"] = Json::array();
    for (const auto& [kind, entries] : page.entries) {
        if (entries.empty()) continue;
        is_empty = false;
        Json choices = Json::array();
        for (const auto& [name, label] : entries) {
            if (!has_text(name, page.search) && !has_text(label, page.search)) continue;
            choices.push_back({{"value", choice_value(kind, name)}, {"label", label}});
        }
        if (choices.empty()) continue;
        json["collections"].push_back(
            {{"legend", plural_title(kind)}, {"choices", std::move(choices)}});
    }
    json["is_empty"] = is_empty;
    json["has_collections"] = !json["collections"].empty();
    return json;
}

bool is_no_text(const std::string& text) {
    return text.starts_with("\xEF\xBF\xBD") || text.starts_with("PK\x03\x04") ||
           text.starts_with("\x1F") || text.find('\0') != std::string::npos;
}

}  // namespace fcgi::pages
