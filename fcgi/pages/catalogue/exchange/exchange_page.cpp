#include "fcgi/pages/catalogue/exchange/exchange_page.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/catalogue/builder/json_text.hpp"
#include "fcgi/pages/catalogue/change_drafts.hpp"
#include "fcgi/pages/catalogue/entries.hpp"
#include "fcgi/pages/catalogue/misfits.hpp"
#include "fcgi/pages/catalogue/versions/difference.hpp"
#include "fcgi/pages/filter_links.hpp"
#include "fcgi/pages/form_field.hpp"
#include "fcgi/pages/kept/to_check.hpp"
#include "fcgi/pages/problem_words.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/model/plugins/sealed.hpp"
#include "provisioner/operations/catalogue/named_entries.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::messages::translated;
using provisioner::messages::translated_count;
using provisioner::model::CatalogueKind;
using provisioner::operations::DraftEntry;
using State = DraftEntry::State;

namespace {

/// A difference may have 2,000 lines, so a page has few.
constexpr std::size_t most_differences = 40;
constexpr std::size_t most_open_differences = 3;
/// The page has the whole import once more as its text.
constexpr std::size_t most_contents = 200;

std::string words_of_state(State state) {
    switch (state) {
        case State::fresh:
            return translated("new");
        case State::changed:
            return translated("changed");
        case State::same:
            return translated("unchanged");
        case State::wrong:
            return translated("invalid");
    }
    return "";
}

/// Whether no draft can be kept of the change, because there is another one.
bool is_in_the_way(const DraftEntry& entry) {
    return entry.has_draft && entry.is_offered && entry.state == State::changed;
}

Json warnings_of(const DraftEntry& entry) {
    Json warnings = Json::array();
    if (entry.unknown.size() == 1) {
        warnings.push_back({{"warning", translated("There is no member {0}: it is left out.",
                                                   entry.unknown.front())}});
    } else if (!entry.unknown.empty()) {
        warnings.push_back({{"warning", translated("There are no members {0}: they are left out.",
                                                   listed(entry.unknown))}});
    }
    for (const auto& missing : entry.missing) {
        warnings.push_back(
            {{"warning",
              translated("It names {0}, which is neither in the catalogue nor in the import.",
                         kind_and_name(missing.kind, missing.name))}});
    }
    for (const auto& other : entry.incomplete) {
        warnings.push_back(
            {{"warning", translated("It names {0} of the import, which lacks something itself.",
                                    kind_and_name(other.kind, other.name))}});
    }
    return warnings;
}

/// Whether it is imported unless somebody decides otherwise.
bool is_sound(const DraftEntry& entry) {
    return entry.is_complete() && entry.unknown.empty() && !is_in_the_way(entry);
}

bool is_change_for_users(const DraftEntry& entry) {
    return entry.is_offered && entry.state == State::changed;
}

/// Whether users get the change at once, so that they are asked about that import it.
bool is_asked_about(const DraftPage& page, const DraftEntry& entry) {
    if (entry.state != State::changed || !is_selected(page, entry)) return false;
    return entry.kind != CatalogueKind::cluster_template ||
           (entry.is_offered && !page.keeps_changes);
}

/// What is to be checked but for what the entry lacks, which is said of imports in other words.
Json checks_json(const DraftPage& page, const DraftEntry& entry) {
    Json list = Json::array();
    const auto found = page.checks.find({entry.kind, entry.name});
    // What is asked about is told in the question.
    if (found == page.checks.end() || is_asked_about(page, entry)) return list;
    for (const auto& warning : found->second.warnings) {
        const bool is_said = std::ranges::any_of(entry.missing, [&](const auto& missing) {
            return words_on_missing(missing) == warning;
        });
        if (!is_said) list.push_back({{"warning", warning}});
    }
    return list;
}

/// Who has the template that would be changed; empty for other entries.
std::string words_on_reach(const DraftEntry& entry) {
    if (entry.kind != CatalogueKind::cluster_template || entry.version == 0) return "";
    return entry.is_offered ? translated("offered to users") : translated("a draft");
}

Json draft_row(const DraftPage& page, const DraftEntry& entry, bool shows_content) {
    const auto value = choice_value(entry.kind, entry.name);
    const bool can_choose = entry.state == State::fresh || entry.state == State::changed;
    Json problems = Json::array();
    for (const auto& problem : entry.problems) {
        problems.push_back({{"problem", (problem.field.empty() ? "" : problem.field + ": ") +
                                            problem_words(problem.message)}});
    }
    Json row;
    row["value"] = value;
    row["name"] = entry.name.empty() ? translated("(without a name)") : entry.name;
    row["kind_label"] = singular_title(entry.kind);
    row["state"] = words_of_state(entry.state);
    row["can_choose"] = can_choose;
    row["is_ticked"] = is_selected(page, entry);
    row["reach"] = words_on_reach(entry);
    row["change_href"] = is_in_the_way(entry) ? Json(page_of_draft(entry.name)) : Json();
    row["seen_name"] = "seen." + value;
    row["seen"] = entry.version;
    row["has_problems"] = !problems.empty();
    row["entry_problems"] = std::move(problems);
    row["entry_warnings"] = warnings_of(entry);
    for (auto& check : checks_json(page, entry)) row["entry_warnings"].push_back(check);
    const auto checked = page.checks.find({entry.kind, entry.name});
    const bool is_told = checked != page.checks.end() && is_asked_about(page, entry);
    row["unchecked"] = checked == page.checks.end() || is_told ? "" : checked->second.unchecked;
    row["is_above"] =
        is_told && !(checked->second.warnings.empty() && checked->second.unchecked.empty());
    row["has_entry_warnings"] = !row["entry_warnings"].empty();
    row["content"] = nullptr;
    if (shows_content && entry.state == State::fresh) {
        row["content"] = typed_json(entry_for_people(entry.imported));
    }
    const bool shows_difference = shows_content && entry.state == State::changed;
    row["difference"] = shows_difference ? difference_json(entry.present, entry.imported) : Json();
    return row;
}

}  // namespace

