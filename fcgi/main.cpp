#include <unistd.h>

#include <algorithm>
#include <boost/program_options.hpp>
#include <chrono>
#include <exception>
#include <iostream>
#include <string>

#include "fcgi/app.hpp"
#include "fcgi/auth/directory.hpp"
#include "fcgi/auth/remembering_directory.hpp"
#include "fcgi/http/fastcgi.hpp"
#include "fcgi/monitoring/access.hpp"
#include "fcgi/monitoring/monitor.hpp"
#include "fcgi/refusal_log.hpp"
#include "fcgi/routes.hpp"
#include "fcgi/site.hpp"
#include "fcgi/views/renderer.hpp"
#include "provisioner/base/config.hpp"
#include "provisioner/base/log.hpp"
#include "provisioner/base/settings.hpp"
#include "provisioner/contents/contents.hpp"
#include "provisioner/identity/hash_gate.hpp"
#include "provisioner/identity/passwords.hpp"
#include "provisioner/identity/vault.hpp"
#include "provisioner/operations/identity_providers/providers.hpp"
#include "provisioner/operations/sign_in/rules.hpp"
#include "provisioner/privileges/privileges.hpp"
#include "provisioner/programs/command_line.hpp"
#include "provisioner/programs/instance_lock.hpp"
#include "provisioner/programs/keeper.hpp"
#include "provisioner/programs/listening_socket.hpp"
#include "provisioner/programs/settings_check.hpp"
#include "provisioner/store/database/database.hpp"
#include "provisioner/store/tenants/sealing_key_store.hpp"

