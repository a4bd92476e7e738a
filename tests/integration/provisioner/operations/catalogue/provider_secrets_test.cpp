#include "provisioner/operations/catalogue/provider_secrets.hpp"

#include <boost/test/unit_test.hpp>

#include <sys/resource.h>

#include <atomic>
#include <csignal>
#include <fstream>
#include <thread>

#include "provisioner/operations/catalogue/edit.hpp"
#include "provisioner/operations/catalogue/exchange.hpp"
#include "provisioner/operations/clusters/create.hpp"
#include "provisioner/operations/clusters/delete.hpp"
#include "provisioner/operations/daemon_secrets.hpp"
#include "provisioner/operations/jobs/control.hpp"
#include "provisioner/operations/tenants/tenants.hpp"
#include "provisioner/queue/bulk.hpp"
#include "provisioner/queue/link.hpp"
#include "provisioner/store/catalogue/catalogue_store.hpp"
#include "provisioner/store/clusters/work_store.hpp"
#include "provisioner/store/plugins/plugin_store.hpp"
#include "provisioner/store/tenants/sealing_key_store.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"
#include "tests/integration/provisioner/site.hpp"

using namespace provisioner;
using base::Json;
using model::CatalogueKind;

BOOST_AUTO_TEST_SUITE(provider_secrets)

namespace {

const std::string planted = "pl4nted-s3cret";

/// A vault with one key, a provider type with a secret field for each audience, and "cloud" of it.
struct SecretSite {
    SecretSite() {
        tests::make_keys(fresh.config);
        model::PluginField open;
        open.name = "api_user";
        open.label = "User";
        model::PluginField key = open;
        key.name = "api_key";
        key.sensitive = true;
        model::PluginField mine = key;
        mine.name = "my_key";
        model::PluginType type;
        type.header.name = "cloudy";
        model::PluginField url = open;
        url.name = "api_url";
        url.default_value = "https://usual.example.org";
        url.leads = true;
        url.overridable = true;
        url.options = {"https://usual.example.org", "https://eu.example.org"};
        type.admin.fields = {open, key, url};
        type.user.fields = {mine};
        type.user.required = {{}, {"my_key"}};
        database().write([&](store::Connection& connection) {
            store::save_plugin_type(connection, type, tests::some_time());
        });
        tests::save_small_catalogue(database(), caller);
        save(provider(planted));
    }

    store::Database& database() { return fresh.database; }

    static Json provider(const std::string& key) {
        return {{"name", "cloud"},
                {"providertype", "cloudy"},
                {"provisioner", {{"api_user", "u"}, {"api_key", key}}}};
    }

    operations::Result<int> save(const Json& document) {
        return operations::replace_entry(database(), caller, CatalogueKind::provider, "cloud",
                                         document, tests::some_time());
    }

    std::string stored() {
        return database().read([&](store::Connection& connection) {
            return base::to_text(
                *store::find_entry(connection, caller.tenant.id, CatalogueKind::provider, "cloud"));
        });
    }

    model::Cluster create(const Json& given = Json::object()) {
        operations::CreateCluster wanted;
        wanted.name = "c1";
        wanted.cluster_template = "pair";
        wanted.machines = 2;
        wanted.provider_fields = given;
        const auto id = operations::create_cluster(database(), caller, wanted, tests::some_time());
        BOOST_REQUIRE(id.has_value());
        return cluster(*id);
    }

    model::Cluster cluster(model::ClusterId id) {
        return *database().read([&](store::Connection& connection) {
            return store::find_cluster(connection, caller, id);
        });
    }

    std::shared_ptr<const store::ClusterView> look(store::ClusterWatch& watch,
                                                   model::ClusterId id) {
        return database().read(
            [&](store::Connection& connection) { return watch.look(connection, id); });
    }

    Json opened(const model::Cluster& cluster) {
        return database().read([&](store::Connection& connection) {
            return operations::opened_account(connection, cluster).fields;
        });
    }

    tests::FreshDatabase fresh;
    std::string keys = fresh.config.get("secrets.daemon_keys");
    model::Caller caller = tests::a_caller(fresh.database);
    queue::MysqlTaskQueue queue{fresh.config};
};

}  // namespace

