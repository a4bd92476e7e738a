#include "provisioner/store/database/database.hpp"

#include <boost/test/unit_test.hpp>

#include <cppconn/connection.h>
#include <cppconn/resultset.h>

#include "provisioner/queue/bulk.hpp"
#include "provisioner/queue/link.hpp"
#include "provisioner/store/database/statement.hpp"
#include "provisioner/store/tenants/profile_store.hpp"
#include "tests/integration/provisioner/site.hpp"

using namespace provisioner;

BOOST_AUTO_TEST_SUITE(database)

namespace {

constexpr std::size_t megabyte = 1'000'000;

void store_profile(tests::ClusterSite& site, std::size_t size) {
    base::Json profile = base::Json::object();
    profile["text"] = std::string(size, 'x');
    site.fresh.database.write([&](store::Connection& connection) {
        store::save_profile(connection, site.caller.user.id, profile);
    });
}

/// By the server's own setting.
std::size_t most_in_a_statement(const tests::ClusterSite& site) {
    const auto connection = queue::connect(site.fresh.config);
    const auto row = queue::select(*connection, "SELECT @@global.max_allowed_packet");
    row->next();
    return static_cast<std::size_t>(row->getInt64(1));
}

}  // namespace

BOOST_AUTO_TEST_CASE(
    what_is_too_large_for_one_statement_is_told_apart_from_a_database_that_failed) {
    tests::ClusterSite site;
    const std::size_t limit = most_in_a_statement(site);

    BOOST_CHECK_THROW(store_profile(site, limit + megabyte), store::TooLargeForDatabase);
    BOOST_CHECK_THROW(store_profile(site, 3 * limit), store::TooLargeForDatabase);

    store_profile(site, limit - megabyte);
}

BOOST_AUTO_TEST_CASE(a_look_refuses_changes) {
    tests::ClusterSite site;

    BOOST_CHECK_THROW(site.fresh.database.look([&](store::Connection& connection) {
        store::save_profile(connection, site.caller.user.id, base::Json::object());
    }),
                      std::logic_error);

    store_profile(site, 10);
}

BOOST_AUTO_TEST_CASE(a_read_that_finds_nothing_is_sent_twice_unless_it_says_once) {
    tests::ClusterSite site;
    site.fresh.database.read([&](store::Connection& connection) {
        const auto reads = [&] {
            store::Rows row = connection.sql("SHOW SESSION STATUS LIKE 'Com_select'")
                              << store::one_row;
            return std::stoll(row.get<std::string>("Value"));
        };
        const auto sent = [&](bool once, int id) {
            const auto before = reads();
            auto select = connection.sql("SELECT id FROM tenant WHERE id = ?");
            store::Rows row = once ? std::move(select).once() << id : std::move(select) << id;
            BOOST_TEST(row.next() == (id > 0));
            return reads() - before;
        };
        const auto some = static_cast<int>(site.caller.tenant.id.value);

        BOOST_TEST(sent(false, -1) == 2);
        BOOST_TEST(sent(true, -1) == 1);
        BOOST_TEST(sent(false, some) == 1);
        BOOST_TEST(sent(true, some) == 1);
    });
}

BOOST_AUTO_TEST_CASE(one_value_too_many_is_an_error_of_the_program) {
    tests::ClusterSite site;
    const auto bind = [&](const auto& value) {
        site.fresh.database.read([&](store::Connection& connection) {
            connection.sql("SELECT ? AS one") << 1 << value << store::one_row;
        });
    };

    BOOST_CHECK_THROW(bind(2), std::logic_error);
    BOOST_CHECK_THROW(bind(std::string("two")), std::logic_error);
}

BOOST_AUTO_TEST_SUITE_END()
