#pragma once

#include <memory>
#include <string>

#include "provisioner/migrate/mysql_migrator.hpp"

namespace tests {

/// Every table's definition as the server says it, without what differs from run to run.
std::string definition_of(const provisioner::base::Config& config);

/// The rows of every table: names with the server's checksums. Equal rows have equal ids.
std::string rows_of(const provisioner::base::Config& config);

/// A database of the first version with the rows of version_1.sql.
class OldDatabase {
 public:
    OldDatabase();
    ~OldDatabase();

    /// The newest version there is.
    int newest() const;

    void migrate_to(int version);

    void run(const std::string& statement);

    /// The rows of a query, cells parted by blanks, rows by "; ", NULL as "-".
    std::string rows(const std::string& query);

    /// The migrations, without the whole schema.
    const provisioner::migrate::SchemaFiles& files() const { return files_; }
    const provisioner::base::Config& config() const { return config_; }

 private:
    provisioner::base::Config config_;
    provisioner::migrate::SchemaFiles files_;
    std::unique_ptr<sql::Connection> connection_;
};

}  // namespace tests
