#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <boost/program_options.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "provisioner/automators/registry.hpp"
#include "provisioner/base/settings.hpp"
#include "provisioner/base/version.hpp"
#include "provisioner/callbacks/mail_sender.hpp"
#include "provisioner/callbacks/round_thread.hpp"
#include "provisioner/callbacks/sender.hpp"
#include "provisioner/daemon/engine.hpp"
#include "provisioner/daemon/machines/database_leases.hpp"
#include "provisioner/daemon/machines/script_runner.hpp"
#include "provisioner/daemon/machines/shared_rate_limits.hpp"
#include "provisioner/daemon/metrics/measured_connector.hpp"
#include "provisioner/daemon/metrics/measured_provider.hpp"
#include "provisioner/daemon/timing.hpp"
#include "provisioner/http_client/allowed_servers.hpp"
#include "provisioner/http_client/client.hpp"
#include "provisioner/http_client/proxy.hpp"
#include "provisioner/identity/private_file.hpp"
#include "provisioner/identity/vault.hpp"
#include "provisioner/operations/catalogue/provider_secrets.hpp"
#include "provisioner/operations/daemon_secrets.hpp"
#include "provisioner/operations/plugins/secret_files.hpp"
#include "provisioner/privileges/privileges.hpp"
#include "provisioner/programs/command_line.hpp"
#include "provisioner/programs/instance_lock.hpp"
#include "provisioner/programs/keeper.hpp"
#include "provisioner/programs/settings_check.hpp"
#include "provisioner/providers/clouds.hpp"
#include "provisioner/providers/existing/existing_provider.hpp"
#include "provisioner/providers/local/local_provider.hpp"
#include "provisioner/providers/metal/redfish_power.hpp"
#include "provisioner/providers/simulated/simulated_provider.hpp"
#include "provisioner/remote/routing_connector.hpp"
#include "provisioner/remote/ssh_session.hpp"
#include "provisioner/simulation/simulated_session.hpp"
#include "provisioner/store/machines/account_store.hpp"
#include "provisioner/store/plugins/plugin_store.hpp"
#include "provisioner/store/tenants/sealing_key_store.hpp"

