#include <boost/test/unit_test.hpp>

#include <cppconn/connection.h>
#include <cppconn/resultset.h>

#include <algorithm>
#include <filesystem>
#include <thread>

#include "provisioner/identity/ed25519.hpp"
#include "provisioner/identity/sha256.hpp"
#include "provisioner/identity/vault.hpp"
#include "provisioner/operations/audit.hpp"
#include "provisioner/operations/catalogue/edit.hpp"
#include "provisioner/queue/bulk.hpp"
#include "provisioner/queue/link.hpp"
#include "provisioner/store/audit/audit_store.hpp"
#include "provisioner/store/audit/name_store.hpp"
#include "provisioner/store/audit/seal_store.hpp"
#include "provisioner/store/audit/verification.hpp"
#include "tests/integration/provisioner/fixture.hpp"

using namespace provisioner;
using namespace tests;
using Kind = store::AuditFinding::Kind;
using model::audit::Event;

namespace {

identity::SigningKey a_key() {
    return identity::SigningKey::from_text(
        "ed25519-seed:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=");
}

/// A database with a chain of `count` events of tenant 7.
struct Chain {
    explicit Chain(int count) { add(count); }

    void add(int count) {
        for (int i = 0; i < count; ++i) {
            fresh.database.write([&](store::Connection& connection) {
                Event event;
                event.chain = chain;
                event.actor = {.user = model::UserId{3},
                               .name = "ann",
                               .tenant = "acme",
                               .role = "admin",
                               .credential = "session",
                               .client = "192.0.2.1",
                               .request = "r" + std::to_string(i)};
                event.action = "provider.replace";
                event.object = {.kind = "provider", .id = "2", .name = "cloud"};
                event.status = 0;
                event.before = R"({"a":1})";
                event.after = R"({"a":2})";
                store::record(connection, {event});
            });
        }
    }

    /// As somebody who has the database.
    void as_intruder(const std::string& statement) {
        const auto connection = queue::connect(fresh.root);
        queue::execute(*connection, statement);
    }

    std::string findings(const store::AuditKeys& keys = {}) {
        std::string text;
        store::verify_chain(fresh.database, chain, keys, [&](const store::AuditFinding& finding) {
            text += to_text(finding).substr(0, to_text(finding).find(':')) + "\n";
        });
        return text;
    }

    store::Sealing seal(const identity::SigningKey& key = a_key()) {
        return store::seal_chain(fresh.database, chain, key);
    }

    /// Writes hashes that fit to all events from `number` on, as an intruder who knows how would.
    void rehash_from(std::int64_t number) {
        auto events = fresh.database.read([&](store::Connection& connection) {
            return store::events_after(connection, chain, number - 1, 1000);
        });
        std::string previous;
        for (Event& event : events) {
            if (!previous.empty()) event.previous = previous;
            identity::Sha256 hash;
            hash.add(model::audit::canonical(event));
            event.hash = hash.finish();
            previous = event.hash;
            as_intruder("UPDATE audit_event SET previous = '" + event.previous + "', hash = '" +
                        event.hash + "' WHERE number = " + std::to_string(event.number));
        }
        as_intruder("UPDATE audit_chain SET hash = '" + previous + "'");
    }

    FreshDatabase fresh;
    model::TenantId chain{7};
};

}  // namespace

BOOST_AUTO_TEST_CASE(an_untouched_audit_chain_is_whole_with_and_without_seals) {
    Chain chain(3);

    BOOST_TEST(chain.findings().empty());

    BOOST_TEST(chain.seal().seal.has_value());
    chain.add(2);
    BOOST_TEST(chain.seal().seal.has_value());
    chain.add(1);
    BOOST_TEST(!store::seal_chain(chain.fresh.database, model::TenantId{99}, a_key()).seal);

    BOOST_TEST(chain.findings({{.public_key = a_key().public_key()}}).empty());
    const auto walked =
        store::verify_chain(chain.fresh.database, chain.chain, {}, [](const auto&) {});
    BOOST_TEST(walked.events == 6);
    BOOST_TEST(walked.seals == 2);
    BOOST_TEST(walked.unsealed == 1);
}