// The composition root of the web program: it creates every long-lived object. Members of App must
// outlive serve(), so run() declares them before the site; destruction runs in the opposite order
// after the last request.
namespace {

using provisioner::base::Config;

namespace options = boost::program_options;
namespace programs = provisioner::programs;

programs::Manual manual() {
    return {
        .name = "cooperage-web",
        .summary = "pages and JSON API of Cooperage, behind a web server",
        .synopsis = "[OPTION...]",
        .description = {"Answers FastCGI requests on the unix socket web.socket. The program keeps "
                        "a child at work and starts another when it dies."},
        .signals =
            {{"SIGHUP",
              "Reads the settings anew, and the program itself after an upgrade. No request "
              "is lost. Settings with a mistake are refused: the log says which, and the old "
              "ones stay."},
             {"SIGTERM, SIGINT", "Finishes the requests under way and ends."}},
        .files = {{programs::default_config(), "The settings, see cooperage.conf(5)."}},
        .see_also = {"cooperage.conf(5)", "cooperage-provisioner(8)", "cooperage-migrate(8)"}};
}

std::vector<programs::Need> needs() {
    using Kind = programs::Need::Kind;
    return {{.setting = "web.socket", .kind = Kind::place},
            {.setting = "web.views", .kind = Kind::folder},
            {.setting = "resources.folder", .kind = Kind::store}};
}

fcgi::views::Renderer views_of(const Config& config) {
    const std::string folder = config.get("web.views");
    return fcgi::views::Renderer(fcgi::views::load_views(folder),
                                 fcgi::views::load_messages(folder));
}

/// What answer_requests() makes of the settings before it asks the database.
std::vector<programs::Try> tries() {
    return {[](const Config& config) { fcgi::http::serve_options(config); },
            [](const Config& config) { fcgi::http::prefix_in(config); },
            [](const Config& config) { fcgi::monitoring::access_from(config); },
            [](const Config& config) { provisioner::operations::limit_requests(config); },
            [](const Config& config) { provisioner::operations::provider_settings(config); },
            [](const Config& config) { provisioner::operations::sign_in_rules(config); },
            [](const Config& config) { provisioner::operations::password_list_of(config); },
            [](const Config& config) { views_of(config); },
            [](const Config& config) { provisioner::identity::check_key_source(config); },
            [](const Config& config) { provisioner::identity::Vault(config).public_half(); },
            [](const Config& config) {
                provisioner::store::Database database(config);
                const provisioner::contents::Contents contents(config, database);
            }};
}

provisioner::base::Problems problems_of(const std::string& path) {
    return programs::check_settings(path, "web", needs(), tries());
}

/// auth.trusted_headers = on accepts requests without a key while an installation moves from the
/// reference server.
fcgi::auth::TrustedHeaders trusted_headers(const Config& config,
                                           const provisioner::base::Log& log) {
    const std::string value = config.get("auth.trusted_headers");
    if (value == "off") return fcgi::auth::TrustedHeaders::off;
    if (value != "on") throw std::runtime_error("auth.trusted_headers is on or off, not " + value);
    log.warn("auth.trusted_headers",
             {{"meaning", "anybody who reaches the API is whoever they say they are"}});
    return fcgi::auth::TrustedHeaders::on;
}

/// database.timeout: time limit of one statement in seconds, at least 2.
provisioner::store::Patience patience(const Config& config) {
    constexpr long least = 2;
    provisioner::store::Patience patience;
    const long limit = config.number_or("database.timeout", patience.statement.count());
    patience.statement = std::chrono::seconds{std::max(least, limit)};
    // The lock limit stays below the statement limit: a lock that is not granted must not look like
    // a dead server.
    patience.lock = std::min(patience.lock, patience.statement - std::chrono::seconds{1});
    return patience;
}

std::vector<std::string> patterns() {
    std::vector<std::string> patterns;
    for (const fcgi::Route& route : fcgi::routes()) patterns.push_back(route.pattern);
    return patterns;
}

/// Says what of the secrets that only daemons are to open this program could open, too.
void warn_of_open_secrets(const Config& config, provisioner::store::Database& database,
                          const provisioner::base::Log& log) {
    const auto warn = [&](const char* meaning) {
        log.warn("secrets.daemon_keys", {{"meaning", meaning}});
    };
    const std::string keys = config.get_or(provisioner::identity::daemon_key_setting, "");
    if (!keys.empty() && ::access(keys.c_str(), R_OK) == 0) {
        warn("this program can read the keys of daemons: take it the right to");
    }
    try {
        const auto newest = database.read(provisioner::store::find_sealing_key);
        if (!newest) {
            warn(
                "there are no daemon keys: this program can open passwords of providers and login "
                "keys. Run cooperage-migrate rotate-key");
        } else if (!newest->is_spread) {
            warn("some secrets may still be under older keys: run cooperage-migrate rewrap");
        }
    } catch (const std::exception&) {
        // The database is away: that is said elsewhere.
    }
}

void answer_requests(const Config& config, int socket, const provisioner::base::Clock& clock,
                     const provisioner::base::Log& log) {
    provisioner::operations::limit_requests(config);
    provisioner::store::Database database(config, patience(config));
    const fcgi::views::Renderer views = views_of(config);
    warn_of_open_secrets(config, database, log);
    const provisioner::operations::Nudge nudge(config.get_or("daemon.nudge", ""));
    provisioner::store::ClusterStates states(database);
    const provisioner::contents::Contents contents(config, database);
    fcgi::App app{.database = database,
                  .states = states,
                  .clock = clock,
                  .log = log,
                  .views = views,
                  .nudge = nudge,
                  .contents = contents};
    app.largest_upload = static_cast<std::uint64_t>(
        config.number_or("resources.largest", static_cast<long>(app.largest_upload)));
    app.address = config.get_or("web.address", "");
    app.sends_mail = !config.get_or("mail.server", "").empty();
    app.sign_in = provisioner::operations::sign_in_rules(config);
    provisioner::identity::use_password_list(provisioner::operations::password_list_of(config));
    provisioner::identity::hash_gate().set(provisioner::operations::hash_limits(config));
    provisioner::operations::IdentityProviders identity_providers(
        database, log, provisioner::operations::provider_settings(config));
    app.identity_providers = &identity_providers;
    fcgi::auth::StoreDirectory stored(database, clock, app.sign_in);
    fcgi::auth::RememberingDirectory directory(stored, clock);
    // Otherwise the first login of an unknown user takes twice as long as others.
    provisioner::identity::decoy_hash();
    auto options = fcgi::http::serve_options(config);
    fcgi::monitoring::Monitor monitor(config,
                                      {.database = database,
                                       .has_views = views.has_pages(),
                                       .patterns = patterns(),
                                       .threads = options.threads},
                                      log);
    app.monitor = &monitor;
    fcgi::RefusalLog refusals(database, clock, log);
    app.refusals = &refusals;
    options.busy = &monitor.web().busy;
    const fcgi::Site site(fcgi::routes(), directory, app, trusted_headers(config, log),
                          fcgi::http::prefix_in(config), options.threads);
    fcgi::http::serve(
        socket, options, [&](fcgi::http::Request& request) { return site.answer(request); }, log);
}

/// Works while it holds the lock of the socket; returns 0 when another process holds it for
/// `patience`.
int run(const std::string& path, std::chrono::seconds patience) {
    const provisioner::base::SystemClock clock;
    const provisioner::base::Log log(std::cerr, clock);
    const auto config = Config::load(path, "web");
    for (const auto& problem : provisioner::base::check(config)) {
        log.warn("settings.problem", {{"setting", problem.field}, {"reason", problem.message}});
    }
    const auto serving = fcgi::http::serve_options(config);
    programs::InstanceLock lock(serving.socket + ".lock");
    if (!lock.take(patience)) return 0;
    const programs::ListeningSocket socket(serving.socket, serving.mode);
    programs::Keeping keeping;
    keeping.work = [&](bool) {
        // Before the right to execute others is given up.
        provisioner::identity::start_key_reader(config);
        // Not the keeper: it executes the program anew on SIGHUP.
        provisioner::privileges::drop(provisioner::privileges::Profile::web, log);
        lock.leave_to_parent();
        answer_requests(config, socket.descriptor(), clock, log);
        return 0;
    };
    keeping.trial = {"--check-settings", "--config", path};
    // An upload of gigabytes may take as long.
    keeping.predecessor_limit = std::chrono::minutes{6};
    keeping.ending = [&] { socket.remove_path(); };
    keeping.child_ends_with_keeper = true;
    keeping.for_successor = socket.for_successor();
    keeping.for_successor.merge(lock.for_successor());
    return programs::keep_running(keeping, log);
}

/// Tries the database after the settings were found fine.
int check(const std::string& path) {
    programs::become(manual().name);
    return programs::report_check(problems_of(path), [&] {
        const auto config = Config::load(path, "web");
        provisioner::store::Database(config, patience(config)).ping();
    });
}

}  // namespace

