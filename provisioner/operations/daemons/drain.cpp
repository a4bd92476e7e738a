#include "provisioner/operations/daemons/drain.hpp"

#include "provisioner/operations/audit.hpp"
#include "provisioner/store/daemons/daemon_store.hpp"

namespace provisioner::operations {

Result<void> drain_daemon(store::Database& database, const model::Caller& caller,
                          const std::string& instance, bool drains) {
    return database.write([&](store::Connection& connection) -> Result<void> {
        const auto before = store::lock_drains(connection, instance);
        if (!before) {
            return refuse(Refusal::Kind::not_found, "instance",
                          "No provisioner " + instance + " was heard of.");
        }
        if (*before == drains) return {};
        store::set_drains(connection, instance, drains);
        audit(connection, caller,
              {.action = drains ? "provisioner.drain" : "provisioner.resume",
               .object = {.kind = "provisioner", .name = instance},
               .before = {{"drains", *before}},
               .after = {{"drains", drains}},
               .chain = model::TenantId{}});
        return {};
    });
}

}  // namespace provisioner::operations