namespace {

namespace options = boost::program_options;
using namespace provisioner;

std::string read_file(const std::string& path) {
    std::ifstream file(path);
    if (!file) throw std::runtime_error("cannot read " + path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

daemon::LoginKey read_key(const base::Config& config) {
    const std::string path = config.get("ssh.private_key");
    std::string public_key = read_file(path + ".pub");
    public_key.erase(public_key.find_last_not_of(" \n") + 1);
    return {.private_key = base::Secret(identity::private_file(path)), .public_key = public_key};
}

std::string host_name() {
    char name[256] = "";
    gethostname(name, sizeof name - 1);
    return name;
}

/// Local hosts are made by a helper with the rights of root, where it is wanted. It reads the same
/// settings. Returns null, and has their tasks refused, where it is not.
std::unique_ptr<providers::Provider> local_provider(providers::Registry& registry,
                                                    const base::Config& config) {
    const std::string socket = config.get("local.socket");
    if (socket.empty()) {
        registry.refuse("local", "this installation makes no local hosts: local.socket is empty");
        return nullptr;
    }
    return std::make_unique<providers::local::LocalProvider>(providers::local::Settings{
        .socket = socket,
        .state_dir = config.get("local.state"),
        .max_hosts = config.number("local.max_hosts"),
        .host = host_name(),
    });
}

/// What leases existing machines.
struct LeasingTools {
    providers::existing::Leases& leases;
    providers::existing::Scripts& scripts;
    /// Of machines that are switched on and off.
    providers::existing::Power& power;
};

void add_providers(providers::Registry& registry, const base::Config& config,
                   simulation::LedgerFolder& ledgers, const base::Clock& clock,
                   providers::cloud::Tools tools, const LeasingTools& leasing,
                   daemon::DaemonMetrics& metrics) {
    const auto add = [&](std::unique_ptr<providers::Provider> provider) {
        registry.add(std::make_unique<daemon::MeasuredProvider>(std::move(provider), metrics));
    };
    if (auto local = local_provider(registry, config)) add(std::move(local));
    add(std::make_unique<providers::simulated::SimulatedProvider>(
        ledgers, clock, host_name() + ":" + config.get("simulated.state")));
    for (auto& cloud : providers::all_clouds(tools)) add(std::move(cloud));
    add(std::make_unique<providers::existing::ExistingProvider>(leasing.leases, leasing.scripts,
                                                                clock, tools.own_network));
    add(std::make_unique<providers::existing::ExistingProvider>(
        leasing.leases, leasing.scripts, clock, tools.own_network, &leasing.power,
        providers::metal::type_text()));
}

/// Stores what the plugins of this daemon offer; the web side builds its forms from these rows.
void publish_plugin_types(store::Database& database, const providers::Registry& registry,
                          base::Timestamp now) {
    database.write([&](store::Connection& connection) {
        for (const model::PluginType& type : registry.types()) {
            store::save_plugin_type(connection, type, now);
        }
        for (const automators::Automator* automator : automators::all_automators()) {
            store::save_plugin_type(connection, automator->type(), now);
        }
    });
}

/// Seals stored values of fields that the types published just before declare as secret, and secret
/// files, and ends a rotation of keys that was interrupted. A failure does not stop the daemon; the
/// next start tries again.
void seal_leftovers(store::Database& database, const contents::Contents& contents,
                    base::Timestamp now, const base::Log& log) {
    std::vector<std::string> problems;
    try {
        auto walk = operations::seal_leftovers(database);
        store::add(walk, operations::reseal_files(database, contents, now));
        // A rotation that was interrupted.
        const auto newest = database.read(store::find_sealing_key);
        if (newest && !newest->is_spread) {
            store::add(walk, operations::rewrap_secrets(database));
            if (walk.problems.empty()) {
                database.write([&](store::Connection& connection) {
                    store::note_spread(connection, newest->key, now);
                });
            }
        }
        problems = walk.problems;
        if (walk.changed > 0) log.info("secrets.sealed", {{"rows", walk.changed}});
    } catch (const std::exception& failure) {
        problems.emplace_back(failure.what());
    }
    for (const std::string& problem : problems) {
        log.warn("secrets.not_sealed", {{"error", problem}});
    }
}

/// Publishes the plugin types, trying until the database answers. Returns the id of this
/// installation, or nothing when SIGTERM or SIGINT arrives first. The daemon waits instead of
/// exiting, because cron would start the next one only within a minute.
std::optional<std::string> publish_patiently(store::Database& database,
                                             const providers::Registry& registry,
                                             const base::Clock& clock, const sigset_t& signals,
                                             const base::Log& log) {
    const auto pause = std::chrono::nanoseconds(daemon::timing::database_pause).count();
    const timespec wait{.tv_sec = pause / 1'000'000'000, .tv_nsec = pause % 1'000'000'000};
    for (bool is_first = true;; is_first = false) {
        try {
            publish_plugin_types(database, registry, clock.now());
            return database.write(store::installation_id);
        } catch (const std::exception& failure) {
            if (is_first) log.warn("daemon.waits_for_database", {{"error", failure.what()}});
        }
        if (sigtimedwait(&signals, nullptr, &wait) > 0) return std::nullopt;
    }
}

/// Raises the soft limit of descriptors to the hard one: each session to a node needs a descriptor,
/// and there may be thousands.
void raise_descriptor_limit() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
    limit.rlim_cur = limit.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &limit);
}

http_client::OwnNetwork own_network_of(const base::Config& config) {
    const bool is_open = config.get("http.own_network") == "on";
    return is_open ? http_client::OwnNetwork::open : http_client::OwnNetwork::closed;
}

int work(const base::Config& config, const base::Log& log) {
    raise_descriptor_limit();
    // Blocked before any thread starts, and inherited by all: only the waiter below receives them.
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    signal(SIGPIPE, SIG_IGN);
    http_client::allow_only(http_client::AllowedServers(config.get_or("http.allowed", "")));
    http_client::use_proxy(config.get_or("http.proxy", ""), config.get("http.no_proxy"));

    const base::SystemClock clock;
    store::Database database(config, store::patience_of_daemons);
    const contents::Contents contents(config, database);
    simulation::LedgerFolder simulated_machines(config.get("simulated.state"));
    daemon::DaemonMetrics metrics;
    providers::Registry registry;
    const auto own_network = own_network_of(config);
    const auto client = http_client::make_curl_client(own_network);
    daemon::SharedRateLimits limits(database, clock, log);
    providers::cloud::Calls calls(*client, limits, clock);
    providers::cloud::Tokens tokens;
    const auto ssh = remote::make_ssh_connector();
    const daemon::LoginKeys keys(read_key(config));
    daemon::DatabaseLeases leases(database);
    daemon::ScriptRunner scripts(*ssh, keys);
    providers::metal::RedfishPower power(*client);
    add_providers(registry, config, simulated_machines, clock,
                  {.calls = calls, .tokens = tokens, .own_network = own_network},
                  {.leases = leases, .scripts = scripts, .power = power}, metrics);
    const auto installation = publish_patiently(database, registry, clock, signals, log);
    if (!installation) return 0;
    operations::expect_daemon_keys(database);
    seal_leftovers(database, contents, clock.now(), log);
    const auto simulated = simulation::make_simulated_connector(simulated_machines, clock);
    daemon::MeasuredConnector measured_ssh(*ssh, metrics);
    const simulation::LedgerFolder guests(config.get("simulated.state") + "/guests");
    const auto ssh_or_guests = simulation::make_guest_connector(guests, clock, measured_ssh);
    remote::RoutingConnector connector(*ssh_or_guests);
    connector.add(std::string(simulation::host_key_prefix), *simulated);
    daemon::ContentCache cache(
        config.get("resources.cache"),
        static_cast<std::uint64_t>(config.number("resources.cache_limit")),
        [&](const model::Content& content) { return contents.open(content); });
    daemon::Engine engine(config,
                          {.instance = host_name() + ":" + config.get("daemon.lock"),
                           .nudge_path = config.get("daemon.nudge"),
                           .capacity = static_cast<int>(config.number("daemon.capacity")),
                           .loops = static_cast<int>(config.number("daemon.loops")),
                           .installation = *installation,
                           .replace_machines = config.get("machines.replace")},
                          database, contents, clock, registry, connector, cache, keys, metrics,
                          log);
    daemon::note_settings(config, host_name() + ":" + config.get("daemon.lock"), database, log);
    callbacks::Sender sender(database, http_client::make_curl_client(),
                             callbacks::targets_from(config), clock, log);
    const auto mail_rules = callbacks::mail_rules_from(config);
    log.info("daemon.started", {{"pid", ::getpid()},
                                {"version", base::version()},
                                {"instance", host_name() + ":" + config.get("daemon.lock")}});
    bool all_ended = false;
    {
        callbacks::RoundThread telling([&] { return sender.send_due(); }, log, "callbacks.failed",
                                       "callbacks.work_again");
        std::optional<callbacks::MailSender> mails;
        std::optional<callbacks::RoundThread> mailing;
        if (mail_rules) {
            mails.emplace(database, *mail_rules, *installation, clock, log);
            mailing.emplace([&] { return mails->send_due(); }, log, "mails.failed",
                            "mails.work_again");
        }
        std::thread waiter([&] {
            int signal_number = 0;
            sigwait(&signals, &signal_number);
            engine.stop();
            // Stopped together with the engine, so that a slow receiver of callbacks does not delay
            // the end of the process after the tasks.
            telling.stop();
            if (mailing) {
                mails->stop();
                mailing->stop();
            }
        });
        all_ended = engine.run();
        waiter.join();
    }
    log.info("daemon.stopped", {{"handed_over", all_ended ? "nothing" : "what still runs"}});
    // Steps still running go on on their nodes, and the next daemon finds them there. The engine
    // must not be destroyed while tasks use it.
    if (!all_ended) std::_Exit(0);
    return 0;
}

/// How long the child after a reload waits for the one before: longer than that may drain.
constexpr std::chrono::seconds handover = daemon::timing::drain_limit + std::chrono::seconds{20};

/// The settings as they are now; those from the start when they cannot be read.
base::Config present_settings(const std::string& path, const base::Config& at_start,
                              const base::Log& log) {
    try {
        return base::Config::load(path, "provisioner");
    } catch (const std::exception& error) {
        log.error("settings.refused", {{"setting", ""}, {"reason", error.what()}});
        return at_start;
    }
}

// Works while it holds the instance lock; returns 0 when another daemon holds it for `patience`.
// Taken in the child: a lock taken by the keeper would survive the child's death. Who stood by may
// get it in the middle of a reload, so the settings are read when it has the lock.
int work_alone(const std::string& path, const base::Config& at_start, std::chrono::seconds patience,
               const base::Log& log) {
    programs::InstanceLock lock(at_start.get("daemon.lock"));
    if (!lock.take(patience)) return 0;
    const base::Config config = present_settings(path, at_start, log);
    // Not in the keeper: it executes the program anew on SIGHUP.
    privileges::drop(privileges::Profile::daemon, log);
    return work(config, log);
}

programs::Manual manual() {
    return {.name = "cooperage-provisioner",
            .summary = "performs the tasks that the queue of Cooperage holds",
            .synopsis = "[OPTION...]",
            .description =
                {"Claims tasks of the queue in the database and carries them out on nodes, over "
                 "SSH, and at providers. One daemon of a host works at a time; another may "
                 "stand by. The program keeps a child at work and starts another when it dies."},
            .signals =
                {{"SIGHUP",
                  "Reads the settings anew, and the program itself after an upgrade. Steps under "
                  "way go on on their nodes, and the new child finds them there. Settings with a "
                  "mistake are refused: the log says which, and the old ones stay."},
                 {"SIGTERM, SIGINT",
                  "Claims nothing more, lets tasks end for a while, leaves the rest to the next "
                  "daemon and ends."}},
            .files = {{programs::default_config(), "The settings, see cooperage.conf(5)."}},
            .see_also = {"cooperage.conf(5)", "cooperage-web(8)", "cooperage-migrate(8)"}};
}

std::vector<programs::Need> needs() {
    using Kind = programs::Need::Kind;
    return {{.setting = "daemon.lock", .kind = Kind::place},
            {.setting = "daemon.nudge", .kind = Kind::place},
            {.setting = "ssh.private_key", .kind = Kind::file},
            {.setting = "ssh.private_key", .kind = Kind::file, .suffix = ".pub"},
            {.setting = "simulated.state", .kind = Kind::store},
            {.setting = "resources.cache", .kind = Kind::store},
            {.setting = "resources.folder", .kind = Kind::store}};
}

/// What work() makes of the settings before it asks the database.
std::vector<programs::Try> tries() {
    return {[](const base::Config& config) { read_key(config); },
            [](const base::Config& config) { identity::check_key_source(config); },
            [](const base::Config& config) { identity::check_daemon_keys(config); },
            [](const base::Config& config) {
                http_client::AllowedServers(config.get_or("http.allowed", ""));
            },
            [](const base::Config& config) { callbacks::targets_from(config); },
            [](const base::Config& config) { callbacks::audit_targets_from(config); },
            [](const base::Config& config) { callbacks::mail_rules_from(config); },
            [](const base::Config& config) {
                store::Database database(config, store::patience_of_daemons);
                operations::expect_daemon_keys(database);
                const contents::Contents contents(config, database);
            }};
}

base::Problems problems_of(const std::string& path) {
    return programs::check_settings(path, "provisioner", needs(), tries());
}

int check(const std::string& path) {
    programs::become(manual().name);
    return programs::report_check(problems_of(path), [&] {
        const auto config = base::Config::load(path, "provisioner");
        store::Database(config, store::patience_of_daemons).ping();
    });
}

int run(const std::string& path, std::chrono::seconds patience, const base::Log& log) {
    const auto config = base::Config::load(path, "provisioner");
    for (const auto& problem : base::check(config)) {
        log.warn("settings.problem", {{"setting", problem.field}, {"reason", problem.message}});
    }
    programs::Keeping keeping;
    keeping.work = [&](bool is_successor) {
        return work_alone(path, config, is_successor ? std::max(patience, handover) : patience,
                          log);
    };
    keeping.trial = {"--check-settings", "--config", path};
    keeping.predecessor_limit = daemon::timing::drain_limit + std::chrono::seconds{10};
    return programs::keep_running(keeping, log);
}

}  // namespace

