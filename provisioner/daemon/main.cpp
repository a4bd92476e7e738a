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
#include "provisioner/callbacks/sender.hpp"
#include "provisioner/daemon/claims/keeper.hpp"
#include "provisioner/daemon/engine.hpp"
#include "provisioner/daemon/instance_lock.hpp"
#include "provisioner/daemon/timing.hpp"
#include "provisioner/http_client/client.hpp"
#include "provisioner/operations/catalogue/provider_secrets.hpp"
#include "provisioner/providers/local/local_provider.hpp"
#include "provisioner/providers/simulated/simulated_provider.hpp"
#include "provisioner/remote/routing_connector.hpp"
#include "provisioner/remote/ssh_session.hpp"
#include "provisioner/simulation/simulated_session.hpp"
#include "provisioner/store/machines/account_store.hpp"
#include "provisioner/store/plugins/plugin_store.hpp"

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
    return {.private_key = base::Secret(read_file(path)), .public_key = public_key};
}

/// Folder of simulated machines: simulated.state, or beside the local provider's state.
std::string simulated_state(const base::Config& config) {
    const std::filesystem::path local = config.get("local.state");
    return config.get_or("simulated.state", local.parent_path() / "simulated");
}

std::string host_name() {
    char name[256] = "";
    gethostname(name, sizeof name - 1);
    return name;
}

void add_providers(providers::Registry& registry, const base::Config& config,
                   simulation::LedgerFolder& ledgers, const base::Clock& clock) {
    registry.add(std::make_unique<providers::local::LocalProvider>(providers::local::Settings{
        .program = config.get("local.program"),
        .state_dir = config.get("local.state"),
        .roots_dir = config.get("local.roots"),
        .max_hosts = config.number_or("local.max_hosts", providers::local::default_max_hosts),
        .host = host_name(),
    }));
    registry.add(std::make_unique<providers::simulated::SimulatedProvider>(
        ledgers, clock, host_name() + ":" + simulated_state(config)));
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

/// Seals stored values of fields that the types published just before declare as secret. A failure
/// does not stop the daemon; the next start tries again.
void seal_leftovers(store::Database& database, const base::Log& log) {
    std::vector<std::string> problems;
    try {
        const auto walk = operations::seal_leftovers(database);
        problems = walk.problems;
        if (walk.changed > 0) log.info("secrets.sealed", {{"rows", walk.changed}});
    } catch (const std::exception& failure) {
        problems.emplace_back(failure.what());
    }
    for (const std::string& problem : problems) {
        log.warn("secrets.not_sealed", {{"error", problem}});
    }
}

/// Default of resources.cache_limit in bytes.
constexpr long default_cache = 10L * 1024 * 1024 * 1024;

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

int work(const base::Config& config, const base::Log& log) {
    raise_descriptor_limit();
    // Blocked before any thread starts, and inherited by all: only the waiter below receives them.
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    signal(SIGPIPE, SIG_IGN);

    const base::SystemClock clock;
    store::Database database(config, store::patience_of_daemons);
    const contents::Contents contents(config, database);
    simulation::LedgerFolder simulated_machines(simulated_state(config));
    providers::Registry registry;
    add_providers(registry, config, simulated_machines, clock);
    const auto installation = publish_patiently(database, registry, clock, signals, log);
    if (!installation) return 0;
    seal_leftovers(database, log);
    const auto ssh = remote::make_ssh_connector();
    const auto simulated = simulation::make_simulated_connector(simulated_machines, clock);
    remote::RoutingConnector connector(*ssh);
    connector.add(std::string(simulation::host_key_prefix), *simulated);
    const daemon::LoginKey key = read_key(config);
    daemon::ContentCache cache(
        config.get_or("resources.cache", "/var/cache/cooperage/resources"),
        static_cast<std::uint64_t>(config.number_or("resources.cache_limit", default_cache)),
        [&](const model::Content& content) { return contents.open(content); });
    daemon::Engine engine(config,
                          {.instance = host_name() + ":" + config.get("daemon.lock"),
                           .nudge_path = config.get("daemon.nudge"),
                           .capacity = static_cast<int>(config.number_or("daemon.capacity", 2000)),
                           .loops = static_cast<int>(config.number_or("daemon.loops", 0)),
                           .installation = *installation},
                          database, contents, clock, registry, connector, cache, key, log);
    callbacks::Sender sender(database, http_client::make_curl_client(),
                             callbacks::targets_from(config), clock, log);
    log.info("daemon.started", {{"pid", ::getpid()}});
    bool all_ended = false;
    {
        callbacks::SenderThread telling(sender, log);
        std::thread waiter([&] {
            int signal_number = 0;
            sigwait(&signals, &signal_number);
            engine.stop();
            // Stopped together with the engine, so that a slow receiver of callbacks does not delay
            // the end of the process after the tasks.
            telling.stop();
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

// Works while it holds the instance lock; returns 0 when another daemon holds it for `patience`.
// Taken in the child: a lock taken by the keeper would survive the child's death.
int work_alone(const base::Config& config, std::chrono::seconds patience, const base::Log& log) {
    daemon::InstanceLock lock(config.get("daemon.lock"));
    return lock.take(patience) ? work(config, log) : 0;
}

}  // namespace

int main(int argc, char** argv) {
    options::options_description flags("cooperage-provisioner: performs what the queue holds");
    flags.add_options()("help", "this text")("config", options::value<std::string>()->required(),
                                             "the settings file")(
        "wait", options::value<int>()->default_value(0),
        "seconds to stand by while another daemon has the lock");
    const base::SystemClock clock;
    const base::Log log(std::cerr, clock);
    try {
        options::variables_map chosen;
        options::store(options::parse_command_line(argc, argv, flags), chosen);
        if (chosen.contains("help")) {
            std::cout << flags;
            return 0;
        }
        options::notify(chosen);
        const auto config = base::Config::load(chosen["config"].as<std::string>());
        const std::chrono::seconds patience{chosen["wait"].as<int>()};
        return daemon::keep_running([&] { return work_alone(config, patience, log); }, log);
    } catch (const std::exception& error) {
        log.error("daemon.failed", {{"error", error.what()}});
        return 1;
    }
}
