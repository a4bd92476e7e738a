#include "provisioner/operations/daemon_secrets.hpp"

#include "provisioner/store/tenants/sealing_key_store.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"

namespace provisioner::operations {

std::string sealed_for_daemons(store::Connection& connection, const base::Secret& secret,
                               std::string_view place) {
    const auto newest = store::hold_sealing_key(connection);
    return identity::seal(connection.vault().key_for_daemons(newest), secret, place);
}

void expect_newest_key(store::Connection& connection, const std::string& sealed) {
    const auto newest = store::hold_sealing_key(connection);
    const auto key = identity::key_name_of(sealed);
    if (newest ? key == *newest : !key.is_of_daemons) return;
    throw identity::KeysOutOfStep("the keys of secrets were changed meanwhile: try again");
}

identity::SealingKey sealing_key_of_daemons(store::Database& database) {
    // Both in one transaction, so that it is run again where the two are out of step.
    return database.read([](store::Connection& connection) {
        const auto row = store::find_sealing_key(connection);
        return connection.vault().key_for_daemons(row ? std::optional(row->key) : std::nullopt);
    });
}

void expect_daemon_keys(store::Database& database) {
    const auto row = database.read(store::find_sealing_key);
    if (!row) return;
    const identity::KeyRing& ring = database.vault().daemon_keys();
    if (ring.is_there() && identity::has_key(ring.keys(), row->key)) return;
    throw identity::VaultError(identity::to_words(row->key) +
                               ", which opens the secrets of this installation, is not here: copy "
                               "the file of secrets.daemon_keys from the host where it was made");
}

base::Secret opened_in_tenant(store::Connection& connection, model::TenantId tenant,
                              const std::string& sealed,
                              const std::function<std::string(model::TenantId)>& place_of) {
    try {
        return connection.vault().open(sealed, place_of(tenant));
    } catch (const identity::LackingKey&) {
        throw;
    } catch (const identity::VaultError&) {
        const auto source = store::find_tenant(connection, model::superadmin_tenant);
        if (!source || source->id == tenant) throw;
        return connection.vault().open(sealed, place_of(source->id));
    }
}

}  // namespace provisioner::operations