int main(int argc, char** argv) {
    programs::begin_process();
    options::options_description flags;
    flags.add_options()(
        "config", options::value<std::string>()->default_value(programs::default_config()),
        "The settings file.")("wait", options::value<int>()->default_value(0),
                              "Seconds to stand by while another daemon has the lock; 0: do not.")(
        "check",
        "Says everything that is wrong with the settings, asks the database, and ends. Root "
        "becomes "
        "the user cooperage-provisioner first.")(
        "check-settings", "The same without the database; what SIGHUP runs first.")(
        "allow-root", "Runs as root, too, which nothing needs.");
    const auto read = programs::read_command_line(manual(), flags, argc, argv);
    if (const int* code = std::get_if<int>(&read)) return *code;
    const auto& chosen = std::get<options::variables_map>(read);
    const auto path = chosen["config"].as<std::string>();
    const base::SystemClock clock;
    const base::Log log(std::cerr, clock);
    try {
        if (chosen.contains("check")) return check(path);
        if (chosen.contains("check-settings")) {
            return programs::report_trial(problems_of(path), log);
        }
        privileges::refuse_root(chosen.contains("allow-root"));
        return run(path, std::chrono::seconds{chosen["wait"].as<int>()}, log);
    } catch (const std::exception& error) {
        log.error("daemon.failed", {{"error", error.what()}});
        return 1;
    }
}
