#include "provisioner/base/settings.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "provisioner/base/ids.hpp"
#include "provisioner/base/shown_address.hpp"

// Where this build is installed; CMakeLists.txt of this folder says it.
#ifndef COOPERAGE_DATADIR
#error "COOPERAGE_DATADIR, COOPERAGE_SYSCONFDIR and COOPERAGE_LOCALSTATEDIR are not defined"
#endif

namespace provisioner::base {

namespace {

using Kind = Setting::Kind;

constexpr long most_days = 365'000;

Setting days(std::string_view name, std::string_view otherwise, std::string_view meaning) {
    return {.name = name,
            .kind = Kind::number,
            .otherwise = otherwise,
            .meaning = meaning,
            .least = 0,
            .most = most_days};
}

Setting number(std::string_view name, std::string_view otherwise, long least, long most,
               std::string_view meaning) {
    return {.name = name,
            .kind = Kind::number,
            .otherwise = otherwise,
            .meaning = meaning,
            .least = least,
            .most = most};
}

Setting choice(std::string_view name, std::string_view words, std::string_view otherwise,
               std::string_view meaning) {
    return {.name = name,
            .kind = Kind::choice,
            .otherwise = otherwise,
            .meaning = meaning,
            .words = words};
}

Setting text(std::string_view name, std::string_view otherwise, std::string_view meaning) {
    return {.name = name, .kind = Kind::text, .otherwise = otherwise, .meaning = meaning};
}

Setting path(std::string_view name, std::string_view otherwise, std::string_view meaning) {
    return {.name = name, .kind = Kind::path, .otherwise = otherwise, .meaning = meaning};
}

Setting address(std::string_view name, std::string_view meaning) {
    return {.name = name, .kind = Kind::address, .otherwise = {}, .meaning = meaning};
}

std::vector<Setting> of_the_database() {
    return {
        path("database.socket", "/run/mysqld/mysqld.sock",
             "Unix socket of the database server. Not used where database.host or database.hosts "
             "is set."),
        text("database.host", "", "Name or address of the database server, for TCP."),
        number("database.port", "3306", 1, 65535, "Its port."),
        text(
            "database.hosts", "",
            "Several servers of one database, \"db1.example, db2.example:3307\". They are tried in "
            "this order, and a program stays with one until it fails."),
        choice(
            "database.tls", "off|required|verify", "",
            "Encryption for TCP: verify also refuses a server whose certificate is of an unknown "
            "authority or names another host. The default is verify, but off for hosts that are "
            "this machine."),
        path("database.tls_ca", "",
             "PEM file of the authorities that sign the server's certificate; by default those of "
             "the system."),
        path("database.tls_cert", "", "PEM file of this client's certificate, if the server asks."),
        path("database.tls_key", "", "PEM file of its key."),
        text("database.name", "cooperage", "Name of the database."),
        text("database.user", "",
             "Account at the server. The default is cooperage-web, cooperage-provisioner or "
             "cooperage-migrate, each for the program of that name."),
        text("database.password", "", "Password of the account; none for unix_socket accounts."),
        path("database.password_file", "",
             "File with the password and nothing else, in place of database.password."),
        number("database.pool", "8", 1, 1000, "Idle connections that a program keeps."),
        number("database.timeout", "10", 2, 3600,
               "Time limit of one statement of a request, in seconds."),
    };
}

std::vector<Setting> of_the_web() {
    return {
        path("web.socket", "/run/cooperage-web/web.sock",
             "Unix socket on which cooperage-web answers FastCGI. The web server must be able to "
             "write to it."),
        {.name = "web.socket_mode",
         .kind = Kind::octal,
         .otherwise = "0660",
         .meaning = "Permissions of web.socket, octal."},
        number("web.threads", "8", 1, 1000, "Requests that are answered at once."),
        path("web.views", COOPERAGE_DATADIR "/views", "Folder of the templates of pages."),
        text("web.prefix", "",
             "Path below which the site is served, like /cooperage; the web server has it, too."),
        path("metrics.token_file", "",
             "File with the token that /metrics wants as Authorization: Bearer. Without one only "
             "callers of this host see the metrics."),
        choice("auth.trusted_headers", "on|off", "off",
               "on: a request without an API key is believed. Only for the time of a move from "
               "Coopr: every client that reaches the port can act as any user."),
        number("auth.session_idle", "120", 10, 525'600,
               "Minutes after which a session that nobody uses ends."),
        number("auth.session_length", "720", 10, 525'600,
               "Minutes after which every session ends, however much it is used."),
        number("auth.sessions", "20", 1, 1000,
               "Sessions that a user has at once. Another login ends the one that was not used for "
               "longest."),
        path("auth.password_list_file", "",
             "File with passwords that are refused besides the common ones that are built in, one "
             "a line, at most 64 MiB: those of known breaches, for example."),
        number("auth.password_length", "12", 8, 64, "Characters that a new password has at least."),
        choice(
            "auth.second_factor", "nobody|admins|everybody", "admins",
            "Who has to have a second factor; admins: all who see more than their own "
            "clusters, so operators and auditors, too. Who has none is led to set one up after the "
            "password, and can do nothing else before."),
        choice("auth.local_passwords", "everybody|superadmins", "everybody",
               "Who may log in with a password of this installation. superadmins: all others by "
               "identity providers only; superadmins always may, so that nobody is locked out "
               "when a provider is away."),
        text("web.address", "",
             "https:// and the host under which browsers reach the site. Identity providers send "
             "browsers back there; without it nobody can log in by OpenID Connect."),
        choice("auth.plain_loopback", "on|off", "off",
               "on: identity providers on this host may be asked without TLS. For tests."),
        number("auth.hashes", "4", 1, 1000,
               "Passwords that are checked at once; each takes 19 MiB. Others wait for a few "
               "seconds, then they are told to try again."),
    };
}

std::vector<Setting> of_the_daemon() {
    return {
        path("daemon.lock", "/run/cooperage-provisioner/provisioner.lock",
             "File whose lock proves that one daemon of this host works."),
        path("daemon.nudge", "/run/cooperage-provisioner/nudge.sock",
             "Unix socket on which cooperage-web tells the daemon that tasks are ready."),
        number("auth.external_days", "30", 1, 3650,
               "Days without a sign-in after which a user of an OpenID Connect provider is locked, "
               "keys included: such a provider cannot be asked about people who left. Users of "
               "directories are looked up every five minutes."),
        number("daemon.capacity", "2000", 1, 1'000'000, "Tasks that a daemon works on at once."),
        number("daemon.loops", "0", 0, 1000, "Event loops of the daemon; 0: one per core."),
        choice("machines.replace", "none|reclaimed|all", "reclaimed",
               "Machines of active clusters that the daemon replaces when their provider does not "
               "list them any more: none, those that the provider may take back (spot machines), "
               "or all."),
        path("ssh.private_key", COOPERAGE_SYSCONFDIR "/cooperage/ssh_key",
             "Key with which the daemon logs in to nodes; its public half is beside it (.pub)."),
        path("secrets.keys", COOPERAGE_SYSCONFDIR "/cooperage/secrets.keys",
             "File of the master keys of secrets that every program opens; cooperage-migrate "
             "new-key makes it."),
        text("secrets.keys_credential", "",
             "In place of that file: the name of a credential that systemd passes to the programs "
             "(LoadCredential=)."),
        text("secrets.keys_command", "",
             "In place of that file: a command that prints the master keys, like the client of a "
             "key management service. An absolute path and words, without a shell."),
        path("secrets.daemon_keys", COOPERAGE_SYSCONFDIR "/cooperage/daemon.keys",
             "File of the keys of secrets that only daemons open, such as passwords of providers; "
             "cooperage-web must not be able to read it. cooperage-migrate new-key makes it."),
        text("secrets.daemon_keys_credential", "",
             "In place of that file: a credential of systemd, for cooperage-provisioner alone."),
        text("secrets.daemon_keys_command", "",
             "In place of that file: a command that prints the keys."),
        path("secrets.daemon_public_key", COOPERAGE_SYSCONFDIR "/cooperage/daemon.public",
             "File of the public half of the newest of these keys, with which cooperage-web seals. "
             "cooperage-migrate new-key and rewrap make it."),
        path("simulated.state", COOPERAGE_LOCALSTATEDIR "/lib/cooperage/simulated",
             "Folder of simulated machines."),
    };
}

std::vector<Setting> of_local_hosts() {
    return {
        path("local.socket", "/run/cooperage-local-hosts/hosts.sock",
             "Unix socket of the helper that makes hosts on this machine. Empty: none are made."),
        path("local.state", COOPERAGE_LOCALSTATEDIR "/lib/cooperage/local",
             "Folder in which the helper keeps these hosts."),
        path("local.roots", COOPERAGE_LOCALSTATEDIR "/lib/cooperage/roots",
             "Folder of the roots that hosts share; cooperage-local-host root makes one."),
        number("local.max_hosts", "64", 1, 100'000, "Most of these hosts at once."),
        number("local.max_processes", "4096", 0, 4'194'304,
               "Most processes and threads of such a host; 0: no limit."),
        number("local.memory_mb", "2048", 0, 16'777'216,
               "Megabytes of memory of such a host whose hardware type has no memory_mb; 0: no "
               "limit. Hosts that run keep what they were made with."),
        text("local.machine_ports", "",
             "Ports of this machine that such hosts may reach at the first address of their "
             "network, like 3142/tcp for a proxy of packages; a list with commas."),
        choice("local.mix_tenants", "on|off", "off",
               "Whether hosts of several tenants may be on this machine although its kernel cannot "
               "keep their root from being the machine's root."),
    };
}

std::vector<Setting> of_resources() {
    return {
        choice("resources.store", "database|files|s3", "database",
               "Where new files of plugins are kept."),
        path("resources.folder", "", "Folder for resources.store = files; all hosts share it."),
        address("resources.s3.endpoint", "Address of an S3 API, like https://s3.example.com."),
        text("resources.s3.bucket", "", "Bucket."),
        text("resources.s3.region", "us-east-1", "Region of the bucket."),
        text("resources.s3.prefix", "", "What the names of objects begin with."),
        text("resources.s3.access_key", "", "Access key."),
        path("resources.s3.secret_key_file", "", "File with the secret key alone."),
        number("resources.largest", "4294967296", 1, 1'000'000'000'000,
               "Largest file that may be uploaded, in bytes. The web server has a limit, too."),
        path("resources.cache", COOPERAGE_LOCALSTATEDIR "/cache/cooperage/resources",
             "Folder in which a daemon keeps files that it has fetched."),
        number("resources.cache_limit", "10737418240", 0, 1'000'000'000'000,
               "Bytes in that folder; what was used longest ago is removed first."),
    };
}

std::vector<Setting> of_requests() {
    return {
        address(
            "http.proxy",
            "Proxy of the daemon's requests to providers, receivers of callbacks and S3. Empty: "
            "that of the environment (https_proxy), which cooperage-web heeds, too."),
        text("http.no_proxy", "localhost,127.0.0.1,::1",
             "Hosts that are reached without it, with commas; the address of a cloud's metadata "
             "service, 169.254.169.254, belongs here where it is used."),
        text("http.allowed", "",
             "The only servers that requests by HTTP may go to, with commas: names, names with all "
             "below them (.example.com), addresses and networks (10.0.0.0/8). It holds for clouds, "
             "OpenID providers, receivers of callbacks and audit events, and S3; not for LDAP, "
             "syslog, mail and SSH. It opens nothing that http.own_network closes. Behind a proxy "
             "networks hold for hosts that are written as addresses. Empty: all servers."),
        choice("http.own_network", "on|off", "off",
               "on: fields of providers may lead to the daemon's host itself, to link-local "
               "addresses and to APIs without TLS. Only where all who edit providers are trusted "
               "with that host, or where a cloud is on it."),
    };
}

std::vector<Setting> of_callbacks() {
    return {
        address("callback.start.url", "Address that is told when a job begins."),
        address("callback.success.url", "Address that is told when a job has succeeded."),
        address("callback.failure.url", "Address that is told when a job has failed."),
        address("callback.expiring.url", "Address that is told when a lease is about to end."),
        text("callback.start.triggers", "",
             "Operations it is told of (cluster_create, cluster_delete); default: all."),
        text("callback.success.triggers", "", "The same for callback.success.url."),
        text("callback.failure.triggers", "", "The same for callback.failure.url."),
        text("callback.expiring.triggers", "", "Has no effect: a lease is no operation."),
        text("callback.secret", "",
             "Key of the signature of callbacks. Whoever may read the settings reads it: prefer "
             "callback.secret_file."),
        path("callback.secret_file", "",
             "File with that key, in its first line; only its owner and group may read it."),
        number("callback.timeout", "10", 1, 600, "Seconds that a call may take."),
        number("lease.warning_hours", "24", 0, 8760,
               "Hours before the end of a lease at which callback.expiring.url is told."),
    };
}

std::vector<Setting> of_mails() {
    return {
        text("mail.server", "",
             "Server that takes mails: smtp://host:587, with STARTTLS unless it is this machine, "
             "or smtps://host:465. Empty: no mails are sent."),
        text("mail.from", "", "Address that mails come from."),
        text("mail.user", "", "Account at that server, if it asks for one."),
        path("mail.password_file", "",
             "File with its password, in its first line; only its owner and group may read it."),
        path("mail.tls_ca", "",
             "PEM file of the authorities that sign the server's certificate; by default those of "
             "the system. With it a server on this machine needs STARTTLS, too."),
        number("mail.timeout", "20", 1, 600, "Seconds that the delivery of a mail may take."),
    };
}

std::vector<Setting> of_audit() {
    return {
        path("audit.key", COOPERAGE_SYSCONFDIR "/cooperage/audit.key",
             "File of the key that seals the audit log each hour; only the daemon may read it. "
             "cooperage-migrate new-audit-key makes it. Without the file nothing is sealed, and "
             "no event is ever deleted."),
        days("audit.keep", "400",
             "Days that sealed events of the audit log are kept; 0: for ever. Events that a "
             "receiver lacks stay longer."),
        text("audit.syslog", "",
             "Receiver of audit events by syslog (RFC 5424): tcp+tls://host:port, or "
             "tcp://host:port for a receiver on this machine."),
        path("audit.syslog_ca", "",
             "PEM file of the authorities that sign the receiver's certificate; by default those "
             "of the system."),
        address("audit.webhook",
                "Address that gets audit events as lines of JSON by POST; https, but for this "
                "machine."),
        path("audit.webhook_key_file", "",
             "File with the key of the signature of these requests; without it they are not "
             "signed."),
    };
}

std::vector<Setting> of_retention() {
    return {
        days("retention.output", "30", "Days that output of tasks is kept; 0: for ever."),
        number(
            "output.daily_mib", "4096", 0, 1'000'000'000,
            "MiB of output, compressed, that is stored of the tasks of one tenant on one day "
            "(UTC); "
            "0: without limit. What is printed beyond it is not kept, but for the last lines of a "
            "failure."),
        days("retention.tasks", "90", "Days that tasks and attempts are kept."),
        days("retention.jobs", "365", "Days that jobs of clusters that live are kept."),
        days("retention.clusters", "365", "Days that deleted clusters are kept."),
        days("retention.unsatisfiable", "1", "Days that clusters without a layout are kept."),
        days("retention.callbacks", "30", "Days that callbacks are kept when they are over."),
        days("retention.catalogue", "365", "Days that replaced versions of entries are kept."),
        days("retention.usage", "1095", "Days that the time of each machine is kept."),
    };
}

std::vector<Setting> all_settings() {
    std::vector<Setting> all;
    for (const auto& group :
         {of_the_database(), of_the_web(), of_the_daemon(), of_local_hosts(), of_resources(),
          of_requests(), of_callbacks(), of_mails(), of_retention(), of_audit()}) {
        all.insert(all.end(), group.begin(), group.end());
    }
    return all;
}

constexpr std::array<std::string_view, 3> programs{"web.", "provisioner.", "migrate."};

/// `name` without the program before it, if it is a setting of the database.
std::string_view without_program(std::string_view name) {
    for (const std::string_view program : programs) {
        if (!name.starts_with(program)) continue;
        const std::string_view rest = name.substr(program.size());
        if (rest.starts_with("database.")) return rest;
    }
    return name;
}

/// Edits (one character more, less or other) that make one of the other: Levenshtein's distance.
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t changed = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, changed});
        }
    }
    return row.back();
}

