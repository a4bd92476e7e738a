#include "provisioner/operations/tenants/mails.hpp"

#include <boost/test/unit_test.hpp>

#include <map>

#include "provisioner/store/audit/audit_store.hpp"
#include "provisioner/store/tenants/mail_store.hpp"
#include "tests/integration/provisioner/fixture.hpp"

using namespace provisioner;
using namespace std::chrono_literals;
using model::CallbackEvent;

BOOST_AUTO_TEST_SUITE(mails)

namespace {

struct MailSite {
    tests::FreshDatabase fresh;
    model::Caller caller = tests::a_caller(fresh.database);
    base::Timestamp now = tests::some_time();

    operations::Result<model::MailChoice> choose(const std::string& address,
                                                 std::set<CallbackEvent> events = {
                                                     CallbackEvent::failure}) {
        return operations::choose_mails(fresh.database, caller,
                                        {.address = address, .events = std::move(events)}, now);
    }
    operations::Result<model::MailChoice> confirm(const std::string& code) {
        return operations::confirm_mail_address(fresh.database, caller, base::Secret(code), now);
    }
    model::MailChoice stored() {
        return fresh.database.read([&](store::Connection& connection) {
            return store::find_mail_choice(connection, caller.user.id);
        });
    }
    /// All that waits to be sent, the oldest first.
    std::vector<model::Mail> outgoing() {
        std::vector<model::Mail> mails;
        while (auto mail = fresh.database.write([](store::Connection& connection) {
            return store::take_mail(connection, 60s);
        })) {
            mails.push_back(*std::move(mail));
        }
        return mails;
    }
    /// The code in the newest mail.
    std::string sent_code() {
        const auto mails = outgoing();
        BOOST_REQUIRE(!mails.empty());
        const auto& subject = mails.back().subject;
        return subject.substr(subject.rfind(' ') + 1);
    }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(an_address_counts_when_its_code_comes_back, MailSite) {
    BOOST_REQUIRE(choose("ada@example.com", {CallbackEvent::failure, CallbackEvent::expiring}));
    BOOST_TEST(stored().address == "");
    BOOST_TEST(stored().next_address == "ada@example.com");
    const auto code = sent_code();
    BOOST_TEST(code.size() == 8U);

    BOOST_TEST(!confirm("00000000").has_value());
    BOOST_TEST(stored().address == "");
    std::string capitals = " " + code;
    for (char& c : capitals) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    BOOST_REQUIRE(confirm(capitals));

    BOOST_TEST(stored().address == "ada@example.com");
    BOOST_TEST(stored().next_address == "");
    BOOST_TEST((stored().events == std::set{CallbackEvent::failure, CallbackEvent::expiring}));
    BOOST_TEST(!confirm(code).has_value());
}

BOOST_FIXTURE_TEST_CASE(how_far_the_mail_with_a_code_is_can_be_told, MailSite) {
    const auto delivery = [&] {
        return fresh.database.read([&](store::Connection& connection) {
            return store::delivery_of_code(connection, caller.user.id);
        });
    };
    BOOST_CHECK(delivery() == model::CodeDelivery::ended);
    BOOST_REQUIRE(choose("ada@example.com"));
    BOOST_CHECK(delivery() == model::CodeDelivery::waiting);

    const auto mail = outgoing().at(0);
    fresh.database.write([&](store::Connection& connection) {
        store::put_off_mail(connection, mail.id, 60s, std::string(600, 'x'));
    });
    BOOST_CHECK(delivery() == model::CodeDelivery::failing);
    BOOST_REQUIRE(choose("ada@example.com"));
    BOOST_CHECK(delivery() == model::CodeDelivery::waiting);
    fresh.database.write([&](store::Connection& connection) {
        store::delete_mails_of(connection, caller.user.id, true);
    });
    BOOST_CHECK(delivery() == model::CodeDelivery::ended);
}

BOOST_FIXTURE_TEST_CASE(a_new_address_waits_while_the_old_one_goes_on, MailSite) {
    BOOST_REQUIRE(choose("ada@example.com"));
    BOOST_REQUIRE(confirm(sent_code()));
    BOOST_REQUIRE(choose("ada@example.org", {CallbackEvent::success}));
    BOOST_TEST(stored().address == "ada@example.com");
    BOOST_TEST((stored().events == std::set{CallbackEvent::success}));
    const auto to_new = outgoing();
    BOOST_REQUIRE(to_new.size() == 1U);
    BOOST_TEST(to_new[0].address == "ada@example.org");
    BOOST_REQUIRE(confirm(to_new[0].subject.substr(to_new[0].subject.rfind(' ') + 1)));

    BOOST_TEST(stored().address == "ada@example.org");
    const auto farewell = outgoing();
    BOOST_REQUIRE(farewell.size() == 1U);
    BOOST_TEST(farewell[0].address == "ada@example.com");
    BOOST_TEST(farewell[0].body.find("example.org") == std::string::npos);

    BOOST_REQUIRE(choose("", {}));
    BOOST_TEST(stored().address == "");
    const auto last = outgoing();
    BOOST_REQUIRE(last.size() == 1U);
    BOOST_TEST(last[0].address == "ada@example.org");
}

BOOST_FIXTURE_TEST_CASE(what_waits_to_be_sent_goes_to_the_new_address, MailSite) {
    BOOST_REQUIRE(choose("ada@example.com"));
    BOOST_REQUIRE(confirm(sent_code()));
    BOOST_REQUIRE(choose("ada@example.org"));
    const auto code = sent_code();
    fresh.database.write([&](store::Connection& connection) {
        store::insert_mail(
            connection,
            {.user = caller.user.id, .address = "ada@example.com", .subject = "shop has failed"});
    });
    BOOST_REQUIRE(confirm(code));
    std::map<std::string, std::string> addresses;
    for (const auto& mail : outgoing()) addresses[mail.subject] = mail.address;
    BOOST_TEST(addresses["shop has failed"] == "ada@example.org");
    BOOST_TEST(addresses["Mails from Cooperage do not come here any more"] == "ada@example.com");
}

BOOST_FIXTURE_TEST_CASE(what_waits_to_be_sent_ends_with_the_wish, MailSite) {
    BOOST_REQUIRE(choose("ada@example.com"));
    BOOST_REQUIRE(confirm(sent_code()));
    fresh.database.write([&](store::Connection& connection) {
        store::insert_mail(
            connection,
            {.user = caller.user.id, .address = "ada@example.com", .subject = "shop is ready"});
    });
    BOOST_REQUIRE(choose("", {}));
    const auto mails = outgoing();
    BOOST_REQUIRE(mails.size() == 1U);
    BOOST_TEST(mails[0].subject == "Mails from Cooperage do not come here any more");
}

BOOST_FIXTURE_TEST_CASE(other_events_cost_no_code_and_a_code_that_is_asked_for_again_is_another,
                        MailSite) {
    BOOST_REQUIRE(choose("ada@example.com"));
    BOOST_REQUIRE(choose("ada@example.com", {CallbackEvent::success}));
    const auto one = outgoing();
    BOOST_REQUIRE(one.size() == 1U);
    BOOST_TEST(one[0].is_code);
    // Only the newest code is sent.
    BOOST_REQUIRE(choose("ada@example.com", {CallbackEvent::success}));
    BOOST_REQUIRE(choose("ada@example.com", {CallbackEvent::success}));
    const auto again = outgoing();
    BOOST_REQUIRE(again.size() == 1U);
    BOOST_TEST(again[0].subject != one[0].subject);
    BOOST_TEST(confirm(again[0].subject.substr(again[0].subject.rfind(' ') + 1)).has_value());
}

BOOST_FIXTURE_TEST_CASE(an_address_gets_few_codes_whoever_asks, MailSite) {
    for (int i = 0; i < operations::mail_codes_to_address / operations::mail_codes_a_day; ++i) {
        caller = tests::a_caller(fresh.database, "tenant" + std::to_string(i));
        for (int j = 0; j < operations::mail_codes_a_day; ++j) {
            BOOST_TEST(choose("ada@example.com").has_value());
        }
    }
    caller = tests::a_caller(fresh.database, "another");
    BOOST_TEST(!choose("ada@example.com").has_value());
    BOOST_TEST(choose("bob@example.com").has_value());
}

BOOST_FIXTURE_TEST_CASE(codes_are_few_and_good_for_half_an_hour, MailSite) {
    BOOST_REQUIRE(choose("ada@example.com"));
    auto code = sent_code();
    now += 31min;
    BOOST_TEST(!confirm(code).has_value());

    BOOST_REQUIRE(choose("ada@example.com"));
    code = sent_code();
    for (int i = 0; i < operations::mail_code_tries; ++i) {
        BOOST_TEST(!confirm("0000000g").has_value());
    }
    BOOST_TEST(!confirm(code).has_value());

    for (int i = 2; i < operations::mail_codes_a_day; ++i) {
        BOOST_TEST(choose("ada@example.com").has_value());
    }
    const auto refused = choose("bob@example.com");
    BOOST_REQUIRE(!refused.has_value());
    BOOST_TEST((refused.error().kind == operations::Refusal::Kind::conflict));
    BOOST_TEST(stored().next_address == "ada@example.com");
    // What needs no code is still saved.
    BOOST_TEST(choose("", {}).has_value());
}

BOOST_FIXTURE_TEST_CASE(all_that_is_wrong_is_said_at_once_and_nothing_is_stored, MailSite) {
    const auto refused = choose("ada", {});
    BOOST_REQUIRE(!refused.has_value());
    BOOST_REQUIRE(refused.error().problems.size() == 2U);
    BOOST_TEST(refused.error().problems[0].field == "address");
    BOOST_TEST(refused.error().problems[1].field == "events");
    BOOST_TEST(!choose("ada@example.com", {CallbackEvent::start}).has_value());
    BOOST_TEST(outgoing().empty());
    BOOST_TEST(stored().next_address == "");
}

BOOST_FIXTURE_TEST_CASE(the_audit_log_has_who_sent_mails_where, MailSite) {
    BOOST_REQUIRE(choose("ada@example.com"));
    BOOST_REQUIRE(confirm(sent_code()));
    const auto events = fresh.database.read([&](store::Connection& connection) {
        store::AuditFilter filter;
        filter.chain = caller.tenant.id;
        return store::list_events(connection, filter, 0, 10, true);
    });
    BOOST_REQUIRE(events.size() == 2U);
    BOOST_TEST(events[0].action == "user.choose-mails");
    BOOST_TEST(base::to_text(events[0].after).find("ada@example.com") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
