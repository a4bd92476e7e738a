#include "tests/integration/provisioner/migrate/old_database.hpp"

#include <cppconn/connection.h>
#include <cppconn/resultset.h>

#include <fstream>
#include <sstream>

#include "provisioner/migrate/effect.hpp"
#include "provisioner/queue/bulk.hpp"
#include "provisioner/queue/link.hpp"
#include "tests/integration/provisioner/fixture.hpp"

namespace tests {

using namespace provisioner;

namespace {

std::vector<std::string> tables_of(sql::Connection& connection) {
    const auto tables = queue::select(connection, "SHOW TABLES");
    std::vector<std::string> names;
    while (tables->next()) names.push_back(std::string(tables->getString(1)));
    std::erase_if(names, [](const std::string& name) { return name.starts_with("schema_"); });
    return names;
}

base::Config next_config() {
    static int number = 0;
    return server().config("old_" + std::to_string(++number));
}

migrate::SchemaFiles all_migrations() {
    migrate::SchemaFiles files = migrate::read_schema("sql");
    files.whole = "";
    return files;
}

}  // namespace

std::string definition_of(const base::Config& config) {
    const auto connection = queue::connect(config);
    std::string text;
    for (const std::string& name : tables_of(*connection)) {
        const auto row = queue::select(*connection, "SHOW CREATE TABLE `" + name + "`");
        row->next();
        text += migrate::without_counter(std::string(row->getString(2))) + "\n";
    }
    return text;
}

std::string rows_of(const base::Config& config) {
    const auto connection = queue::connect(config);
    std::string text;
    for (const std::string& name : tables_of(*connection)) {
        const auto row = queue::select(*connection, "CHECKSUM TABLE `" + name + "`");
        row->next();
        text += name + " " + std::string(row->getString(2)) + "\n";
    }
    return text;
}

OldDatabase::OldDatabase() : config_(next_config()), files_(all_migrations()) {
    migrate_to(1);
    connection_ = queue::connect(config_);
    std::ifstream file("tests/integration/provisioner/migrate/version_1.sql");
    std::ostringstream text;
    text << file.rdbuf();
    for (const std::string& statement : migrate::split_statements(text.str())) run(statement);
}

OldDatabase::~OldDatabase() = default;

int OldDatabase::newest() const {
    int newest = 0;
    for (const auto& one : files_.migrations) newest = std::max(newest, one.version);
    return newest;
}

void OldDatabase::migrate_to(int version) {
    migrate::SchemaFiles files = files_;
    std::erase_if(files.migrations, [&](const auto& one) { return one.version > version; });
    migrate::migrate(config_, files);
}

void OldDatabase::run(const std::string& statement) {
    queue::execute(*connection_, statement);
}

std::string OldDatabase::rows(const std::string& query) {
    const auto found = queue::select(*connection_, query);
    const unsigned columns = found->getMetaData()->getColumnCount();
    std::string text;
    while (found->next()) {
        if (!text.empty()) text += "; ";
        for (unsigned column = 1; column <= columns; ++column) {
            if (column > 1) text += " ";
            const std::string cell(found->getString(static_cast<std::int32_t>(column)));
            text += found->wasNull() ? "-" : cell;
        }
    }
    return text;
}

}  // namespace tests
