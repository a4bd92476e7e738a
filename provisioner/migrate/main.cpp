#include <algorithm>
#include <boost/program_options.hpp>
#include <iostream>

#include "provisioner/base/config.hpp"
#include "provisioner/base/settings.hpp"
#include "provisioner/contents/move.hpp"
#include "provisioner/identity/vault.hpp"
#include "provisioner/migrate/audit.hpp"
#include "provisioner/migrate/backup/backup.hpp"
#include "provisioner/migrate/master_keys.hpp"
#include "provisioner/migrate/mysql_migrator.hpp"
#include "provisioner/migrate/seed.hpp"
#include "provisioner/migrate/server/accounts.hpp"
#include "provisioner/migrate/server/checks.hpp"
#include "provisioner/migrate/server/rotate_password.hpp"
#include "provisioner/operations/sign_in/rules.hpp"
#include "provisioner/programs/command_line.hpp"
#include "provisioner/programs/keeper.hpp"
#include "provisioner/programs/settings_check.hpp"
#include "provisioner/store/tenants/sealing_key_store.hpp"

namespace {

namespace options = boost::program_options;
using namespace provisioner;

/// The options of one call.
class Call {
 public:
    explicit Call(const options::variables_map& chosen) : chosen_(chosen) {}

    std::string text(const char* name) const { return chosen_[name].as<std::string>(); }
    bool has(const char* name) const { return chosen_.contains(name); }
    int number(const char* name) const { return chosen_[name].as<int>(); }
    /// The value of an option that the command needs. Throws std::runtime_error without it.
    std::string needed(const char* name) const {
        if (has(name)) return text(name);
        throw std::runtime_error(text("command") + " needs --" + name);
    }
    /// The settings as that program reads them.
    base::Config config(const std::string& program = "migrate") const {
        return base::Config::load(text("config"), program);
    }
    migrate::SchemaFiles schema() const { return migrate::read_schema(text("sql")); }

