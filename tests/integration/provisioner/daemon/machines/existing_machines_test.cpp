#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <thread>

#include "provisioner/daemon/machines/database_leases.hpp"
#include "provisioner/daemon/machines/script_runner.hpp"
#include "provisioner/providers/existing/existing_provider.hpp"
#include "provisioner/remote/ssh_session.hpp"
#include "provisioner/store/machines/account_store.hpp"
#include "provisioner/store/machines/lease_store.hpp"
#include "tests/integration/provisioner/fixture.hpp"
#include "tests/support/sshd.hpp"

using namespace provisioner;
using namespace provisioner::providers;
using namespace provisioner::providers::existing;
using model::LeaseState;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

// Two machines are two real sshd of their own keys and ports; leases are in a real database.
BOOST_AUTO_TEST_SUITE(existing_machines)

namespace {

std::string line_for(const std::string& name, const tests::support::Sshd& sshd) {
    return "- {name: " + name +
           ", address: 127.0.0.1, port: " + std::to_string(sshd.endpoint().port) +
           ", host_key: " + sshd.host_key("ed25519") + "}\n";
}

/// A daemon's part: its own threads, connections and loop.
struct Daemon {
    Daemon(store::Database& database, remote::Connector& connector, const std::string& folder)
        : leases(database),
          scripts(std::make_unique<daemon::ScriptRunner>(
              connector, keys,
              daemon::NodePlaces{
                  .state = folder, .cache = folder + "/cache", .hosts = folder + "/hosts"})),
          provider(std::make_unique<ExistingProvider>(leases, *scripts, clock,
                                                      http_client::OwnNetwork::open)) {}

    template <class Answer>
    Answer run(boost::asio::awaitable<Answer> verb) {
        boost::asio::io_context loop{1};
        auto result = boost::asio::co_spawn(loop, std::move(verb), boost::asio::use_future);
        loop.run();
        return result.get();
    }

    base::SystemClock clock;
    // Accounts bring their own keys.
    daemon::LoginKeys keys{{.private_key = base::Secret("none"), .public_key = ""}};
    daemon::DatabaseLeases leases;
    std::unique_ptr<daemon::ScriptRunner> scripts;
    std::unique_ptr<ExistingProvider> provider;
};

struct Cellar {
    Cellar() {
        fresh.database.write(store::installation_id);
        account.tenant.value = 1;
        account.provider = "cellar";
        account.provider_type = "existing";
        account.fields = {{"machines", line_for("a", first) + line_for("b", second)},
                          {"ssh_key_resource", "key"},
                          {"wipe_script", "echo wiped >>" + path("wiped") + "\n"}};
        account.files["ssh_key_resource"] = first.endpoint().private_key.reveal();
        std::ofstream(second.folder() + "/authorized_keys", std::ios::app)
            << tests::support::text_of_file(first.folder() + "/client.pub");
        fs::create_directories(path("cache") + "/shell");
        std::ofstream(path("hosts")) << "127.0.0.1 localhost\n# begin of the cluster\n"
                                        "10.0.0.1 db\n# end of the cluster\n";
    }

    std::string path(const std::string& name) const { return first.folder() + "/" + name; }
    std::string text_of(const std::string& name) const {
        return tests::support::text_of_file(path(name));
    }

    static MachineSpec spec(const std::string& name, long long task) {
        MachineSpec wanted;
        wanted.name = name;
        wanted.cluster = name.substr(0, name.find('-'));
        wanted.task = task;
        return wanted;
    }

    Created create(Daemon& its_daemon, const MachineSpec& wanted) {
        return its_daemon.run(its_daemon.provider->create(account, wanted));
    }

    /// What the node's create has told.
    base::Json id_of_lease(const MachineSpec& wanted) {
        base::Json results = base::Json::object();
        for (const auto& lease : leases()) {
            if (lease.node == wanted.name && model::is_held(lease.state)) {
                results["providerid"] = id_of(lease);
            }
        }
        return results;
    }

    /// As a node's confirm does after its login, which here has shown the key that is listed.
    bool enter(Daemon& its_daemon, const MachineSpec& wanted, const std::string& key) {
        return !its_daemon
                    .run(its_daemon.provider->entered(account, wanted, id_of_lease(wanted), key))
                    .has_value();
    }

    /// A machine that a task of the node has entered.
    void make(const MachineSpec& wanted) {
        create(daemon, wanted);
        BOOST_TEST(enter(daemon, wanted, first.host_key("ed25519")));
    }

    Destroyed destroy(Daemon& its_daemon, const MachineSpec& wanted) {
        return its_daemon.run(its_daemon.provider->destroy(account, wanted, base::Json::object()));
    }

