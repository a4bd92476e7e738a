#include "provisioner/operations/daemons/troubles.hpp"

#include <boost/test/unit_test.hpp>

#include <cppconn/connection.h>

#include "provisioner/operations/tenants/mails.hpp"
#include "provisioner/queue/bulk.hpp"
#include "provisioner/queue/link.hpp"
#include "provisioner/store/tenants/mail_store.hpp"
#include "tests/integration/provisioner/fixture.hpp"

using namespace provisioner;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(told_troubles)

namespace {

struct TroubledSite {
    TroubledSite() {
        for (const model::Caller& reader : {root, admin}) {
            fresh.database.write([&](store::Connection& connection) {
                store::save_mail_choice(
                    connection, reader.user.id,
                    {.address = reader.user.name + "@example.com", .of_installation = true});
            });
        }
    }

    void hear_of_provisioner(std::chrono::minutes ago) {
        const auto connection = queue::connect(fresh.config);
        const std::string at =
            "UTC_TIMESTAMP(6) - INTERVAL " + std::to_string(ago.count()) + " MINUTE";
        queue::execute(*connection, "REPLACE INTO daemon VALUES ('vm:/lock', 1, 1, 0, 0, " + at +
                                        ", " + at + ", '[]', '')");
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

    int tell() { return operations::tell_troubles(fresh.database, "https://c.example"); }

    tests::FreshDatabase fresh;
    base::Timestamp now = tests::some_time();
    model::Caller root =
        tests::a_caller(fresh.database, model::superadmin_tenant, model::Role::superadmin);
    model::Caller admin = tests::a_caller(fresh.database, "acme", model::Role::admin);
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(superadmins_are_told_once_and_once_more_when_it_is_over, TroubledSite) {
    // By the clock of the database, whatever that of the provisioner who tells says.
    hear_of_provisioner(4min);
    BOOST_TEST(tell() == 0);
    hear_of_provisioner(60min);

    BOOST_TEST(tell() == 1);
    BOOST_TEST(tell() == 0);
    auto mails = outgoing();
    BOOST_REQUIRE(mails.size() == 1U);
    BOOST_TEST(mails.front().user.value == root.user.id.value);
    BOOST_TEST(mails.front().subject.starts_with("Provisioner vm:/lock has not been heard of"));

    hear_of_provisioner(0min);
    BOOST_TEST(tell() == 1);
    BOOST_TEST(tell() == 0);
    mails = outgoing();
    BOOST_REQUIRE(mails.size() == 1U);
    BOOST_TEST(mails.front().subject == "Provisioner vm:/lock runs again.");
}

BOOST_FIXTURE_TEST_CASE(a_trouble_is_told_to_the_first_who_wants_to_be_told, TroubledSite) {
    const auto want = [&](bool wants) {
        fresh.database.write([&](store::Connection& connection) {
            store::save_mail_choice(connection, root.user.id,
                                    {.address = "root@example.com", .of_installation = wants});
        });
    };
    want(false);
    hear_of_provisioner(60min);
    // The administrator of a tenant is not told of provisioners.
    BOOST_TEST(tell() == 0);

    want(true);
    BOOST_TEST(tell() == 1);
    BOOST_TEST(outgoing().size() == 1U);
}

BOOST_FIXTURE_TEST_CASE(only_administrators_choose_mails_about_what_they_administer, TroubledSite) {
    const auto chosen = [&](const model::Caller& caller) {
        const auto choice = operations::choose_mails(fresh.database, caller,
                                                     {.address = caller.user.name + "@example.com",
                                                      .events = {model::CallbackEvent::failure},
                                                      .of_installation = true},
                                                     now);
        BOOST_REQUIRE(choice.has_value());
        return fresh.database.read([&](store::Connection& connection) {
            return store::find_mail_choice(connection, caller.user.id).of_installation;
        });
    };

    BOOST_TEST(chosen(root));
    BOOST_TEST(chosen(admin));
    BOOST_TEST(!chosen(tests::a_caller(fresh.database, "other", model::Role::user)));
}

BOOST_AUTO_TEST_SUITE_END()