BOOST_AUTO_TEST_CASE(an_action_is_found_as_a_whole_or_by_its_beginning) {
    Chain chain(2);
    const auto found = [&](const std::string& action, bool is_whole) {
        return chain.fresh.database.read([&](store::Connection& connection) {
            const store::AuditFilter filter{
                .chain = chain.chain, .action = action, .is_whole_action = is_whole};
            return store::list_events(connection, filter, 0, 10).size();
        });
    };

    BOOST_TEST(found("provider.", false) == 2U);
    BOOST_TEST(found("provider.", true) == 0U);
    BOOST_TEST(found("provider.repl", true) == 0U);
    BOOST_TEST(found("provider.replace", true) == 2U);
}

BOOST_AUTO_TEST_CASE(an_action_is_found_with_its_refusals) {
    Chain chain(1);
    for (const char* request : {"POST /clusters", "POST /clusters/00000042/delete"}) {
        chain.fresh.database.write([&](store::Connection& connection) {
            Event event;
            event.chain = chain.chain;
            event.action = "request.refused";
            event.object = {.kind = "request", .id = "", .name = request};
            store::record(connection, {event});
        });
    }
    const auto found = [&](store::AuditFilter filter) {
        filter.chain = chain.chain;
        filter.is_whole_action = filter.has_refusals = true;
        return chain.fresh.database.read([&](store::Connection& connection) {
            return store::list_events(connection, filter, 0, 10).size();
        });
    };

    BOOST_TEST(found({.action = "cluster.create", .refused_requests = "^POST (/clusters)$"}) == 1U);
    BOOST_TEST(found({.action = "cluster.delete",
                      .refused_requests = "^POST (/clusters/[^/]+/delete)$"}) == 1U);
    BOOST_TEST(found({.action = "provider.replace"}) == 1U);
    BOOST_TEST(found({.action = "request"}) == 1U + 1U, "what is called its refusal");
    BOOST_TEST(found({.action = "sign-in"}) == 0U);
}

BOOST_AUTO_TEST_CASE(a_change_of_any_column_of_an_audit_event_is_found) {
    const std::vector<std::string> changes{
        "at = at + INTERVAL 1 MICROSECOND", "user_id = 4", "user_name = 'bob'",
        "user_tenant = 'other'", "role = 'user'", "credential = 'key 1'", "client = '192.0.2.2'",
        "request = 'other'", "action = 'provider.delete'", "object_kind = 'service'",
        "object_id = '3'", "object_name = 'other'", "outcome = 'refused'", "status = 403",
        "reason = 'because'", "times = 2", R"(before_value = '{"a":1} ')",
        R"(after_value = '{"a":3}')", "previous = REPEAT('1', 64)", "hash = REPEAT('1', 64)",
        // From one column to the next.
        "object_id = '', object_name = '2cloud'"};
    Chain chain(3);
    // Not one test each: a database takes a second.
    chain.as_intruder("CREATE TABLE kept AS SELECT * FROM audit_event WHERE number = 2");
    for (const std::string& change : changes) {
        chain.as_intruder("UPDATE audit_event SET " + change + " WHERE number = 2");

        BOOST_TEST(chain.findings() == "event 2 was changed\n", change << ": " << chain.findings());

        chain.as_intruder("DELETE FROM audit_event WHERE number = 2");
        chain.as_intruder("INSERT INTO audit_event SELECT * FROM kept");
    }
    const auto connection = queue::connect_to_server(chain.fresh.root);
    const auto row = queue::select(
        *connection,
        "SELECT COUNT(*) AS columns FROM information_schema.columns WHERE table_name = "
        "'audit_event' AND table_schema = '" +
            chain.fresh.root.get("database.name") + "'");
    row->next();
    // Number and tenant are in other cases.
    BOOST_TEST(row->getInt("columns") == 22);
}

BOOST_AUTO_TEST_CASE(removed_audit_events_are_found_wherever_they_were) {
    Chain chain(5);
    chain.as_intruder("CREATE TABLE kept AS SELECT * FROM audit_event");
    const std::vector<std::pair<std::string, std::string>> cases{
        {"number = 1", "event 1 was removed\n"},
        {"number = 3", "event 3 was removed\n"},
        {"number IN (2, 3)", "events 2 to 3 were removed\n"},
        {"number = 5", "event 5 was removed\n"},
        {"number > 0", "events 1 to 5 were removed\n"}};
    for (const auto& [which, found] : cases) {
        chain.as_intruder("DELETE FROM audit_event WHERE " + which);

        BOOST_TEST(chain.findings() == found, which << ": " << chain.findings());

        chain.as_intruder("DELETE FROM audit_event");
        chain.as_intruder("INSERT INTO audit_event SELECT * FROM kept");
    }
}

