#include "provisioner/operations/sign_in/sign_in.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <functional>
#include <thread>

#include "provisioner/identity/passwords.hpp"
#include "provisioner/identity/tokens.hpp"
#include "provisioner/operations/sign_in/throttle.hpp"
#include "provisioner/store/audit/audit_store.hpp"
#include "provisioner/store/sign_in/session_store.hpp"
#include "provisioner/store/tenants/user_store.hpp"
#include "tests/integration/provisioner/fixture.hpp"

using namespace provisioner;
using namespace std::chrono_literals;
using operations::SignInResult;
using End = operations::SignInResult::End;

BOOST_AUTO_TEST_SUITE(sign_in)

namespace {

const char* const right = "staves and hoops";

/// A tenant "acme" with the administrator ann, who has a password.
struct Site {
    Site() {
        hash = identity::hash_password(base::Secret(right));
        set_password(std::nullopt);
    }

    void set_password(std::optional<base::Timestamp> initial_until) {
        fresh.database.write([&](store::Connection& connection) {
            store::update_password(connection, ann.user.id, hash, initial_until);
        });
    }

    SignInResult attempt(const std::string& password, const std::string& address = "192.0.2.7",
                         const std::string& user = "ann") {
        return operations::sign_in(fresh.database,
                                   {.tenant = "acme",
                                    .user = user,
                                    .password = base::Secret(password),
                                    .client = {.address = address, .agent = "Test/1.0"}},
                                   rules, now);
    }

    std::optional<model::OpenSession> use(const SignInResult& result) {
        return operations::use_session(fresh.database, identity::hash_of_token(result.token), rules,
                                       now);
    }

