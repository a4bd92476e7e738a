#include "provisioner/migrate/master_keys.hpp"

#include <boost/test/unit_test.hpp>

#include <cppconn/connection.h>
#include <cppconn/resultset.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "provisioner/contents/sources.hpp"
#include "provisioner/identity/master_keys/key_source.hpp"
#include "provisioner/model/catalogue/provider.hpp"
#include "provisioner/operations/catalogue/edit.hpp"
#include "provisioner/operations/catalogue/provider_secrets.hpp"
#include "provisioner/operations/daemon_secrets.hpp"
#include "provisioner/operations/machines/login_keys.hpp"
#include "provisioner/operations/plugins/resources.hpp"
#include "provisioner/operations/plugins/secret_files.hpp"
#include "provisioner/queue/bulk.hpp"
#include "provisioner/queue/link.hpp"
#include "provisioner/store/catalogue/catalogue_store.hpp"
#include "provisioner/store/plugins/plugin_store.hpp"
#include "provisioner/store/tenants/sealing_key_store.hpp"
#include "tests/integration/provisioner/fixture.hpp"

using namespace provisioner;

BOOST_AUTO_TEST_SUITE(master_keys)

namespace {

const std::string planted_file = "-----BEGIN pl4nted KEY-----\n";

void write_file(const std::string& path, const std::string& text, mode_t mode) {
    std::ofstream(path) << text;
    ::chmod(path.c_str(), mode);
}

/// A database with a secret of each kind under master key 1, and files of a test.
struct KeySite {
    KeySite() {
        tests::make_keys(fresh.config);
        type.header.name = "cloudy";
        type.login_keys = true;
        model::PluginField key;
        key.name = "api_key";
        key.label = "Key";
        key.sensitive = true;
        type.admin.fields = {key};
        for (const char* name : {"ssh_keys", "user_data"}) {
            model::PluginResourceType files;
            files.name = name;
            type.resource_types.push_back(files);
        }
        fresh.database.write([&](store::Connection& connection) {
            store::save_plugin_type(connection, type, tests::some_time());
        });
        save_provider("pl4nted");
        BOOST_REQUIRE(operations::rotate_login_key(fresh.database, caller, "", tests::some_time())
                          .has_value());
        upload("ssh_keys");
    }

    void save_provider(const std::string& secret) {
        const auto json = *base::parse_json(
            R"({"name":"cloud","providertype":"cloudy","provisioner":{"api_key":")" + secret +
            R"("}})");
        const auto kind = model::CatalogueKind::provider;
        if (!operations::replace_entry(fresh.database, caller, kind, "cloud", json,
                                       tests::some_time())) {
            BOOST_REQUIRE(
                operations::create_entry(fresh.database, caller, kind, json, tests::some_time())
                    .has_value());
        }
    }
    void upload(const std::string& shelf) {
        contents::TextSource text(planted_file);
        BOOST_REQUIRE(operations::upload_resource(fresh.database, contents, caller, shelf_of(shelf),
                                                  "one", text, planted_file.size(),
                                                  tests::some_time())
                          .has_value());
    }
    store::ResourceShelf shelf_of(const std::string& shelf) const {
        return {.tenant = caller.tenant.id,
                .kind = model::PluginKind::provider,
                .plugin = "cloudy",
                .resource_type = shelf};
    }
    std::vector<std::string> kept_files() {
        std::vector<std::string> all;
        operations::look_at_files(fresh.database, contents,
                                  [&](const std::string& kept) { all.push_back(kept); });
        return all;
    }
    std::string opened(const std::string& shelf, const std::string& kept) {
        return operations::opened_file(fresh.database.vault(), shelf_of(shelf), kept);
    }
    std::set<std::string> keys_in_use() {
        std::set<std::string> all;
        const auto add = [&](const std::string& sealed) {
            const std::string words = identity::to_words(identity::key_name_of(sealed));
            all.insert(words.substr(0, words.find(" (")));
        };
        operations::look_at_secrets(fresh.database, add);
        operations::look_at_files(fresh.database, contents, add);
        return all;
    }
    int run(int (*command)(const base::Config&, std::ostream&, std::ostream&)) {
        out.str("");
        complaints.str("");
        return command(fresh.config, out, complaints);
    }

    tests::FreshDatabase fresh;
    std::string keys = fresh.config.get("secrets.daemon_keys");
    model::Caller caller = tests::a_caller(fresh.database);
    contents::Contents contents{fresh.config, fresh.database};
    model::PluginType type;
    std::ostringstream out;
    std::ostringstream complaints;
};