BOOST_AUTO_TEST_CASE(
    removed_audit_events_at_the_end_are_found_by_the_seal_although_the_head_was_changed) {
    Chain chain(5);
    chain.seal();

    chain.as_intruder("DELETE FROM audit_event WHERE number > 3");
    chain.as_intruder(
        "UPDATE audit_chain SET number = 3, hash = (SELECT hash FROM audit_event WHERE number = "
        "3)");

    const auto found = chain.findings();
    BOOST_TEST(found.starts_with("events 4 to 5 were removed\n"), found);
}

BOOST_AUTO_TEST_CASE(added_and_swapped_audit_events_are_found) {
    Chain chain(4);
    chain.as_intruder(
        "INSERT INTO audit_event SELECT tenant_id, 5, at, user_id, user_name, user_tenant, role, "
        "credential, client, request, action, object_kind, object_id, object_name, outcome, "
        "status, reason, times, before_value, after_value, previous, hash FROM audit_event WHERE "
        "number = 4");

    BOOST_TEST(chain.findings() == "event 5 was added\n");

    chain.as_intruder("DELETE FROM audit_event WHERE number = 5");
    chain.as_intruder("UPDATE audit_event SET number = 99 WHERE number = 2");
    chain.as_intruder("UPDATE audit_event SET number = 2 WHERE number = 3");
    chain.as_intruder("UPDATE audit_event SET number = 3 WHERE number = 99");

    BOOST_TEST(chain.findings() == "event 2 was changed\nevent 3 was changed\n");
}

BOOST_AUTO_TEST_CASE(an_audit_event_of_another_tenant_is_not_taken_for_ones_own) {
    Chain chain(1);
    chain.as_intruder("UPDATE audit_event SET tenant_id = 8");
    chain.as_intruder("UPDATE audit_chain SET tenant_id = 8");
    chain.chain = model::TenantId{8};

    BOOST_TEST(chain.findings() == "event 1 was changed\n");
}

BOOST_AUTO_TEST_CASE(
    an_audit_event_that_was_replaced_with_a_hash_that_fits_is_found_by_its_successor) {
    Chain chain(3);
    chain.as_intruder("UPDATE audit_event SET user_name = 'bob' WHERE number = 2");
    auto event = chain.fresh.database.read([&](store::Connection& connection) {
        return *store::find_event(connection, chain.chain, 2);
    });
    identity::Sha256 hash;
    hash.add(model::audit::canonical(event));
    chain.as_intruder("UPDATE audit_event SET hash = '" + hash.finish() + "' WHERE number = 2");

    BOOST_TEST(chain.findings() == "event 2 was replaced\n");
}

BOOST_AUTO_TEST_CASE(a_chain_that_was_forged_throughout_is_found_by_its_seal) {
    Chain chain(4);
    chain.seal();
    chain.add(2);
    chain.as_intruder("UPDATE audit_event SET user_name = 'bob' WHERE number = 2");
    chain.rehash_from(2);

    BOOST_TEST(chain.findings() == "the seal of event 4 is wrong\n");
    const auto again = chain.seal();
    BOOST_TEST(!again.seal.has_value());
    BOOST_TEST(!again.findings.empty());
}

BOOST_AUTO_TEST_CASE(seals_that_were_forged_or_removed_are_found) {
    Chain chain(2);
    chain.seal(identity::SigningKey::from_text(
        "ed25519-seed:HxAREhMUFRYXGBkaGxwdHh8AAQIDBAUGBwgJCgsMDQ4="));

    BOOST_TEST(chain.findings({{.public_key = a_key().public_key()}}) ==
               "the seal of event 2 is wrong\n");

    chain.as_intruder("UPDATE audit_seal SET sealed_at = sealed_at - INTERVAL 1 DAY");
    BOOST_TEST(chain.findings() == "the seal of event 2 is wrong\n");

    chain.as_intruder("DELETE FROM audit_seal");
    BOOST_TEST(chain.findings() == "the seal of event 2 is wrong\n");
}