std::string unknown(std::string_view name) {
    std::string message = "no program knows this setting";
    const auto& all = settings();
    const auto nearest =
        std::min_element(all.begin(), all.end(), [&](const auto& a, const auto& b) {
            return distance(name, a.name) < distance(name, b.name);
        });
    const bool is_near = distance(name, nearest->name) <= 3;
    if (is_near) message += "; is " + std::string(nearest->name) + " meant?";
    return message;
}

std::string wrong_number(const Setting& setting, const std::string& value) {
    const auto number = parse_number(value);
    if (number && *number >= setting.least && *number <= setting.most) return "";
    return "has to be a whole number from " + std::to_string(setting.least) + " to " +
           std::to_string(setting.most) + ", not " + value;
}

std::string wrong_octal(const std::string& value) {
    const bool is_octal = !value.empty() && value.size() <= 4 &&
                          value.find_first_not_of("01234567") == std::string::npos &&
                          std::stoul(value, nullptr, 8) <= 0777;
    return is_octal ? "" : "has to be octal, like 0660, not " + value;
}

std::string wrong_choice(const Setting& setting, const std::string& value) {
    const std::string words = "|" + std::string(setting.words) + "|";
    const bool is_one =
        value.find('|') == std::string::npos && words.find("|" + value + "|") != std::string::npos;
    if (is_one) return "";
    std::string list(setting.words);
    for (auto at = list.find('|'); at != std::string::npos; at = list.find('|', at)) {
        list.replace(at, 1, list.find('|', at + 1) == std::string::npos ? " or " : ", ");
    }
    return "is " + list + ", not " + value;
}

