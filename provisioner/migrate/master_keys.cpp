#include "provisioner/migrate/master_keys.hpp"

#include <map>
#include <ostream>

#include "provisioner/contents/contents.hpp"
#include "provisioner/operations/audit.hpp"
#include "provisioner/operations/catalogue/provider_secrets.hpp"
#include "provisioner/operations/plugins/secret_files.hpp"
#include "provisioner/store/database/database.hpp"
#include "provisioner/store/tenants/sealing_key_store.hpp"

namespace provisioner::migrate {

namespace {

void record(store::Database& database, const char* action, const base::Json& after) {
    database.write([&](store::Connection& connection) {
        operations::audit_own(connection, {.action = action,
                                           .object = {.kind = "master-key", .name = "secrets"},
                                           .after = after,
                                           .chain = model::TenantId{}});
    });
}

std::map<identity::KeyName, int> secrets_by_key(store::Database& database,
                                                const contents::Contents& contents) {
    std::map<identity::KeyName, int> counts;
    const auto count = [&](const std::string& sealed) { ++counts[identity::key_name_of(sealed)]; };
    operations::look_at_secrets(database, count);
    operations::look_at_files(database, contents, count);
    return counts;
}

/// A ring of keys, with what its keys are called.
struct Ring {
    identity::KeyRing& keys;
    bool is_of_daemons;
    /// As the audit log names the number of such a key.
    const char* member;