/// A script that prints a file and counts how often it was run.
struct Command {
    explicit Command(const std::string& folder)
        : path(folder + "/print-keys"), runs(path + ".runs") {
        std::filesystem::remove(runs);
        write_file(path, "#!/bin/sh\necho run >>" + runs + "\ncat " + path + ".keys\n", 0700);
    }
    int count() const {
        std::ifstream file(runs);
        return static_cast<int>(std::count(std::istreambuf_iterator<char>(file),
                                           std::istreambuf_iterator<char>(), '\n'));
    }
    void set_keys(const std::string& text) const { write_file(path + ".keys", text, 0600); }
    base::Config config() const {
        return base::Config::parse("secrets.keys_command = " + path + "\n");
    }

    std::string path;
    std::string runs;
};

void root_execute(const KeySite& site, const std::string& statement) {
    queue::execute(*queue::connect(site.fresh.root), statement);
}

std::string two_keys() {
    const std::string first = identity::new_key({});
    return first + identity::new_key(identity::keys_in(first));
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_old_key_goes_when_no_secret_needs_it_and_not_before) {
    KeySite site;
    std::ostringstream out;
    BOOST_TEST(migrate::new_keys(site.fresh.config, out, out) == 0, out.str());
    BOOST_TEST((site.keys_in_use() == std::set<std::string>{"daemon key 1"}));

    BOOST_TEST(site.run(migrate::retire_keys) == 1);
    BOOST_TEST(site.complaints.str() ==
               "not every host seals under the newest daemon key: run cooperage-migrate rewrap\n");
    BOOST_TEST((site.fresh.database.vault().daemon_keys().numbers() == std::vector<int>{1, 2}));

    BOOST_TEST(site.run(migrate::rewrap) == 0);
    BOOST_TEST((site.keys_in_use() == std::set<std::string>{"daemon key 2"}));
    BOOST_TEST(site.run(migrate::retire_keys) == 0);
    BOOST_TEST((site.fresh.database.vault().daemon_keys().numbers() == std::vector<int>{2}));
    BOOST_TEST(site.opened("ssh_keys", site.kept_files().at(0)) == planted_file);
    BOOST_TEST(site.run(migrate::retire_keys) == 0);
    BOOST_TEST(site.out.str() == "there is no old master key\nthere is no old daemon key\n");
}

BOOST_AUTO_TEST_CASE(an_installation_of_before_goes_on_and_gets_daemon_keys_by_a_rotation) {
    KeySite site;
    // As before there were daemon keys.
    std::filesystem::remove(site.keys);
    std::filesystem::remove(site.fresh.config.get("secrets.daemon_public_key"));
    root_execute(site, "DELETE FROM sealing_key");
    site.save_provider("pl4nted before");
    root_execute(site, "DELETE FROM login_key");
    root_execute(site, "DELETE FROM catalogue_entry WHERE version = 1");
    root_execute(site, "DELETE FROM catalogue_version WHERE version = 1");
    root_execute(site, "DELETE FROM plugin_resource");
    BOOST_REQUIRE(
        operations::rotate_login_key(site.fresh.database, site.caller, "", tests::some_time())
            .has_value());
    site.upload("ssh_keys");
    BOOST_TEST((site.keys_in_use() == std::set<std::string>{"master key 1"}));
    BOOST_TEST(site.opened("ssh_keys", site.kept_files().at(0)) == planted_file);
    BOOST_TEST(site.run(migrate::rewrap) == 0);
    BOOST_TEST(site.complaints.str() ==
               "cooperage-web can open all secrets: there are no daemon keys (see new-key)\n");
    BOOST_TEST((site.keys_in_use() == std::set<std::string>{"master key 1"}));

    BOOST_TEST(site.run(migrate::new_keys) == 0);
    BOOST_TEST(site.out.str().find("added daemon key 1") != std::string::npos, site.out.str());
    BOOST_TEST(site.run(migrate::rewrap) == 0);

    BOOST_TEST(site.complaints.str() == "");
    BOOST_TEST((site.keys_in_use() == std::set<std::string>{"daemon key 1"}));
    BOOST_TEST(site.opened("ssh_keys", site.kept_files().at(0)) == planted_file);
    BOOST_TEST(site.run(migrate::retire_keys) == 0);
    BOOST_TEST(site.out.str() ==
               "master key 1 was taken out of the file\nthere is no old daemon key\n");
}