    tests::FreshDatabase fresh;
    model::Caller ann = tests::a_caller(fresh.database);
    operations::SignInRules rules{};
    base::Timestamp now = tests::some_time();
    std::string hash;
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(the_right_password_opens_a_session, Site) {
    const auto result = attempt(right);

    BOOST_REQUIRE((result.end == End::done));
    const auto session = use(result);
    BOOST_REQUIRE(session.has_value());
    BOOST_TEST(session->caller.user.name == "ann");
    BOOST_TEST(session->caller.tenant.name == "acme");
    BOOST_TEST(session->session.address == "192.0.2.7");
    BOOST_TEST(session->session.agent == "Test/1.0");
    BOOST_TEST((session->session.stage == model::SessionStage::open));
}

BOOST_FIXTURE_TEST_CASE(wrong_passwords_unknown_users_and_disabled_ones_get_one_answer, Site) {
    BOOST_TEST((attempt("wrong").end == End::wrong_password));
    BOOST_TEST((attempt(right, "192.0.2.8", "nobody").end == End::wrong_password));
    fresh.database.write([&](store::Connection& connection) {
        store::update_access(connection, ann.user.id, model::Role::admin, true);
    });
    BOOST_TEST((attempt(right, "192.0.2.9").end == End::wrong_password));
}

BOOST_FIXTURE_TEST_CASE(after_five_failures_even_the_right_password_waits, Site) {
    for (int i = 0; i < 5; ++i) BOOST_TEST((attempt("wrong").end == End::wrong_password));

    const auto waiting = attempt(right);
    BOOST_TEST((waiting.end == End::must_wait));
    BOOST_TEST(waiting.wait.count() == 1);
    BOOST_TEST((attempt("wrong").end == End::must_wait));
    BOOST_TEST((attempt(right, "198.51.100.1").end == End::done));

    now += 1s;
    BOOST_TEST((attempt(right).end == End::done));
    BOOST_TEST((attempt("wrong").end == End::wrong_password));
    BOOST_TEST((attempt(right).end == End::done));
}

BOOST_FIXTURE_TEST_CASE(guessing_from_many_networks_is_slow_and_the_owner_gets_in, Site) {
    const std::string home = "192.0.2.7";
    BOOST_REQUIRE((attempt(right, home).end == End::done));
    const auto looked_at = [&](const std::function<std::string(int)>& address, int attempts) {
        int tried = 0;
        for (int i = 0; i < attempts; ++i) {
            const auto subjects = operations::subjects_of("acme", "ann", address(i));
            if (!operations::begin_sign_in(fresh.database, subjects, now)) ++tried;
        }
        return tried;
    };

    // One line to the internet has 65,536 networks.
    BOOST_TEST(looked_at([](int i) { return "2001:db8:7:" + std::to_string(i) + "::1"; }, 60) ==
               10);
    BOOST_TEST(looked_at([](int i) { return "198.51." + std::to_string(i) + ".1"; }, 200) == 90);

    BOOST_TEST((attempt(right, "203.0.113.1").end == End::must_wait));
    BOOST_TEST((attempt(right, home).end == End::done));
    BOOST_TEST((attempt(right, "192.0.2.99").end == End::done));
    // Nobody has signed in to an account that is not there.
    const auto nobody = [&](int i) {
        return operations::subjects_of("acme", "nobody", "198.51." + std::to_string(i) + ".1");
    };
    for (int i = 0; i < 100; ++i) {
        BOOST_REQUIRE(!operations::begin_sign_in(fresh.database, nobody(i), now));
    }
    BOOST_TEST(operations::begin_sign_in(fresh.database, nobody(200), now).has_value());
}

BOOST_FIXTURE_TEST_CASE(networks_of_owners_are_kept_for_long_and_do_not_crowd_failures_out, Site) {
    attempt(right, "192.0.2.7");
    attempt(right, "198.51.100.1");
    attempt("wrong", "203.0.113.1");
    const auto prune = [&](auto&& run) {
        return fresh.database.write([&](store::Connection& connection) { return run(connection); });
    };
    const auto none = [&](auto& connection) {
        return store::delete_failures_beyond(connection, 7, 500);
    };

    // Of each sign-in that was right the address, and the account once.
    BOOST_TEST(prune(none) == 0);
    BOOST_TEST(prune([&](auto& connection) {
                   return store::delete_failures(connection, now + 1s, 500);
               }) > 0);
    BOOST_TEST(prune([](auto& connection) {
                   return store::delete_remembered_beyond(connection, 1, 500);
               }) == 1);
    BOOST_TEST(prune([&](auto& connection) {
                   return store::delete_remembered(connection, now, 500);
               }) == 0);
    BOOST_TEST(prune([&](auto& connection) {
                   return store::delete_remembered(connection, now + 1s, 500);
               }) == 1);
}

BOOST_FIXTURE_TEST_CASE(unknown_accounts_wait_as_others_do, Site) {
    for (int i = 0; i < 5; ++i) attempt("wrong", "192.0.2.7", "nobody");

    BOOST_TEST((attempt("wrong", "192.0.2.7", "nobody").end == End::must_wait));
}

BOOST_FIXTURE_TEST_CASE(attempts_at_the_same_time_are_no_way_around_the_wait, Site) {
    store::Database other(fresh.config);
    std::atomic<int> tried = 0;
    std::atomic<int> waited = 0;
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 8; ++thread) {
        threads.emplace_back([&, thread] {
            store::Database& database = thread % 2 == 0 ? fresh.database : other;
            const auto subjects = operations::subjects_of("acme", "ann", "192.0.2.7");
            for (int i = 0; i < 25; ++i) {
                const bool wait = operations::begin_sign_in(database, subjects, now).has_value();
                ++(wait ? waited : tried);
            }
        });
    }
    for (std::thread& thread : threads) thread.join();