BOOST_AUTO_TEST_CASE(a_replaced_key_of_the_audit_log_is_believed_for_the_seals_of_its_time) {
    const auto other = identity::SigningKey::from_text(
        "ed25519-seed:HxAREhMUFRYXGBkaGxwdHh8AAQIDBAUGBwgJCgsMDQ4=");
    Chain chain(2);
    const auto now = [&] { return chain.fresh.database.read(store::moment_of_seals); };
    chain.seal(other);
    const store::AuditKeys keys{{.public_key = a_key().public_key()},
                                {.public_key = other.public_key(), .until = now()}};
    chain.add(1);
    chain.seal();
    BOOST_TEST(chain.findings(keys).empty(), chain.findings(keys));

    chain.add(1);
    chain.seal(other);
    BOOST_TEST(chain.findings(keys) == "the seal of event 4 is wrong\n");

    // Who has it can write a moment of its time into the seal.
    auto forged = chain.fresh.database.read(
        [&](store::Connection& connection) { return *store::last_seal(connection, chain.chain); });
    forged.sealed_at = *keys[1].until - std::chrono::microseconds{1};
    chain.as_intruder("UPDATE audit_seal SET sealed_at = '" + base::to_sql(forged.sealed_at) +
                      "', public_key = '" + a_key().public_key() + "', signature = '" +
                      other.sign(signed_bytes(forged)) + "' WHERE number = 4");
    BOOST_TEST(chain.findings(keys) == "the seal of event 4 is wrong\n");
    const store::AuditKeys endless{keys[0], {.public_key = other.public_key()}};
    BOOST_TEST(chain.findings(endless).empty(), chain.findings(endless));
}

BOOST_AUTO_TEST_CASE(a_chain_whose_end_was_moved_is_not_sealed_and_no_end_keeps_a_chain_from_it) {
    Chain chain(4);
    chain.seal();
    chain.add(2);
    const auto unsealed = [&] {
        return chain.fresh.database
            .read([&](store::Connection& connection) {
                return store::unsealed_chains(connection, std::chrono::seconds{0});
            })
            .size();
    };
    BOOST_TEST(unsealed() == 1U);
    chain.as_intruder("UPDATE audit_chain SET sealed_number = 1000000");
    BOOST_TEST(unsealed() == 1U);

    chain.as_intruder(
        "UPDATE audit_chain AS c JOIN audit_event AS e ON e.number = 4 SET "
        "c.number = 4, c.hash = e.hash");
    BOOST_TEST(unsealed() == 1U);
    const auto shorter = chain.seal();
    BOOST_TEST(!shorter.seal.has_value());
    BOOST_REQUIRE(shorter.findings.size() == 1U);
    BOOST_TEST(to_text(shorter.findings[0]).starts_with("event 5 was added: the chain ends with"),
               to_text(shorter.findings[0]));

    chain.as_intruder("DELETE FROM audit_event WHERE number > 3");
    chain.as_intruder(
        "UPDATE audit_chain AS c JOIN audit_event AS e ON e.number = 3 SET "
        "c.number = 3, c.hash = e.hash");
    BOOST_TEST(unsealed() == 1U);
    const auto cut = chain.seal();
    BOOST_REQUIRE(cut.findings.size() == 1U);
    BOOST_TEST(to_text(cut.findings[0]).starts_with("event 4 was removed"),
               to_text(cut.findings[0]));
}

// The web may change audit_chain. It must not choose the moment of what others do later.
BOOST_AUTO_TEST_CASE(a_moment_far_ahead_in_a_chain_is_not_that_of_later_events) {
    Chain chain(1);
    const auto ahead_of_last = [&] {
        chain.add(1);
        const auto events = chain.fresh.database.read([&](store::Connection& connection) {
            return store::list_events(connection, {.chain = chain.chain}, 0, 1);
        });
        return events.at(0).at - base::SystemClock().now();
    };

    chain.as_intruder("UPDATE audit_chain SET at = '9999-12-31'");
    BOOST_TEST((ahead_of_last() < std::chrono::minutes{1}));

    // A clock that was set back a little: moments stay in order.
    chain.as_intruder("UPDATE audit_chain SET at = UTC_TIMESTAMP(6) + INTERVAL 10 MINUTE");
    BOOST_TEST((ahead_of_last() > std::chrono::minutes{9}));
    BOOST_TEST(chain.findings() == "");
}

