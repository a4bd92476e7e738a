#include "fcgi/pages/catalogue/exchange/import_checks.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "fcgi/pages/catalogue/editors/edit.hpp"
#include "fcgi/pages/catalogue/editors/edit_page.hpp"
#include "fcgi/pages/catalogue/misfits.hpp"
#include "fcgi/pages/catalogue/template_checks.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/operations/catalogue/named_entries.hpp"
#include "provisioner/operations/catalogue/template_relatives.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::base::text_at;
using provisioner::messages::translated;
using provisioner::model::CatalogueKind;
using provisioner::operations::DraftEntry;
using provisioner::operations::heirs_of;
namespace operations = provisioner::operations;

namespace {

constexpr std::size_t most_templates_sized = 12;
/// Each is looked at together with those that take something from it.
constexpr std::size_t most_templates_judged = 4000;
bool is_new_or_changed(const DraftEntry& entry) {
    return entry.state == DraftEntry::State::fresh || entry.state == DraftEntry::State::changed;
}

/// Why the sizes of one more template are not worked out, after those of `sized`; empty: they are.
std::string why_not_sized(const DraftEntry& entry, const operations::KnownNames& names,
                          std::size_t sized) {
    if (entry.kind != CatalogueKind::cluster_template) return "";
    if (!operations::missing_entries(names, entry.kind, entry.imported).empty()) {
        return translated(
            "Its sizes are not checked: it names what the catalogue does not have "
            "yet.");
    }
    if (sized < most_templates_sized) return "";
    return translated("Its sizes are not checked: an import checks those of {0} templates.",
                      most_templates_sized);
}

/// Of changed and new services.
ImportChecks contradictions_in(const DraftPage& page, const operations::CatalogueEntries& now,
                               const operations::CatalogueEntries& after) {
    ImportChecks checks;
    for (const auto& entry : page.entries) {
        if (entry.kind != CatalogueKind::service || !is_new_or_changed(entry)) continue;
        auto sentences = contradictions_of_service(after, entry.imported);
        if (sentences.empty()) continue;
        const auto known = entry.present.is_null() ? std::vector<std::string>()
                                                   : contradictions_of_service(now, entry.present);
        std::erase_if(sentences, [&](const std::string& sentence) {
            return std::ranges::count(known, sentence) > 0;
        });
        if (!sentences.empty()) {
            checks[{entry.kind, entry.name}] = {.warnings = std::move(sentences)};
        }
    }
    return checks;
}

/// The entry among `unselected` that is needed under this name, or those that provide it.
UnselectedNeed need_among(const operations::CatalogueEntries& unselected,
                          provisioner::model::EntryName needed) {
    UnselectedNeed need{.entry = std::move(needed)};
    const auto& [kind, name] = need.entry;
    for (const Json& one : operations::entries_of(unselected, kind)) {
        const auto own = text_at(one, "name");
        if (own == name) return {.entry = need.entry};
        auto names = operations::known_names({{kind, {one}}});
        if (names[kind].contains(name)) need.providers.push_back(own);
    }
    return need;
}

std::string words_on_not_judged() {
    return translated("Not checked: an import checks only so many templates and what they use.");
}

}  // namespace

operations::CatalogueEntries entries_after(operations::CatalogueEntries all,
                                           const DraftPage& page) {
    std::map<CatalogueKind, std::set<std::string>> replaced;
    for (const auto& entry : page.entries) {
        if (is_selected(page, entry)) replaced[entry.kind].insert(entry.name);
    }
    for (auto& [kind, list] : all) {
        std::erase_if(
            list, [&](const Json& one) { return replaced[kind].contains(text_at(one, "name")); });
    }
    for (const auto& entry : page.entries) {
        if (is_selected(page, entry)) all[entry.kind].push_back(entry.imported);
    }
    return all;
}

