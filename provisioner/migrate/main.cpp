#include <boost/program_options.hpp>
#include <iostream>

#include "provisioner/base/config.hpp"
#include "provisioner/contents/move.hpp"
#include "provisioner/migrate/mysql_migrator.hpp"
#include "provisioner/migrate/seed.hpp"
#include "provisioner/operations/catalogue/provider_secrets.hpp"

namespace {

namespace options = boost::program_options;

int add_key(const provisioner::base::Config& config) {
    provisioner::identity::Vault vault(config.get("secrets.keys"));
    const int number = vault.add_key();
    std::cout << "added master key " << number << " to " << config.get("secrets.keys") << "\n";
    return 0;
}

int rewrap(const provisioner::base::Config& config) {
    provisioner::store::Database database(config, provisioner::store::patience_of_daemons);
    const auto walk = provisioner::operations::rewrap_secrets(database);
    std::cout << "secrets of " << walk.changed << " rows were put under the newest master key\n";
    for (const std::string& problem : walk.problems) std::cerr << problem << "\n";
    if (walk.problems.empty()) return 0;
    std::cerr << "keep the old master keys: " << walk.problems.size() << " rows need them\n";
    return 1;
}

int move_contents(const provisioner::base::Config& config, const std::string& to) {
    using namespace provisioner;
    const auto place = base::from_word<model::ContentPlace>(to);
    if (!place) {
        std::cerr << "--to is database, files or s3" << (to.empty() ? "" : ", not " + to) << "\n";
        return 2;
    }
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

int run(const options::variables_map& chosen) {
    using namespace provisioner;
    const auto config = base::Config::load(chosen["config"].as<std::string>());
    const std::string command = chosen["command"].as<std::string>();
    if (command == "up") {
        const auto applied =
            migrate::migrate(config, migrate::read_schema(chosen["sql"].as<std::string>()));
        for (const std::string& name : applied) std::cout << "applied " << name << "\n";
        return 0;
    }
    if (command == "seed") {
        store::Database database(config, store::patience_of_daemons);
        const contents::Contents contents(config, database);
        migrate::seed(database, contents,
                      {.folder = chosen["seed"].as<std::string>(),
                       .access_file = chosen["access"].as<std::string>(),
                       .url = chosen["url"].as<std::string>()},
                      base::SystemClock().now());
        return 0;
    }
    if (command == "new-key") return add_key(config);
    if (command == "rewrap") return rewrap(config);
    if (command == "rotate-key") {
        add_key(config);
        return rewrap(config);
    }
    if (command == "move-contents") return move_contents(config, chosen["to"].as<std::string>());
    std::cerr << "unknown command " << command
              << ": up, seed, new-key, rewrap, rotate-key or move-contents\n";
    return 2;
}

}  // namespace

int main(int argc, char** argv) {
    options::options_description flags(
        "cooperage-migrate up | seed | new-key | rewrap | rotate-key | move-contents");
    flags.add_options()("help", "this text")                                        //
        ("config", options::value<std::string>()->required(), "the settings file")  //
        ("sql", options::value<std::string>()->default_value("sql"),                //
         "folder of schema.sql and the migrations")                                 //
        ("seed", options::value<std::string>()->default_value("sql/seed"),          //
         "folder of the first catalogue")                                           //
        ("access", options::value<std::string>()->default_value("access.json"),     //
         "where users and passwords are written (mode 0600)")                       //
        ("to", options::value<std::string>()->default_value(""),                    //
         "where move-contents moves files of plugins: database, files or s3")       //
        ("url", options::value<std::string>()->default_value(""), "address of the pages")(
            "command", options::value<std::string>()->required(),
            "up: brings the schema up to date; seed: the first catalogue and users; new-key: adds "
            "a "
            "master key for secrets; rewrap: puts all secrets under the newest; rotate-key: both; "
            "move-contents: moves the bytes of all files of plugins to one place");
    options::positional_options_description positions;
    positions.add("command", 1);
    try {
        options::variables_map chosen;
        options::store(
            options::command_line_parser(argc, argv).options(flags).positional(positions).run(),
            chosen);
        if (chosen.contains("help")) {
            std::cout << flags;
            return 0;
        }
        options::notify(chosen);
        return run(chosen);
    } catch (const std::exception& error) {
        std::cerr << "cooperage-migrate: " << error.what() << "\n";
        return 1;
    }
}