    BOOST_TEST(tried == 5);
    BOOST_TEST(waited == 195);
}

BOOST_FIXTURE_TEST_CASE(who_is_right_leaves_no_count_behind_for_others, Site) {
    for (int i = 0; i < 60; ++i) attempt(right, "192.0.2.7");

    const auto subjects = operations::subjects_of("acme", "ann", "192.0.2.7");
    const auto counts = fresh.database.read([&](store::Connection& connection) {
        return store::failures_of(connection, subjects.all());
    });
    for (const auto& [subject, failures] : counts) BOOST_TEST(failures.count == 0);
}

BOOST_FIXTURE_TEST_CASE(what_could_not_be_checked_does_not_count, Site) {
    identity::hash_gate().set({.at_once = 0, .waiting = 0, .patience = 0ms});
    const auto result = attempt(right);
    identity::hash_gate().set({});

    BOOST_TEST((result.end == End::too_busy));
    BOOST_TEST(result.wait.count() > 0);
    const auto subjects = operations::subjects_of("acme", "ann", "192.0.2.7");
    const auto counts = fresh.database.read([&](store::Connection& connection) {
        return store::failures_of(connection, subjects.all());
    });
    for (const auto& [subject, failures] : counts) BOOST_TEST(failures.count == 0);
}

BOOST_FIXTURE_TEST_CASE(counts_are_pruned_by_age_and_by_number, Site) {
    for (int i = 0; i < 6; ++i) attempt("wrong", "192.0.2." + std::to_string(i));
    now += 25h;
    attempt("wrong", "192.0.2.100");

    const auto prune = [&](auto&& run) {
        return fresh.database.write([&](store::Connection& connection) { return run(connection); });
    };
    const auto old = now - 24h;
    BOOST_TEST(prune([&](auto& connection) {
                   return store::delete_failures(connection, old, 500);
               }) == 12);
    BOOST_TEST(prune([](auto& connection) {
                   return store::delete_failures_beyond(connection, 2, 500);
               }) == 1);
    BOOST_TEST(prune([](auto& connection) {
                   return store::delete_failures_beyond(connection, 2, 500);
               }) == 0);
}

BOOST_FIXTURE_TEST_CASE(a_session_ends_when_nobody_uses_it_and_when_its_day_is_over, Site) {
    const auto first = attempt(right);
    const auto second = attempt(right);
    for (int i = 0; i < 11; ++i) {
        now += 1h;
        BOOST_TEST(use(first).has_value(), "after hour " << i + 1);
    }
    BOOST_TEST(!use(second).has_value());
    now += 1h;
    BOOST_TEST(!use(first).has_value());
}

BOOST_FIXTURE_TEST_CASE(the_use_of_a_session_is_written_every_few_minutes_only, Site) {
    const auto result = attempt(right);
    const auto began = now;
    now += 4min;
    use(result);
    BOOST_TEST((use(result)->session.last_used_at == began));
    now += 2min;
    use(result);
    BOOST_TEST((use(result)->session.last_used_at == now));
}

BOOST_FIXTURE_TEST_CASE(a_wrong_key_is_counted_for_all_processes, Site) {
    store::Database other(fresh.config);
    BOOST_TEST(operations::count_wrong_key(fresh.database, "192.0.2.7 ann", now) == 1);
    BOOST_TEST(operations::count_wrong_key(other, "192.0.2.7 ann", now + 1s) == 2);
    BOOST_TEST(operations::count_wrong_key(other, "192.0.2.7 bob", now + 1s) == 1);
    BOOST_TEST(operations::count_wrong_key(other, "192.0.2.7 ann", now + 2min) == 1);
}

BOOST_FIXTURE_TEST_CASE(a_hash_of_an_older_cost_is_made_anew_when_its_password_is_given, Site) {
    // One pass over 8 KiB.
    hash =
        "$argon2id$v=19$m=8,t=1,p=1$DpPnv+yTdwr8WehTfhLZtA$afA7NU5PQe1E4EgPP+nsxS6iKfBpYIVa+"
        "Qf2oOnrIKA";
    set_password(now + 1h);
    const auto stored = [&] {
        return fresh.database.read([&](store::Connection& connection) {
            return store::find_user(connection, ann.tenant.id, "ann").value();
        });
    };
    BOOST_TEST(identity::is_old_hash(hash));

    BOOST_TEST((attempt("wrong").end == End::wrong_password));
    BOOST_TEST(stored().password_hash == hash);
    BOOST_TEST((attempt(right).end == End::done));

    const auto after = stored();
    BOOST_TEST(!identity::is_old_hash(after.password_hash));
    BOOST_TEST((after.initial_until == now + 1h));
    BOOST_TEST((attempt(right).end == End::done));
    BOOST_TEST(stored().password_hash == after.password_hash);
}

BOOST_FIXTURE_TEST_CASE(another_session_than_are_allowed_ends_the_one_that_was_used_least, Site) {
    rules.sessions = 3;
    std::vector<SignInResult> all;
    for (int i = 0; i < 3; ++i) {
        all.push_back(attempt(right));
        now += 1min;
    }
    // The first is used again, so the second is the oldest.
    now += 10min;
    BOOST_TEST(use(all[0]).has_value());

    all.push_back(attempt(right));

    BOOST_TEST(use(all[0]).has_value());
    BOOST_TEST(!use(all[1]).has_value());
    BOOST_TEST(use(all[2]).has_value());
    BOOST_TEST(use(all[3]).has_value());
    const auto events = fresh.database.read([&](store::Connection& connection) {
        return store::list_events(
            connection, {.chain = ann.tenant.id, .action = "user.end-oldest-sessions"}, 0, 10);
    });
    BOOST_REQUIRE(events.size() == 1U);
    BOOST_TEST(events.front().actor.name == "ann");
    BOOST_TEST(events.front().actor.client == "192.0.2.7");
}

BOOST_AUTO_TEST_SUITE_END()