void note_unselected_needs(const operations::CatalogueEntries& all, DraftPage& page) {
    // As in the draft of an import: few things need others that need others.
    constexpr int most_steps = 10;
    bool has_more = true;
    for (int step = 0; has_more && step < most_steps; ++step) {
        has_more = false;
        operations::CatalogueEntries unselected;
        for (const auto& entry : page.entries) {
            const bool is_left = is_new_or_changed(entry) && !is_selected(page, entry);
            if (is_left) unselected[entry.kind].push_back(entry.imported);
        }
        auto left = operations::known_names(unselected);
        const auto known = operations::known_names(entries_after(all, page));
        for (const auto& entry : page.entries) {
            if (!is_selected(page, entry)) continue;
            auto needed = operations::missing_entries(known, entry.kind, entry.imported);
            std::erase_if(needed,
                          [&](const auto& one) { return !left[one.kind].contains(one.name); });
            if (needed.empty()) continue;
            auto& needs = page.needs[{entry.kind, entry.name}];
            needs.clear();
            for (auto& one : needed) needs.push_back(need_among(unselected, std::move(one)));
            has_more = !page.ticked;
        }
    }
}

CatalogueChange change_of_import(const operations::CatalogueEntries& all, const DraftPage& page) {
    CatalogueChange change{.before = all, .after = entries_after(all, page)};
    for (const auto& entry : page.entries) {
        if (entry.kind != CatalogueKind::cluster_template || !is_selected(page, entry)) continue;
        if (is_kept_as_draft(page, entry)) {
            change.after = with_entry(std::move(change.after), entry.kind, entry.present);
        } else {
            change.apart.insert(entry.name);
        }
    }
    return change;
}

void check_import(const auth::Visitor& visitor, App& app, DraftPage& page) {
    const auto now = app.database.read([&](provisioner::store::Connection& connection) {
        return read_edit_context(connection, visitor.who().tenant.id,
                                 CatalogueKind::cluster_template);
    });
    note_unselected_needs(now.entries, page);
    auto change = change_of_import(now.entries, page);
    auto effects = check_change(visitor, app, std::move(change.before), std::move(change.after),
                                std::move(change.apart));
    page.broken = std::move(effects.to_check);
    page.to_note = std::move(effects.notes);
    EditContext after = now;
    after.entries = entries_after(std::move(after.entries), page);
    const auto names = operations::known_names(after.entries);
    std::vector<const DraftEntry*> templates;
    for (const auto& entry : page.entries) {
        const bool is_template = entry.kind == CatalogueKind::cluster_template ||
                                 entry.kind == CatalogueKind::partial_template;
        if (is_template && is_new_or_changed(entry)) templates.push_back(&entry);
    }
    std::ranges::stable_partition(templates,
                                  [](const DraftEntry* entry) { return entry->is_offered; });
    ImportChecks& checks = page.checks = contradictions_in(page, now.entries, after.entries);
    std::size_t sized = 0;
    std::size_t judged = 0;
    for (const DraftEntry* entry : templates) {
        EntryCheck& check = checks[{entry->kind, entry->name}];
        judged += 1 + heirs_of(after.entries, entry->kind, entry->name).size();
        if (judged > most_templates_judged) {
            check.warnings = {words_on_not_judged()};
            continue;
        }
        const bool is_there = !entry->present.is_null();
        check.warnings = warnings_about(entry->kind, entry->imported, after);
        // Templates that take something from it are among those of the effects.
        const auto of_heirs = misfits_of_heirs(after.entries, entry->kind, entry->imported);
        std::erase_if(check.warnings, [&](const std::string& warning) {
            return std::ranges::count(of_heirs, warning) > 0;
        });
        std::vector<std::string> known = is_there && !check.warnings.empty()
                                             ? warnings_about(entry->kind, entry->present, now)
                                             : std::vector<std::string>();
        check.unchecked = why_not_sized(*entry, names, sized);
        if (entry->kind == CatalogueKind::cluster_template && check.unchecked.empty()) {
            ++sized;
            auto sizes = check_sizes(visitor, app, entry->imported, after.entries);
            // Why there are no sizes at all has been said then.
            if (!sizes.is_about_sizes && !check.warnings.empty()) sizes.warnings.clear();
            if (is_there && !sizes.warnings.empty()) {
                std::ranges::move(check_sizes(visitor, app, entry->present, now.entries).warnings,
                                  std::back_inserter(known));
            }
            std::ranges::move(sizes.warnings, std::back_inserter(check.warnings));
        }
        std::erase_if(check.warnings, [&](const std::string& warning) {
            return std::ranges::count(known, warning) > 0;
        });
    }
}

}  // namespace fcgi::pages
