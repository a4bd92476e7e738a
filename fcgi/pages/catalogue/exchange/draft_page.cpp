#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "fcgi/pages/catalogue/builder/json_text.hpp"
#include "fcgi/pages/catalogue/change_drafts.hpp"
#include "fcgi/pages/catalogue/entries.hpp"
#include "fcgi/pages/catalogue/entry_facts.hpp"
#include "fcgi/pages/catalogue/exchange/draft_groups.hpp"
#include "fcgi/pages/catalogue/exchange/exchange_page.hpp"
#include "fcgi/pages/catalogue/exchange/overtaken_entries.hpp"
#include "fcgi/pages/catalogue/misfits.hpp"
#include "fcgi/pages/catalogue/versions/difference.hpp"
#include "fcgi/pages/catalogue/versions/seen_version.hpp"
#include "fcgi/pages/form_field.hpp"
#include "fcgi/pages/kept/to_check.hpp"
#include "fcgi/pages/problem_words.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::messages::translated;
using provisioner::messages::translated_count;
using provisioner::model::CatalogueKind;
using provisioner::model::EntryName;
using provisioner::operations::DraftEntry;
using State = DraftEntry::State;

// The review of an import.
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

std::vector<UnselectedNeed> needs_of(const DraftPage& page, const DraftEntry& entry) {
    const auto found = page.needs.find({entry.kind, entry.name});
    return found == page.needs.end() ? std::vector<UnselectedNeed>() : found->second;
}

/// Those that provide what is needed, by kind and name.
std::vector<std::string> providers_of(const UnselectedNeed& need) {
    std::vector<std::string> names;
    for (const auto& name : need.providers) names.push_back(kind_and_name(need.entry.kind, name));
    return names;
}

std::string words_on_need(const UnselectedNeed& need) {
    const auto providers = providers_of(need);
    if (providers.empty()) {
        return translated("It needs {0}, which is not selected.",
                          kind_and_name(need.entry.kind, need.entry.name));
    }
    return providers.size() == 1
               ? translated("It needs {0}: {1} provides it, and is not selected.", need.entry.name,
                            providers.front())
               : translated("It needs {0}: {1} provide it, and none of them is selected.",
                            need.entry.name, some_listed(providers));
}

std::string words_on_need_of(const DraftEntry& entry, const UnselectedNeed& need) {
    const auto needing = with_capital(kind_and_name(entry.kind, entry.name));
    const auto providers = providers_of(need);
    if (providers.empty()) {
        return translated("{0} needs {1}, which is not selected.", needing,
                          kind_and_name(need.entry.kind, need.entry.name));
    }
    return providers.size() == 1
               ? translated("{0} needs {1}: {2} provides it, and is not selected.", needing,
                            need.entry.name, providers.front())
               : translated("{0} needs {1}: {2} provide it, and none of them is selected.", needing,
                            need.entry.name, some_listed(providers));
}

/// What is to be checked in an entry, without what is said of it as a need.
std::vector<std::string> checked_beside_needs(const DraftPage& page, const DraftEntry& entry,
                                              const EntryCheck& check) {
    auto warnings = check.warnings;
    for (const auto& need : needs_of(page, entry)) {
        std::erase(warnings, words_on_missing(need.entry));
    }
    return warnings;
}

std::string words_on_overtaken(OvertakenEntry::How how) {
    switch (how) {
        case OvertakenEntry::How::changed:
            return translated("It was changed since this import was reviewed.");
        case OvertakenEntry::How::created:
            return translated("It was created since this import was reviewed.");
        case OvertakenEntry::How::anew:
            return translated("It was deleted and created anew since this import was reviewed.");
        case OvertakenEntry::How::deleted:
            return translated(
                "It was deleted since this import was reviewed. Importing it makes it anew.");
    }
    throw std::logic_error("unknown way to overtake an entry");
}

