#include "provisioner/operations/daemons/troubles.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner;
using namespace provisioner::operations;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(troubles)

namespace {

const auto now = base::from_sql("2026-11-29 12:00:00.000000");

store::DaemonRow silent_for(std::chrono::minutes silence) {
    store::DaemonRow daemon;
    daemon.instance = "vm:/run/lock";
    daemon.heartbeat_at = now - silence;
    return daemon;
}

std::string texts(const std::vector<SiteTrouble>& troubles) {
    std::string all;
    for (const SiteTrouble& trouble : troubles) all += trouble.text + "\n";
    return all;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_provisioner_that_is_silent_is_told_unless_a_person_took_it_out) {
    BOOST_TEST(texts(troubles_in({.daemons = {silent_for(4min)}}, now)) == "");
    BOOST_TEST(texts(troubles_in({.daemons = {silent_for(5min)}}, now)) ==
               "Provisioner vm:/run/lock has not been heard of since 2026-11-29 11:55 UTC.\n");
    auto draining = silent_for(1h);
    draining.drains = true;
    BOOST_TEST(texts(troubles_in({.daemons = {draining}}, now)) == "");
}

BOOST_AUTO_TEST_CASE(tasks_that_wait_long_are_told_for_each_tenant) {
    const auto told = [](int due, int seconds) {
        TroubleFacts facts;
        auto& queue = facts.queues.emplace_back();
        queue.tenant = "demo";
        queue.due = due;
        queue.oldest_seconds = seconds;
        return texts(troubles_in(facts, now));
    };

    BOOST_TEST(told(3, 899) == "");
    BOOST_TEST(told(3, 960) ==
               "A task of demo has waited for 16 minutes. 3 tasks of the tenant wait for a "
               "worker.\n");
    BOOST_TEST(told(1, 900).ends_with("1 task of the tenant waits for a worker.\n"));
}

BOOST_AUTO_TEST_CASE(warnings_of_a_budget_are_told) {
    TroubleFacts facts;
    facts.budgets = {{.tenant = "demo", .state = {.warnings = {"One.", "Two."}}}, {.tenant = "x"}};

    const auto found = troubles_in(facts, now);

    BOOST_TEST(texts(found) == "Budget of demo: One. Two.\n");
    BOOST_TEST(found.front().path == "/tenants/demo");
}

BOOST_AUTO_TEST_CASE(only_what_has_changed_since_it_was_told_is_news) {
    const TroubleFacts facts{.daemons = {silent_for(1h)}};
    const auto present = troubles_in(facts, now);
    const store::TroubleName queue{.kind = "queue", .subject = "demo"};

    const auto first = news_of(present, {queue}, facts);
    BOOST_TEST(texts(first.began) == texts(present));
    BOOST_TEST(texts(first.ended) == "Tasks of demo do not wait long any more.\n");

    const auto second = news_of(present, {present.front().name}, facts);
    BOOST_TEST(second.began.empty());
    BOOST_TEST(second.ended.empty());
}

BOOST_AUTO_TEST_CASE(a_provisioner_that_is_not_listed_any_more_does_not_run_again) {
    const store::TroubleName name{.kind = "provisioner", .subject = "vm:/run/lock"};

    BOOST_TEST(texts(news_of({}, {name}, {.daemons = {silent_for(0min)}}).ended) ==
               "Provisioner vm:/run/lock runs again.\n");
    BOOST_TEST(texts(news_of({}, {name}, {}).ended) ==
               "Provisioner vm:/run/lock has been silent for so long that it is not listed any "
               "more.\n");
}

BOOST_AUTO_TEST_CASE(a_mail_has_what_began_and_what_is_over_with_links) {
    const TroubleFacts facts{.daemons = {silent_for(1h)}};
    const auto news =
        news_of(troubles_in(facts, now), {{.kind = "queue", .subject = "demo"}}, facts);

    const auto mail = mail_about(news, "https://c.example/x");
    BOOST_TEST(mail.subject == "1 new problem and 1 that ended in Cooperage");
    BOOST_TEST(mail.body ==
               "Provisioner vm:/run/lock has not been heard of since 2026-11-29 11:00 UTC.\n"
               "https://c.example/x/daemons\n\nOver:\n\nTasks of demo do not wait long any "
               "more.\nhttps://c.example/x/queues\n\n"
               "-- \nYou get this mail because your profile in Cooperage says so:\n"
               "https://c.example/x/profile/notifications\n");

    const auto alone = mail_about({.began = news.began}, "");
    BOOST_TEST(alone.subject == news.began.front().text);
    BOOST_TEST(alone.body.find("daemons") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(administrators_are_told_of_the_budget_of_their_tenant_only) {
    TroubleFacts facts{.daemons = {silent_for(1h)}};
    facts.budgets = {{.tenant = "demo", .state = {.warnings = {"One."}}},
                     {.tenant = "lab", .state = {.warnings = {"Two."}}}};
    const TroubleNews news{.began = troubles_in(facts, now)};

    const auto own = news_for(news, {.tenant = "demo"});

    BOOST_TEST(texts(own.began) == "Budget of demo: One.\n");
    BOOST_TEST(own.began.front().path == "/");
    BOOST_TEST(news_for(news, {}).began.size() == 3U);
    BOOST_TEST(news_for(news, {.tenant = "other"}).began.empty());
}

BOOST_AUTO_TEST_SUITE_END()