BOOST_AUTO_TEST_CASE(retention_deletes_sealed_audit_events_only_and_what_is_left_can_be_verified) {
    Chain chain(4);
    chain.seal();
    chain.add(3);
    chain.seal();
    chain.add(2);
    const auto later = base::SystemClock().now() + std::chrono::hours{1};
    const auto prune = [&](base::Timestamp before, std::int64_t most) {
        return chain.fresh.database.write([&](store::Connection& connection) {
            return store::prune_events(connection, chain.chain, a_key(), before, most, 1);
        });
    };

    BOOST_TEST(prune(base::SystemClock().now() - std::chrono::hours{1}, INT64_MAX) == 0);
    BOOST_TEST(prune(later, 3) == 0);
    BOOST_TEST(prune(later, INT64_MAX) == 4);
    BOOST_TEST(chain.findings({{.public_key = a_key().public_key()}}).empty(), chain.findings());
    BOOST_TEST(prune(later, INT64_MAX) == 7);
    BOOST_TEST(prune(later, INT64_MAX) == 0);

    BOOST_TEST(chain.findings({{.public_key = a_key().public_key()}}).empty(), chain.findings());
    chain.add(1);
    chain.seal();
    BOOST_TEST(chain.findings({{.public_key = a_key().public_key()}}).empty(), chain.findings());

    // Somebody else prunes.
    chain.as_intruder("UPDATE audit_seal SET anchor = ''");
    BOOST_TEST(chain.findings().starts_with("events 1 to 7 were removed"), chain.findings());
}

BOOST_AUTO_TEST_CASE(audit_events_that_are_recorded_at_once_are_one_chain) {
    Chain chain(0);
    std::vector<std::thread> writers;
    for (int i = 0; i < 6; ++i) writers.emplace_back([&] { chain.add(25); });
    for (std::thread& writer : writers) writer.join();

    BOOST_TEST(chain.findings().empty());
    const auto walked =
        store::verify_chain(chain.fresh.database, chain.chain, {}, [](const auto&) {});
    BOOST_TEST(walked.events == 150);
}

BOOST_AUTO_TEST_CASE(an_audit_event_is_there_if_and_only_if_its_change_is) {
    Chain chain(1);
    const auto fail = [&] {
        chain.fresh.database.write([&](store::Connection& connection) {
            Event event;
            event.chain = chain.chain;
            event.action = "tenant.create";
            store::record(connection, {event});
            throw std::runtime_error("killed between");
        });
    };

    BOOST_CHECK_THROW(fail(), std::runtime_error);

    chain.add(1);
    BOOST_TEST(chain.findings().empty());
    BOOST_TEST(
        store::verify_chain(chain.fresh.database, chain.chain, {}, [](const auto&) {}).events == 2);
}

BOOST_AUTO_TEST_CASE(audit_events_are_listed_by_each_filter) {
    Chain chain(5);
    const auto count = [&](store::AuditFilter filter) {
        filter.chain = chain.chain;
        return chain.fresh.database
            .read([&](store::Connection& connection) {
                return store::list_events(connection, filter, 0, 100);
            })
            .size();
    };
    const auto now = base::SystemClock().now();

    BOOST_TEST(count({}) == 5);
    BOOST_TEST(count({.user = "ann"}) == 5);
    BOOST_TEST(count({.user = "an"}) == 0);
    BOOST_TEST(count({.action = "provider."}) == 5);
    BOOST_TEST(count({.action = "provider_replace"}) == 0);
    BOOST_TEST(count({.object_kind = "provider", .object = "cloud"}) == 5);
    BOOST_TEST(count({.object = "2"}) == 5);
    BOOST_TEST(count({.object = "3"}) == 0);
    BOOST_TEST(count({.outcome = model::audit::Outcome::refused}) == 0);
    BOOST_TEST(count({.request = "r0"}) == 1);
    BOOST_TEST(count({.from = now - std::chrono::hours{1}, .to = now + std::chrono::hours{1}}) ==
               5);
    BOOST_TEST(count({.from = now + std::chrono::hours{1}}) == 0);
    BOOST_TEST(count({.to = now - std::chrono::hours{1}}) == 0);
}