int main(int argc, char** argv) {
    programs::begin_process();
    options::options_description flags;
    flags.add_options()("config",
                        options::value<std::string>()->default_value(programs::default_config()),
                        "The settings file.")(
        "wait", options::value<int>()->default_value(0),
        "Seconds to stand by while another process answers on the socket; 0: do not.")(
        "check",
        "Says everything that is wrong with the settings, asks the database, and ends. Root "
        "becomes "
        "the user cooperage-web first.")("check-settings",
                                         "The same without the database; what SIGHUP runs first.")(
        "allow-root", "Runs as root, too, which nothing needs.");
    const auto read = programs::read_command_line(manual(), flags, argc, argv);
    if (const int* code = std::get_if<int>(&read)) return *code;
    const auto& chosen = std::get<options::variables_map>(read);
    const auto path = chosen["config"].as<std::string>();
    try {
        if (chosen.contains("check")) return check(path);
        if (chosen.contains("check-settings")) {
            const provisioner::base::SystemClock clock;
            return programs::report_trial(problems_of(path),
                                          provisioner::base::Log(std::cerr, clock));
        }
        provisioner::privileges::refuse_root(chosen.contains("allow-root"));
        return run(path, std::chrono::seconds{chosen["wait"].as<int>()});
    } catch (const std::exception& error) {
        std::cerr << "cooperage-web: " << error.what() << '\n';
        return 1;
    }
}