 private:
    const options::variables_map& chosen_;
};

int check_server(const Call& call, const std::string& program) {
    const base::Config config = call.config(program);
    const auto findings =
        migrate::check(migrate::read_server_facts(config, base::SystemClock().now()),
                       config.get("database.name"), program);
    std::cerr << migrate::to_text(findings);
    return findings.refusals.empty() ? 0 : 1;
}

int check(const Call& call) {
    const std::string program = call.text("program");
    if (program != "migrate" && program != "web" && program != "provisioner") {
        std::cerr << "--program is web, provisioner or migrate, not " << program << "\n";
        return 2;
    }
    // An account of the socket lets in only the user of its name.
    if (program != "migrate") programs::become("cooperage-" + program);
    const int result = check_server(call, program);
    if (result == 0) std::cout << "the database server can be used\n";
    return result;
}

/// After the tables have changed. What is in the way is no failure: the schema is right.
void give_web_its_rights(const Call& call) {
    const std::string problem = migrate::give_web_its_rights(
        [&](const std::string& program) { return call.config(program); });
    if (!problem.empty()) std::cerr << "warning: " << problem << "\n";
}

/// The keys of a new installation are made before there is a database that names them.
void settle_daemon_keys(const Call& call) {
    const base::Config config = call.config();
    const identity::Vault vault(config);
    if (!vault.master_keys().is_there()) return;
    store::Database database(config, store::patience_of_daemons);
    if (!database.read(store::find_sealing_key) && vault.public_half()) {
        migrate::publish_daemon_key(config, database, std::cout);
    }
    const auto newest = database.read(store::find_sealing_key);
    if (!newest) {
        std::cerr << "warning: cooperage-web can open passwords of providers and login keys: run "
                     "cooperage-migrate rotate-key, and see README.md, Secrets\n";
    }
}

int up(const Call& call) {
    if (check_server(call, "migrate") != 0) return 1;
    const auto applied =
        migrate::migrate(call.config(), call.schema(), [](const migrate::Moment& moment) {
            if (moment.step != migrate::Step::executed) return;
            std::cout << moment.file << ": " << moment.statement << " of " << moment.statements
                      << std::endl;
        });
    for (const std::string& name : applied) std::cout << "applied " << name << "\n";
    give_web_its_rights(call);
    settle_daemon_keys(call);
    return 0;
}

int seed(const Call& call) {
    const base::Config config = call.config();
    store::Database database(config, store::patience_of_daemons);
    const contents::Contents contents(config, database);
    const auto left = migrate::seed(
        database, contents,
        {.folder = call.text("seed"),
         .access_file = call.text("access"),
         .url = call.text("url"),
         .may_reset_passwords = call.has("reset-passwords"),
         .initial_for = call.has("lasting-passwords")
                            ? std::nullopt
                            : std::optional(operations::SignInRules{}.initial_password),
         .has_demo = !call.has("no-demo"),
         .gives_back = call.has("restore-deleted")},
        base::SystemClock().now());
    for (const std::string& one : left) {
        std::cout << "left as users have made it: " << one << "\n";
    }
    if (!left.empty()) std::cout << "--restore-deleted makes these as they are in the folder\n";
    std::cout << "wrote users and passwords to " << call.text("access") << "\n";
    return 0;
}

int grants(const Call& call) {
    const std::string server = call.text("server");
    if (server != "mariadb" && server != "mysql") {
        std::cerr << "--server is mariadb or mysql, not " << server << "\n";
        return 2;
    }
    const base::Config config = call.config();
    const bool is_elsewhere =
        !config.get_or("database.host", "").empty() || !config.get_or("database.hosts", "").empty();
    if (is_elsewhere != call.has("from")) {
        std::cerr << (is_elsewhere
                          ? "grants needs --from: the host from where the programs connect, "
                            "like '10.0.0.%'\n"
                          : "--from is for a server elsewhere: write database.host into the "
                            "settings first\n");
        return 2;
    }
    const auto accounts =
        migrate::accounts_of([&](const std::string& program) { return call.config(program); },
                             call.has("from") ? call.text("from") : "localhost");
    for (const std::string& statement : migrate::account_statements(
             server == "mariadb" ? migrate::ServerKind::mariadb : migrate::ServerKind::mysql,
             call.config().get("database.name"), accounts, {})) {
        std::cout << statement << ";\n";
    }
    return 0;
}

int setup(const Call& call) {
    const auto count = migrate::set_up(
        [&](const std::string& program) { return call.config(program); }, call.text("admin"));
    std::cout << "ran " << count << " statements: database and accounts are as they should be\n";
    return 0;
}

int backup(const Call& call) {
    const auto now = base::SystemClock().now();
    if (!call.has("to") && !call.has("keys")) call.needed("to");
    if (call.has("to")) {
        const auto saved = migrate::back_up(call.config(), call.text("to"), now);
        std::cout << "saved the database (schema " << saved.schema << ") in " << call.text("to")
                  << "\n";
        if (saved.contents_elsewhere > 0) {
            std::cerr << saved.contents_elsewhere
                      << " files of plugins are in a folder or in S3: back them up there\n";
        }
    }
    if (call.has("keys")) {
        migrate::back_up_keys(call.config(), call.text("keys"), now);
        std::cout << "saved the keys in " << call.text("keys") << ": keep it apart\n";
    }
    return 0;
}

int restore(const Call& call) {
    const bool may_replace = call.has("replace");
    if (!call.has("from") && !call.has("keys")) call.needed("from");
    if (call.has("keys")) {
        migrate::restore_keys(call.config(),
                              {.path = call.text("keys"), .may_replace = may_replace});
        std::cout << "restored the keys\n";
    }
    if (!call.has("from")) return 0;
    const auto applied = migrate::restore(call.config(), call.schema(),
                                          {.path = call.text("from"), .may_replace = may_replace});
    std::cout << "restored the database\n";
    for (const std::string& name : applied) std::cout << "applied " << name << "\n";
    give_web_its_rights(call);
    return 0;
}

int new_key(const Call& call) {
    return migrate::new_keys(call.config(), std::cout, std::cerr);
}

int rewrap(const Call& call) {
    return migrate::rewrap(call.config(), std::cout, std::cerr);
}

int rotate_key(const Call& call) {
    const int added = new_key(call);
    return std::max(added, rewrap(call));
}

int retire_key(const Call& call) {
    return migrate::retire_keys(call.config(), std::cout, std::cerr);
}

int rotate_password(const Call& call) {
    const std::string program = call.needed("program");
    migrate::rotate_password([&](const std::string& name) { return call.config(name); }, program,
                             call.text("admin"), std::chrono::seconds{call.number("overlap")});
    std::cout << "the account of " << program << " has a new password\n";
    return migrate::record_rotated_password(call.config(), call.config(program), program,
                                            std::cerr);
}

int move_contents(const Call& call) {
    const std::string to = call.needed("to");
    const auto place = base::from_word<model::ContentPlace>(to);
    if (!place) {
        std::cerr << "--to is database, files or s3, not " << to << "\n";
        return 2;
    }
    const base::Config config = call.config();
    store::Database database(config, store::patience_of_daemons);
    const contents::Contents contents(config, database);
    const auto moved = contents::move_contents(
        database, contents, *place, base::SystemClock(), [&](const model::Content& one) {
            std::cout << "moved " << one.name << " (" << one.size << " bytes) from "
                      << base::to_word(one.place) << std::endl;
        });
    std::cout << moved.contents << " contents with " << moved.bytes << " bytes were moved to " << to
              << "\n";
    for (const std::string& problem : moved.problems) std::cerr << problem << "\n";
    if (moved.elsewhere > 0) {
        std::cerr << moved.elsewhere << " contents are in other places still: run it again\n";
    }
    if (contents.place_of_new() != *place) {
        std::cerr << "new ones go to " << base::to_word(contents.place_of_new())
                  << ", as resources.store says\n";
    }
    return moved.problems.empty() && moved.elsewhere == 0 ? 0 : 1;
}

int verify_audit(const Call& call) {
    migrate::AuditVerification wanted;
    if (call.has("tenant")) wanted.tenant = call.text("tenant");
    if (call.has("public-key")) wanted.public_key_file = call.text("public-key");
    return migrate::verify_audit(call.config(), wanted, std::cout) ? 0 : 1;
}

int new_audit_key(const Call& call) {
    std::cout << migrate::new_audit_key(call.config()) << "\n";
    return 0;
}

int audit_key(const Call& call) {
    std::cout << migrate::audit_public_keys(call.config());
    return 0;
}

int rotate_audit_key(const Call& call) {
    return migrate::rotate_audit_key(call.config(), std::chrono::seconds{call.number("overlap")},
                                     std::cout, std::cerr);
}

int print_settings(const Call&) {
    std::cout << base::settings_file();
    return 0;
}

int print_page_of_settings(const Call&) {
    std::cout << programs::manual_page_of_settings();
    return 0;
}

struct Command {
    const char* name;
    const char* meaning;
    int (*run)(const Call& call);
};

constexpr Command commands[]{
    {"setup",
     "Makes database and accounts at the server of this machine, by its socket and as its root. "
     "Can be repeated. Password files that the settings name are made.",
     setup},
    {"grants",
     "Prints the statements of setup (--server, --from), for the administrator of another server.",
     grants},
    {"check", "Says what the server, or the account of --program, lacks.", check},
    {"up", "Brings the schema up to date, after check. May be interrupted anywhere and run again.",
     up},
    {"seed", "Writes the first catalogue and users (--seed, --access, --url, --no-demo).", seed},
    {"backup", "Saves the database in a new file (--to), and the keys in another (--keys).",
     backup},
    {"restore",
     "Puts a backup (--from) into an empty database, or with --replace in the place of what is "
     "there, and migrates it. --keys puts keys back. All programs must be stopped.",
     restore},
    {"new-key", "Adds a master key and a daemon key for secrets.", new_key},
    {"rewrap", "Puts all secrets under the newest keys.", rewrap},
    {"rotate-key", "Does both.", rotate_key},
    {"retire-key",
     "Takes old keys out of their files, unless a secret needs one; then it says how many.",
     retire_key},
    {"rotate-password",
     "Gives the account of --program a new password, in its password file and at the server, "
     "while everything runs.",
     rotate_password},
    {"move-contents", "Moves the bytes of all files of plugins to one place (--to).",
     move_contents},
    {"verify-audit",
     "Follows the audit log of all tenants, or of --tenant, and says which events were changed, "
     "removed or added, and which seals are not by the key (--public-key). Ends with 1 if there "
     "are some.",
     verify_audit},
    {"new-audit-key", "Makes the key that seals the audit log and prints its public key.",
     new_audit_key},
    {"rotate-audit-key",
     "Replaces that key, while everything runs, and prints the new public key. The old public key "
     "is kept beside it, and believed for seals of its time.",
     rotate_audit_key},
    {"audit-key",
     "Prints the public key, by which the audit log can be verified elsewhere, and those that it "
     "replaced.",
     audit_key},
    {"settings", "Prints a settings file with every setting as a comment.", print_settings},
    {"settings-page", "Prints the manual page of the settings file.", print_page_of_settings},
};

programs::Manual manual() {
    programs::Manual manual{
        .name = "cooperage-migrate",
        .summary = "prepares, migrates, saves and restores the database of Cooperage",
        .synopsis = "COMMAND [OPTION...]",
        .description = {"Does what an administrator does to the database now and then. Each "
                        "command reads the settings as the program migrate."},
        .see_also = {"cooperage-web(8)", "cooperage-provisioner(8)", "cooperage.conf(5)"}};
    for (const Command& command : commands) {
        manual.commands.emplace_back(command.name, command.meaning);
    }
    return manual;
}

options::options_description all_options() {
    const auto word = [](const char* otherwise) {
        return options::value<std::string>()->default_value(otherwise);
    };
    options::options_description all;
    all.add_options()("command", word(""), "What to do; the word alone will do.");
    all.add_options()("config", word(programs::default_config().c_str()), "The settings file.");
    all.add_options()("sql", word(COOPERAGE_DATADIR "/sql"),
                      "Folder of schema.sql and the migrations.");
    all.add_options()("seed", word(COOPERAGE_DATADIR "/sql/seed"),
                      "Folder of the first catalogue.");
    all.add_options()("access", word("access.json"),
                      "Where users and passwords are written (mode 0600).");
    all.add_options()("reset-passwords",
                      "seed gives users new passwords whose valid ones --access does not have.");
    all.add_options()("lasting-passwords",
                      "seed makes passwords that need not be changed at the first login: for "
                      "trying out.");
    all.add_options()("no-demo", "seed does not make the tenant demo.");
    all.add_options()(
        "restore-deleted",
        "seed makes users, keys and the tenant demo again that were deleted, and takes "
        "back what users have changed in its catalogue.");
    all.add_options()("url", word(""), "Address of the pages.");
    all.add_options()("to", options::value<std::string>(),
                      "The new file of a backup; for move-contents database, files or s3.");
    all.add_options()("from", options::value<std::string>(),
                      "The file that restore reads; for grants the host from where programs "
                      "connect, by default localhost.");
    all.add_options()("keys", options::value<std::string>(), "File of the keys alone.");
    all.add_options()("replace", "Restore over what is there.");
    all.add_options()("program", word("migrate"),
                      "Whose account check uses and rotate-password changes: web, provisioner or "
                      "migrate.");
    all.add_options()("tenant", options::value<std::string>(), "The only tenant to verify.");
    all.add_options()(
        "public-key", options::value<std::string>(),
        "File with public keys, as audit-key prints them, that seals of the audit log must be "
        "by.");
    all.add_options()(
        "overlap", options::value<int>()->default_value(5),
        "Seconds for which rotate-password lets the old password in, too, and in which seals "
        "by the key count that rotate-audit-key replaces.");
    all.add_options()("server", word("mariadb"), "mariadb or mysql.");
    all.add_options()("admin", word("root"), "The server's account that setup uses.");
    return all;
}

int run(const Call& call) {
    for (const Command& command : commands) {
        if (call.text("command") == command.name) return command.run(call);
    }
    const std::string command = call.text("command");
    std::cerr << "cooperage-migrate: "
              << (command.empty() ? "a command is missing" : "unknown command " + command)
              << "; see cooperage-migrate --help\n";
    return 2;
}

}  // namespace

int main(int argc, char** argv) {
    programs::leave_no_core();
    const auto chosen = programs::read_command_line(manual(), all_options(), argc, argv, "command");
    if (const int* code = std::get_if<int>(&chosen)) return *code;
    try {
        return run(Call(std::get<options::variables_map>(chosen)));
    } catch (const std::exception& error) {
        std::cerr << "cooperage-migrate: " << error.what() << "\n";
        return 1;
    }
}
