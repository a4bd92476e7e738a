#include "provisioner/callbacks/event_mails.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner;
using namespace std::chrono_literals;
using model::CallbackEvent;

BOOST_AUTO_TEST_SUITE(event_mails)

namespace {

model::MailEvent an_event(CallbackEvent event, long long owner = 7,
                          const std::string& cluster = "shop") {
    return {.owner = model::UserId{owner},
            .address = "user" + std::to_string(owner) + "@example.com",
            .event = event,
            .cluster = model::ClusterId{42},
            .cluster_name = cluster,
            .message = event == CallbackEvent::failure ? "install web on shop42-1: no space" : "",
            .at = base::from_sql("2026-11-26 17:50:13.000000"),
            .expires_at = base::from_sql("2026-11-27 08:00:00.000000")};
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_failure_is_told_with_reason_time_and_link) {
    const auto mails =
        callbacks::event_mails({an_event(CallbackEvent::failure)}, "https://c.example/x");
    BOOST_REQUIRE(mails.size() == 1U);
    BOOST_TEST(mails[0].user.value == 7);
    BOOST_TEST(mails[0].address == "user7@example.com");
    BOOST_TEST(mails[0].subject == "Couldn't create shop");
    BOOST_TEST(mails[0].body ==
               "Couldn't create shop\n2026-11-26 17:50 UTC\ninstall web on shop42-1: no space\n"
               "https://c.example/x/clusters/00000042\n\n"
               "-- \nYou get this mail because your profile in Cooperage says so:\n"
               "https://c.example/x/profile/notifications\n");
}

BOOST_AUTO_TEST_CASE(a_job_that_goes_on_without_services_is_told_as_no_removal) {
    auto event = an_event(CallbackEvent::failure);
    event.operation = model::Operation::remove_services;
    event.without = {"cache", "log"};
    BOOST_TEST(callbacks::event_mails({event}, "").at(0).subject ==
               "Couldn't go on with shop without cache, log");
    event.event = CallbackEvent::success;
    BOOST_TEST(callbacks::event_mails({event}, "").at(0).subject ==
               "shop goes on without cache, log");
}

BOOST_AUTO_TEST_CASE(a_lease_that_ends_says_when) {
    const auto mails = callbacks::event_mails({an_event(CallbackEvent::expiring)}, "");
    BOOST_REQUIRE(mails.size() == 1U);
    BOOST_TEST(mails[0].subject == "shop expires at 2026-11-27 08:00 UTC");
    BOOST_TEST(has(mails[0].body, "Its machines are deleted then."));
    BOOST_TEST(!has(mails[0].body, "/clusters/"));
    BOOST_TEST(!has(mails[0].body, "17:50"));
}

BOOST_AUTO_TEST_CASE(each_owner_gets_one_mail_about_all_that_is_theirs) {
    const auto mails = callbacks::event_mails(
        {an_event(CallbackEvent::failure, 7, "a"), an_event(CallbackEvent::success, 7, "b"),
         an_event(CallbackEvent::failure, 7, "c"), an_event(CallbackEvent::success, 9, "d"),
         an_event(CallbackEvent::success, 9, "e")},
        "");
    BOOST_REQUIRE(mails.size() == 2U);
    BOOST_TEST(mails[0].subject == "3 updates about your clusters, 2 failures");
    BOOST_TEST(has(mails[0].body, "Couldn't create a\n"));
    BOOST_TEST(has(mails[0].body, "b is ready\n"));
    BOOST_TEST(mails[1].address == "user9@example.com");
    BOOST_TEST(mails[1].subject == "2 updates about your clusters");
}

BOOST_AUTO_TEST_CASE(very_many_events_are_counted) {
    std::vector<model::MailEvent> events(203, an_event(CallbackEvent::failure));
    for (auto& event : events) event.message = std::string(5000, 'x');
    const auto mails = callbacks::event_mails(events, "");
    BOOST_REQUIRE(mails.size() == 1U);
    BOOST_TEST(has(mails[0].body, "And 153 more.\n"));
    BOOST_TEST(mails[0].body.size() < 40'000U);
}

BOOST_AUTO_TEST_CASE(every_operation_has_words) {
    for (const auto& [operation, word] : base::words<model::Operation>) {
        for (const auto event : {CallbackEvent::failure, CallbackEvent::success}) {
            auto one = an_event(event);
            one.operation = operation;
            BOOST_TEST(!callbacks::event_mails({one}, "").at(0).subject.empty(), word);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
