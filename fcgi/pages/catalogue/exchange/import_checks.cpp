#include "fcgi/pages/catalogue/exchange/import_checks.hpp"

#include <algorithm>
#include <iterator>

#include "fcgi/pages/catalogue/editors/edit.hpp"
#include "fcgi/pages/catalogue/editors/edit_page.hpp"
#include "fcgi/pages/catalogue/template_checks.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/operations/catalogue/named_entries.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::base::text_at;
using provisioner::messages::translated;
using provisioner::model::CatalogueKind;
using provisioner::operations::DraftEntry;
namespace operations = provisioner::operations;

namespace {

constexpr std::size_t most_templates_sized = 12;

bool is_to_be_written(const DraftEntry& entry) {
    return entry.state == DraftEntry::State::fresh || entry.state == DraftEntry::State::changed;
}

/// The catalogue once all of the import is in it.
operations::CatalogueEntries entries_after(operations::CatalogueEntries all,
                                           const std::vector<DraftEntry>& imported) {
    for (const auto& entry : imported) {
        if (!is_to_be_written(entry)) continue;
        auto& list = all[entry.kind];
        std::erase_if(list, [&](const Json& one) { return text_at(one, "name") == entry.name; });
        list.push_back(entry.imported);
    }
    return all;
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

}  // namespace

ImportChecks checks_of_import(const auth::Visitor& visitor, App& app,
                              const std::vector<DraftEntry>& entries) {
    const auto now = app.database.read([&](provisioner::store::Connection& connection) {
        return read_edit_context(connection, visitor.who().tenant.id,
                                 CatalogueKind::cluster_template);
    });
    EditContext after = now;
    after.entries = entries_after(std::move(after.entries), entries);
    const auto names = operations::known_names(now.entries);
    std::vector<const DraftEntry*> templates;
    for (const auto& entry : entries) {
        const bool is_template = entry.kind == CatalogueKind::cluster_template ||
                                 entry.kind == CatalogueKind::partial_template;
        if (is_template && is_to_be_written(entry)) templates.push_back(&entry);
    }
    std::ranges::stable_partition(templates,
                                  [](const DraftEntry* entry) { return entry->is_offered; });
    ImportChecks checks;
    std::size_t sized = 0;
    for (const DraftEntry* entry : templates) {
        EntryCheck& check = checks[{entry->kind, entry->name}];
        const bool is_there = !entry->present.is_null();
        check.warnings = warnings_about(entry->kind, entry->imported, after);
        std::vector<std::string> known = is_there && !check.warnings.empty()
                                             ? warnings_about(entry->kind, entry->present, now)
                                             : std::vector<std::string>();
        check.unchecked = why_not_sized(*entry, names, sized);
        if (entry->kind == CatalogueKind::cluster_template && check.unchecked.empty()) {
            ++sized;
            auto sizes = check_sizes(visitor, app, entry->imported, now.entries);
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
    return checks;
}

}  // namespace fcgi::pages
