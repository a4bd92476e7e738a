#include <boost/test/unit_test.hpp>

#include <fstream>
#include <thread>

#include "provisioner/identity/codes/one_time_codes.hpp"
#include "provisioner/identity/hash_gate.hpp"
#include "provisioner/identity/passwords.hpp"
#include "provisioner/identity/tokens.hpp"
#include "provisioner/operations/catalogue/provider_secrets.hpp"
#include "provisioner/operations/sign_in/factors.hpp"
#include "provisioner/operations/sign_in/passwords.hpp"
#include "provisioner/operations/tenants/api_keys.hpp"
#include "provisioner/operations/tenants/users.hpp"
#include "provisioner/store/sign_in/session_store.hpp"
#include "provisioner/store/tenants/mail_store.hpp"
#include "provisioner/store/tenants/user_store.hpp"
#include "tests/integration/provisioner/fixture.hpp"

using namespace provisioner;
using namespace std::chrono_literals;
using operations::SignInResult;

BOOST_AUTO_TEST_SUITE(credentials)

namespace {

using End = SignInResult::End;
using Stage = model::SessionStage;

const char* const old_password = "staves and hoops";
const char* const new_password = "a croze, an adze";

/// A tenant "acme" with the administrator ann and the user bob, who has a password.
struct Site {
    Site() {
        tests::add_keys(fresh.config);
        BOOST_REQUIRE(operations::create_user(
                          fresh.database, ann, "acme",
                          {.name = "bob", .password = base::Secret(old_password)}, now, rules)
                          .has_value());
        bob = ann;
        bob.user = find_bob();
        forget_initial();
    }

    model::User find_bob() {
        return fresh.database.read([&](store::Connection& connection) {
            return store::find_user(connection, ann.tenant.id, "bob").value();
        });
    }

    void forget_initial() {
        fresh.database.write([&](store::Connection& connection) {
            store::update_password(connection, bob.user.id, bob.user.password_hash);
        });
    }

    SignInResult sign_in(const std::string& password) {
        return operations::sign_in(
            fresh.database,
            {.tenant = "acme", .user = "bob", .password = base::Secret(password), .client = client},
            rules, now);
    }

    std::optional<model::OpenSession> use(const base::Secret& token) {
        return operations::use_session(fresh.database, identity::hash_of_token(token), rules, now);
    }

    model::OpenSession signed_in() {
        const auto result = sign_in(old_password);
        BOOST_REQUIRE((result.end == End::done));
        return use(result.token).value();
    }

    /// Sessions of bob that let in, half or whole.
    std::size_t open_sessions() {
        return fresh.database.read([&](store::Connection& connection) {
            return store::list_sessions(connection, bob.user.id, now, now - 2h).size();
        });
    }

    std::string code_now(const base::Secret& secret) {
        return identity::code_of_step(secret, identity::code_step(now));
    }

    operations::FactorView factor() {
        return fresh.database.read([&](store::Connection& connection) {
            return operations::view_factor(connection, bob.user.id);
        });
    }

    /// Turns on a factor for bob and returns its secret; the clock has moved on.
    base::Secret with_factor(std::vector<base::Secret>* recovery = nullptr) {
        const auto here = signed_in();
        const auto secret = operations::begin_factor(fresh.database, here, now).secret;
        const auto confirmed =
            operations::confirm_factor(fresh.database, here, code_now(secret), client, now);
        BOOST_REQUIRE((confirmed.result.end == End::done));
        if (recovery != nullptr) *recovery = confirmed.recovery_codes;
        now += 1min;
        return secret;
    }

