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

std::map<int, int> secrets_by_key(store::Database& database, const contents::Contents& contents) {
    std::map<int, int> counts;
    const auto count = [&](const std::string& sealed) {
        ++counts[identity::key_number_of(sealed)];
    };
    operations::look_at_secrets(database, count);
    operations::look_at_files(database, contents, count);
    return counts;
}

}  // namespace

// The first key is made before there is a database.
int new_master_key(const base::Config& config, std::ostream& out, std::ostream& complaints) {
    identity::Vault vault(identity::key_source(config));
    const int number = vault.add_key();
    out << "added master key " << number << " to " << config.get("secrets.keys") << "\n";
    if (number == 1) return 0;
    try {
        store::Database database(config, store::patience_of_daemons);
        record(database, "master-key.add", {{"key", number}});
    } catch (const std::exception& error) {
        complaints << "the audit log does not tell of it: " << error.what() << "\n";
        return 1;
    }
    return 0;
}

int rewrap(const base::Config& config, std::ostream& out, std::ostream& complaints) {
    identity::Vault(identity::key_source(config)).put_back_retired_keys();
    store::Database database(config, store::patience_of_daemons);
    const contents::Contents contents(config, database);
    auto walk = operations::rewrap_secrets(database);
    store::add(walk, operations::reseal_files(database, contents, base::SystemClock().now()));
    out << "secrets of " << walk.changed << " rows were put under the newest master key\n";
    record(database, "master-key.rewrap",
           {{"rows", walk.changed},
            {"problems", walk.problems.size()},
            {"key", database.vault().numbers().back()}});
    for (const std::string& problem : walk.problems) complaints << problem << "\n";
    if (walk.problems.empty()) return 0;
    complaints << "keep the old master keys: " << walk.problems.size() << " rows need them\n";
    return 1;
}

int retire_keys(const base::Config& config, std::ostream& out, std::ostream& complaints) {
    store::Database database(config, store::patience_of_daemons);
    const contents::Contents contents(config, database);
    identity::Vault vault(identity::key_source(config));
    std::map<int, int> needed;
    const auto old = vault.retire_keys([&](int number) {
        needed = secrets_by_key(database, contents);
        return needed[number] > 0;
    });
    if (!old.empty()) {
        base::Json numbers = base::Json::array();
        for (const int number : old) {
            out << "master key " << number << " was taken out of the file\n";
            numbers.push_back(number);
        }
        record(database, "master-key.retire", {{"keys", numbers}});
        return 0;
    }
    const auto numbers = vault.numbers();
    bool is_needed = false;
    for (const int number : numbers) {
        if (number == numbers.back() || needed[number] == 0) continue;
        complaints << "master key " << number << " is needed by " << needed[number]
                   << " secrets: run cooperage-migrate rewrap\n";
        is_needed = true;
    }
    if (!is_needed) out << "there is no old master key\n";
    return is_needed ? 1 : 0;
}

}  // namespace provisioner::migrate