namespace {

/// "backup.json: shop, web"
std::string name_of_import(const UnfinishedImport& import) {
    const auto from = import.file.empty() ? translated("Pasted text") : import.file;
    return import.names.empty() ? from : translated("{0}: {1}", from, import.names);
}

/// What is not selected, and why.
std::vector<std::string> words_on_unselected(const std::vector<DraftEntry>& entries) {
    std::vector<std::string> sentences;
    const auto in_the_way = std::ranges::count_if(entries, is_in_the_way);
    if (in_the_way > 0) {
        sentences.push_back(translated_count(
            in_the_way, "{0} template has a draft of a change already. It is not selected.",
            "{0} templates have drafts of changes already. They are not selected."));
    }
    const auto invalid = std::ranges::count(entries, State::wrong, &DraftEntry::state);
    if (invalid > 0) {
        sentences.push_back(translated_count(invalid,
                                             "{0} entry is invalid. It cannot be selected.",
                                             "{0} entries are invalid. They cannot be selected."));
    }
    const auto incomplete =
        std::ranges::count_if(entries, [](const auto& entry) { return !entry.is_complete(); });
    if (incomplete > 0) {
        sentences.push_back(translated_count(
            incomplete, "{0} entry needs others that are missing. It is not selected.",
            "{0} entries need others that are missing. They are not selected."));
    }
    const auto unknown = std::ranges::count_if(
        entries, [](const auto& entry) { return entry.is_complete() && !entry.unknown.empty(); });
    if (unknown > 0) {
        sentences.push_back(translated_count(
            unknown, "{0} entry has members that nothing knows. It is not selected.",
            "{0} entries have members that nothing knows. They are not selected."));
    }
    return sentences;
}

bool is_new_template(const DraftEntry& entry) {
    return entry.kind == CatalogueKind::cluster_template && entry.state == State::fresh;
}

}  // namespace

