#include "provisioner/operations/sign_in/security_keys.hpp"

#include <boost/test/unit_test.hpp>

#include <array>
#include <thread>

#include "provisioner/identity/tokens.hpp"
#include "provisioner/operations/sign_in/factors.hpp"
#include "provisioner/store/sign_in/factor_store.hpp"
#include "provisioner/store/sign_in/session_store.hpp"
#include "tests/integration/provisioner/fixture.hpp"
#include "tests/support/soft_security_key.hpp"

using namespace provisioner;
using namespace std::chrono_literals;
using operations::SignInResult;
using tests::SoftSecurityKey;

BOOST_AUTO_TEST_SUITE(security_keys)

namespace {

using End = SignInResult::End;
using Stage = model::SessionStage;

/// A session together with the token in its cookie.
struct Here {
    base::Secret token;
    model::OpenSession session;
};

/// A tenant "acme" whose administrator ann is signed in.
struct Site {
    /// A sign-in by password alone, as far as it goes.
    Here sign_in(Stage stage = Stage::open) {
        const base::Secret token = identity::new_token();
        fresh.database.write([&](store::Connection& connection) {
            store::insert_session(connection, ann.user.id,
                                  {.stage = stage,
                                   .created_at = now,
                                   .last_used_at = now,
                                   .proven_at = now,
                                   .expires_at = now + 10h},
                                  identity::hash_of_token(token));
        });
        return {token, use(token).value()};
    }

    std::optional<model::OpenSession> use(const base::Secret& token) {
        return operations::use_session(fresh.database, identity::hash_of_token(token), rules, now);
    }

    identity::KeyCeremony ceremony(const base::Secret& token) const {
        return {.site = site, .session = token, .now = now};
    }

    operations::FactorConfirmed add(const Here& here, SoftSecurityKey& one,
                                    const std::string& name) {
        const auto asked = ceremony(here.token);
        return operations::add_security_key(
            fresh.database, here.session,
            {.name = name, .answer = one.make(SoftSecurityKey::to(asked))}, asked, client);
    }

    operations::KeySignature give(const Here& here, SoftSecurityKey& one) {
        const auto asked = ceremony(here.token);
        return operations::give_security_key(fresh.database, here.session,
                                             one.sign(SoftSecurityKey::to(asked)), asked, client,
                                             rules);
    }

    operations::FactorView factor() {
        return fresh.database.read([&](store::Connection& connection) {
            return operations::view_factor(connection, ann.user.id);
        });
    }

