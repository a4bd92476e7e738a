#include <boost/test/unit_test.hpp>
#include <filesystem>

#include <cppconn/connection.h>
#include <cppconn/statement.h>

#include <fstream>
#include <sstream>

#include "provisioner/contents/sources.hpp"
#include "provisioner/migrate/seed.hpp"
#include "provisioner/operations/catalogue/edit.hpp"
#include "provisioner/operations/plugins/file_sync.hpp"
#include "provisioner/operations/plugins/resources.hpp"
#include "provisioner/queue/link.hpp"
#include "provisioner/store/catalogue/catalogue_store.hpp"
#include "provisioner/store/plugins/plugin_store.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"
#include "provisioner/store/tenants/user_store.hpp"
#include "tests/integration/provisioner/fixture.hpp"
#include "tests/integration/provisioner/migrate/old_database.hpp"

using namespace provisioner;

BOOST_AUTO_TEST_SUITE(migrations)

namespace {

void execute(const base::Config& config, const std::string& statement) {
    const auto connection = queue::connect(config);
    const std::unique_ptr<sql::Statement> run(connection->createStatement());
    run->execute(statement);
}

std::string text_of(const std::string& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_schema_file_equals_what_the_migrations_add_up_to,
                     *boost::unit_test::precondition(tests::is_mariadb)) {
    const auto files = migrate::read_schema("sql");
    const base::Config step_by_step = tests::server().config("step_by_step");
    const base::Config at_once = tests::server().config("at_once");

    migrate::migrate(step_by_step, {.migrations = files.migrations, .whole = ""});
    migrate::migrate(at_once, files);

    BOOST_TEST(tests::definition_of(step_by_step) == tests::definition_of(at_once));
    BOOST_TEST(tests::definition_of(at_once).size() > 2000);
}

BOOST_AUTO_TEST_CASE(migrating_twice_applies_nothing_the_second_time) {
    const auto files = migrate::read_schema("sql");
    const base::Config config = tests::server().config("twice");

    BOOST_TEST(migrate::migrate(config, files).size() == 1U);
    BOOST_TEST(migrate::migrate(config, files).empty());
}

BOOST_AUTO_TEST_CASE(a_database_that_has_run_some_gets_the_others_one_by_one,
                     *boost::unit_test::precondition(tests::is_mariadb)) {
    const auto files = migrate::read_schema("sql");
    auto first = files;
    std::erase_if(first.migrations, [](const migrate::Migration& one) { return one.version > 1; });
    first.whole = "";
    const base::Config config = tests::server().config("some");
    migrate::migrate(config, first);

    const auto applied = migrate::migrate(config, files);

    BOOST_TEST(applied.size() == files.migrations.size() - 1);
    BOOST_TEST(applied.front() == "0002_operations.sql");
}

BOOST_AUTO_TEST_CASE(a_database_with_tables_of_others_does_not_get_the_whole_schema_at_once) {
    const base::Config config = tests::server().config("others");
    migrate::migrate(config, {});
    execute(config, "CREATE TABLE theirs (id INT NOT NULL PRIMARY KEY)");
    const migrate::SchemaFiles files{
        .migrations = {{.version = 1, .name = "0001_a.sql", .text = "CREATE TABLE a (id INT)"}},
        .whole = "CREATE TABLE whole (id INT)"};

    const auto applied = migrate::migrate(config, files);

    BOOST_TEST((applied == std::vector<std::string>{"0001_a.sql"}));
}

BOOST_AUTO_TEST_CASE(a_migration_that_fails_says_which_file_and_statement) {
    const base::Config config = tests::server().config("broken");
    migrate::SchemaFiles broken;
    broken.migrations = {{.version = 1, .name = "0001_bad.sql", .text = "CREATE NONSENSE"}};

    BOOST_CHECK_EXCEPTION(migrate::migrate(config, broken), std::runtime_error,
                          [](const std::runtime_error& error) {
                              const std::string text = error.what();
                              return text.find("0001_bad.sql") != std::string::npos &&
                                     text.find("CREATE NONSENSE") != std::string::npos;
                          });
}

BOOST_AUTO_TEST_CASE(files_of_plugins_are_carried_over_byte_by_byte,
                     *boost::unit_test::precondition(tests::is_mariadb)) {
    const base::Config config = tests::server().config("with_files");
    auto before = migrate::read_schema("sql");
    before.whole = "";
    std::erase_if(before.migrations,
                  [](const migrate::Migration& one) { return one.version >= 12; });
    migrate::migrate(config, before);
    // All 256 bytes, to two and a half pieces; the same twice, a gzip, an empty one, a deleted one.
    execute(
        config,
        "INSERT INTO tenant (uid, name, description, workers, max_clusters, max_nodes, created_at) "
        "VALUES ('t', 't', '', 0, 0, 0, NOW(6))");
    const std::string row =
        "INSERT INTO plugin_resource (tenant_id, kind, plugin, resource_type, name, version, live,"
        " slated, deleted, content, created_at) SELECT id, 'automator', 'p', 't', ";
    std::string hex;
    for (int byte = 0; byte < 256; ++byte) {
        hex += "0123456789ABCDEF"[byte / 16];
        hex += "0123456789ABCDEF"[byte % 16];
    }
    const std::string large = "REPEAT(X'" + hex + "', 10240)";
    const std::string end = ", NOW(6) FROM tenant";
    execute(config, row + "'large', 1, TRUE, TRUE, FALSE, " + large + end);
    execute(config, row + "'same', 1, TRUE, TRUE, FALSE, " + large + end);
    execute(config, row + "'zipped', 1, TRUE, TRUE, FALSE, X'1F8B00'" + end);
    execute(config, row + "'empty', 1, TRUE, TRUE, FALSE, ''" + end);
    execute(config, row + "'gone', 1, FALSE, FALSE, TRUE, ''" + end);

    migrate::migrate(config, migrate::read_schema("sql"));

    store::Database database(config);
    const contents::Contents contents(config, database);
    const auto tenant = database.read(
        [](store::Connection& connection) { return store::find_tenant(connection, "t")->id; });
    std::map<std::string, std::string> found;
    std::map<std::string, model::Content> stored;
    for (const auto& one : database.read([&](store::Connection& connection) {
             return store::live_resources(connection, tenant, model::PluginKind::automator, "p");
         })) {
        found[one.name] = contents::text_of(*contents.open(one.content));
        stored[one.name] = one.content;
    }
    BOOST_REQUIRE(found.size() == 4U);
    std::string bytes;
    for (int i = 0; i < 10240 * 256; ++i) bytes += static_cast<char>(i % 256);
    BOOST_TEST((found["large"] == bytes));
    BOOST_TEST((stored["large"] == stored["same"]));
    BOOST_TEST((found["zipped"] == std::string("\x1f\x8b\0", 3)));
    BOOST_TEST(stored["zipped"].is_gzip);
    BOOST_TEST(!stored["large"].is_gzip);
    BOOST_TEST(found["empty"] == "");
}

BOOST_AUTO_TEST_CASE(passwords_that_the_file_does_not_know_are_changed_only_when_asked) {
    tests::FreshDatabase fresh;
    const contents::Contents contents(fresh.config, fresh.database);
    const std::string folder = tests::server().folder();
    migrate::SeedRequest request{
        .folder = "sql/seed", .access_file = folder + "/first.json", .url = "u"};
    migrate::seed(fresh.database, contents, request, tests::some_time());

    request.access_file = folder + "/another.json";
    BOOST_CHECK_EXCEPTION(migrate::seed(fresh.database, contents, request, tests::some_time()),
                          std::runtime_error, [](const std::runtime_error& error) {
                              return std::string(error.what()).find("--reset-passwords") !=
                                     std::string::npos;
                          });
    BOOST_TEST(!std::filesystem::exists(request.access_file));
    request.may_reset_passwords = true;
    migrate::seed(fresh.database, contents, request, tests::some_time());
    BOOST_TEST(std::filesystem::exists(request.access_file));
}

BOOST_AUTO_TEST_CASE(initial_passwords_of_the_seed_have_to_be_changed_and_then_stay) {
    tests::FreshDatabase fresh;
    const contents::Contents contents(fresh.config, fresh.database);
    const std::string access = tests::server().folder() + "/initial.json";
    const migrate::SeedRequest request{.folder = "sql/seed",
                                       .access_file = access,
                                       .url = "u",
                                       .initial_for = std::chrono::hours{72},
                                       .has_demo = false};
    const auto admin = [&] {
        return fresh.database.read([](store::Connection& connection) {
            const auto tenant = store::find_tenant(connection, "superadmin");
            return store::find_user(connection, tenant->id, "admin").value();
        });
    };
    const auto password = [&] {
        const auto json = base::parse_json(text_of(access)).value();
        return json.at("users").at(0).at("password").get<std::string>();
    };

    migrate::seed(fresh.database, contents, request, tests::some_time());

    BOOST_TEST(password().size() == 32U);
    BOOST_TEST((admin().initial_until == tests::some_time() + std::chrono::hours{72}));
    BOOST_TEST(!fresh.database
                    .read([](store::Connection& connection) {
                        return store::find_tenant(connection, "demo");
                    })
                    .has_value());

    fresh.database.write([&](store::Connection& connection) {
        store::update_password(connection, admin().id, "what its owner has chosen");
    });
    migrate::seed(fresh.database, contents, request, tests::some_time());

    BOOST_TEST(admin().password_hash == "what its owner has chosen");
    BOOST_TEST(password().empty());
}

BOOST_AUTO_TEST_CASE(seeding_twice_changes_nothing_the_second_time) {
    tests::FreshDatabase fresh;
    const contents::Contents contents(fresh.config, fresh.database);
    const std::string access = tests::server().folder() + "/access.json";
    const migrate::SeedRequest request{.folder = "sql/seed", .access_file = access, .url = "u"};

    migrate::seed(fresh.database, contents, request, tests::some_time());
    const std::string first = text_of(access);
    migrate::seed(fresh.database, contents, request, tests::some_time());

    BOOST_TEST(text_of(access) == first);
    const auto versions = fresh.database.read([](store::Connection& connection) {
        const auto tenant = store::find_tenant(connection, "demo");
        return store::find_entry(connection, tenant->id, model::CatalogueKind::cluster_template,
                                 "web");
    });
    BOOST_REQUIRE(versions.has_value());
    BOOST_TEST(versions->at("version") == 1);
}

BOOST_AUTO_TEST_CASE(a_seed_leaves_entries_alone_that_users_have_changed_or_deleted) {
    tests::FreshDatabase fresh;
    const contents::Contents contents(fresh.config, fresh.database);
    const std::string access = tests::server().folder() + "/changed.json";
    migrate::SeedRequest request{.folder = "sql/seed", .access_file = access, .url = "u"};
    const auto seed = [&] {
        return migrate::seed(fresh.database, contents, request, tests::some_time());
    };
    const auto kind = model::CatalogueKind::hardware_type;
    model::Caller admin;
    const auto entry = [&](const std::string& name) {
        return fresh.database.read([&](store::Connection& connection) {
            return store::find_entry(connection, admin.tenant.id, kind, name);
        });
    };
    seed();
    fresh.database.read([&](store::Connection& connection) {
        admin.tenant = store::find_tenant(connection, "demo").value();
        admin.user = store::find_user(connection, admin.tenant.id, "admin").value();
    });
    auto medium = entry("medium").value();
    const std::string as_seeded = medium.at("providermap").dump();
    medium.erase("version");
    medium["providermap"]["cloud"] = {{"flavor", "m"}};
    BOOST_REQUIRE(operations::replace_entry(fresh.database, admin, kind, "medium", medium,
                                            tests::some_time()));
    operations::delete_entry(fresh.database, admin, kind, "small", std::nullopt);

    const auto left = seed();
    BOOST_TEST(entry("medium").value().at("providermap").contains("cloud"));
    BOOST_REQUIRE(left.size() == 2U);
    BOOST_TEST(left.front() == "demo: hardwaretypes/medium.json");
    BOOST_TEST(!entry("small").has_value());

    request.gives_back = true;
    BOOST_TEST(seed().empty());
    BOOST_TEST(entry("medium").value().at("providermap").dump() == as_seeded);
    BOOST_TEST(entry("small").has_value());
}

BOOST_AUTO_TEST_CASE(a_seed_leaves_files_alone_that_users_have_changed) {
    tests::FreshDatabase fresh;
    const contents::Contents contents(fresh.config, fresh.database);
    const std::string access = tests::server().folder() + "/files.json";
    migrate::SeedRequest request{.folder = "sql/seed", .access_file = access, .url = "u"};
    const auto seed = [&] {
        return migrate::seed(fresh.database, contents, request, tests::some_time());
    };
    seed();
    model::Caller admin;
    fresh.database.read([&](store::Connection& connection) {
        admin.tenant = store::find_tenant(connection, "demo").value();
        admin.user = store::find_user(connection, admin.tenant.id, "admin").value();
    });
    const auto live = [&] {
        return fresh.database.read([&](store::Connection& connection) {
            return store::live_resources(connection, admin.tenant.id, model::PluginKind::automator,
                                         "shell");
        });
    };
    const auto scripts = live();
    BOOST_REQUIRE(!scripts.empty());
    const std::string name = scripts.front().name;
    const store::ResourceShelf shelf{.tenant = admin.tenant.id,
                                     .kind = model::PluginKind::automator,
                                     .plugin = "shell",
                                     .resource_type = scripts.front().resource_type};
    const auto text = [&] {
        for (const auto& one : live()) {
            if (one.name == name) return contents::text_of(*contents.open(one.content));
        }
        return std::string("gone");
    };
    const std::string as_seeded = text();
    // Daemons say which files a plugin has.
    model::PluginType shell;
    shell.header.name = "shell";
    shell.kind = model::PluginKind::automator;
    shell.resource_types = {{.name = shelf.resource_type, .permissions = {}}};
    fresh.database.write([&](store::Connection& connection) {
        store::save_plugin_type(connection, shell, tests::some_time());
    });
    contents::TextSource own("#!/bin/sh\necho own\n");
    const auto saved = operations::upload_resource(fresh.database, contents, admin, shelf, name,
                                                   own, 19, tests::some_time());
    BOOST_REQUIRE(saved.has_value());
    BOOST_REQUIRE(
        operations::stage_resource(fresh.database, admin, shelf, name, saved->version).has_value());
    operations::sync_resources(fresh.database, admin);
    BOOST_REQUIRE(text() == "#!/bin/sh\necho own\n");

    seed();
    BOOST_TEST(text() == "#!/bin/sh\necho own\n");

    request.gives_back = true;
    seed();
    BOOST_TEST(text() == as_seeded);
}

BOOST_AUTO_TEST_CASE(a_seed_gives_nothing_back_that_was_deleted_on_purpose) {
    tests::FreshDatabase fresh;
    const contents::Contents contents(fresh.config, fresh.database);
    const std::string access = tests::server().folder() + "/deleted.json";
    migrate::SeedRequest request{.folder = "sql/seed", .access_file = access, .url = "u"};
    const auto seed = [&] {
        return migrate::seed(fresh.database, contents, request, tests::some_time());
    };
    const auto names = [&](const std::string& tenant) {
        std::vector<std::string> found;
        fresh.database.read([&](store::Connection& connection) {
            const auto one = store::find_tenant(connection, tenant);
            if (!one) return;
            for (const auto& user : store::list_users(connection, one->id)) {
                const auto keys = store::list_api_keys(connection, user.id).size();
                found.push_back(user.name + ' ' + std::to_string(keys));
            }
        });
        return found;
    };
    using Names = std::vector<std::string>;
    seed();
    BOOST_REQUIRE((names("demo") == Names{"admin 1", "demo 1"}));
    fresh.database.write([&](store::Connection& connection) {
        const auto tenant = store::find_tenant(connection, "demo").value();
        const auto admin = store::find_user(connection, tenant.id, "admin").value();
        store::delete_api_key(connection, admin.id,
                              store::list_api_keys(connection, admin.id).front().id);
        store::delete_user(connection, store::find_user(connection, tenant.id, "demo")->id);
    });

    // With its own file, without it, and with everything that repairs.
    seed();
    BOOST_TEST((names("demo") == Names{"admin 0"}));
    std::filesystem::remove(access);
    request.may_reset_passwords = true;
    seed();
    BOOST_TEST((names("demo") == Names{"admin 0"}));
    BOOST_TEST((names("superadmin").size() == 1U));
    const auto written = base::parse_json(text_of(access)).value();
    BOOST_TEST(written.at("users").size() == 2U);
    BOOST_TEST(written.at("users").at(1).at("apikey") == "");

    // Somebody else of that name is somebody else.
    fresh.database.write([&](store::Connection& connection) {
        const auto tenant = store::find_tenant(connection, "demo").value();
        model::User other;
        other.tenant = tenant.id;
        other.name = "demo";
        store::insert_user(connection, other, tests::some_time());
    });
    seed();
    BOOST_TEST((names("demo") == Names{"admin 0", "demo 0"}));

    fresh.database.write([&](store::Connection& connection) {
        store::delete_tenant(connection, store::find_tenant(connection, "demo")->id);
    });
    seed();
    BOOST_TEST(names("demo").empty());

    request.gives_back = true;
    seed();
    BOOST_TEST((names("demo") == Names{"admin 1", "demo 1"}));
}

BOOST_AUTO_TEST_SUITE_END()
