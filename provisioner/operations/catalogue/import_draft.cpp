#include "provisioner/operations/catalogue/import_draft.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "provisioner/model/access/permission.hpp"
#include "provisioner/model/plugins/sealed.hpp"
#include "provisioner/operations/access/permissions.hpp"
#include "provisioner/operations/audit.hpp"
#include "provisioner/operations/catalogue/edit.hpp"
#include "provisioner/operations/catalogue/named_entries.hpp"
#include "provisioner/operations/catalogue/template_drafts.hpp"
#include "provisioner/operations/catalogue/unknown_members.hpp"
#include "provisioner/planner/circles.hpp"
#include "provisioner/store/access/permission_store.hpp"
#include "provisioner/store/catalogue/catalogue_store.hpp"
#include "provisioner/store/catalogue/draft_store.hpp"
#include "provisioner/store/catalogue/version_store.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"

namespace provisioner::operations {

namespace {

using base::Json;
using model::CatalogueKind;

/// What others refer to comes first.
constexpr std::array collections_in_order{
    std::pair{CatalogueKind::provider, "providers"},
    std::pair{CatalogueKind::hardware_type, "hardwaretypes"},
    std::pair{CatalogueKind::image_type, "imagetypes"},
    std::pair{CatalogueKind::service, "services"},
    std::pair{CatalogueKind::partial_template, "partialtemplates"},
    std::pair{CatalogueKind::cluster_template, "clustertemplates"},
};

/// Ends a transaction that has written something.
struct ImportRefused {
    Refusal refusal;
};

Json without_number(Json entry) {
    if (entry.is_object()) entry.erase("version");
    return entry;
}

DraftEntry read_draft_entry(CatalogueKind kind, const Json& json) {
    DraftEntry entry{.kind = kind, .name = base::text_at(json, "name")};
    auto read = canonical_entry(kind, json);
    if (read) {
        entry.unknown = unknown_members(json, *read);
        entry.imported = without_number(*std::move(read));
        return entry;
    }
    entry.state = DraftEntry::State::wrong;
    entry.imported = without_number(json);
    entry.problems = read.error();
    return entry;
}

std::vector<DraftEntry> entries_of_import(const Json& catalogue) {
    std::vector<DraftEntry> entries;
    std::set<std::pair<CatalogueKind, std::string>> seen;
    for (const auto& [kind, collection] : collections_in_order) {
        const Json* array = base::member(catalogue, collection);
        if (array == nullptr || !array->is_array()) continue;
        for (const Json& json : *array) {
            auto entry = read_draft_entry(kind, json);
            // What has no name is wrong for that.
            if (!entry.name.empty() && !seen.insert({kind, entry.name}).second) {
                entry.state = DraftEntry::State::wrong;
                entry.problems.push_back(
                    {"", "The import has an entry of this name before this one."});
            }
            entries.push_back(std::move(entry));
        }
    }
    return entries;
}

/// The entries in force, by name.
using EntriesInForce = std::map<std::string, Json>;

EntriesInForce under_names(const std::vector<Json>& entries) {
    EntriesInForce named;
    for (const Json& entry : entries) named.emplace(base::text_at(entry, "name"), entry);
    return named;
}

bool is_written(const DraftEntry& entry) {
    return entry.state == DraftEntry::State::fresh || entry.state == DraftEntry::State::changed;
}

/// Notes which entries name others of the import that are incomplete themselves. The longest way
/// through a catalogue, but for templates that extend one another, has few steps.
void note_incomplete(const CatalogueEntries& in_force, std::vector<DraftEntry>& entries) {
    constexpr int most_steps = 10;
    bool has_more = std::ranges::any_of(
        entries, [](const DraftEntry& entry) { return !entry.missing.empty(); });
    for (int step = 0; has_more && step < most_steps; ++step) {
        CatalogueEntries whole;
        for (const DraftEntry& entry : entries) {
            const bool comes = entry.state != DraftEntry::State::wrong && entry.is_complete();
            if (comes) whole[entry.kind].push_back(entry.imported);
        }
        auto known = known_names(in_force);
        for (auto& [kind, names] : known_names(whole)) known[kind].merge(names);
        has_more = false;
        for (DraftEntry& entry : entries) {
            if (!is_written(entry) || !entry.is_complete()) continue;
            entry.incomplete = missing_entries(known, entry.kind, entry.imported);
            has_more |= !entry.incomplete.empty();
        }
    }
}

/// Notes what entries that are new or changed name and nothing has.
void note_missing(const CatalogueEntries& in_force, std::vector<DraftEntry>& entries) {
    CatalogueEntries imported;
    for (const DraftEntry& entry : entries) {
        if (entry.state != DraftEntry::State::wrong) imported[entry.kind].push_back(entry.imported);
    }
    auto known = known_names(in_force);
    for (auto& [kind, names] : known_names(imported)) known[kind].merge(names);
    for (DraftEntry& entry : entries) {
        if (is_written(entry)) entry.missing = missing_entries(known, entry.kind, entry.imported);
    }
}

/// Notes the circles that new and changed services close once all are imported.
void note_circles(const CatalogueEntries& in_force, std::vector<DraftEntry>& entries) {
    const auto is_written_service = [](const DraftEntry& entry) {
        return entry.kind == CatalogueKind::service && is_written(entry);
    };
    if (std::ranges::none_of(entries, is_written_service)) return;
    std::map<std::string, model::Service> named;
    const auto add = [&](const Json& json) {
        auto read = model::service_from_json(json);
        if (read) named.insert_or_assign(read->header.name, *std::move(read));
    };
    for (const Json& one : entries_of(in_force, CatalogueKind::service)) add(one);
    for (const DraftEntry& entry : entries) {
        if (is_written_service(entry)) add(entry.imported);
    }
    std::vector<model::Service> services;
    for (auto& [name, service] : named) services.push_back(std::move(service));
    auto circles = planner::circles_by_service(services);
    for (DraftEntry& entry : entries) {
        if (is_written_service(entry)) entry.circles = circles[entry.name];
    }
}

void compare(const EntriesInForce& in_force, DraftEntry& entry) {
    const auto found = in_force.find(entry.name);
    if (found == in_force.end()) return;
    entry.version = found->second.at("version").get<int>();
    entry.present = without_number(model::shown_entry(found->second));
    if (entry.state == DraftEntry::State::wrong) return;
    entry.state =
        entry.present == entry.imported ? DraftEntry::State::same : DraftEntry::State::changed;
}

Refusal refused_entry(Refusal refusal, const ImportChoice& choice) {
    for (base::Problem& problem : refusal.problems) {
        problem.field = std::string(model::collection_of(choice.kind)) + "." + choice.name +
                        (problem.field.empty() ? "" : "." + problem.field);
    }
    return refusal;
}

/// The new templates among the chosen entries that the catalogue lets work once all are imported.
std::set<std::string> templates_that_work(store::Connection& connection, model::TenantId tenant,
                                          const Json& catalogue,
                                          const std::vector<ImportChoice>& choices) {
    Json going = Json::object();
    for (const auto& [kind, collection] : collections_in_order) {
        Json& list = going[collection] = Json::array();
        const Json* array = base::member(catalogue, collection);
        if (array == nullptr || !array->is_array()) continue;
        for (const Json& entry : *array) {
            const auto name = base::text_at(entry, "name");
            const bool is_chosen = std::ranges::any_of(choices, [&](const ImportChoice& choice) {
                return choice.kind == kind && choice.name == name;
            });
            if (is_chosen) list.push_back(entry);
        }
    }
    std::set<std::string> names;
    for (const auto& entry : draft_beside(read_catalogue(connection, tenant), going)) {
        const bool is_template = entry.kind == CatalogueKind::cluster_template;
        if (is_template && entry.is_complete()) names.insert(entry.name);
    }
    return names;
}

const DraftEntry* chosen(const std::vector<DraftEntry>& entries, const ImportChoice& choice) {
    const auto found = std::ranges::find_if(entries, [&](const DraftEntry& entry) {
        return entry.kind == choice.kind && entry.name == choice.name;
    });
    return found == entries.end() ? nullptr : &*found;
}

/// Whether others than administrators may use a template.
bool is_offered(store::Connection& connection, model::TenantId tenant, const std::string& name) {
    const auto permission =
        store::find_permission(connection, tenant, {CatalogueKind::cluster_template, name});
    return !permission || !permission->roles.empty() || !permission->groups.empty() ||
           !permission->users.empty();
}

/// Notes where the histories of the entries end, for whoever looks at them now.
void note_lines(store::Connection& connection, model::TenantId tenant,
                std::vector<DraftEntry>& entries) {
    std::map<model::EntryName, long long> last;
    for (const auto& [kind, collection] : collections_in_order) {
        for (const auto& [name, line] : store::last_version_of_each(connection, tenant, kind)) {
            last[{kind, name}] = line.id;
        }
    }
    for (DraftEntry& entry : entries) {
        const auto found = last.find({entry.kind, entry.name});
        entry.line = found == last.end() ? 0 : found->second;
    }
}

/// Notes what becomes of changes to the templates that are there.
void note_users(store::Connection& connection, model::TenantId tenant,
                std::vector<DraftEntry>& entries) {
    std::set<std::string> drafted;
    for (const auto& draft : store::list_template_drafts(connection, tenant)) {
        drafted.insert(draft.name);
    }
    for (DraftEntry& entry : entries) {
        if (entry.kind != CatalogueKind::cluster_template || entry.version == 0) continue;
        entry.is_offered = is_offered(connection, tenant, entry.name);
        entry.has_draft = drafted.contains(entry.name);
    }
}

Result<ImportedEntry> import_one(store::Connection& connection, const model::Caller& caller,
                                 const DraftEntry& entry, const ImportChoice& choice,
                                 const ImportOptions& options, base::Timestamp now) {
    if (entry.state == DraftEntry::State::wrong) {
        return refuse(Refusal::Kind::invalid, entry.problems);
    }
    const auto present =
        store::find_present_version(connection, caller.tenant.id, choice.kind, choice.name);
    const int version = present.seen.version;
    if (auto conflict =
            conflict_with(present, choice.kind, choice.name, {.based_on = choice.seen})) {
        // No control has the name of this field.
        conflict->problems.front().field.clear();
        return base::unexpected(*std::move(conflict));
    }
    const bool is_template = choice.kind == CatalogueKind::cluster_template;
    if (present.exists() && is_template && options.keeps_changes &&
        is_offered(connection, caller.tenant.id, choice.name)) {
        if (store::find_template_draft(connection, caller.tenant.id, choice.name)) {
            return ImportedEntry{.kind = choice.kind,
                                 .name = choice.name,
                                 .is_draft = true,
                                 .version = version,
                                 .is_left_out = true};
        }
        const auto kept = keep_template_draft(
            connection, caller, choice.name,
            {.document = entry.imported, .version = present.seen, .note = options.note}, now);
        if (!kept) return base::unexpected(kept.error());
        return ImportedEntry{
            .kind = choice.kind, .name = choice.name, .is_draft = true, .version = version};
    }
    const auto written = write_entry(connection, caller, choice.kind, entry.imported, now,
                                     {.act = model::VersionAct::import, .note = options.note});
    if (!written) return base::unexpected(written.error());
    return ImportedEntry{
        .kind = choice.kind, .name = choice.name, .is_new = !present.exists(), .version = *written};
}

/// "service db" for each entry that was imported.
Json names_in_audit(const std::vector<ImportedEntry>& imported) {
    Json names = Json::array();
    for (const ImportedEntry& one : imported) {
        if (one.is_left_out) continue;
        std::string kind = base::to_word(one.kind);
        std::ranges::replace(kind, '_', ' ');
        names.push_back(kind + ' ' + one.name);
    }
    return names;
}

}  // namespace

std::vector<DraftEntry> draft_beside(const CatalogueEntries& in_force, const Json& catalogue) {
    auto entries = entries_of_import(catalogue);
    std::map<CatalogueKind, EntriesInForce> named;
    for (const auto& [kind, list] : in_force) named.emplace(kind, under_names(list));
    for (DraftEntry& entry : entries) {
        compare(named[entry.kind], entry);
        if (entry.version != 0 || !sounds_like_draft(entry.kind, entry.name)) continue;
        entry.state = DraftEntry::State::wrong;
        entry.problems.push_back(problem_with_name_of_draft());
    }
    note_missing(in_force, entries);
    note_incomplete(in_force, entries);
    note_circles(in_force, entries);
    return entries;
}

std::vector<DraftEntry> draft_of_import(store::Database& database, const model::Caller& caller,
                                        const Json& catalogue) {
    return database.read([&](store::Connection& connection) {
        auto entries = draft_beside(read_catalogue(connection, caller.tenant.id), catalogue);
        note_users(connection, caller.tenant.id, entries);
        note_lines(connection, caller.tenant.id, entries);
        return entries;
    });
}

Result<std::vector<ImportedEntry>> import_chosen(store::Database& database,
                                                 const model::Caller& caller, const Json& catalogue,
                                                 const std::vector<ImportChoice>& choices,
                                                 const ImportOptions& options,
                                                 base::Timestamp now) {
    if (choices.empty()) return refuse(Refusal::Kind::invalid, "", "Choose what to import.");
    const auto entries = entries_of_import(catalogue);
    for (const ImportChoice& choice : choices) {
        if (chosen(entries, choice) != nullptr) continue;
        return refuse(Refusal::Kind::invalid, "", "The import has no " + choice.name + ".");
    }
    try {
        return database.write([&](store::Connection& connection) {
            const model::TenantId tenant = caller.tenant.id;
            store::lock_tenant(connection, tenant);
            const auto offered = options.offers_templates
                                     ? templates_that_work(connection, tenant, catalogue, choices)
                                     : std::set<std::string>();
            std::vector<ImportedEntry> imported;
            // In the order of the import, whatever order was chosen.
            for (const DraftEntry& entry : entries) {
                const auto choice = std::ranges::find_if(choices, [&](const auto& candidate) {
                    return candidate.kind == entry.kind && candidate.name == entry.name;
                });
                // Of two entries with one name the first is meant.
                if (choice == choices.end() || &entry != chosen(entries, *choice)) continue;
                auto one = import_one(connection, caller, entry, *choice, options, now);
                if (!one) throw ImportRefused{refused_entry(one.error(), *choice)};
                const bool is_new_template =
                    one->is_new && one->kind == CatalogueKind::cluster_template;
                if (is_new_template &&
                    (!offered.contains(one->name) || options.withheld.contains(one->name))) {
                    withhold_from_users(connection, caller, {one->kind, one->name});
                    one->is_draft = true;
                }
                imported.push_back(*std::move(one));
            }
            const auto done = std::ranges::count_if(
                imported, [](const ImportedEntry& one) { return !one.is_left_out; });
            if (done == 0) {
                return Result<std::vector<ImportedEntry>>(
                    refuse(Refusal::Kind::conflict, "",
                           "There is a draft of a change to " + imported.front().name +
                               " already. Put it to use, or throw it away."));
            }
            audit(connection, caller,
                  {.action = "catalogue.import",
                   .object = {.kind = "catalogue"},
                   .after = {{"entries", done}, {"names", names_in_audit(imported)}},
                   .reason = options.note});
            return Result<std::vector<ImportedEntry>>(std::move(imported));
        });
    } catch (ImportRefused& refused) {
        return base::unexpected(std::move(refused.refusal));
    }
}

}  // namespace provisioner::operations
