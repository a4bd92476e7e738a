#include "tests/integration/provisioner/fixture.hpp"

#include <cppconn/connection.h>
#include <cppconn/resultset.h>

#include <filesystem>
#include <sstream>

#include "provisioner/identity/vault.hpp"
#include "provisioner/migrate/master_keys.hpp"
#include "provisioner/migrate/server/rights.hpp"
#include "provisioner/operations/catalogue/edit.hpp"
#include "provisioner/queue/bulk.hpp"
#include "provisioner/queue/link.hpp"
#include "provisioner/store/plugins/plugin_store.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"
#include "provisioner/store/tenants/user_store.hpp"

namespace tests {

using namespace provisioner;

DatabaseServer& server() {
    static DatabaseServer server;
    return server;
}

boost::test_tools::assertion_result is_mariadb(boost::unit_test::test_unit_id) {
    const auto connection = queue::connect_to_server(server().config());
    const auto row = queue::select(*connection, "SELECT VERSION() AS version");
    row->next();
    return std::string(row->getString("version")).find("MariaDB") != std::string::npos;
}

namespace {

base::Config fresh_config(const std::string& more) {
    static int number = 0;
    const base::Config config = server().config("test_" + std::to_string(++number), more);
    migrate::migrate(config, migrate::read_schema("sql"));
    return config;
}

/// Settings for an account that may do in the database of `root` what cooperage-web and the daemon
/// may, and nothing else: a statement that needs more fails its test.
base::Config with_rights_of_programs(const base::Config& root, const std::string& more) {
    const auto connection = queue::connect_to_server(root);
    const std::string name = root.get("database.name");
    queue::execute(*connection, "CREATE USER IF NOT EXISTS cooperage_test@localhost");
    queue::execute(*connection, "GRANT " + migrate::joined(migrate::rights_of("provisioner")) +
                                    " ON " + migrate::pattern_of(name) +
                                    ".* TO cooperage_test@localhost");
    return base::Config::parse(
        "database.socket = " + root.get("database.socket") +
        "\ndatabase.user = cooperage_test\ndatabase.name = " + name + "\nsecrets.keys = " +
        root.get("secrets.keys") + "\nsecrets.daemon_keys = " + root.get("secrets.daemon_keys") +
        "\nsecrets.daemon_public_key = " + root.get("secrets.daemon_public_key") + "\n" + more);
}

void save(store::Database& database, const model::Caller& caller, model::CatalogueKind kind,
          const char* text) {
    const auto json = base::parse_json(text);
    BOOST_REQUIRE(json.has_value());
    BOOST_REQUIRE(operations::create_entry(database, caller, kind, *json, some_time()).has_value());
}

}  // namespace

FreshDatabase::FreshDatabase(const std::string& more)
    : root(fresh_config(more)), config(with_rights_of_programs(root, more)), database(config) {}

base::Timestamp some_time() {
    return base::from_sql("2026-11-20 12:00:00.123456");
}

model::Caller a_caller(store::Database& database, const std::string& tenant, model::Role role) {
    return database.write([&](store::Connection& connection) {
        model::Caller caller;
        caller.tenant.uid = base::random_uuid();
        caller.tenant.name = tenant;
        caller.tenant.id = store::insert_tenant(connection, caller.tenant, some_time());
        caller.user.tenant = caller.tenant.id;
        caller.user.name = "ann";
        caller.user.role = role;
        caller.user.id = store::insert_user(connection, caller.user, some_time());
        return caller;
    });
}

void save_quotas(store::Database& database, const model::Tenant& tenant) {
    database.write(
        [&](store::Connection& connection) { store::update_tenant(connection, tenant); });
}

void save_small_catalogue(store::Database& database, const model::Caller& caller) {
    using model::CatalogueKind;
    database.write([&](store::Connection& connection) {
        model::PluginType type;
        type.header.name = "simulated";
        type.kind = model::PluginKind::provider;
        store::save_plugin_type(connection, type, some_time());
    });
    save(database, caller, CatalogueKind::provider,
         R"({"name":"cloud","providertype":"simulated"})");
    save(database, caller, CatalogueKind::hardware_type,
         R"({"name":"small","providermap":{"cloud":{"flavor":"s","memory_mb":"256"}}})");
    save(database, caller, CatalogueKind::image_type,
         R"({"name":"deb","providermap":{"cloud":{"image":"d"}}})");
    save(database, caller, CatalogueKind::service, R"({"name":"db","provisioner":{"actions":{
         "install":{"type":"shell","fields":{"script":"x"}},
         "start":{"type":"shell","fields":{"script":"x"}}}}})");
    save(database, caller, CatalogueKind::service, R"({"name":"web",
         "dependencies":{"provides":[],"conflicts":[],"runtime":{"requires":["db"]}},
         "provisioner":{"actions":{"start":{"type":"shell","fields":{"script":"x"}}}}})");
    save(database, caller, CatalogueKind::cluster_template, R"({"name":"pair",
         "defaults":{"services":["web","db"],"provider":"cloud"},
         "constraints":{"layout":{"cantcoexist":[["web","db"]]},
           "services":{"db":{"quantities":{"min":1,"max":1}},"web":{"quantities":{"min":1}}},
           "size":{"min":1,"max":20}}})");
}

void add_keys(const base::Config& config) {
    identity::Vault vault(config);
    vault.master_keys().add_key();
    vault.daemon_keys().add_key();
    store::Database database(config);
    std::ostringstream ignored;
    migrate::publish_daemon_key(config, database, ignored);
}

void make_keys(const base::Config& config) {
    for (const char* name : {"secrets.keys", "secrets.daemon_keys", "secrets.daemon_public_key"}) {
        std::filesystem::remove(config.get(name));
    }
    add_keys(config);
}

}  // namespace tests