/// Whether an address without TLS stays on this host.
bool is_plain_here(const std::string& value) {
    constexpr std::string_view scheme = "http://";
    if (!value.starts_with(scheme)) return false;
    const std::string rest = value.substr(scheme.size());
    // http://localhost:80@example.com leads to example.com.
    if (rest.substr(0, rest.find('/')).find('@') != std::string::npos) return false;
    return std::ranges::any_of(
        std::array{"127.0.0.1", "localhost", "[::1]"}, [&](const std::string_view host) {
            return rest.starts_with(host) && (rest.size() == host.size() ||
                                              rest[host.size()] == ':' || rest[host.size()] == '/');
        });
}

/// Proxies are spoken with in plain text; what goes through them is TLS.
std::string wrong_address(const Setting& setting, const std::string& value) {
    const bool may_be_plain = setting.name == "http.proxy";
    if (value.starts_with("https://") || is_plain_here(value)) return "";
    if (may_be_plain && value.starts_with("http://")) return "";
    return (may_be_plain ? "has to begin with http:// or https://, not "
                         : "has to begin with https://, or with http:// for this host, not ") +
           without_credentials(value);
}

std::string wrong_path(const Setting& setting, const std::string& value) {
    if (value.front() != '/') return "has to be a path from /, not " + value;
    // The longest path of a unix socket, with ".new" behind it.
    constexpr std::size_t longest = 103;
    const bool is_socket = setting.name.ends_with("socket") || setting.name == "daemon.nudge";
    if (!is_socket || value.size() <= longest) return "";
    return "is longer than the " + std::to_string(longest) +
           " characters that a unix socket may have";
}

