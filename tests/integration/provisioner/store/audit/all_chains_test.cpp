#include "provisioner/store/audit/all_chains_store.hpp"

#include <cppconn/connection.h>
#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "provisioner/queue/bulk.hpp"
#include "provisioner/queue/link.hpp"
#include "tests/integration/provisioner/fixture.hpp"

using namespace provisioner;
using namespace tests;
using model::audit::Event;

BOOST_AUTO_TEST_SUITE(all_audit_logs)

namespace {

/// Some events of three chains, one after the other.
struct Logs {
    Logs() {
        for (int i = 0; i < 12; ++i) add(i % 3 == 0 ? 0 : 6 + i % 3, i % 4 == 0 ? "ann" : "bob");
        // The oldest chain has no event among the newest ones.
        for (int i = 0; i < 5; ++i) add(8, "bob");
    }

    void add(int chain, const std::string& user) {
        fresh.database.write([&](store::Connection& connection) {
            Event event;
            event.chain = model::TenantId{chain};
            event.actor.name = user;
            event.action = "provider.replace";
            event.object = {.kind = "provider", .id = "2", .name = "cloud"};
            event.before = R"({"a":1})";
            store::record(connection, {event});
        });
    }

    /// All pages of `limit` events, as "chain/number" in their order.
    std::vector<std::string> pages(const store::AuditFilter& filter, int limit) {
        std::vector<std::string> all;
        std::optional<store::AuditPlace> place;
        while (true) {
            const auto events = fresh.database.read([&](store::Connection& connection) {
                return store::list_events_of_all(connection, filter, place, limit, false);
            });
            for (const Event& event : events) {
                all.push_back(std::to_string(event.chain.value) + '/' +
                              std::to_string(event.number));
                place = store::place_of(event);
            }
            if (std::ssize(events) < limit) return all;
        }
    }

    FreshDatabase fresh;
};

}  // namespace

BOOST_AUTO_TEST_CASE(all_audit_logs_are_one_with_the_newest_first_whatever_the_size_of_a_page) {
    Logs logs;
    const auto all = logs.pages({}, 100);

    BOOST_REQUIRE(all.size() == 17U);
    BOOST_TEST(all[0] == "8/9");
    BOOST_TEST(all[5] == "8/4");
    BOOST_TEST(all[6] == "7/4");
    BOOST_TEST(all[7] == "0/4");
    BOOST_TEST(all.back() == "0/1");
    for (const int limit : {1, 2, 5, 17}) {
        BOOST_TEST(logs.pages({}, limit) == all, boost::test_tools::per_element());
    }
}

BOOST_AUTO_TEST_CASE(a_filter_of_all_audit_logs_finds_in_each) {
    Logs logs;

    BOOST_TEST(logs.pages({.user = "ann"}, 2).size() == 3U);
    BOOST_TEST(logs.pages({.action = "tenant."}, 2).empty());
    BOOST_TEST(logs.pages({.object = "cloud"}, 4).size() == 17U);
    const auto future = base::SystemClock().now() + std::chrono::hours{1};
    BOOST_TEST(logs.pages({.from = future}, 4).empty());
    BOOST_TEST(logs.pages({.to = future}, 4).size() == 17U);
}

BOOST_AUTO_TEST_CASE(all_audit_logs_come_with_documents_where_these_are_asked_for) {
    Logs logs;
    const auto events = logs.fresh.database.read([&](store::Connection& connection) {
        return store::list_events_of_all(connection, {}, {}, 3);
    });
    const auto words = logs.fresh.database.read(
        [&](store::Connection& connection) { return store::audit_words_of_all(connection); });

    BOOST_REQUIRE(events.size() == 3U);
    for (const Event& event : events) BOOST_TEST(event.before == R"({"a":1})");
    BOOST_TEST(words.actions == std::vector<std::string>{"provider.replace"},
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_list_of_events_has_the_documents_that_its_words_need_and_no_others) {
    Logs logs;
    logs.fresh.database.write([&](store::Connection& connection) {
        Event event;
        event.chain = model::TenantId{8};
        event.action = "price-list.replace";
        event.after = R"({"added":1})";
        store::record(connection, {event});
    });

    const auto events = logs.fresh.database.read([&](store::Connection& connection) {
        return store::list_events_of_all(connection, {}, {}, 2, false);
    });

    BOOST_REQUIRE(events.size() == 2U);
    BOOST_TEST(events[0].after == R"({"added":1})");
    BOOST_TEST(events[1].before == "");
}

BOOST_AUTO_TEST_CASE(the_log_of_a_deleted_tenant_is_found_by_its_uid_when_another_has_its_name) {
    FreshDatabase fresh;
    const auto first = a_caller(fresh.database, "acme");
    fresh.database.write([&](store::Connection& connection) {
        Event event;
        event.chain = first.tenant.id;
        store::record(connection, {event});
    });
    queue::execute(*queue::connect(fresh.root), "UPDATE tenant SET deleted_id = id WHERE id = " +
                                                    std::to_string(first.tenant.id.value));
    const auto second = a_caller(fresh.database, "acme");

    fresh.database.read([&](store::Connection& connection) {
        const auto logs = store::list_logs(connection);
        const auto deleted = std::ranges::find(logs, true, &store::AuditLog::is_deleted);
        BOOST_REQUIRE((deleted != logs.end()));
        BOOST_TEST(deleted->tenant == "acme");
        BOOST_TEST((store::chain_of(connection, deleted->word()) == first.tenant.id));
        BOOST_TEST((store::chain_of(connection, "acme") == second.tenant.id));
    });
}

BOOST_AUTO_TEST_SUITE_END()
