#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "fcgi/pages/catalogue/builder/json_text.hpp"
#include "fcgi/pages/catalogue/change_drafts.hpp"
#include "fcgi/pages/catalogue/entries.hpp"
#include "fcgi/pages/catalogue/exchange/exchange_page.hpp"
#include "fcgi/pages/catalogue/misfits.hpp"
#include "fcgi/pages/catalogue/versions/difference.hpp"
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
    for (const auto& circle : entry.circles) {
        warnings.push_back({{"warning", problem_words(circle.message)}});
    }
    return warnings;
}

/// Whether it is imported unless somebody decides otherwise.
bool is_sound(const DraftEntry& entry) {
    return entry.is_complete() && entry.unknown.empty() && entry.circles.empty() &&
           !is_in_the_way(entry);
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

/// What the entries of a page have in common. Those that somebody has to look at come first.
struct EntryGroup {
    std::string id{};
    std::string title{};
};

enum class GroupRank { wrong, unsound, changed, fresh, same };

GroupRank rank_of(const DraftEntry& entry) {
    if (entry.state == State::wrong) return GroupRank::wrong;
    if (entry.state == State::same) return GroupRank::same;
    if (!is_sound(entry)) return GroupRank::unsound;
    return entry.state == State::changed ? GroupRank::changed : GroupRank::fresh;
}

EntryGroup group_of(GroupRank rank) {
    switch (rank) {
        case GroupRank::wrong:
            return {"import-invalid", translated("Invalid")};
        case GroupRank::unsound:
            return {"import-unsound", translated("To be looked at")};
        case GroupRank::changed:
            return {"import-changed", translated("Changed")};
        case GroupRank::fresh:
            return {"import-new", translated("New")};
        case GroupRank::same:
            return {"import-same", translated("Unchanged")};
    }
    throw std::logic_error("unknown group of an import");
}

/// In the order of their groups; in a group as they would be written.
std::vector<const DraftEntry*> entries_by_group(const std::vector<DraftEntry>& entries) {
    std::vector<const DraftEntry*> sorted;
    for (const DraftEntry& entry : entries) sorted.push_back(&entry);
    std::ranges::stable_sort(sorted, {}, [](const DraftEntry* entry) { return rank_of(*entry); });
    return sorted;
}

/// Puts the heading of a group before its first row, and its end behind the last one.
void put_groups(const std::vector<const DraftEntry*>& entries, Json& rows) {
    std::map<GroupRank, std::size_t> counts;
    for (const DraftEntry* entry : entries) ++counts[rank_of(*entry)];
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const auto rank = rank_of(*entries[i]);
        const auto [id, title] = group_of(rank);
        const bool is_first = i == 0 || rank_of(*entries[i - 1]) != rank;
        rows[i]["opens_group"] =
            is_first ? translated("{0}: {1}", title, grouped(counts[rank])) : "";
        rows[i]["group_id"] = id;
        rows[i]["closes_group"] = i + 1 == entries.size() || rank_of(*entries[i + 1]) != rank;
    }
}

/// A sentence with a link to the entries that it is about.
Json sentence_on_group(GroupRank rank, const std::string& sentence) {
    return {{"sentence", sentence}, {"group_href", '#' + group_of(rank).id}};
}

void add_words_on_circles(const std::vector<DraftEntry>& entries, Json& list) {
    const auto circles = std::ranges::count_if(
        entries, [](const DraftEntry& entry) { return !entry.circles.empty(); });
    if (circles == 0) return;
    list.push_back(sentence_on_group(
        GroupRank::unsound,
        translated_count(circles,
                         "{0} service closes a circle of dependencies. It is not selected.",
                         "{0} services are in a circle of dependencies. They are not selected.")));
}

/// What is not selected and why, with a link to it.
Json words_on_unselected(const std::vector<DraftEntry>& entries) {
    Json list = Json::array();
    const auto add = [&](GroupRank rank, const std::string& sentence) {
        list.push_back(sentence_on_group(rank, sentence));
    };
    const auto in_the_way = std::ranges::count_if(entries, is_in_the_way);
    if (in_the_way > 0) {
        add(GroupRank::unsound,
            translated_count(
                in_the_way, "{0} template has a draft of a change already. It is not selected.",
                "{0} templates have drafts of changes already. They are not selected."));
    }
    const auto invalid = std::ranges::count(entries, State::wrong, &DraftEntry::state);
    if (invalid > 0) {
        add(GroupRank::wrong,
            translated_count(invalid, "{0} entry is invalid. It cannot be selected.",
                             "{0} entries are invalid. They cannot be selected."));
    }
    const auto incomplete =
        std::ranges::count_if(entries, [](const auto& entry) { return !entry.is_complete(); });
    if (incomplete > 0) {
        add(GroupRank::unsound,
            translated_count(incomplete,
                             "{0} entry needs others that are missing. It is not selected.",
                             "{0} entries need others that are missing. They are not selected."));
    }
    const auto unknown = std::ranges::count_if(
        entries, [](const auto& entry) { return entry.is_complete() && !entry.unknown.empty(); });
    if (unknown > 0) {
        add(GroupRank::unsound,
            translated_count(
                unknown, "{0} entry has members that nothing knows. It is not selected.",
                "{0} entries have members that nothing knows. They are not selected."));
    }
    add_words_on_circles(entries, list);
    return list;
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
    auto json =
        form_json(translated("Nothing was imported"), {note}, beside_question(page.problems));
    std::map<State, std::size_t> counts;
    std::size_t differences = 0;
    std::size_t contents = 0;
    json["entries"] = Json::array();
    const auto entries = entries_by_group(page.entries);
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
            is_change_for_users(entry) && differences <= most_open_differences;
    }
    put_groups(entries, json["entries"]);
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
    for (auto& one : words_on_unselected(page.entries)) json["left_out"].push_back(std::move(one));
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