BOOST_AUTO_TEST_CASE(the_public_half_is_readable_and_made_again_when_it_is_lost) {
    KeySite site;
    const std::string path = site.fresh.config.get("secrets.daemon_public_key");
    struct stat found {};
    BOOST_REQUIRE(::stat(path.c_str(), &found) == 0);
    BOOST_TEST((found.st_mode & 0777) == 0644U);
    std::filesystem::remove(path);
    BOOST_TEST(!site.fresh.database.vault().public_half().has_value());

    BOOST_TEST(site.run(migrate::rewrap) == 0);

    BOOST_TEST(site.fresh.database.vault().public_half().has_value());
    BOOST_TEST((site.keys_in_use() == std::set<std::string>{"daemon key 1"}));
    BOOST_CHECK_NO_THROW(identity::check_daemon_keys(site.fresh.config));
    write_file(path, "nonsense\n", 0644);
    BOOST_CHECK_THROW(identity::check_daemon_keys(site.fresh.config), identity::VaultError);
}

BOOST_AUTO_TEST_CASE(the_private_key_is_there_before_anything_is_sealed_to_it) {
    KeySite site;
    BOOST_TEST(site.run(migrate::new_keys) == 0);

    BOOST_TEST((operations::sealing_key_of_daemons(site.fresh.database).name.number == 1));
    BOOST_TEST((site.fresh.database.vault().public_half()->name.number == 1));
    // Nor does it go before all hosts seal under the new one.
    BOOST_TEST(site.run(migrate::retire_keys) == 1);
    BOOST_TEST((site.fresh.database.vault().daemon_keys().numbers() == std::vector<int>{1, 2}));
    BOOST_TEST(site.run(migrate::rewrap) == 0);
    BOOST_TEST((operations::sealing_key_of_daemons(site.fresh.database).name.number == 2));
    BOOST_TEST((site.fresh.database.vault().public_half()->name.number == 2));
    BOOST_TEST(site.run(migrate::retire_keys) == 0);
}

BOOST_AUTO_TEST_CASE(the_web_seals_while_a_rotation_has_named_a_key_and_not_yet_made_its_file) {
    KeySite site;
    // The web has the public half alone.
    std::string settings;
    for (const std::string& name : site.fresh.config.names()) {
        settings += name + " = " + site.fresh.config.get(name) + "\n";
    }
    store::Database web(base::Config::parse(settings, "web"));
    BOOST_TEST(site.run(migrate::new_keys) == 0);
    const identity::Vault vault(site.fresh.config);
    const auto half = identity::public_half_of(vault.daemon_keys().keys());
    site.fresh.database.write([&](store::Connection& connection) {
        store::publish_sealing_key(connection, half.name, tests::some_time());
    });
    std::jthread rotation([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        vault.publish_daemon_key();
    });

    const auto sealed = web.write([](store::Connection& connection) {
        return operations::sealed_for_daemons(connection, base::Secret("pl4nted"), "place");
    });

    BOOST_TEST(identity::key_name_of(sealed).number == 2);
    rotation.join();
    // A host that stays behind refuses.
    std::filesystem::remove(site.fresh.config.get("secrets.daemon_public_key"));
    BOOST_CHECK_THROW(operations::sealing_key_of_daemons(web), identity::KeysOutOfStep);
}

BOOST_AUTO_TEST_CASE(a_host_with_older_keys_publishes_nothing) {
    KeySite site;
    std::ifstream file(site.keys);
    const std::string old{std::istreambuf_iterator<char>(file), {}};
    tests::add_keys(site.fresh.config);
    write_file(site.keys, old, 0600);

    BOOST_CHECK_THROW(site.run(migrate::rewrap), identity::VaultError);

    BOOST_TEST((site.fresh.database.vault().public_half()->name.number == 2));
    const auto row = site.fresh.database.read(store::find_sealing_key);
    BOOST_TEST(row->key.number == 2);
}

BOOST_AUTO_TEST_CASE(what_is_noted_as_spread_is_so) {
    KeySite site;
    const auto is_spread = [&] {
        return site.fresh.database.read(store::find_sealing_key)->is_spread;
    };
    BOOST_TEST(!is_spread());
    BOOST_TEST(site.run(migrate::rewrap) == 0);
    BOOST_TEST(is_spread());
    BOOST_TEST(site.run(migrate::new_keys) == 0);
    root_execute(site, "UPDATE login_key SET private_key = 'd1-nonsense'");
    BOOST_TEST(site.run(migrate::rewrap) == 1);
    BOOST_TEST(!is_spread());
}

