#include "provisioner/operations/plugins/file_sync.hpp"

#include "provisioner/operations/audit.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"

namespace provisioner::operations {

namespace {

/// Call it with the tenant locked; `changes` are those that wait.
void sync_changes(store::Connection& connection, const model::Caller& caller,
                  const std::vector<FileChange>& changes) {
    store::sync_resources(connection, caller.tenant.id);
    // The log of a file has those that are about it alone.
    const std::string name =
        changes.size() == 1 ? name_in_audit(changes[0].shelf, changes[0].name) : "";
    audit(connection, caller,
          {.action = "plugin-file.sync",
           .object = {.kind = "plugin-file", .name = name},
           .before = audited(changes, &FileChange::before),
           .after = audited(changes, &FileChange::after)});
}

std::vector<FileChange> waiting_changes(store::Connection& connection,
                                        const model::Caller& caller) {
    store::lock_tenant(connection, caller.tenant.id);
    return changes_of_sync(store::pending_resources(connection, caller.tenant.id));
}

}  // namespace

void sync_resources(store::Database& database, const model::Caller& caller) {
    database.write([&](store::Connection& connection) {
        sync_changes(connection, caller, waiting_changes(connection, caller));
    });
}

Result<void> sync_resources_as_seen(store::Database& database, const model::Caller& caller,
                                    const std::vector<FileChange>& seen) {
    return database.write([&](store::Connection& connection) -> Result<void> {
        const auto changes = waiting_changes(connection, caller);
        if (!are_same_changes(changes, seen)) {
            return refuse(Refusal::Kind::conflict, "", "Other files wait for a sync meanwhile.");
        }
        sync_changes(connection, caller, changes);
        return {};
    });
}

}  // namespace provisioner::operations