    identity::KeyName name_of(int number) const {
        if (!is_of_daemons) return {.number = number};
        const identity::Keys all = keys.keys();
        const auto found = all.find(number);
        if (found == all.end()) return {.is_of_daemons = true, .number = number};
        return identity::public_half_of(number, found->second).name;
    }
};

std::vector<Ring> rings_of(identity::Vault& vault) {
    return {{.keys = vault.master_keys(), .is_of_daemons = false, .member = "key"},
            {.keys = vault.daemon_keys(), .is_of_daemons = true, .member = "daemonKey"}};
}

/// Says it if the file of the public half is another than before.
void publish_file(const base::Config& config, const identity::Vault& vault, std::ostream& out) {
    if (!vault.publish_daemon_key()) return;
    out << "wrote the public half of the newest daemon key to "
        << config.get("secrets.daemon_public_key") << "\n";
}

/// The newest key of each ring.
base::Json newest_keys(const identity::Vault& vault) {
    base::Json newest = base::Json::object();
    const auto numbers = vault.master_keys().numbers();
    if (!numbers.empty()) newest["key"] = numbers.back();
    if (vault.daemon_keys().is_there()) newest["daemonKey"] = vault.daemon_keys().numbers().back();
    return newest;
}

}  // namespace

void publish_daemon_key(const base::Config& config, store::Database& database, std::ostream& out) {
    const identity::Vault vault(config);
    if (!vault.daemon_keys().is_there()) return;
    const auto half = identity::public_half_of(vault.daemon_keys().keys());
    // The database first: it refuses where this host is behind.
    database.write([&](store::Connection& connection) {
        store::publish_sealing_key(connection, half.name, base::SystemClock().now());
    });
    publish_file(config, vault, out);
}

// The first keys are made before there is a database.
int new_keys(const base::Config& config, std::ostream& out, std::ostream& complaints) {
    identity::Vault vault(config);
    base::Json added = base::Json::object();
    bool are_first = true;
    for (const Ring& ring : rings_of(vault)) {
        if (ring.keys.own_file().empty()) continue;
        // Daemons read it, and nobody else: as the key for nodes.
        const std::string like = ring.is_of_daemons ? config.get_or("ssh.private_key", "") : "";
        const int number = ring.keys.add_key(like);
        added[ring.member] = number;
        are_first = are_first && number == 1;
        out << "added " << identity::to_words(ring.name_of(number)) << " to "
            << ring.keys.own_file().string() << "\n";
    }
    if (added.empty()) {
        throw identity::VaultError(
            "no keys are in a file of their own (secrets.keys, secrets.daemon_keys): add one where "
            "they come from");
    }
    // Others are published by rewrap(): hosts get the private keys before anything is sealed to
    // them.
    if (are_first) publish_file(config, vault, out);
    if (are_first) return 0;
    try {
        store::Database database(config, store::patience_of_daemons);
        record(database, "master-key.add", added);
    } catch (const std::exception& error) {
        complaints << "the audit log does not tell of it: " << error.what() << "\n";
        return 1;
    }
    return 0;
}

int rewrap(const base::Config& config, std::ostream& out, std::ostream& complaints) {
    identity::Vault vault(config);
    for (const Ring& ring : rings_of(vault)) ring.keys.put_back_retired_keys();
    store::Database database(config, store::patience_of_daemons);
    publish_daemon_key(config, database, out);
    const contents::Contents contents(config, database);
    auto walk = operations::rewrap_secrets(database);
    store::add(walk, operations::reseal_files(database, contents, base::SystemClock().now()));
    out << "secrets of " << walk.changed << " rows were put under the newest keys\n";
    base::Json after = newest_keys(vault);
    after["rows"] = walk.changed;
    after["problems"] = walk.problems.size();
    record(database, "master-key.rewrap", after);
    for (const std::string& problem : walk.problems) complaints << problem << "\n";
    const auto newest = database.read(store::find_sealing_key);
    if (!newest) {
        complaints
            << "cooperage-web can open all secrets: there are no daemon keys (see new-key)\n";
    } else if (walk.problems.empty()) {
        database.write([&](store::Connection& connection) {
            store::note_spread(connection, newest->key, base::SystemClock().now());
        });
    }
    if (walk.problems.empty()) return 0;
    complaints << "keep the old keys: " << walk.problems.size() << " rows need them\n";
    return 1;
}

namespace {

/// Takes old keys out of one ring. Returns whether secrets need one of them.
bool retire(const Ring& ring, store::Database& database, const contents::Contents& contents,
            std::ostream& out, std::ostream& complaints) {
    // While keys are taken out, the ring does not know them.
    std::map<int, identity::KeyName> names;
    for (const int number : ring.keys.numbers()) names[number] = ring.name_of(number);
    std::map<identity::KeyName, int> needed;
    const auto old = ring.keys.retire_keys([&](int number) {
        needed = secrets_by_key(database, contents);
        return needed[names[number]] > 0;
    });
    base::Json retired = base::Json::array();
    for (const int number : old) {
        out << identity::to_words(names[number]) << " was taken out of the file\n";
        retired.push_back(number);
    }
    if (!retired.empty()) {
        record(database, "master-key.retire", {{std::string(ring.member) + "s", retired}});
    }
    bool is_needed = false;
    for (const int number : ring.keys.numbers()) {
        const identity::KeyName& name = names[number];
        if (number == ring.keys.numbers().back() || needed[name] == 0) continue;
        complaints << identity::to_words(name) << " is needed by " << needed[name]
                   << " secrets: run cooperage-migrate rewrap\n";
        is_needed = true;
    }
    return is_needed;
}

}  // namespace

int retire_keys(const base::Config& config, std::ostream& out, std::ostream& complaints) {
    store::Database database(config, store::patience_of_daemons);
    const contents::Contents contents(config, database);
    identity::Vault vault(config);
    int found = 0;
    bool is_needed = false;
    for (const Ring& ring : rings_of(vault)) {
        if (ring.keys.own_file().empty() || !ring.keys.is_there()) continue;
        ++found;
        // Hosts seal under the key that the database names: others must not go before.
        const auto newest = database.read(store::find_sealing_key);
        if (ring.is_of_daemons &&
            (!newest || newest->key != ring.name_of(ring.keys.numbers().back()))) {
            complaints << "not every host seals under the newest daemon key: run "
                          "cooperage-migrate rewrap\n";
            is_needed = true;
            continue;
        }
        const std::size_t before = ring.keys.numbers().size();
        is_needed |= retire(ring, database, contents, out, complaints);
        if (before == 1)
            out << "there is no old " << (ring.is_of_daemons ? "daemon" : "master") << " key\n";
    }
    if (found == 0) {
        throw identity::VaultError(
            "no keys are in a file of their own: take old ones away where they come from");
    }
    return is_needed ? 1 : 0;
}

}  // namespace provisioner::migrate
