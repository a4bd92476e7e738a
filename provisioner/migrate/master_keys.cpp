#include "provisioner/migrate/master_keys.hpp"

#include <map>
#include <ostream>

#include "provisioner/contents/contents.hpp"
#include "provisioner/operations/audit.hpp"
#include "provisioner/operations/catalogue/provider_secrets.hpp"
#include "provisioner/operations/plugins/secret_files.hpp"
#include "provisioner/store/database/database.hpp"

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
        return {.is_of_daemons = is_of_daemons, .number = number};
    }
};

std::vector<Ring> rings_of(identity::Vault& vault) {
    return {{.keys = vault.master_keys(), .is_of_daemons = false, .member = "key"},
            {.keys = vault.daemon_keys(), .is_of_daemons = true, .member = "daemonKey"}};
}

/// Says it if the file of the public half is another than before.
void publish(const base::Config& config, const identity::Vault& vault, std::ostream& out) {
    if (!vault.publish_daemon_key()) return;
    out << "wrote the public half of the newest daemon key to "
        << config.get("secrets.daemon_public_key") << "\n";
}

/// The newest key of each ring.
base::Json newest_keys(const identity::Vault& vault) {
    base::Json newest = {{"key", vault.master_keys().numbers().back()}};
    if (const auto half = vault.public_half()) newest["daemonKey"] = half->name.number;
    return newest;
}

}  // namespace

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
    publish(config, vault, out);
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
    publish(config, vault, out);
    store::Database database(config, store::patience_of_daemons);
    const contents::Contents contents(config, database);
    auto walk = operations::rewrap_secrets(database);
    store::add(walk, operations::reseal_files(database, contents, base::SystemClock().now()));
    out << "secrets of " << walk.changed << " rows were put under the newest keys\n";
    base::Json after = newest_keys(vault);
    after["rows"] = walk.changed;
    after["problems"] = walk.problems.size();
    record(database, "master-key.rewrap", after);
    for (const std::string& problem : walk.problems) complaints << problem << "\n";
    if (!vault.public_half()) {
        complaints
            << "cooperage-web can open all secrets: there are no daemon keys (see new-key)\n";
    }
    if (walk.problems.empty()) return 0;
    complaints << "keep the old keys: " << walk.problems.size() << " rows need them\n";
    return 1;
}

namespace {

/// Takes old keys out of one ring. Returns whether secrets need one of them.
bool retire(const Ring& ring, store::Database& database, const contents::Contents& contents,
            base::Json& retired, std::ostream& out, std::ostream& complaints) {
    std::map<identity::KeyName, int> needed;
    const auto old = ring.keys.retire_keys([&](int number) {
        needed = secrets_by_key(database, contents);
        return needed[ring.name_of(number)] > 0;
    });
    for (const int number : old) {
        out << identity::to_words(ring.name_of(number)) << " was taken out of the file\n";
        retired[std::string(ring.member) + "s"].push_back(number);
    }
    bool is_needed = false;
    for (const int number : ring.keys.numbers()) {
        const identity::KeyName name = ring.name_of(number);
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
    base::Json retired = base::Json::object();
    bool is_any_needed = false;
    bool is_any_there = false;
    for (const Ring& ring : rings_of(vault)) {
        if (ring.keys.own_file().empty() || !ring.keys.is_there()) continue;
        is_any_there = true;
        is_any_needed |= retire(ring, database, contents, retired, out, complaints);
    }
    if (!is_any_there) {
        throw identity::VaultError(
            "no keys are in a file of their own: take old ones away where they come from");
    }
    if (!retired.empty()) record(database, "master-key.retire", retired);
    if (retired.empty() && !is_any_needed) out << "there is no old key\n";
    return is_any_needed ? 1 : 0;
}

}  // namespace provisioner::migrate
