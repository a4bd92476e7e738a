#include <boost/program_options.hpp>
#include <iostream>

#include "provisioner/base/config.hpp"
#include "provisioner/migrate/mysql_migrator.hpp"
#include "provisioner/migrate/seed.hpp"

namespace {

namespace options = boost::program_options;

int run(const options::variables_map& chosen) {
    using namespace provisioner;
    const auto config = base::Config::load(chosen["config"].as<std::string>());
    const std::string command = chosen["command"].as<std::string>();
    if (command == "up") {
        const auto applied = migrate::migrate(
            config, migrate::read_migrations(chosen["migrations"].as<std::string>()));
        for (const std::string& name : applied) std::cout << "applied " << name << "\n";
        return 0;
    }
    if (command == "seed") {
        store::Database database(config);
        migrate::seed(database,
                      {.folder = chosen["seed"].as<std::string>(),
                       .access_file = chosen["access"].as<std::string>(),
                       .url = chosen["url"].as<std::string>()},
                      base::SystemClock().now());
        return 0;
    }
    std::cerr << "unknown command " << command << ": up or seed\n";
    return 2;
}

}  // namespace

int main(int argc, char** argv) {
    options::options_description flags("cooperage-migrate up | seed");
    flags.add_options()("help", "this text")                                            //
        ("config", options::value<std::string>()->required(), "the settings file")      //
        ("migrations", options::value<std::string>()->default_value("sql/migrations"),  //
         "folder of the migrations")                                                    //
        ("seed", options::value<std::string>()->default_value("sql/seed"),              //
         "folder of the first catalogue")                                               //
        ("access", options::value<std::string>()->default_value("access.json"),         //
         "where users and passwords are written (mode 0600)")                           //
        ("url", options::value<std::string>()->default_value(""), "address of the pages")(
            "command", options::value<std::string>()->required(), "up or seed");
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