/// What is wrong with the value; empty when nothing is. An empty value means that the setting is
/// off, which only texts, paths and addresses can be.
std::string wrong_value(const Setting& setting, const std::string& value) {
    switch (setting.kind) {
        case Kind::number:
            return wrong_number(setting, value);
        case Kind::octal:
            return wrong_octal(value);
        case Kind::choice:
            return wrong_choice(setting, value);
        case Kind::address:
            return value.empty() ? "" : wrong_address(setting, value);
        case Kind::path:
            return value.empty() ? "" : wrong_path(setting, value);
        case Kind::text:
            return "";
    }
    return "";
}

}  // namespace

const std::vector<Setting>& settings() {
    static const std::vector<Setting> all = all_settings();
    return all;
}

const Setting* find_setting(std::string_view name) {
    const std::string_view plain = without_program(name);
    const auto& all = settings();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Setting& one) { return one.name == plain; });
    return found == all.end() ? nullptr : &*found;
}

Problems check(const Config& config) {
    Problems problems;
    for (const std::string& name : config.names()) {
        const Setting* setting = find_setting(name);
        const std::string message =
            setting ? wrong_value(*setting, config.get_or(name, "")) : unknown(name);
        if (!message.empty()) problems.push_back({.field = name, .message = message});
    }
    return problems;
}

std::string settings_file() {
    std::string file =
        "# Settings of Cooperage. What stands here as a comment is the default; see "
        "cooperage.conf(5).\n"
        "# Files named *.conf in conf.d beside this one are read after it.\n";
    for (const Setting& setting : settings()) {
        file += "\n# " + std::string(setting.meaning) + "\n#" + std::string(setting.name) + " = " +
                std::string(setting.otherwise) + "\n";
    }
    // An account without a password is known by the user of the system who bears its name.
    // MariaDB does not let root be another, and it is root who migrates.
    file +=
        "\n# The account that migrates; cooperage-migrate setup makes it, and the file.\n"
        "migrate.database.password_file = " COOPERAGE_SYSCONFDIR "/cooperage/migrate.password\n";
    return file;
}

}  // namespace provisioner::base
