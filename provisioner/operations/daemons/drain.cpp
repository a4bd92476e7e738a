#include "provisioner/operations/daemons/drain.hpp"

#include "provisioner/operations/audit.hpp"
#include "provisioner/store/daemons/daemon_store.hpp"

namespace provisioner::operations {

Result<void> drain_daemon(store::Database& database, const model::Caller& caller,
                          const DrainSpec& wanted, base::Timestamp now) {
    return database.write([&](store::Connection& connection) -> Result<void> {
        const auto& [instance, drains, may_be_last] = wanted;
        // Before the row itself, so that of two that drain the last two one waits for the other.
        const auto taking = store::lock_those_that_take(connection, now);
        const auto before = store::lock_drains(connection, instance);
        if (!before) {
            return refuse(Refusal::Kind::not_found, "instance",
                          "No provisioner " + instance + " was heard of.");
        }
        if (*before == drains) return {};
        if (drains && !may_be_last && taking == std::vector{instance}) {
            return refuse(Refusal::Kind::conflict, "instance",
                          "It is the last provisioner that takes tasks.");
        }
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