    /// destroy() until it answers something else than Pending.
    void take_away(Daemon& its_daemon, const MachineSpec& wanted) {
        for (int turn = 0; turn < 1200; ++turn) {
            if (!std::holds_alternative<Pending>(destroy(its_daemon, wanted))) return;
            std::this_thread::sleep_for(50ms);
        }
        BOOST_FAIL("not gone within a minute");
    }

    std::vector<model::MachineLease> leases() {
        return fresh.database.read([](store::Connection& connection) {
            return store::list_leases(connection, model::TenantId{0}, 0, 100);
        });
    }

    tests::FreshDatabase fresh;
    tests::support::Sshd first;
    tests::support::Sshd second;
    std::unique_ptr<remote::Connector> connector =
        remote::make_ssh_connector({.state_directory = first.folder()});
    Account account;
    Daemon daemon{fresh.database, *connector, first.folder()};
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_machine_is_leased_reached_wiped_and_free_again, Cellar) {
    const auto wanted = spec("00000001-1001", 1);
    const auto created = create(daemon, wanted);
    BOOST_TEST(std::get<Machine>(created).id.starts_with("a#"));

    const auto confirmed =
        daemon.run(daemon.provider->confirm(account, wanted, base::Json::object()));
    const auto& reachable = std::get<Reachable>(confirmed);
    BOOST_TEST(reachable.addresses.at("access_v4") == "127.0.0.1");
    BOOST_TEST(reachable.host_key == first.host_key("ed25519"));
    BOOST_TEST(enter(daemon, wanted, reachable.host_key));
    fs::create_directories(path("steps/17-1-0"));

    take_away(daemon, spec("00000001-1001", 2));

    BOOST_TEST(text_of("wiped") == "wiped\n");
    BOOST_TEST(leases().empty());
    // Nothing of the node is left but the record of the wipe.
    BOOST_TEST(!fs::exists(path("steps/17-1-0")));
    BOOST_TEST(!fs::exists(path("cache/shell")));
    BOOST_TEST(text_of("hosts") == "127.0.0.1 localhost\n");
    BOOST_TEST(std::get<Machine>(create(daemon, spec("00000002-1001", 3))).id.starts_with("a#"));
}

BOOST_FIXTURE_TEST_CASE(a_wipe_goes_on_when_the_daemon_dies_and_runs_once, Cellar) {
    account.fields["wipe_script"] =
        "echo begun >>" + path("wiped") + "; sleep 2; echo ended >>" + path("wiped") + "\n";
    make(spec("00000001-1001", 1));
    BOOST_TEST(std::holds_alternative<Pending>(destroy(daemon, spec("00000001-1001", 2))));
    for (int turn = 0; turn < 200 && text_of("wiped").empty(); ++turn) {
        std::this_thread::sleep_for(20ms);
    }
    daemon.provider.reset();
    daemon.scripts.reset();
    first.cut_connections();

    Daemon next(fresh.database, *connector, first.folder());
    take_away(next, spec("00000001-1001", 2));

    BOOST_TEST(text_of("wiped") == "begun\nended\n");
    BOOST_TEST(leases().empty());
}

BOOST_FIXTURE_TEST_CASE(a_question_that_comes_too_late_wipes_nothing, Cellar) {
    make(spec("00000001-1001", 1));
    const auto leased = base::to_millis(leases().front().leased_at);
    take_away(daemon, spec("00000001-1001", 2));
    BOOST_TEST(text_of("wiped") == "wiped\n");
    const auto endpoint = first.endpoint();
    ScriptRun late{.key = "wipe1x" + std::to_string(leased),
                   .address = endpoint.address,
                   .port = endpoint.port,
                   .user = "root",
                   .host_key = endpoint.host_key,
                   .script = "echo again >>" + path("wiped") + "\n"};

    ScriptState state = daemon.scripts->look(account, late);
    for (int turn = 0; turn < 200 && std::holds_alternative<ScriptRuns>(state); ++turn) {
        std::this_thread::sleep_for(20ms);
        state = daemon.scripts->look(account, late);
    }

    BOOST_TEST(std::holds_alternative<ScriptDone>(state));
    BOOST_TEST(text_of("wiped") == "wiped\n");
}

BOOST_FIXTURE_TEST_CASE(a_machine_whose_wipe_fails_is_out_with_the_scripts_last_words, Cellar) {
    account.fields["wipe_script"] = "echo 'the disk is dead' >&2; exit 3\n";
    make(spec("00000001-1001", 1));

    take_away(daemon, spec("00000001-1001", 2));

    BOOST_REQUIRE(leases().size() == 1U);
    BOOST_TEST((leases().front().state == LeaseState::broken));
    BOOST_TEST(leases().front().reason ==
               "wipe_script: wipe_script ended with exit code 3: the disk is dead");
}

BOOST_FIXTURE_TEST_CASE(another_machine_at_the_address_is_never_wiped, Cellar) {
    account.fields["machines"] =
        "- {name: a, address: 127.0.0.1, port: " + std::to_string(first.endpoint().port) +
        ", host_key: " + second.host_key("ed25519") + "}\n";
    create(daemon, spec("00000001-1001", 1));

    take_away(daemon, spec("00000001-1001", 2));

    BOOST_TEST(text_of("wiped") == "");
    BOOST_TEST((leases().front().state == LeaseState::broken));
    BOOST_TEST(leases().front().reason.starts_with("its node never logged in; "));
    // Whoever can log in there has it.
    account.tenant.value = 2;
    account.fields["machines"] = line_for("a", first);
    make(spec("00000002-1001", 3));
}

BOOST_FIXTURE_TEST_CASE(a_machine_that_no_task_has_entered_is_free_again_without_a_wipe, Cellar) {
    create(daemon, spec("00000001-1001", 1));
    account.tenant.value = 2;
    const auto theirs = spec("00000002-1001", 2);
    make(theirs);
    fs::create_directories(path("steps/17-1-0"));

    account.tenant.value = 1;
    take_away(daemon, spec("00000001-1001", 3));

    BOOST_TEST(text_of("wiped") == "");
    BOOST_TEST(fs::exists(path("steps/17-1-0")));
    BOOST_REQUIRE(leases().size() == 1U);
    BOOST_TEST(leases().front().node == theirs.name);
}

BOOST_FIXTURE_TEST_CASE(a_machine_that_does_not_answer_is_waited_for, Cellar) {
    account.fields["machines"] =
        "- {name: a, address: 127.0.0.1, port: 1, host_key: " + first.host_key("ed25519") + "}\n";
    const auto wanted = spec("00000001-1001", 1);
    create(daemon, wanted);

    const auto confirmed =
        daemon.run(daemon.provider->confirm(account, wanted, base::Json::object()));

    BOOST_TEST(std::get<Pending>(confirmed).reason ==
               "a does not answer with SSH at 127.0.0.1, port 1");
}

// Two daemons, each with clusters of another tenant that lists the same machines: two nodes of each
// get one, and two of these four enter theirs.
BOOST_FIXTURE_TEST_CASE(two_daemons_and_two_tenants_never_get_one_machine, Cellar) {
    store::Database other_database(fresh.config, store::patience_of_daemons);
    Daemon other(other_database, *connector, first.folder());
    std::atomic<int> made{0};
    std::atomic<int> refused{0};
    std::atomic<int> entered{0};
    const auto work = [&](Daemon& its, long long tenant) {
        Account used = account;
        used.tenant.value = tenant;
        for (int node = 1; node <= 3; ++node) {
            const auto wanted =
                spec("0000000" + std::to_string(tenant) + "-" + std::to_string(node), 1);
            const auto created = its.run(its.provider->create(used, wanted));
            const auto* machine = std::get_if<Machine>(&created);
            ++(machine != nullptr ? made : refused);
            if (machine == nullptr) continue;
            const auto& sshd = machine->id.starts_with("a#") ? first : second;
            const auto taken = its.run(its.provider->entered(
                used, wanted, {{"providerid", machine->id}}, sshd.host_key("ed25519")));
            if (!taken) ++entered;
        }
    };
    {
        std::jthread ours([&] { work(daemon, 1); });
        std::jthread theirs([&] { work(other, 2); });
    }

    BOOST_TEST(made >= 2);
    BOOST_TEST(made + refused == 6);
    BOOST_TEST(entered == 2);
    std::string of_whom;
    for (const auto& lease : leases()) {
        if (lease.is_entered) of_whom += lease.machine;
    }
    BOOST_TEST((of_whom == "ab" || of_whom == "ba"));
}

// A sweep destroys its loop when the daemon ends, whatever the database does just then.
BOOST_FIXTURE_TEST_CASE(a_loop_may_end_while_the_database_is_asked, Cellar) {
    for (int i = 0; i < 50; ++i) {
        boost::asio::io_context loop{1};
        auto result = boost::asio::co_spawn(loop, daemon.provider->machines(account),
                                            boost::asio::use_future);
        loop.run_for(std::chrono::microseconds{i * 20});
    }
    BOOST_TEST(daemon.run(daemon.provider->machines(account)).empty());
}

BOOST_AUTO_TEST_SUITE_END()