    tests::FreshDatabase fresh;
    model::Caller ann = tests::a_caller(fresh.database);
    model::Caller bob;
    operations::SignInRules rules{};
    operations::Client client{.address = "192.0.2.7", .agent = "Test/1.0"};
    base::Timestamp now = tests::some_time();
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_change_of_password_ends_all_other_sessions, Site) {
    const auto other = sign_in(old_password);
    const auto here = signed_in();

    const auto changed = operations::change_password(fresh.database, here,
                                                     {.current = base::Secret(old_password),
                                                      .wanted = base::Secret(new_password),
                                                      .repeated = base::Secret(new_password)},
                                                     client, rules, now);

    BOOST_TEST(changed.problems.empty());
    BOOST_REQUIRE((changed.proof && changed.proof->end == End::done));
    BOOST_TEST(!use(other.token).has_value());
    BOOST_TEST(use(changed.token).has_value());
    BOOST_TEST((sign_in(old_password).end == End::wrong_password));
    BOOST_TEST((sign_in(new_password).end == End::done));
}

BOOST_FIXTURE_TEST_CASE(who_has_a_second_factor_is_not_proved_by_the_password_alone, Site) {
    const auto secret = with_factor();
    const auto half = sign_in(old_password);
    const auto here = operations::give_code(fresh.database, use(half.token).value(),
                                            code_now(secret), client, rules, now);
    BOOST_REQUIRE((here.end == End::done));
    const auto proven = use(here.token)->session.proven_at;
    now += 11min;

    const auto changed = operations::change_password(fresh.database, use(here.token).value(),
                                                     {.current = base::Secret(old_password),
                                                      .wanted = base::Secret(new_password),
                                                      .repeated = base::Secret(new_password)},
                                                     client, rules, now);

    BOOST_REQUIRE((changed.proof && changed.proof->end == End::done));
    BOOST_TEST((use(changed.token)->session.proven_at == proven));
    const auto again = operations::prove_by_password(fresh.database, use(changed.token).value(),
                                                     base::Secret(new_password), client, now, {});
    BOOST_REQUIRE((again.end == End::done));
    BOOST_TEST((use(again.token)->session.proven_at == proven));
}

BOOST_FIXTURE_TEST_CASE(a_wrong_present_password_counts_as_a_failure, Site) {
    const auto here = signed_in();
    const auto attempt = [&] {
        return operations::change_password(fresh.database, here,
                                           {.current = base::Secret("not it, not at all"),
                                            .wanted = base::Secret(new_password),
                                            .repeated = base::Secret(new_password)},
                                           client, rules, now)
            .proof->end;
    };
    for (int i = 0; i < 5; ++i) BOOST_TEST((attempt() == End::wrong_password));
    BOOST_TEST((attempt() == End::must_wait));
    BOOST_TEST((sign_in(old_password).end == End::must_wait));
}

BOOST_FIXTURE_TEST_CASE(every_problem_of_a_new_password_is_said_at_once, Site) {
    const auto changed = operations::change_password(
        fresh.database, signed_in(),
        {.current = {}, .wanted = base::Secret("bob"), .repeated = base::Secret("rob")}, client,
        rules, now);

    std::vector<std::string> fields;
    for (const auto& problem : changed.problems) fields.push_back(problem.field);
    const std::vector<std::string> expected{"current", "wanted", "repeated"};
    BOOST_TEST(fields == expected, boost::test_tools::per_element());
    BOOST_TEST(!changed.proof.has_value());
}

BOOST_FIXTURE_TEST_CASE(a_refused_change_tells_a_wrong_password_and_leaves_the_session, Site) {
    const auto result = sign_in(old_password);
    const auto here = use(result.token).value();
    const auto attempt = [&](const char* current) {
        return operations::change_password(fresh.database, here,
                                           {.current = base::Secret(current),
                                            .wanted = base::Secret("bob"),
                                            .repeated = base::Secret("bob")},
                                           client, rules, now);
    };

    const auto right = attempt(old_password);
    BOOST_TEST(!right.problems.empty());
    BOOST_REQUIRE((right.proof && right.proof->end == End::done));
    BOOST_TEST(right.token.empty());
    BOOST_REQUIRE(use(result.token).has_value());
    BOOST_TEST((use(result.token)->session.proven_at == here.session.proven_at));

    for (int i = 0; i < 5; ++i) {
        const auto wrong = attempt("not it, not at all");
        BOOST_TEST(!wrong.problems.empty());
        BOOST_REQUIRE((wrong.proof && wrong.proof->end == End::wrong_password));
    }
    BOOST_TEST((attempt(old_password).proof->end == End::must_wait));
    BOOST_TEST((sign_in(old_password).end == End::must_wait));
}

BOOST_FIXTURE_TEST_CASE(a_right_password_in_a_refused_change_forgets_no_failures, Site) {
    const auto here = signed_in();
    const auto attempt = [&](const char* current) {
        return operations::change_password(fresh.database, here,
                                           {.current = base::Secret(current),
                                            .wanted = base::Secret("bob"),
                                            .repeated = base::Secret("bob")},
                                           client, rules, now)
            .proof->end;
    };
    for (int i = 0; i < 4; ++i) BOOST_TEST((attempt("not it, not at all") == End::wrong_password));
    BOOST_TEST((attempt(old_password) == End::done));
    BOOST_TEST((attempt("not it, not at all") == End::wrong_password));
    BOOST_TEST((attempt(old_password) == End::must_wait));
}

BOOST_FIXTURE_TEST_CASE(an_initial_password_must_be_changed_and_does_not_last, Site) {
    const auto before = signed_in();
    const auto initial =
        operations::reset_password(fresh.database, ann, "acme", "bob", rules, now).value();

    BOOST_TEST((sign_in(old_password).end == End::wrong_password));
    const auto result = sign_in(initial.reveal());
    BOOST_REQUIRE((result.end == End::done));
    BOOST_TEST((result.stage == Stage::password));
    const auto changed = operations::change_password(fresh.database, use(result.token).value(),
                                                     {.current = initial,
                                                      .wanted = base::Secret(new_password),
                                                      .repeated = base::Secret(new_password)},
                                                     client, rules, now);
    BOOST_REQUIRE((changed.proof && changed.proof->end == End::done));
    BOOST_TEST((use(changed.token)->session.stage == Stage::open));
    BOOST_TEST((sign_in(new_password).stage == Stage::open));

    const auto late =
        operations::reset_password(fresh.database, ann, "acme", "bob", rules, now).value();
    now += 72h;
    BOOST_TEST((sign_in(late.reveal()).end == End::wrong_password));
}

BOOST_FIXTURE_TEST_CASE(only_administrators_reset_and_lock_and_never_themselves, Site) {
    using operations::Refusal;
    const auto kind_of = [](const auto& result) { return result.error().kind; };

    BOOST_TEST((kind_of(operations::reset_password(fresh.database, bob, "acme", "ann", rules,
                                                   now)) == Refusal::Kind::not_found));
    BOOST_TEST((kind_of(operations::reset_password(fresh.database, ann, "acme", "ann", rules,
                                                   now)) == Refusal::Kind::conflict));
    const auto other = tests::a_caller(fresh.database, "other");
    BOOST_TEST((kind_of(operations::reset_password(fresh.database, other, "acme", "bob", rules,
                                                   now)) == Refusal::Kind::not_found));
    BOOST_TEST((kind_of(operations::change_access(fresh.database, ann, "acme", "bob",
                                                  {.role = model::Role::superadmin})) ==
                Refusal::Kind::invalid));
}

BOOST_FIXTURE_TEST_CASE(a_new_role_and_a_lock_end_sessions_and_a_lock_ends_keys, Site) {
    const auto key = operations::create_api_key(fresh.database, bob, {.name = "ci"}, {}, now);
    const std::string key_hash = identity::hash_of_token(key->secret);
    const auto first = sign_in(old_password);
    BOOST_REQUIRE(
        operations::change_access(fresh.database, ann, "acme", "bob", {.role = model::Role::admin})
            .has_value());
    BOOST_TEST(!use(first.token).has_value());

    const auto second = sign_in(old_password);
    BOOST_REQUIRE(operations::change_access(fresh.database, ann, "acme", "bob", {.disabled = true})
                      .has_value());
    BOOST_TEST(!use(second.token).has_value());
    BOOST_TEST((sign_in(old_password).end == End::wrong_password));
    const auto owner = fresh.database.read([&](store::Connection& connection) {
        return store::find_key_owner(connection, key_hash, now);
    });
    BOOST_TEST(!owner.has_value());
}

BOOST_FIXTURE_TEST_CASE(sessions_are_ended_by_their_user_and_administrators_only, Site) {
    const auto session = signed_in();
    const auto end_as = [&](const model::Caller& who) {
        return operations::end_sessions(fresh.database, who, "acme", "bob", session.session.id)
            .has_value();
    };

    BOOST_TEST(!end_as(tests::a_caller(fresh.database, "other")));
    BOOST_TEST(end_as(bob));
    BOOST_TEST(!end_as(ann));
    const auto again = sign_in(old_password);
    BOOST_TEST(operations::end_sessions(fresh.database, ann, "acme", "bob", {}).has_value());
    BOOST_TEST(!use(again.token).has_value());
}

BOOST_FIXTURE_TEST_CASE(a_key_that_expires_makes_none_that_lives_longer, Site) {
    const auto make = [&](std::optional<std::int64_t> expires_at, model::KeyLimits limits,
                          const std::optional<model::KeyLimits>& asking) {
        static int number = 0;
        return operations::create_api_key(
            fresh.database, bob,
            {.name = "key" + std::to_string(++number), .limits = limits, .expires_at = expires_at},
            asking, now);
    };
    const auto in_a_minute = base::to_millis(now + 1min);
    const auto parent = make(in_a_minute, {}, {}).value().key.limits;

    BOOST_TEST(!make({}, {}, parent).has_value());
    BOOST_TEST(!make(in_a_minute + 1, {}, parent).has_value());
    BOOST_TEST(make(in_a_minute, {}, parent).has_value());
    const auto refused = make({}, {}, parent);
    BOOST_TEST(refused.error().problems.front().field == "expireTime");

    const model::KeyLimits narrow{.scope = model::KeyScope::some,
                                  .rights = {{model::ResourceKind::profile, true}},
                                  .clusters = {7}};
    BOOST_TEST(make({}, narrow, narrow).has_value());
    BOOST_TEST(make({}, {}, narrow).error().problems.size() == 2U);
}

BOOST_FIXTURE_TEST_CASE(limits_of_a_key_come_back_as_they_were, Site) {
    const model::KeyLimits limits{
        .scope = model::KeyScope::some,
        .rights = {{model::ResourceKind::clusters, true}, {model::ResourceKind::audit, false}},
        .clusters = {7, 12}};
    const auto made = operations::create_api_key(fresh.database, bob,
                                                 {.name = "narrow", .limits = limits}, {}, now);
    const std::string key_hash = identity::hash_of_token(made->secret);
    const auto owner = fresh.database.read([&](store::Connection& connection) {
        return store::find_key_owner(connection, key_hash, now);
    });

    BOOST_REQUIRE(owner.has_value());
    BOOST_TEST((owner->limits.scope == limits.scope));
    BOOST_TEST((owner->limits.rights == limits.rights));
    BOOST_TEST((owner->limits.clusters == limits.clusters));
    BOOST_TEST(!owner->last_used_at.has_value());
}

BOOST_FIXTURE_TEST_CASE(with_a_factor_a_password_is_half_a_sign_in, Site) {
    const auto secret = with_factor();

    const auto first = sign_in(old_password);
    BOOST_REQUIRE((first.end == End::done));
    BOOST_TEST((first.stage == Stage::code));
    const auto half = use(first.token).value();
    const auto wrong = operations::give_code(fresh.database, half, "000000", client, rules, now);
    BOOST_TEST((wrong.end == End::wrong_code));
    const auto code = code_now(secret);
    const auto second = operations::give_code(fresh.database, half, code, client, rules, now);
    BOOST_REQUIRE((second.end == End::done));
    BOOST_TEST((use(second.token)->session.stage == Stage::open));
    BOOST_TEST(!use(first.token).has_value());

    // The same code again, in another sign-in.
    const auto third = sign_in(old_password);
    const auto replayed =
        operations::give_code(fresh.database, use(third.token).value(), code, client, rules, now);
    BOOST_TEST((replayed.end == End::wrong_code));
}

BOOST_FIXTURE_TEST_CASE(the_first_step_is_valid_for_minutes_only, Site) {
    const auto secret = with_factor();
    const auto first = sign_in(old_password);
    const auto half = use(first.token).value();
    now += 5min;

    BOOST_TEST(!use(first.token).has_value());
    const auto late =
        operations::give_code(fresh.database, half, code_now(secret), client, rules, now);
    BOOST_TEST((late.end == End::no_first_step));
}

BOOST_FIXTURE_TEST_CASE(codes_cannot_be_tried_out_from_many_addresses_or_sign_ins, Site) {
    const auto secret = with_factor();
    int tried = 0;
    for (int i = 0; i < 10; ++i) {
        const operations::Client elsewhere{.address = "198.51." + std::to_string(i) + ".9"};
        const auto half = use(sign_in(old_password).token).value();
        const auto end =
            operations::give_code(fresh.database, half, "000000", elsewhere, rules, now).end;
        if (end == End::wrong_code) ++tried;
    }

    BOOST_TEST(tried == 5);
    const auto give = [&](const std::string& code, const operations::Client& from) {
        const auto half = use(sign_in(old_password).token).value();
        return operations::give_code(fresh.database, half, code, from, rules, now).end;
    };
    BOOST_TEST((give(code_now(secret), {.address = "203.0.113.5"}) == End::must_wait));
    // The owner, where the factor was set up, is not held out by that, and has a count there.
    for (int i = 0; i < 5; ++i) BOOST_TEST((give("000000", client) == End::wrong_code));
    BOOST_TEST((give(code_now(secret), client) == End::must_wait));
    now += 1s;
    BOOST_TEST((give(code_now(secret), client) == End::done));
}

BOOST_FIXTURE_TEST_CASE(a_recovery_code_works_once, Site) {
    std::vector<base::Secret> codes;
    with_factor(&codes);
    BOOST_REQUIRE(codes.size() == 10U);
    const auto attempt = [&] {
        const auto half = use(sign_in(old_password).token).value();
        return operations::give_code(fresh.database, half, codes.front().reveal(), client, rules,
                                     now);
    };

    const auto first = attempt();
    BOOST_TEST((first.end == End::done));
    BOOST_TEST(first.given == "recovery code");
    BOOST_TEST((attempt().end == End::wrong_code));
    BOOST_TEST(factor().recovery_codes == 9);
    const auto mail = [&] {
        return fresh.database.write(
            [](store::Connection& connection) { return store::take_mail(connection, 60s); });
    };
    BOOST_TEST(!mail(), "who gets no mails gets none");

    fresh.database.write([&](store::Connection& connection) {
        store::lock_mail_choice(connection, first.user_id);
        store::save_mail_choice(connection, first.user_id, {.address = "bob@example.com"});
    });
    const auto half = use(sign_in(old_password).token).value();
    operations::give_code(fresh.database, half, codes.back().reveal(), client, rules, now);
    const auto told = mail();
    BOOST_REQUIRE(told.has_value());
    BOOST_TEST(told->address == "bob@example.com");
    BOOST_TEST(told->body.find("Recovery codes left: 8.") != std::string::npos, told->body);
}

BOOST_FIXTURE_TEST_CASE(who_must_have_a_factor_is_led_to_it, Site) {
    rules.second_factor = model::SecondFactorFor::admins;
    BOOST_TEST((sign_in(old_password).stage == Stage::open));
    rules.second_factor = model::SecondFactorFor::everybody;
    const auto result = sign_in(old_password);
    BOOST_TEST((result.stage == Stage::factor));
    const auto here = use(result.token).value();
    const auto secret = operations::begin_factor(fresh.database, here, now).secret;
    const auto confirmed =
        operations::confirm_factor(fresh.database, here, code_now(secret), client, now);
    BOOST_TEST((use(confirmed.result.token)->session.stage == Stage::open));
}

BOOST_FIXTURE_TEST_CASE(an_administrator_takes_a_lost_factor_away, Site) {
    with_factor();
    BOOST_TEST(operations::remove_factors_of(fresh.database, ann, "acme", "bob").has_value());
    BOOST_TEST((sign_in(old_password).stage == Stage::open));
    BOOST_TEST(!operations::remove_factors_of(fresh.database, ann, "acme", "bob").has_value());
}

BOOST_FIXTURE_TEST_CASE(superadmins_help_users_of_all_tenants_and_administrators_their_own, Site) {
    const auto sees = [&](const model::Caller& caller) {
        return fresh.database.read([&](store::Connection& connection) {
            return operations::seen_user(connection, caller, ann.tenant, "bob").has_value();
        });
    };
    const auto other = tests::a_caller(fresh.database, "lab");
    const auto root = tests::a_caller(fresh.database, "superadmin", model::Role::superadmin);

    BOOST_TEST(sees(ann));
    BOOST_TEST(!sees(other), "another tenant's administrator");
    BOOST_TEST(sees(root));

    for (const auto* caller : {&other, &root}) {
        const bool is_root = caller == &root;
        const auto password =
            operations::reset_password(fresh.database, *caller, "acme", "bob", rules, now);
        BOOST_TEST(password.has_value() == is_root);
        const auto locked =
            operations::change_access(fresh.database, *caller, "acme", "bob", {.disabled = true});
        BOOST_TEST(locked.has_value() == is_root);
        if (!is_root) {
            BOOST_TEST((locked.error().kind == operations::Refusal::Kind::not_found));
        }
    }
}

BOOST_FIXTURE_TEST_CASE(whoever_is_no_administrator_any_more_takes_no_factor_away, Site) {
    with_factor();
    fresh.database.write([&](store::Connection& connection) {
        connection.sql("UPDATE user SET disabled = 1 WHERE id = ?")
            << ann.user.id.value << store::exec;
    });

    const auto removed = operations::remove_factors_of(fresh.database, ann, "acme", "bob");

    BOOST_REQUIRE(!removed.has_value());
    BOOST_TEST(removed.error().problems.front().message ==
               "You do not administer this tenant any more.");
    BOOST_TEST(factor().has_factor);
}

BOOST_FIXTURE_TEST_CASE(a_secret_that_another_session_was_shown_is_worth_nothing, Site) {
    const auto thief = signed_in();
    const auto seen = operations::begin_factor(fresh.database, thief, now).secret;
    const auto owner = signed_in();

    const auto shown = operations::begin_factor(fresh.database, owner, now).secret;

    BOOST_TEST(shown.reveal() != seen.reveal());
    BOOST_TEST(operations::begin_factor(fresh.database, owner, now).secret.reveal() ==
               shown.reveal());
    const auto stolen =
        operations::confirm_factor(fresh.database, thief, code_now(shown), client, now);
    BOOST_TEST((stolen.result.end == End::wrong_code));
    const auto confirmed =
        operations::confirm_factor(fresh.database, owner, code_now(shown), client, now);
    BOOST_TEST((confirmed.result.end == End::done));
}

BOOST_FIXTURE_TEST_CASE(a_factor_that_was_not_confirmed_is_asked_for_by_nobody, Site) {
    operations::begin_factor(fresh.database, signed_in(), now);
    BOOST_TEST((sign_in(old_password).stage == Stage::open));
    BOOST_TEST(!factor().has_factor);
}

BOOST_FIXTURE_TEST_CASE(a_factor_still_works_when_the_old_master_key_is_gone, Site) {
    const auto secret = with_factor();
    const std::string path = fresh.config.get("secrets.keys");
    tests::add_keys(fresh.config);

    const auto walk = operations::rewrap_secrets(fresh.database);

    BOOST_TEST(walk.problems.empty());
    BOOST_TEST(walk.changed == 1);
    std::string newest;
    std::ifstream old(path);
    for (std::string line; std::getline(old, line);) newest = line;
    std::ofstream(path) << newest << '\n';
    const auto half = use(sign_in(old_password).token).value();
    const auto result =
        operations::give_code(fresh.database, half, code_now(secret), client, rules, now);
    BOOST_TEST((result.end == End::done));
}

// Sign-ins in flight: what happens between their steps ends them.

BOOST_FIXTURE_TEST_CASE(whatever_changes_between_the_two_steps_ends_the_sign_in, Site) {
    struct Change {
        const char* what;
        std::function<void()> make;
    };
    base::Secret secret = with_factor();
    base::Secret password(old_password);
    const std::vector<Change> changes{
        {"locked",
         [&] {
             BOOST_REQUIRE(
                 operations::change_access(fresh.database, ann, "acme", "bob", {.disabled = true})
                     .has_value());
         }},
        {"another role",
         [&] {
             BOOST_REQUIRE(operations::change_access(fresh.database, ann, "acme", "bob",
                                                     {.role = model::Role::cluster_operator})
                               .has_value());
         }},
        {"a password reset",
         [&] {
             password =
                 operations::reset_password(fresh.database, ann, "acme", "bob", rules, now).value();
         }},
        {"sessions ended",
         [&] {
             BOOST_REQUIRE(
                 operations::end_sessions(fresh.database, ann, "acme", "bob", {}).has_value());
         }},
        {"factors taken away",
         [&] {
             BOOST_REQUIRE(
                 operations::remove_factors_of(fresh.database, ann, "acme", "bob").has_value());
         }},
    };
    for (const Change& change : changes) {
        const auto half = sign_in(password.reveal());
        BOOST_REQUIRE_MESSAGE((half.end == End::done && half.stage == Stage::code), change.what);
        const auto session = use(half.token).value();

        change.make();
        const auto result =
            operations::give_code(fresh.database, session, code_now(secret), client, rules, now);

        BOOST_TEST((result.end != End::done), change.what);
        BOOST_TEST(result.token.empty(), change.what);
        BOOST_TEST(!use(half.token).has_value(), change.what);
        BOOST_TEST(open_sessions() == 0U, change.what);
        operations::change_access(fresh.database, ann, "acme", "bob", {.disabled = false});
        // Another code.
        now += 1min;
    }
}

BOOST_FIXTURE_TEST_CASE(a_deleted_user_does_not_end_a_sign_in_that_has_begun, Site) {
    const auto secret = with_factor();
    const auto half = use(sign_in(old_password).token).value();

    BOOST_REQUIRE(operations::delete_user(fresh.database, ann, "acme", "bob").has_value());

    const auto result =
        operations::give_code(fresh.database, half, code_now(secret), client, rules, now);
    BOOST_TEST((result.end != End::done));
    BOOST_TEST(result.token.empty());
}

BOOST_FIXTURE_TEST_CASE(whatever_changes_while_a_password_is_compared_ends_the_sign_in, Site) {
    const auto sign_in_while = [&](const std::function<void()>& change) {
        // Held up at the gate of hashes, after the account was read.
        identity::hash_gate().set({.at_once = 0, .waiting = 8, .patience = 20s});
        SignInResult result;
        std::thread signing([&] { result = sign_in(old_password); });
        std::this_thread::sleep_for(300ms);
        change();
        identity::hash_gate().set({});
        signing.join();
        return result;
    };
    BOOST_REQUIRE((sign_in_while([] {}).end == End::done));
    const std::string hash = identity::hash_password(base::Secret(new_password));

    const auto changed = sign_in_while([&] {
        fresh.database.write([&](store::Connection& connection) {
            store::update_password(connection, bob.user.id, hash);
        });
    });
    BOOST_TEST((changed.end == End::wrong_password));
    BOOST_TEST(changed.token.empty());
    forget_initial();

    const auto locked = sign_in_while([&] {
        BOOST_REQUIRE(
            operations::change_access(fresh.database, ann, "acme", "bob", {.disabled = true})
                .has_value());
    });
    BOOST_TEST((locked.end == End::wrong_password));
    BOOST_TEST(locked.token.empty());
    BOOST_TEST(open_sessions() == 0U);
}

BOOST_FIXTURE_TEST_CASE(a_factor_that_is_set_up_while_a_password_is_compared_is_asked_for, Site) {
    const auto here = signed_in();
    const auto secret = operations::begin_factor(fresh.database, here, now).secret;
    identity::hash_gate().set({.at_once = 0, .waiting = 8, .patience = 20s});
    SignInResult result;
    std::thread signing([&] { result = sign_in(old_password); });
    std::this_thread::sleep_for(300ms);
    const auto confirmed =
        operations::confirm_factor(fresh.database, here, code_now(secret), client, now);
    identity::hash_gate().set({});
    signing.join();

    BOOST_REQUIRE((confirmed.result.end == End::done));
    BOOST_TEST((result.end == End::wrong_password));
    BOOST_TEST(open_sessions() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()
