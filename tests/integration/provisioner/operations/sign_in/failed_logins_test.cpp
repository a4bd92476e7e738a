#include "provisioner/operations/sign_in/failed_logins.hpp"

#include <boost/test/unit_test.hpp>

#include <cppconn/connection.h>

#include "provisioner/operations/tenants/mails.hpp"
#include "provisioner/queue/bulk.hpp"
#include "provisioner/queue/link.hpp"
#include "provisioner/store/audit/audit_store.hpp"
#include "provisioner/store/tenants/mail_store.hpp"
#include "provisioner/store/tenants/user_store.hpp"
#include "tests/integration/provisioner/fixture.hpp"

using namespace provisioner;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(failed_logins)

namespace {

/// ann has a confirmed address and can choose; bob of the same tenant wants no mails.
struct WatchedSite {
    WatchedSite() {
        fresh.database.write([&](store::Connection& connection) {
            store::save_mail_choice(connection, ann.user.id, {.address = "ann@example.com"});
        });
    }

    void choose(bool wants) {
        const auto chosen = operations::choose_mails(fresh.database, ann,
                                                     {.address = "ann@example.com",
                                                      .events = {model::CallbackEvent::failure},
                                                      .of_failed_logins = wants},
                                                     now);
        BOOST_REQUIRE(chosen.has_value());
    }

    void fail(const model::Caller& user, const std::string& address,
              const std::string& reason = "wrong_password",
              const std::string& action = "sign-in.refused") {
        fresh.database.write([&](store::Connection& connection) {
            model::audit::Event event;
            event.chain = user.tenant.id;
            event.actor.client = address;
            event.action = action;
            event.object = {
                .kind = "user", .id = std::to_string(user.user.id.value), .name = user.user.name};
            event.outcome = model::audit::Outcome::refused;
            event.reason = reason;
            store::record(connection, {event});
        });
    }

    int tell() { return operations::tell_failed_logins(fresh.database, "https://c.example"); }

    void let_an_hour_pass() {
        const auto connection = queue::connect(fresh.config);
        queue::execute(*connection,
                       "UPDATE mail_choice SET failed_logins_at = failed_logins_at - INTERVAL 61 "
                       "MINUTE");
    }

    std::vector<model::Mail> outgoing() {
        std::vector<model::Mail> mails;
        while (auto mail = fresh.database.write([](store::Connection& connection) {
            return store::take_mail(connection, 60s);
        })) {
            mails.push_back(*std::move(mail));
        }
        return mails;
    }

    tests::FreshDatabase fresh;
    base::Timestamp now = tests::some_time();
    model::Caller ann = tests::a_caller(fresh.database);
    model::Caller bob = tests::a_caller(fresh.database, "other");
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(who_chose_it_is_told_of_failed_logins_once_an_hour, WatchedSite) {
    fail(ann, "192.0.2.1");
    BOOST_TEST(tell() == 0, "nobody has chosen it");
    choose(true);
    BOOST_TEST(tell() == 0, "what failed before is not told");
    fail(ann, "192.0.2.1", "provider_away");
    fail(ann, "192.0.2.1", "wrong_password", "proof.refused");
    fail(bob, "192.0.2.9");
    BOOST_TEST(tell() == 0);

    fail(ann, "192.0.2.2");
    fail(ann, "192.0.2.2");
    fail(ann, "192.0.2.3", "wrong_code");
    BOOST_TEST(tell() == 1);
    const auto mails = outgoing();
    BOOST_REQUIRE(mails.size() == 1U);
    BOOST_TEST(mails.front().user.value == ann.user.id.value);
    BOOST_TEST(mails.front().address == "ann@example.com");
    BOOST_TEST(mails.front().subject == "3 failed logins to Cooperage as " + ann.user.name);
    BOOST_TEST(mails.front().body.find("192.0.2.2: 2 times\n192.0.2.3: once\n") !=
               std::string::npos);
    BOOST_TEST(mails.front().body.find("second factor wrong: once") != std::string::npos);

    fail(ann, "192.0.2.4");
    BOOST_TEST(tell() == 0, "an hour has not passed");
    let_an_hour_pass();
    BOOST_TEST(tell() == 1);
    BOOST_REQUIRE(outgoing().front().subject.starts_with("1 failed login to"));
    let_an_hour_pass();
    BOOST_TEST(tell() == 0, "nothing has failed since");
}

BOOST_FIXTURE_TEST_CASE(who_chose_otherwise_or_is_locked_is_not_told, WatchedSite) {
    choose(true);
    choose(false);
    fail(ann, "192.0.2.2");
    BOOST_TEST(tell() == 0);

    choose(true);
    fail(ann, "192.0.2.2");
    fresh.database.write([&](store::Connection& connection) {
        store::update_access(connection, ann.user.id, model::Role::admin, true);
    });
    BOOST_TEST(tell() == 0);
}

BOOST_AUTO_TEST_SUITE_END()
