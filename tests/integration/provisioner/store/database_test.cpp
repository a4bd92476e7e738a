#include "provisioner/store/database.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/store/profile_store.hpp"
#include "tests/integration/provisioner/site.hpp"

using namespace provisioner;

namespace {

constexpr std::size_t megabyte = 1'000'000;

void store_profile(tests::ClusterSite& site, std::size_t size) {
    base::Json profile = base::Json::object();
    profile["text"] = std::string(size, 'x');
    site.fresh.database.write([&](store::Connection& connection) {
        store::save_profile(connection, site.caller.user.id, profile);
    });
}

}  // namespace

// The tests' server has MariaDB's own limit of 16 MiB.
BOOST_AUTO_TEST_CASE(
    what_is_too_large_for_one_statement_is_told_apart_from_a_database_that_failed) {
    tests::ClusterSite site;

    BOOST_CHECK_THROW(store_profile(site, 17 * megabyte), store::TooLargeForDatabase);
    BOOST_CHECK_THROW(store_profile(site, 60 * megabyte), store::TooLargeForDatabase);

    store_profile(site, 15 * megabyte);
}