    tests::FreshDatabase fresh;
    model::Caller ann = tests::a_caller(fresh.database);
    operations::SignInRules rules{};
    operations::Client client{.address = "192.0.2.7", .agent = "Test/1.0"};
    base::Timestamp now = tests::some_time();
    identity::KeySite site{.origin = "https://cooperage.example", .host = "cooperage.example"};
    SoftSecurityKey key;
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_key_is_a_second_factor_with_recovery_codes, Site) {
    const Here here = sign_in();
    const Here other = sign_in();

    const auto added = add(here, key, "the blue one");

    BOOST_REQUIRE((added.result.end == End::done));
    BOOST_TEST(added.recovery_codes.size() == 10U);
    BOOST_TEST(!use(other.token).has_value());
    BOOST_TEST(!use(here.token).has_value());
    BOOST_TEST(use(added.result.token).has_value());
    BOOST_TEST(factor().has_factor);
    BOOST_TEST(!factor().has_app);
    BOOST_REQUIRE(factor().keys.size() == 1U);
    BOOST_TEST(factor().keys.front().name == "the blue one");
}

BOOST_FIXTURE_TEST_CASE(a_key_ends_the_second_step_and_a_wrong_one_does_not, Site) {
    BOOST_REQUIRE((add(sign_in(), key, "blue").result.end == End::done));
    const Here half = sign_in(Stage::code);
    SoftSecurityKey stranger;

    const auto wrong = give(half, stranger);
    BOOST_TEST((wrong.result.end == End::wrong_code));
    BOOST_TEST(wrong.reason == "This key is not one of yours here.");

    const auto right = give(half, key);
    BOOST_REQUIRE((right.result.end == End::done));
    BOOST_TEST(right.result.given == "security key");
    BOOST_TEST((use(right.result.token)->session.stage == Stage::open));
    BOOST_TEST((factor().keys.front().last_used_at == now));
    BOOST_TEST(factor().keys.front().count == 1U);
}

BOOST_FIXTURE_TEST_CASE(an_answer_opens_one_session_once, Site) {
    BOOST_REQUIRE((add(sign_in(), key, "blue").result.end == End::done));
    const Here half = sign_in(Stage::code);
    const auto asked = ceremony(half.token);
    const auto answer = key.sign(SoftSecurityKey::to(asked));
    const auto attempt = [&](const Here& here) {
        return operations::give_security_key(fresh.database, here.session, answer,
                                             ceremony(here.token), client, rules)
            .result.end;
    };

    BOOST_TEST((attempt(sign_in(Stage::code)) == End::wrong_code));
    BOOST_TEST((attempt(half) == End::done));
    BOOST_TEST((attempt(half) == End::wrong_code));
    BOOST_TEST((attempt(sign_in(Stage::code)) == End::wrong_code));
}

BOOST_FIXTURE_TEST_CASE(a_key_of_one_host_does_not_answer_another, Site) {
    BOOST_REQUIRE((add(sign_in(), key, "blue").result.end == End::done));
    site = {.origin = "https://other.example", .host = "other.example"};
    BOOST_TEST((give(sign_in(Stage::code), key).result.end == End::wrong_code));
}

BOOST_FIXTURE_TEST_CASE(keys_cannot_be_tried_out, Site) {
    BOOST_REQUIRE((add(sign_in(), key, "blue").result.end == End::done));
    const Here half = sign_in(Stage::code);
    int tried = 0;
    for (int i = 0; i < 10; ++i) {
        SoftSecurityKey stranger;
        if (give(half, stranger).result.end == End::wrong_code) ++tried;
    }
    BOOST_TEST(tried == 5);
    BOOST_TEST((give(half, key).result.end == End::must_wait));
}

BOOST_FIXTURE_TEST_CASE(every_problem_of_a_new_key_is_said_at_once, Site) {
    const Here here = sign_in();
    const auto refused = operations::add_security_key(fresh.database, here.session, {},
                                                      ceremony(here.token), client);
    std::vector<std::string> fields;
    for (const auto& problem : refused.problems) fields.push_back(problem.field);
    const std::vector<std::string> expected{"name", "security-key"};
    BOOST_TEST(fields == expected, boost::test_tools::per_element());

    const auto first = add(here, key, "blue");
    const Here next{first.result.token, use(first.result.token).value()};
    BOOST_TEST(add(next, key, "blue").problems.front().message ==
               "You have a key of this name already.");
    BOOST_TEST(add(next, key, "red").problems.front().message == "This key is known already.");
    BOOST_TEST(factor().keys.size() == 1U);
}

BOOST_FIXTURE_TEST_CASE(nobody_has_more_keys_than_twenty, Site) {
    Here here = sign_in();
    for (std::size_t i = 0; i < model::most_security_keys; ++i) {
        SoftSecurityKey one;
        // The throttle counts attempts; those that are right are forgotten.
        const auto added = add(here, one, "key " + std::to_string(i));
        BOOST_REQUIRE((added.result.end == End::done));
        here = {added.result.token, use(added.result.token).value()};
    }
    BOOST_TEST(add(here, key, "one more").problems.front().message ==
               "You have 20 keys already. Remove one that you no longer use.");
}

BOOST_FIXTURE_TEST_CASE(the_last_factor_takes_the_recovery_codes_with_it, Site) {
    const auto first = add(sign_in(), key, "blue");
    Here here{first.result.token, use(first.result.token).value()};
    SoftSecurityKey second;
    const auto added = add(here, second, "red");
    BOOST_TEST(added.recovery_codes.empty(), "those of the first key still work");
    here = {added.result.token, use(added.result.token).value()};
    const auto keys = factor().keys;

    BOOST_TEST(operations::remove_security_key(fresh.database, here.session, keys[0].id, rules)
                   .has_value());
    BOOST_TEST(factor().recovery_codes == 10);
    BOOST_TEST(!operations::remove_security_key(fresh.database, here.session, keys[0].id, rules)
                    .has_value());
    BOOST_TEST(operations::remove_security_key(fresh.database, here.session, keys[1].id, rules)
                   .has_value());
    BOOST_TEST(factor().recovery_codes == 0);
    BOOST_TEST(!factor().has_factor);
}

BOOST_FIXTURE_TEST_CASE(nobody_removes_the_key_of_another, Site) {
    BOOST_REQUIRE((add(sign_in(), key, "blue").result.end == End::done));
    model::OpenSession stranger;
    stranger.caller = tests::a_caller(fresh.database, "other");
    BOOST_TEST(
        !operations::remove_security_key(fresh.database, stranger, factor().keys.front().id, rules)
             .has_value());
    BOOST_TEST(factor().has_factor);
}

BOOST_FIXTURE_TEST_CASE(a_tenant_asks_for_a_factor_where_the_installation_does_not, Site) {
    const auto must = [&] {
        return fresh.database.read([&](store::Connection& connection) {
            return operations::must_have_factor(connection, rules, ann.user);
        });
    };
    BOOST_TEST(!must());
    const auto require = [&](const model::Caller& caller, const std::string& tenant) {
        return operations::require_second_factor(fresh.database, caller, tenant,
                                                 model::SecondFactorFor::admins)
            .has_value();
    };
    BOOST_TEST(!require(ann, "nowhere"));
    model::Caller stranger = ann;
    stranger.tenant.name = "other";
    BOOST_TEST(!require(stranger, ann.tenant.name), "an administrator of another tenant");
    BOOST_TEST(!must());
    BOOST_TEST(require(ann, ann.tenant.name));
    BOOST_TEST(must());
    ann.user.role = model::Role::user;
    BOOST_TEST(!must());
    const auto demand = [&] {
        return fresh.database.read([&](store::Connection& connection) {
            return operations::factor_demand(connection, rules, ann.user);
        });
    };
    BOOST_TEST((demand() == operations::FactorDemand::nobody));
    ann.user.role = model::Role::admin;
    BOOST_TEST((demand() == operations::FactorDemand::tenant));
    rules.second_factor = model::SecondFactorFor::everybody;
    BOOST_TEST(must());
    BOOST_TEST((demand() == operations::FactorDemand::installation));
}

BOOST_FIXTURE_TEST_CASE(who_removes_the_last_factor_where_one_is_demanded_has_to_set_one_up, Site) {
    rules.second_factor = model::SecondFactorFor::everybody;
    const auto added = add(sign_in(), key, "blue");
    const Here here{added.result.token, use(added.result.token).value()};

    BOOST_REQUIRE(operations::remove_security_key(fresh.database, here.session,
                                                  factor().keys.front().id, rules)
                      .has_value());

    BOOST_TEST(!factor().has_factor);
    BOOST_TEST((use(here.token)->session.stage == Stage::factor));
    rules.second_factor = model::SecondFactorFor::nobody;
}

BOOST_FIXTURE_TEST_CASE(two_factors_removed_at_once_leave_one_where_one_is_demanded, Site) {
    rules.second_factor = model::SecondFactorFor::everybody;
    for (int round = 0; round < 5; ++round) {
        SoftSecurityKey one;
        SoftSecurityKey other;
        const auto first = add(sign_in(), one, "one");
        const auto second =
            add({first.result.token, use(first.result.token).value()}, other, "other");
        BOOST_REQUIRE((second.result.end == End::done));
        const auto keys = factor().keys;
        BOOST_REQUIRE(keys.size() == 2U);
        // Two sessions, each of which removes another key, as two browsers might.
        const Here left = sign_in();
        const Here right = sign_in();
        std::array<bool, 2> removed{};
        std::thread thread([&] {
            removed[0] =
                operations::remove_security_key(fresh.database, left.session, keys[0].id, rules)
                    .has_value();
        });
        removed[1] =
            operations::remove_security_key(fresh.database, right.session, keys[1].id, rules)
                .has_value();
        thread.join();

        // The first ends the session of the second.
        BOOST_TEST(removed[0] != removed[1]);
        BOOST_TEST(factor().keys.size() == 1U);
        fresh.database.write([&](store::Connection& connection) {
            store::delete_all_factors(connection, ann.user.id);
        });
    }
}

BOOST_FIXTURE_TEST_CASE(two_removals_in_one_session_lead_to_setting_one_up, Site) {
    rules.second_factor = model::SecondFactorFor::everybody;
    SoftSecurityKey other;
    const auto first = add(sign_in(), key, "one");
    const auto second = add({first.result.token, use(first.result.token).value()}, other, "other");
    const Here here{second.result.token, use(second.result.token).value()};
    const auto keys = factor().keys;
    std::thread thread(
        [&] { operations::remove_security_key(fresh.database, here.session, keys[0].id, rules); });
    operations::remove_security_key(fresh.database, here.session, keys[1].id, rules);
    thread.join();

    BOOST_TEST(!factor().has_factor);
    BOOST_TEST((use(here.token)->session.stage == Stage::factor));
}

BOOST_AUTO_TEST_SUITE_END()
