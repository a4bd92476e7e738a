#pragma once

#include <boost/test/unit_test.hpp>

#include <string>

#include "provisioner/migrate/mysql_migrator.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/store/database/database.hpp"
#include "tests/support/database_server.hpp"

namespace tests {

/// The one server all cases of the suite share.
DatabaseServer& server();

/// Precondition of cases that MySQL cannot run: it never took the migrations before 0013, because
/// it begins with the whole schema, and it has no session variable for checks.
boost::test_tools::assertion_result is_mariadb(boost::unit_test::test_unit_id);

/// A database of its own with the schema in it and nothing else.
struct FreshDatabase {
    /// `more` are lines of settings beside those of the database.
    explicit FreshDatabase(const std::string& more = "");

    /// For what a test does behind the programs' back and they may not do themselves.
    provisioner::base::Config root;
    /// For an account that has only the rights of cooperage-web and cooperage-provisioner.
    provisioner::base::Config config;
    provisioner::store::Database database;
};

/// A tenant of that name with a user "ann" of that role.
provisioner::model::Caller a_caller(
    provisioner::store::Database& database, const std::string& tenant = "acme",
    provisioner::model::Role role = provisioner::model::Role::admin);

/// Stores the quotas of a tenant that is there.
void save_quotas(provisioner::store::Database& database, const provisioner::model::Tenant& tenant);

/// Adds a master key and a daemon key to the files that the settings name, and publishes the
/// latter.
void add_keys(const provisioner::base::Config& config);

/// The same, but no other keys are left.
void make_keys(const provisioner::base::Config& config);

/// A moment to write rows at.
provisioner::base::Timestamp some_time();

/// A catalogue with which a cluster of template "pair" (services "web" and "db" on nodes of their
/// own, size 2 to 20) can be made from provider "cloud".
void save_small_catalogue(provisioner::store::Database& database,
                          const provisioner::model::Caller& caller);

}  // namespace tests
