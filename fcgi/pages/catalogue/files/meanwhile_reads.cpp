#include "fcgi/pages/catalogue/files/meanwhile_reads.hpp"

#include "fcgi/pages/audit/event_words.hpp"
#include "provisioner/base/ids.hpp"
#include "provisioner/store/audit/audit_store.hpp"

namespace fcgi::pages {

using provisioner::model::TenantId;
using provisioner::operations::FileChange;
using provisioner::store::ResourceShelf;
namespace audit = provisioner::model::audit;
namespace operations = provisioner::operations;
namespace store = provisioner::store;

namespace {

constexpr auto sync_of_files = "plugin-file.sync";
constexpr int most_acts_read = 100;
constexpr int most_syncs_read = 10;
constexpr std::size_t most_told = 50;

store::AuditFilter filter_of_syncs(TenantId tenant) {
    return {.chain = tenant,
            .action = sync_of_files,
            .is_whole_action = true,
            .outcome = audit::Outcome::done};
}

bool is_of_slate(const audit::Event& event) {
    return event.action == "plugin-file.stage" || event.action == "plugin-file.unstage" ||
           event.action == "plugin-file.recall";
}

/// Says in a turn who put a version to use last, and who staged, unstaged or recalled one.
void put_actors(store::Connection& connection, const ResourceShelf& shelf, FileTurn& turn) {
    const std::string name = operations::name_in_audit(shelf, turn.name);
    const store::AuditFilter filter{.chain = shelf.tenant,
                                    .object_kind = "plugin-file",
                                    .object = name,
                                    .outcome = audit::Outcome::done};
    std::int64_t used_at = 0;
    for (const auto& event : store::list_events(connection, filter, 0, most_acts_read, false)) {
        const bool is_use = event.action == "plugin-file.use" || event.action == sync_of_files;
        if (is_use && used_at == 0) {
            turn.used_by = actor_words(event);
            used_at = event.number;
        }
        if (is_of_slate(event) && turn.slated_by.empty()) turn.slated_by = actor_words(event);
    }
    // A sync of several files has the name of none.
    for (const auto& sync :
         store::list_events(connection, filter_of_syncs(shelf.tenant), 0, most_syncs_read)) {
        const bool has_it = sync.after.find('"' + name + '"') != std::string::npos;
        if (sync.number < used_at || !has_it) continue;
        turn.used_by = actor_words(sync);
        return;
    }
}

}  // namespace

FileTurn read_turn(App& app, const ResourceShelf& shelf, const std::string& name,
                   const std::string& seen) {
    FileTurn turn{.name = name};
    app.database.read([&](store::Connection& connection) {
        turn.now = use_of(store::list_resources(connection, shelf, name));
        if (!seen.empty() && seen != word_of(turn.now)) put_actors(connection, shelf, turn);
    });
    return turn;
}

std::vector<FileChange> changes_in_form(const http::FormData& sent, TenantId tenant) {
    std::vector<FileChange> changes;
    for (const auto& word : sent.all("seen")) {
        auto change = operations::change_of_word(word, tenant);
        if (change) changes.push_back(*std::move(change));
    }
    return changes;
}

std::vector<OtherChange> read_other_changes(App& app, const std::vector<FileChange>& seen,
                                            const FilesPage& page) {
    std::vector<FileChange> waiting;
    for (const auto& row : page.pending) waiting.push_back(row.change);
    auto others = other_changes(seen, waiting);
    if (others.size() > most_told) others.resize(most_told);
    if (others.empty()) return others;
    app.database.read([&](store::Connection& connection) {
        for (auto& [change, turn, is_waiting] : others) {
            if (!is_waiting) {
                turn.now = use_of(store::list_resources(connection, change.shelf, change.name));
            }
            put_actors(connection, change.shelf, turn);
        }
    });
    return others;
}

std::string address_after_sync(App& app, TenantId tenant) {
    std::string address = "/catalogue/files?done=sync";
    const auto syncs = app.database.read([&](store::Connection& connection) {
        return store::list_events(connection, filter_of_syncs(tenant), 0, 1, false);
    });
    if (!syncs.empty()) address += "&synced=" + std::to_string(syncs.front().number);
    return address;
}

std::vector<SyncedFile> read_synced(App& app, const http::Request& request, TenantId tenant) {
    const auto number = provisioner::base::parse_number(request.query_value("synced").value_or(""));
    if (!number) return {};
    const auto event = app.database.read([&](store::Connection& connection) {
        return store::find_event(connection, tenant, *number);
    });
    if (!event || event->action != sync_of_files) return {};
    return synced_files(event->before, event->after);
}

}  // namespace fcgi::pages