BOOST_AUTO_TEST_CASE(a_new_file_of_daemon_keys_has_the_rights_of_the_key_for_nodes) {
    const std::string folder = tests::server().folder() + "/rights";
    std::filesystem::create_directories(folder);
    write_file(folder + "/ssh_key", "key\n", 0400);
    constexpr gid_t group_of_daemon = 1;
    BOOST_REQUIRE(::chown((folder + "/ssh_key").c_str(), ::getuid(), group_of_daemon) == 0);
    const auto config = base::Config::parse("secrets.keys = " + folder +
                                            "/master\nsecrets.daemon_keys = " + folder +
                                            "/daemon\nsecrets.daemon_public_key = " + folder +
                                            "/public\nssh.private_key = " + folder + "/ssh_key\n");
    std::ostringstream out;

    BOOST_TEST(migrate::new_keys(config, out, out) == 0, out.str());

    struct stat found {};
    BOOST_REQUIRE(::stat((folder + "/daemon").c_str(), &found) == 0);
    BOOST_TEST((found.st_mode & 0777) == 0400U);
    BOOST_TEST(found.st_gid == group_of_daemon);
}

BOOST_AUTO_TEST_CASE(a_secret_that_is_sealed_under_an_old_key_meanwhile_brings_it_back) {
    KeySite site;
    site.fresh.database.write([](store::Connection&) {});
    identity::KeyRing ring(site.keys);
    ring.add_key();
    int asked = 0;

    const auto retired = ring.retire_keys([&](int) { return ++asked > 1; });

    BOOST_TEST(retired.empty());
    BOOST_TEST((ring.numbers() == std::vector<int>{1, 2}));
}

BOOST_AUTO_TEST_CASE(who_is_killed_while_keys_are_taken_out_loses_none) {
    KeySite site;
    identity::KeyRing ring(site.keys);
    ring.add_key();
    const std::string sealed = identity::seal(
        operations::sealing_key_of_daemons(site.fresh.database), base::Secret("x"), "here");
    const pid_t child = ::fork();
    if (child == 0) {
        int asked = 0;
        identity::KeyRing(site.keys).retire_keys([&](int) -> bool {
            if (++asked > 1) ::_exit(7);
            return false;
        });
        ::_exit(1);
    }
    int status = 0;
    BOOST_REQUIRE(::waitpid(child, &status, 0) == child);
    BOOST_REQUIRE(WEXITSTATUS(status) == 7);
    BOOST_TEST((ring.numbers() == std::vector<int>{2}));
    struct stat kept {};
    BOOST_REQUIRE(::stat((site.keys + ".retired").c_str(), &kept) == 0);
    BOOST_TEST((kept.st_mode & 0777) == 0600U);

    // The next command, whichever it is.
    BOOST_TEST(site.run(migrate::rewrap) == 0);

    BOOST_TEST((ring.numbers() == std::vector<int>{1, 2}));
    BOOST_TEST(!std::filesystem::exists(site.keys + ".retired"));
    BOOST_TEST(site.fresh.database.vault().open(sealed, "here").reveal() == "x");
    BOOST_TEST(site.run(migrate::retire_keys) == 0);
    BOOST_TEST((ring.numbers() == std::vector<int>{2}));
    BOOST_TEST(!std::filesystem::exists(site.keys + ".retired"));
}

BOOST_AUTO_TEST_CASE(keys_come_back_when_nobody_can_tell_whether_they_are_needed) {
    KeySite site;
    identity::KeyRing ring(site.keys);
    ring.add_key();
    int asked = 0;

    BOOST_CHECK_THROW(ring.retire_keys([&](int) -> bool {
        if (++asked > 1) throw std::runtime_error("the database is away");
        return false;
    }),
                      std::runtime_error);

    BOOST_TEST((ring.numbers() == std::vector<int>{1, 2}));
    BOOST_TEST(!std::filesystem::exists(site.keys + ".retired"));
}

BOOST_AUTO_TEST_CASE(what_is_done_to_master_keys_is_in_the_audit_log) {
    KeySite site;
    BOOST_TEST(site.run(migrate::new_keys) == 0);
    BOOST_TEST(site.run(migrate::rewrap) == 0);
    BOOST_TEST(site.run(migrate::retire_keys) == 0);

    const auto connection = queue::connect(site.fresh.root);
    const auto row = queue::select(
        *connection,
        "SELECT GROUP_CONCAT(action, ' ', after_value ORDER BY number SEPARATOR '|') AS value FROM "
        "audit_event WHERE object_kind = 'master-key'");
    BOOST_REQUIRE(row->next());
    BOOST_TEST(row->getString("value") ==
               R"(master-key.add {"key":2,"daemonKey":2}|)"
               R"(master-key.rewrap {"key":2,"daemonKey":2,"rows":4,"problems":0}|)"
               R"(master-key.retire {"keys":[1]}|master-key.retire {"daemonKeys":[1]})");
}