BOOST_AUTO_TEST_CASE(are_stored_sealed_and_shown_masked) {
    SecretSite site;

    BOOST_TEST(site.stored().find(planted) == std::string::npos);
    BOOST_TEST(site.stored().find(R"("api_key":{"sealed":"d1-)") != std::string::npos);
    const std::string shown =
        base::to_text(operations::export_catalogue(site.database(), site.caller));
    BOOST_TEST(shown.find(planted) == std::string::npos);
    BOOST_TEST(shown.find(R"("api_key":"********")") != std::string::npos);
    BOOST_TEST(shown.find("sealed") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(are_kept_when_the_mask_is_written_back) {
    SecretSite site;
    const std::string before = site.stored();

    Json edited = SecretSite::provider(std::string(model::secret_mask));
    edited["description"] = "edited";
    BOOST_REQUIRE(site.save(edited).has_value());

    const auto key_in = [](const std::string& text) {
        return base::parse_json(text)->at("provisioner").at("api_key");
    };
    BOOST_TEST(key_in(site.stored()) == key_in(before));
    BOOST_TEST(site.opened(site.create()).at("api_key") == planted);
}

BOOST_AUTO_TEST_CASE(are_not_kept_for_another_address_or_type) {
    SecretSite site;
    const auto refused_for = [&](const Json& edited) {
        const auto refused = site.save(edited);
        BOOST_REQUIRE(!refused.has_value());
        BOOST_REQUIRE(refused.error().problems.size() == 1U);
        BOOST_TEST(refused.error().problems.front().field == "provisioner.api_key");
        return refused.error().problems.front().message;
    };
    Json elsewhere = SecretSite::provider(std::string(model::secret_mask));
    elsewhere["provisioner"]["api_url"] = "https://mine.example.net";
    Json of_unknown_type = SecretSite::provider(std::string(model::secret_mask));
    of_unknown_type["providertype"] = "foggy";

    BOOST_TEST(refused_for(elsewhere) ==
               "must be given again: with another api_url the stored secret would go elsewhere");
    BOOST_TEST(refused_for(of_unknown_type) ==
               "must be given again: with another providertype the stored secret would go "
               "elsewhere");
    BOOST_TEST(site.stored().find("mine.example.net") == std::string::npos);
    const Json all{{"providers", Json::array({elsewhere})}};
    BOOST_TEST(!operations::import_catalogue(site.database(), site.caller, all, tests::some_time())
                    .has_value());

    elsewhere["provisioner"]["api_key"] = "my-own";
    BOOST_REQUIRE(site.save(elsewhere).has_value());
    BOOST_TEST(site.opened(site.create()).at("api_key") == "my-own");
}

BOOST_AUTO_TEST_CASE(are_kept_where_the_address_is_the_same_in_other_words) {
    SecretSite site;
    Json same = SecretSite::provider(std::string(model::secret_mask));

    for (const Json& value : {Json("https://usual.example.org"), Json(""), Json()}) {
        same["provisioner"]["api_url"] = value;
        BOOST_TEST(site.save(same).has_value(), value.dump());
    }
    same["provisioner"]["api_user"] = "another";
    BOOST_TEST(site.save(same).has_value());
    BOOST_TEST(site.opened(site.create()).at("api_key") == planted);
}

BOOST_AUTO_TEST_CASE(of_a_type_that_nobody_knows_are_kept_while_nothing_changes) {
    SecretSite site;
    Json foggy{{"name", "fog"},
               {"providertype", "foggy"},
               {"provisioner", {{"host", "a"}, {"api_password", planted}}}};
    const auto save = [&] {
        return operations::replace_entry(site.database(), site.caller, CatalogueKind::provider,
                                         "fog", foggy, tests::some_time())
            .has_value();
    };
    BOOST_REQUIRE(save());
    foggy["provisioner"]["api_password"] = model::secret_mask;
    BOOST_TEST(save());
    foggy["provisioner"]["host"] = "b";
    BOOST_TEST(!save());
}

BOOST_AUTO_TEST_CASE(a_mask_with_nothing_behind_it_is_refused) {
    SecretSite site;
    Json another = SecretSite::provider(std::string(model::secret_mask));
    another["name"] = "another";

    const auto refused = operations::create_entry(
        site.database(), site.caller, CatalogueKind::provider, another, tests::some_time());

    BOOST_REQUIRE(!refused.has_value());
    BOOST_TEST(refused.error().problems.front().field == "provisioner.api_key");
}

BOOST_AUTO_TEST_CASE(an_export_can_be_imported_where_it_came_from) {
    SecretSite site;
    const Json all = operations::export_catalogue(site.database(), site.caller);

    const auto done =
        operations::import_catalogue(site.database(), site.caller, all, tests::some_time());
    BOOST_REQUIRE(done.has_value());

    BOOST_TEST(site.opened(site.create()).at("api_key") == planted);
}

BOOST_AUTO_TEST_CASE(an_export_of_somebody_else_lacks_the_secrets_and_says_so) {
    SecretSite site;
    const Json all = operations::export_catalogue(site.database(), site.caller);
    const auto other = tests::a_caller(site.database(), "other");

    const auto refused =
        operations::import_catalogue(site.database(), other, all, tests::some_time());

    BOOST_REQUIRE(!refused.has_value());
    BOOST_TEST(refused.error().problems.front().field == "providers.cloud.provisioner.api_key");
}

BOOST_AUTO_TEST_CASE(somebody_elses_sealed_text_is_refused) {
    SecretSite site;
    Json stolen = *base::parse_json(site.stored());
    const Json text = stolen.at("provisioner").at("api_key");
    stolen["provisioner"] = {{"api_user", text}, {"api_key", text}};

    const auto refused = site.save(stolen);

    BOOST_REQUIRE(!refused.has_value());
    BOOST_REQUIRE(refused.error().problems.size() == 2U);
    BOOST_TEST(refused.error().problems.front().field == "provisioner.api_user");
}

BOOST_AUTO_TEST_CASE(of_one_cluster_go_before_the_providers_and_are_wiped_with_its_machines) {
    SecretSite site;
    const auto made = site.create({{"my_key", "mine-s3cret"}, {"boguskey", "dropped"}});

    BOOST_TEST(base::to_text(made.secrets).find("mine-s3cret") == std::string::npos);
    BOOST_TEST(!made.snapshot.provider.fields.contains("my_key"));
    const Json fields = site.opened(made);
    BOOST_TEST(fields.at("my_key") == "mine-s3cret");
    BOOST_TEST(fields.at("api_key") == planted);
    BOOST_TEST(!fields.contains("boguskey"));

    tests::succeed_all(site.queue);
    BOOST_TEST((site.cluster(made.id).status == model::ClusterStatus::active));
    BOOST_TEST(!site.cluster(made.id).secrets.empty());
    BOOST_REQUIRE(
        operations::delete_cluster(site.database(), site.caller, made.id, tests::some_time())
            .has_value());
    tests::succeed_all(site.queue);

    BOOST_TEST((site.cluster(made.id).status == model::ClusterStatus::terminated));
    BOOST_TEST(site.cluster(made.id).secrets.empty());
}

BOOST_AUTO_TEST_CASE(do_not_open_in_another_cluster) {
    SecretSite site;
    const auto first = site.create({{"my_key", "mine-s3cret"}});
    auto second = site.create({{"my_key", "other-s3cret"}});
    second.secrets = first.secrets;

    BOOST_CHECK_THROW(site.opened(second), identity::VaultError);
}

BOOST_AUTO_TEST_CASE(go_with_a_bootstrap_to_the_new_tenant) {
    SecretSite site;
    const auto superadmin = tests::a_caller(site.database(), "superadmin");
    tests::save_small_catalogue(site.database(), superadmin);
    BOOST_REQUIRE(operations::replace_entry(site.database(), superadmin, CatalogueKind::provider,
                                            "cloud", SecretSite::provider(planted),
                                            tests::some_time())
                      .has_value());

    operations::TenantSpec wanted;
    wanted.name = "fresh";
    wanted.bootstrap = true;
    BOOST_REQUIRE(
        operations::create_tenant(site.database(), {}, wanted, tests::some_time()).has_value());
    const auto others = site.caller.tenant;
    site.caller.tenant = *site.database().read(
        [](store::Connection& connection) { return store::find_tenant(connection, "fresh"); });

    auto made = site.create();
    BOOST_TEST(site.opened(made).at("api_key") == planted);
    // The copy is bound to the superadmin's tenant still, which counts for a new tenant's own
    // secrets in no other direction.
    BOOST_REQUIRE(site.save(SecretSite::provider("its-own")).has_value());
    auto own = site.create();
    BOOST_TEST(site.opened(own).at("api_key") == "its-own");
    own.tenant = others.id;
    BOOST_CHECK_THROW(site.opened(own), identity::VaultError);
    own.tenant = superadmin.tenant.id;
    BOOST_CHECK_THROW(site.opened(own), identity::VaultError);
}

BOOST_AUTO_TEST_CASE(can_be_taken_in_and_copied_but_not_opened_by_the_web) {
    SecretSite site;
    const auto made = site.create({{"my_key", "mine-s3cret"}});
    // As cooperage-web reads its settings, on a host where it could even read the file.
    const auto config = base::Config::parse(
        "secrets.keys = " + site.fresh.config.get("secrets.keys") +
            "\nsecrets.daemon_keys = " + site.keys + "\nsecrets.daemon_public_key = " +
            site.fresh.config.get("secrets.daemon_public_key") + "\n",
        "web");
    const identity::Vault web(config);
    const std::string sealed = model::sealed_text(made.snapshot.provider.fields.at("api_key"));
    const std::string place =
        base::to_text(Json::array({made.tenant.value, "provider", "cloud", "api_key"}));

    BOOST_CHECK_THROW(web.open(sealed, place), identity::VaultError);
    BOOST_TEST(site.database().vault().open(sealed, place).reveal() == "\"" + planted + "\"");
    BOOST_CHECK_THROW(web.open(model::sealed_text(made.secrets.at("my_key")), "any"),
                      identity::VaultError);
    BOOST_CHECK_THROW(web.rewrapped(sealed), identity::VaultError);
    const auto key = web.key_for_daemons(web.public_half()->name);
    const std::string taken_in = identity::seal(key, base::Secret("new"), "there");
    BOOST_CHECK_THROW(web.open(taken_in, "there"), identity::VaultError);
    BOOST_TEST(site.database().vault().open(taken_in, "there").reveal() == "new");
    // What it must open: second factors, identity providers.
    BOOST_TEST(web.open(web.seal(base::Secret("code"), "user"), "user").reveal() == "code");
}

BOOST_AUTO_TEST_CASE(come_under_a_new_key_and_need_the_old_one_no_longer) {
    SecretSite site;
    const auto made = site.create({{"my_key", "mine-s3cret"}});
    tests::add_keys(site.fresh.config);

    // The provider, its line in the history, and the cluster.
    BOOST_TEST(operations::rewrap_secrets(site.database()).changed == 3);
    BOOST_TEST(operations::rewrap_secrets(site.database()).changed == 0);

    std::string newest;
    {
        std::ifstream file(site.keys);
        for (std::string line; std::getline(file, line);) newest = line;
    }
    std::ofstream(site.keys) << newest << "\n";
    BOOST_TEST(newest.starts_with("2 "));
    BOOST_TEST(site.stored().find(R"("sealed":"d2-)") != std::string::npos);
    const Json fields = site.opened(site.cluster(made.id));
    BOOST_TEST(fields.at("my_key") == "mine-s3cret");
    BOOST_TEST(fields.at("api_key") == planted);
}

BOOST_AUTO_TEST_CASE(what_only_looks_sealed_does_not_stop_a_change_of_keys) {
    SecretSite site;
    Json odd = SecretSite::provider(planted);
    odd["provisioner"]["tags"] = {{"a", {{"sealed", "hello"}}}};
    BOOST_REQUIRE(site.save(odd).has_value());
    site.create({{"my_key", "mine-s3cret"}});
    tests::add_keys(site.fresh.config);

    const auto walk = operations::rewrap_secrets(site.database());

    BOOST_TEST(walk.problems.empty());
    BOOST_TEST(walk.changed == 5);
    BOOST_TEST(site.stored().find("hello") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_row_that_cannot_be_changed_is_named_and_the_others_are) {
    SecretSite site;
    const auto lost = site.create({{"my_key", "mine-s3cret"}});
    const auto fine = site.create({{"my_key", "mine-s3cret"}});
    auto broken = lost;
    broken.secrets["my_key"] = model::sealed_value("1.nonsense");
    site.database().write(
        [&](store::Connection& connection) { store::update_secrets(connection, broken); });
    tests::add_keys(site.fresh.config);

    const auto walk = operations::rewrap_secrets(site.database());

    BOOST_REQUIRE(walk.problems.size() == 1U);
    BOOST_TEST(walk.problems.front() ==
               "cluster " + model::wire_id(lost.id) + ": this is no sealed secret");
    BOOST_TEST(base::to_text(site.cluster(fine.id).secrets).find("\"d2-") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(who_was_writing_when_keys_change_is_waited_for) {
    SecretSite site;
    std::atomic<bool> has_read{false};
    std::thread writer([&] {
        site.database().write([&](store::Connection& connection) {
            store::lock_tenant(connection, site.caller.tenant.id);
            const auto old = store::find_entry(connection, site.caller.tenant.id,
                                               CatalogueKind::provider, "cloud");
            has_read = true;
            std::this_thread::sleep_for(std::chrono::milliseconds{300});
            store::insert_entry(connection, site.caller.tenant.id, CatalogueKind::provider, *old,
                                tests::some_time());
        });
    });
    while (!has_read) std::this_thread::yield();
    tests::add_keys(site.fresh.config);

    operations::rewrap_secrets(site.database());
    writer.join();

    BOOST_TEST(site.stored().find(R"("version":3)") != std::string::npos);
    BOOST_TEST(site.stored().find(R"("sealed":"d2-)") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(survive_a_change_of_the_type_that_described_them) {
    SecretSite site;
    model::PluginType type;
    type.header.name = "cloudy";
    site.database().write([&](store::Connection& connection) {
        store::save_plugin_type(connection, type, tests::some_time());
    });
    Json edited = SecretSite::provider(std::string(model::secret_mask));
    edited["provisioner"]["plain"] = std::string(model::secret_mask);

    BOOST_REQUIRE(site.save(edited).has_value());

    BOOST_TEST(site.stored().find(R"("api_key":{"sealed":")") != std::string::npos);
    BOOST_TEST(site.stored().find(R"("plain":"********")") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(written_before_their_type_was_known_are_sealed_when_it_is) {
    SecretSite site;
    Json early = SecretSite::provider(planted);
    early["provisioner"]["access_id"] = "early-s3cret";
    BOOST_REQUIRE(site.save(early).has_value());
    const auto made = site.create();
    model::PluginType type;
    type.header.name = "cloudy";
    model::PluginField access;
    access.name = "access_id";
    access.label = "Access";
    access.sensitive = true;
    type.admin.fields = {access};
    site.database().write([&](store::Connection& connection) {
        store::save_plugin_type(connection, type, tests::some_time());
    });
    BOOST_TEST(site.stored().find("early-s3cret") != std::string::npos);

    BOOST_TEST(operations::seal_leftovers(site.database()).changed == 3);
    BOOST_TEST(operations::seal_leftovers(site.database()).changed == 0);

    BOOST_TEST(site.stored().find("early-s3cret") == std::string::npos);
    const auto sealed = site.cluster(made.id);
    BOOST_TEST(model::is_sealed(sealed.snapshot.provider.fields.at("access_id")));
    BOOST_TEST(site.opened(sealed).at("access_id") == "early-s3cret");
}

BOOST_AUTO_TEST_CASE(keys_that_are_added_at_once_have_numbers_of_their_own) {
    SecretSite site;
    {
        std::ofstream file(site.keys, std::ios::trunc);
        file << "1 " << std::string(64, 'a');
    }
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i) {
        threads.emplace_back([&] { identity::KeyRing(site.keys).add_key(); });
    }
    for (std::thread& thread : threads) thread.join();

    std::ifstream file(site.keys);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    BOOST_TEST(identity::keys_in(text).size() == 9U);
}

BOOST_AUTO_TEST_CASE(a_host_without_the_newest_public_half_takes_no_secret_in) {
    SecretSite site;
    const std::string before = site.stored();
    const std::string path = site.fresh.config.get("secrets.daemon_public_key");
    const auto old = [&] {
        std::ifstream file(path);
        return std::string{std::istreambuf_iterator<char>(file), {}};
    }();
    tests::add_keys(site.fresh.config);
    const auto refused = [&](const std::string& words) {
        // cooperage-web has no private keys.
        std::filesystem::rename(site.keys, site.keys + ".away");
        BOOST_CHECK_EXCEPTION(site.save(SecretSite::provider("another")), identity::VaultError,
                              [&](const auto& error) {
                                  const std::string text = error.what();
                                  return text.find("daemon key 2") != std::string::npos &&
                                         text.find(words) != std::string::npos;
                              });
        std::filesystem::rename(site.keys + ".away", site.keys);
    };

    std::ofstream(path) << old;
    refused("public half of daemon key 1");
    std::filesystem::remove(path);
    refused("this host has none");

    BOOST_TEST(site.stored() == before);
}

BOOST_AUTO_TEST_CASE(without_a_key_nothing_is_stored) {
    SecretSite site;
    const std::string before = site.stored();
    queue::execute(*queue::connect(site.fresh.root), "DELETE FROM sealing_key");
    const std::string master = site.fresh.config.get("secrets.keys");
    std::filesystem::remove(master);

    BOOST_CHECK_EXCEPTION(site.save(SecretSite::provider("another")), identity::VaultError,
                          [&](const auto& error) {
                              return std::string(error.what()).find(master) != std::string::npos;
                          });

    BOOST_TEST(site.stored() == before);
}

BOOST_AUTO_TEST_CASE(a_new_key_waits_for_those_who_seal_under_the_one_before) {
    SecretSite site;
    std::atomic<bool> has_sealed = false;
    std::atomic<bool> is_published = false;
    std::jthread writer([&] {
        store::Database other(site.fresh.config);
        other.write([&](store::Connection& connection) {
            const auto sealed =
                operations::sealed_for_daemons(connection, base::Secret("x"), "here");
            BOOST_TEST(sealed.starts_with("d1-"));
            has_sealed = true;
            std::this_thread::sleep_for(std::chrono::milliseconds{300});
            BOOST_TEST(!is_published);
        });
    });
    while (!has_sealed) std::this_thread::yield();

    tests::add_keys(site.fresh.config);
    is_published = true;

    BOOST_TEST((operations::sealing_key_of_daemons(site.database()).name.number == 2));
}

BOOST_AUTO_TEST_CASE(a_daemon_without_the_newest_key_does_not_begin) {
    SecretSite site;
    BOOST_CHECK_NO_THROW(operations::expect_daemon_keys(site.database()));
    const auto other = [&](const std::string& keys) {
        return store::Database(base::Config::parse(
            "database.socket = " + site.fresh.config.get("database.socket") +
            "\ndatabase.user = " + site.fresh.config.get("database.user") +
            "\ndatabase.name = " + site.fresh.config.get("database.name") + "\nsecrets.keys = " +
            site.fresh.config.get("secrets.keys") + "\nsecrets.daemon_keys = " + keys + "\n"));
    };
    store::Database lacking = other(site.keys + ".missing");
    BOOST_CHECK_THROW(operations::expect_daemon_keys(lacking), identity::VaultError);
    // Made on another host: the same number.
    const std::string twin = site.keys + ".twin";
    std::filesystem::remove(twin);
    identity::KeyRing(twin).add_key();
    store::Database strange = other(twin);
    BOOST_CHECK_THROW(operations::expect_daemon_keys(strange), identity::VaultError);
    BOOST_CHECK_THROW(site.database().write([&](store::Connection& connection) {
        const auto half = identity::public_half_of(identity::KeyRing(twin).keys());
        store::publish_sealing_key(connection, half.name, tests::some_time());
    }),
                      identity::VaultError);
}

BOOST_AUTO_TEST_CASE(a_key_file_everybody_may_read_is_refused) {
    SecretSite site;
    namespace fs = std::filesystem;
    const identity::Vault vault(site.fresh.config);
    const std::string sealed = identity::seal(operations::sealing_key_of_daemons(site.database()),
                                              base::Secret("x"), "here");
    const auto names_the_remedy = [](const identity::VaultError& error) {
        return std::string(error.what()).find("chmod o=") != std::string::npos;
    };
    for (const char* name : {"secrets.keys", "secrets.daemon_keys"}) {
        fs::permissions(site.fresh.config.get(name), fs::perms::others_read, fs::perm_options::add);
    }

    BOOST_CHECK_EXCEPTION(vault.seal(base::Secret("x"), "here"), identity::VaultError,
                          names_the_remedy);
    BOOST_CHECK_EXCEPTION(vault.open(sealed, "here"), identity::VaultError, names_the_remedy);
}

BOOST_AUTO_TEST_CASE(new_secrets_of_a_deletion_that_goes_on_reach_workers_that_know_the_old_ones) {
    SecretSite site;
    const auto id = site.create({{"my_key", "old"}}).id;
    tests::succeed_all(site.queue);
    const auto now = tests::some_time();
    BOOST_REQUIRE(operations::delete_cluster(site.database(), site.caller, id, now, {}));
    BOOST_REQUIRE(operations::pause_job(site.database(), site.caller, id));
    store::ClusterWatch watch;
    BOOST_TEST(site.opened(*site.look(watch, id)->cluster).at("my_key") == "old");

    BOOST_REQUIRE(
        operations::delete_cluster(site.database(), site.caller, id, now, {{"my_key", "new"}}));

    BOOST_TEST(site.opened(*site.look(watch, id)->cluster).at("my_key") == "new");
}

BOOST_AUTO_TEST_CASE(workers_that_know_a_cluster_see_its_secrets_under_the_new_master_key) {
    SecretSite site;
    const auto id = site.create({{"my_key", "mine"}}).id;
    store::ClusterWatch watch;
    const Json before = site.look(watch, id)->cluster->secrets;
    tests::add_keys(site.fresh.config);

    BOOST_TEST(operations::rewrap_secrets(site.database()).problems.empty());

    const auto cluster = site.look(watch, id)->cluster;
    BOOST_TEST(cluster->secrets != before);
    BOOST_TEST(site.opened(*cluster).at("my_key") == "mine");
}

BOOST_AUTO_TEST_CASE(a_sealed_value_that_is_no_json_is_an_error_in_words) {
    SecretSite site;
    model::Cluster cluster = site.create();
    const auto place = base::to_text(
        Json::array({cluster.tenant.value, "cluster", std::to_string(cluster.id.value), "my_key"}));
    cluster.secrets["my_key"] =
        model::sealed_value(site.database().vault().seal(base::Secret("{no json"), place));

    BOOST_CHECK_THROW(site.opened(cluster), identity::VaultError);
}

BOOST_AUTO_TEST_CASE(a_key_file_that_cannot_be_written_leaves_no_copy_of_the_keys) {
    SecretSite site;
    const auto keys = [&] {
        std::ifstream file(site.keys);
        return std::string{std::istreambuf_iterator<char>(file), {}};
    };
    const std::string before = keys();
    rlimit limit{};
    BOOST_REQUIRE(::getrlimit(RLIMIT_FSIZE, &limit) == 0);
    const rlimit small{.rlim_cur = 20, .rlim_max = limit.rlim_max};
    const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
    std::string error;

    ::setrlimit(RLIMIT_FSIZE, &small);
    try {
        identity::KeyRing(site.keys).add_key();
    } catch (const identity::VaultError& caught) {
        error = caught.what();
    }
    ::setrlimit(RLIMIT_FSIZE, &limit);
    std::signal(SIGXFSZ, old_handler);

    BOOST_TEST(error.find("File too large") != std::string::npos, error);
    BOOST_TEST(!std::filesystem::exists(site.keys + ".new"));
    BOOST_TEST(keys() == before);
}

BOOST_AUTO_TEST_CASE(a_copy_of_the_keys_that_was_left_gives_nobody_its_rights) {
    namespace fs = std::filesystem;
    SecretSite site;
    fs::remove(site.keys);
    std::ofstream(site.keys + ".new") << "left";
    fs::permissions(site.keys + ".new", fs::perms::all);

    identity::KeyRing(site.keys).add_key();

    BOOST_TEST(
        (fs::status(site.keys).permissions() == (fs::perms::owner_read | fs::perms::owner_write)));
    BOOST_TEST(!fs::exists(site.keys + ".new"));
}

BOOST_AUTO_TEST_SUITE_END()