/// Who has changed or deleted an entry since its form was drawn, and when.
void put_overtaker(const DraftPage& page, const DraftEntry& entry, Json& row) {
    row["last_change"] = nullptr;
    row["deletion"] = nullptr;
    const auto found = page.overtaken.find({entry.kind, entry.name});
    if (found == page.overtaken.end()) return;
    const auto& [how, change] = found->second;
    const bool is_gone = how == OvertakenEntry::How::deleted;
    row[is_gone ? "deletion" : "last_change"] = to_json(change, page.now);
}

Json warnings_of(const DraftPage& page, const DraftEntry& entry) {
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
    for (const auto& circle : entry.circles) {
        warnings.push_back({{"warning", problem_words(circle.message)}});
    }
    for (const auto& needed : needs_of(page, entry)) {
        warnings.push_back({{"warning", words_on_need(needed)}});
    }
    const auto overtaken = page.overtaken.find({entry.kind, entry.name});
    if (overtaken != page.overtaken.end()) {
        warnings.push_back({{"warning", words_on_overtaken(overtaken->second.how)}});
    }
    return warnings;
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
    for (const auto& warning : checked_beside_needs(page, entry, found->second)) {
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
    row["row_id"] = row_of(page, entry);
    put_overtaker(page, entry, row);
    row["name"] = entry.name.empty() ? translated("(without a name)") : entry.name;
    row["kind_label"] = singular_title(entry.kind);
    row["state"] = words_of_state(entry.state);
    row["can_choose"] = can_choose;
    row["is_ticked"] = is_selected(page, entry);
    row["reach"] = words_on_reach(entry);
    row["change_href"] = is_in_the_way(entry) ? Json(page_of_draft(entry.name)) : Json();
    row["seen_name"] = "seen." + value;
    row["seen"] = form_value({.version = entry.version, .line = entry.line});
    row["has_problems"] = !problems.empty();
    row["entry_problems"] = std::move(problems);
    row["entry_warnings"] = warnings_of(page, entry);
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

/// For each selected entry that needs what is not selected: what is said of it, and where its row
/// is.
std::map<std::string, std::string> links_to_needs(const DraftPage& page) {
    std::map<std::string, std::string> links;
    for (const DraftEntry& entry : page.entries) {
        if (!is_selected(page, entry)) continue;
        for (const auto& needed : needs_of(page, entry)) {
            links[words_on_need_of(entry, needed)] = '#' + row_of(page, entry);
        }
    }
    return links;
}

/// Problems of an entry lead to its row.
std::vector<NamedControl> controls_of_rows(const DraftPage& page) {
    std::vector<NamedControl> controls;
    for (const DraftEntry& entry : page.entries) {
        if (!page.overtaken.contains({entry.kind, entry.name})) continue;
        controls.push_back({.name = row_of(page, entry),
                            .id = row_of(page, entry),
                            .label = with_capital(kind_and_name(entry.kind, entry.name))});
    }
    return controls;
}

bool is_new_template(const DraftEntry& entry) {
    return entry.kind == CatalogueKind::cluster_template && entry.state == State::fresh;
}

}  // namespace

Json to_json(const DraftPage& page) {
    FormField note{.id = "import-note",
                   .name = "note",
                   .label = translated("Why"),
                   .value = page.note,
                   .hint = translated("A note for the history of versions.")};
    auto json = form_json(is_done_already(page) ? translated("This import is done already")
                                                : translated("Nothing was imported"),
                          {note}, beside_question(page.problems), controls_of_rows(page));
    std::map<State, std::size_t> counts;
    std::size_t differences = 0;
    std::size_t contents = 0;
    json["entries"] = Json::array();
    const auto entries = entries_by_group(page);
    for (const DraftEntry* const one : entries) {
        const DraftEntry& entry = *one;
        ++counts[entry.state];
        const bool is_new = entry.state == State::fresh;
        std::size_t& shown = is_new ? contents : differences;
        const bool shows = shown < (is_new ? most_contents : most_differences);
        shown += shows && (is_new || entry.state == State::changed) ? 1 : 0;
        json["entries"].push_back(draft_row(page, entry, shows));
        // What users would get is seen without a click, while the page stays short.
        json["entries"].back()["is_open"] =
            (is_change_for_users(entry) && differences <= most_open_differences) ||
            page.overtaken.contains({entry.kind, entry.name});
    }
    put_groups(page, entries, json["entries"]);
    json["filter"] = filter_json("import-entries", translated("Show entries with"), entries.size());
    const auto incomplete =
        std::ranges::count_if(page.entries, [](const auto& entry) { return !entry.is_complete(); });
    json["summary"] =
        translated("{0} new, {1} changed, {2} unchanged, {3} invalid, {4} with missing references.",
                   counts[State::fresh], counts[State::changed], counts[State::same],
                   counts[State::wrong], incomplete);
    json["left_out"] = Json::array();
    for (const auto& sentence : page.left_out) {
        json["left_out"].push_back({{"sentence", sentence}, {"group_href", nullptr}});
    }
    for (auto& one : words_on_unselected(page)) json["left_out"].push_back(std::move(one));
    json["has_new_template"] = std::ranges::any_of(page.entries, is_new_template);
    json["has_changed_template"] = std::ranges::any_of(page.entries, is_change_for_users);
    json["keeps_changes"] = page.keeps_changes;
    json.update(to_json(CheckBox{
        .title = page.problems.empty() ? translated("Before you import: please check")
                                       : translated("Nothing was imported yet: please check"),
        .to_check = changes_to_check(page),
        .links = links_to_needs(page),
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

bool is_in_the_way(const DraftEntry& entry) {
    return entry.has_draft && entry.is_offered && entry.state == State::changed;
}

bool is_sound(const DraftPage& page, const DraftEntry& entry) {
    return entry.is_complete() && entry.unknown.empty() && entry.circles.empty() &&
           !is_in_the_way(entry) && !page.needs.contains({entry.kind, entry.name}) &&
           !page.overtaken.contains({entry.kind, entry.name});
}

std::string row_of(const DraftPage& page, const DraftEntry& entry) {
    return "entry-" + std::to_string(&entry - page.entries.data());
}

bool is_selected(const DraftPage& page, const DraftEntry& entry) {
    if (entry.state != State::fresh && entry.state != State::changed) return false;
    // What would not work is imported by those only who mean it.
    if (!page.ticked) return is_sound(page, entry);
    return std::ranges::count(*page.ticked, choice_value(entry.kind, entry.name)) > 0;
}

std::vector<EntryName> unselected_entries(const DraftPage& page) {
    std::vector<EntryName> names;
    for (const DraftEntry& entry : page.entries) {
        if (entry.state == State::same || is_selected(page, entry)) continue;
        names.push_back({entry.kind, entry.name});
    }
    return names;
}

bool is_kept_as_draft(const DraftPage& page, const DraftEntry& entry) {
    return entry.kind == CatalogueKind::cluster_template && is_change_for_users(entry) &&
           page.keeps_changes;
}

std::vector<std::string> changes_to_check(const DraftPage& page) {
    std::vector<std::string> sentences = page.broken;
    for (const auto& [sentence, row] : links_to_needs(page)) sentences.push_back(sentence);
    for (const DraftEntry& entry : page.entries) {
        const auto found = page.checks.find({entry.kind, entry.name});
        if (found == page.checks.end() || !is_asked_about(page, entry)) continue;
        auto told = checked_beside_needs(page, entry, found->second);
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

http::FormData with_all_selected(http::FormData form, bool is_all) {
    std::erase_if(form.fields, [](const auto& field) { return field.first == "entry"; });
    if (!is_all) return form;
    constexpr std::string_view seen = "seen.";
    http::FormData selected = form;
    for (const auto& [name, value] : form.fields) {
        if (name.starts_with(seen)) {
            selected.fields.emplace_back("entry", name.substr(seen.size()));
        }
    }
    return selected;
}

}  // namespace fcgi::pages