BOOST_AUTO_TEST_CASE(keys_are_rotated_while_programs_seal_and_open) {
    KeySite site;
    std::atomic<bool> is_over = false;
    std::atomic<int> sealed = 0;
    std::atomic<int> failed = 0;
    std::vector<std::jthread> programs;
    for (int i = 0; i < 3; ++i) {
        programs.emplace_back([&] {
            store::Database database(site.fresh.config);
            while (!is_over) {
                try {
                    site.save_provider("pl4nted");
                    database.read([&](store::Connection& connection) {
                        for (const auto& json :
                             store::list_entries(connection, site.caller.tenant.id,
                                                 model::CatalogueKind::provider)) {
                            operations::opened_account(connection, site.caller.tenant.id,
                                                       *model::provider_from_json(json));
                        }
                    });
                    ++sealed;
                } catch (const std::exception& error) {
                    if (++failed == 1) BOOST_TEST_MESSAGE(error.what());
                }
            }
        });
    }
    for (int round = 0; round < 4; ++round) {
        std::ostringstream out;
        std::ostringstream complaints;
        BOOST_TEST(migrate::new_keys(site.fresh.config, out, complaints) == 0);
        BOOST_TEST(migrate::rewrap(site.fresh.config, out, complaints) == 0);
        // What was under way under the old key may have come after rewrap.
        while (migrate::retire_keys(site.fresh.config, out, complaints) != 0) {
            BOOST_TEST(migrate::rewrap(site.fresh.config, out, complaints) == 0);
        }
    }
    const int before = sealed;
    while (sealed < before + 10) std::this_thread::yield();
    is_over = true;
    programs.clear();

    BOOST_TEST(failed == 0);
    BOOST_TEST((site.fresh.database.vault().daemon_keys().numbers() == std::vector<int>{5}));
    BOOST_TEST((site.keys_in_use() == std::set<std::string>{"daemon key 5"}));
}

BOOST_AUTO_TEST_CASE(files_of_keys_are_kept_sealed_and_those_from_before_are_sealed_later) {
    KeySite site;
    site.upload("user_data");
    for (const std::string& kept : site.kept_files()) {
        BOOST_TEST(kept.find("pl4nted") == std::string::npos);
    }
    BOOST_TEST(site.kept_files().size() == 1U);
    // As versions before this one kept it.
    const auto plain = site.contents.take_in(*std::make_unique<contents::TextSource>(planted_file),
                                             planted_file.size(), model::ContentPlace::database,
                                             tests::some_time());
    site.fresh.database.write([&](store::Connection& connection) {
        site.contents.keep_new(connection, plain);
        store::insert_live_resource(connection, site.shelf_of("ssh_keys"), "two", plain.id,
                                    tests::some_time());
    });
    BOOST_TEST(site.kept_files().at(1) == planted_file);

    const auto walk =
        operations::reseal_files(site.fresh.database, site.contents, tests::some_time());

    BOOST_TEST(walk.changed == 1);
    BOOST_TEST(walk.problems.empty());
    BOOST_TEST(site.kept_files().at(1).find("pl4nted") == std::string::npos);
    BOOST_TEST(site.opened("ssh_keys", site.kept_files().at(1)) == planted_file);
    BOOST_CHECK_THROW(site.opened("user_data", site.kept_files().at(1)), identity::VaultError);
}

BOOST_AUTO_TEST_CASE(a_new_tenant_gets_no_files_of_keys) {
    KeySite site;
    site.upload("user_data");
    const auto fresh = tests::a_caller(site.fresh.database, "fresh");
    site.fresh.database.write([&](store::Connection& connection) {
        store::copy_resources(connection, site.caller.tenant.id, fresh.tenant.id,
                              tests::some_time());
    });

    const auto copied = site.fresh.database.read([&](store::Connection& connection) {
        return store::live_resources(connection, fresh.tenant.id, model::PluginKind::provider,
                                     "cloudy");
    });
    for (const auto& file : copied) BOOST_TEST(file.resource_type == "user_data");
}