bool may_keep_import(const std::string& text, const Json& catalogue,
                     const std::vector<provisioner::model::PluginType>& types) {
    namespace model = provisioner::model;
    constexpr std::size_t longest_kept = 1024UL * 1024;
    if (text.size() > longest_kept) return false;
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

Json to_json(const DraftPage& page) {
    FormField note{.id = "import-note",
                   .name = "note",
                   .label = translated("Why"),
                   .value = page.note,
                   .hint = translated("A note for the history of versions.")};
    auto json =
        form_json(translated("Nothing was imported"), {note}, beside_question(page.problems));
    std::map<State, std::size_t> counts;
    std::size_t differences = 0;
    std::size_t contents = 0;
    json["entries"] = Json::array();
    for (const DraftEntry& entry : page.entries) {
        ++counts[entry.state];
        const bool is_new = entry.state == State::fresh;
        std::size_t& shown = is_new ? contents : differences;
        const bool shows = shown < (is_new ? most_contents : most_differences);
        shown += shows && (is_new || entry.state == State::changed) ? 1 : 0;
        json["entries"].push_back(draft_row(page, entry, shows));
        // What users would get is seen without a click, while the page stays short.
        json["entries"].back()["is_open"] =
            is_change_for_users(entry) && differences <= most_open_differences;
    }
    const auto incomplete =
        std::ranges::count_if(page.entries, [](const auto& entry) { return !entry.is_complete(); });
    json["summary"] =
        translated("{0} new, {1} changed, {2} unchanged, {3} invalid, {4} with missing references.",
                   counts[State::fresh], counts[State::changed], counts[State::same],
                   counts[State::wrong], incomplete);
    json["left_out"] = Json::array();
    for (const auto& sentence : page.left_out) json["left_out"].push_back({{"sentence", sentence}});
    for (const auto& sentence : words_on_unselected(page.entries)) {
        json["left_out"].push_back({{"sentence", sentence}});
    }
    json["has_new_template"] = std::ranges::any_of(page.entries, is_new_template);
    json["has_changed_template"] = std::ranges::any_of(page.entries, is_change_for_users);
    json["keeps_changes"] = page.keeps_changes;
    json.update(to_json(CheckBox{
        .title = page.problems.empty() ? translated("Before you import: please check")
                                       : translated("Nothing was imported yet: please check"),
        .to_check = changes_to_check(page),
        .notes = page.to_note,
        .act = translated("Import selected"),
        .form = "import",
        .is_asked = is_question(page.problems)}));
    json["offers_templates"] = page.offers_templates;
    json["has_left_out"] = !json["left_out"].empty();
    json["has_entries"] = !page.entries.empty();
    json["can_import"] = counts[State::fresh] + counts[State::changed] > 0;
    json["text"] = page.text;
    json["kept"] = page.kept;
    return json;
}

bool is_selected(const DraftPage& page, const DraftEntry& entry) {
    if (entry.state != State::fresh && entry.state != State::changed) return false;
    // What would not work is imported by those only who mean it.
    if (!page.ticked) return is_sound(entry);
    return std::ranges::count(*page.ticked, choice_value(entry.kind, entry.name)) > 0;
}

bool is_kept_as_draft(const DraftPage& page, const DraftEntry& entry) {
    return entry.kind == CatalogueKind::cluster_template && is_change_for_users(entry) &&
           page.keeps_changes;
}

std::vector<std::string> changes_to_check(const DraftPage& page) {
    std::vector<std::string> sentences = page.broken;
    for (const DraftEntry& entry : page.entries) {
        const auto found = page.checks.find({entry.kind, entry.name});
        if (found == page.checks.end() || !is_asked_about(page, entry)) continue;
        auto told = found->second.warnings;
        if (!found->second.unchecked.empty()) told.push_back(found->second.unchecked);
        for (const auto& one : told) sentences.push_back(translated("{0}: {1}", entry.name, one));
    }
    return sentences;
}

std::set<std::string> templates_to_withhold(const ImportChecks& checks) {
    std::set<std::string> names;
    for (const auto& [entry, check] : checks) {
        const bool is_template = entry.kind == CatalogueKind::cluster_template;
        if (is_template && !check.warnings.empty()) names.insert(entry.name);
    }
    return names;
}

bool is_no_text(const std::string& text) {
    return text.starts_with("\xEF\xBF\xBD") || text.starts_with("PK\x03\x04") ||
           text.starts_with("\x1F") || text.find('\0') != std::string::npos;
}

}  // namespace fcgi::pages