BOOST_AUTO_TEST_CASE(parts_of_names_find_them_in_capital_and_small_letters) {
    Chain site(1);
    site.fresh.database.write([&](store::Connection& connection) {
        for (int i = 0; i <= store::most_names_of_part; ++i) {
            Event event;
            event.chain = site.chain;
            event.actor.name = i == 0 ? "Annabel" : "bob";
            event.object = {.kind = "provider", .id = "", .name = "x_" + std::to_string(i)};
            if (i == 7) event.object.kind = "service";
            event.action = "provider.create";
            store::record(connection, {event});
        }
    });

    site.fresh.database.read([&](store::Connection& connection) {
        const auto objects_with = [&](const store::NameFilter& filter) {
            return store::object_names_with(connection, filter);
        };
        const auto users =
            store::user_names_with(connection, {.chain = site.chain, .part = "ANN"}).names;
        BOOST_TEST(users == (std::vector<std::string>{"Annabel", "ann"}),
                   boost::test_tools::per_element());
        const auto objects = objects_with({.part = "LOU"}).names;
        BOOST_TEST(objects == std::vector<std::string>{"cloud"}, boost::test_tools::per_element());
        const auto many = objects_with({.chain = site.chain, .part = "x_"});
        BOOST_TEST(many.names.size() == 50U);
        BOOST_TEST(many.has_more);
        BOOST_TEST(many.names.front() == "x_50", "that of the newest event comes first");
        BOOST_TEST(std::ranges::count(many.names, "x_0") == 0);
        BOOST_TEST(objects_with({.chain = site.chain, .part = "%"}).names.empty());
        const auto of_kind = objects_with({.chain = site.chain,
                                           .part = "x_",
                                           .object_kind = "service",
                                           .from = base::from_sql("2020-01-01 00:00:00")});
        BOOST_TEST(of_kind.names == std::vector<std::string>{"x_7"},
                   boost::test_tools::per_element());
        const auto later = base::from_sql("2999-01-01 00:00:00");
        BOOST_TEST(objects_with({.chain = site.chain, .part = "x_", .from = later}).names.empty());
        const auto found = store::list_events(
            connection, {.chain = site.chain, .user = "ann", .more_users = {"Annabel"}}, 0, 10);
        BOOST_TEST(found.size() == 2U);
    });
}

BOOST_AUTO_TEST_CASE(edits_of_the_catalogue_are_in_the_audit_log_without_secrets) {
    FreshDatabase fresh;
    make_keys(fresh.config);
    const auto caller = a_caller(fresh.database);
    save_small_catalogue(fresh.database, caller);
    const auto replace = [&](const char* text) {
        const auto done =
            operations::replace_entry(fresh.database, caller, model::CatalogueKind::provider,
                                      "cloud", *base::parse_json(text), some_time());
        BOOST_TEST_REQUIRE(done.has_value());
    };
    replace(R"({"name":"cloud","providertype":"simulated",
                "provisioner":{"api_password":"planted-1","region":"eu"}})");
    replace(R"({"name":"cloud","providertype":"simulated",
                "provisioner":{"api_password":"planted-2","region":"eu"}})");

    const auto events = fresh.database.read([&](store::Connection& connection) {
        return store::list_events(connection,
                                  {.chain = caller.tenant.id, .action = "provider.replace"}, 0, 10);
    });
    BOOST_TEST_REQUIRE(events.size() == 2U);
    const Event& last = events.front();
    BOOST_TEST(last.actor.name == "ann");
    BOOST_TEST(last.object.name == "cloud");
    BOOST_TEST(last.before.find(R"("api_password":"********")") != std::string::npos, last.before);
    const std::string changed = R"x("api_password":"******** (changed)")x";
    BOOST_TEST(last.after.find(changed) != std::string::npos, last.after);
    BOOST_TEST((last.before + last.after).find("planted") == std::string::npos);
    BOOST_TEST((last.before + last.after).find("sealed") == std::string::npos);
    BOOST_TEST(last.after.find("eu") != std::string::npos);
}