BOOST_AUTO_TEST_CASE(a_file_that_an_older_daemon_sealed_once_more_opens) {
    KeySite site;
    const auto& vault = site.fresh.database.vault();
    const std::string once = site.kept_files().at(0);
    const std::string place = base::to_text(
        base::Json::array({site.caller.tenant.id.value, "file", "cloudy", "ssh_keys"}));

    BOOST_TEST(site.opened("ssh_keys", vault.seal(base::Secret(once), place)) == planted_file);
}

BOOST_AUTO_TEST_CASE(a_command_prints_the_keys_once_and_again_when_one_is_lacking) {
    const Command command(tests::server().folder());
    const std::string both = two_keys();
    const std::string first = both.substr(0, both.find('\n') + 1);
    command.set_keys(first);
    const identity::Vault vault(identity::key_source(command.config()));

    const std::string sealed = vault.seal(base::Secret("x"), "here");
    BOOST_TEST(vault.open(sealed, "here").reveal() == "x");
    BOOST_TEST(command.count() == 1);

    command.set_keys(both);
    const std::string later =
        identity::seal(identity::newest_of(identity::keys_in(both)), base::Secret("y"), "p");
    BOOST_CHECK_THROW(vault.open(later, "p"), identity::LackingKey);
    BOOST_TEST(command.count() == 1, "not more often than every few seconds");
    std::this_thread::sleep_for(std::chrono::milliseconds{5200});
    BOOST_TEST(vault.open(later, "p").reveal() == "y");
    BOOST_TEST(command.count() == 2);
    BOOST_TEST(vault.seal(base::Secret("z"), "p").starts_with("2."));
}

BOOST_AUTO_TEST_CASE(a_command_that_fails_says_so_without_what_it_printed) {
    const std::string path = tests::server().folder() + "/broken";
    const auto failure = [&](const std::string& script, std::chrono::milliseconds limit) {
        write_file(path, "#!/bin/sh\n" + script, 0700);
        try {
            identity::output_of_key_command({path, "word"}, limit);
        } catch (const identity::VaultError& error) {
            return std::string(error.what());
        }
        return std::string("none");
    };
    const std::string name = "the command for keys (" + path + "): ";
    using std::chrono::seconds;

    BOOST_TEST(failure("echo s3cret; echo s3cret >&2; exit 3", seconds{5}) ==
               name + "ended with exit code 3");
    BOOST_TEST(failure("exec sleep 60", std::chrono::milliseconds{200}) == name + "takes too long");
    BOOST_TEST(failure("sleep 60 & exec sleep 60", std::chrono::milliseconds{200}) ==
               name + "takes too long");
    BOOST_TEST(failure("yes", seconds{5}) == name + "prints too much");
    BOOST_TEST(failure("kill -9 $$", seconds{5}) == name + "was ended by a signal");
    BOOST_TEST(failure("[ \"$1\" = word ] && [ $# = 1 ]", seconds{5}) == "none");
    BOOST_CHECK_THROW(identity::output_of_key_command({"/no/such"}, seconds{1}),
                      identity::VaultError);
}

BOOST_AUTO_TEST_CASE(a_credential_of_systemd_is_a_file_in_the_folder_that_it_names) {
    const std::string folder = tests::server().folder() + "/credentials";
    std::filesystem::create_directories(folder);
    write_file(folder + "/keys", two_keys(), 0400);
    const auto config = base::Config::parse("secrets.keys_credential = keys\n");
    ::unsetenv("CREDENTIALS_DIRECTORY");
    BOOST_CHECK_THROW(identity::check_key_source(config), identity::VaultError);
    ::setenv("CREDENTIALS_DIRECTORY", folder.c_str(), 1);

    identity::Vault vault(identity::key_source(config));

    BOOST_TEST(vault.open(vault.seal(base::Secret("x"), "p"), "p").reveal() == "x");
    BOOST_CHECK_THROW(vault.master_keys().add_key(), identity::VaultError);
    BOOST_CHECK_NO_THROW(identity::check_key_source(config));
    BOOST_CHECK_THROW(identity::key_source(base::Config::parse(
                          "secrets.keys_credential = keys\nsecrets.keys_command = /bin/true\n")),
                      identity::VaultError);
    BOOST_CHECK_THROW(identity::key_source(base::Config::parse("secrets.keys_command = true\n")),
                      identity::VaultError);
    ::unsetenv("CREDENTIALS_DIRECTORY");
}

BOOST_AUTO_TEST_SUITE_END()
