#include "fcgi/pages/daemons/queues.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(queues_page)

namespace {

using namespace fcgi::pages;

QueuesPage page_with(const provisioner::store::TenantQueue& queue) {
    QueuesPage page;
    page.queues = {queue};
    page.workforce = {.alive = 1, .at_work = 1, .workers = 100, .busy = 10};
    return page;
}

provisioner::store::TenantQueue a_queue() {
    provisioner::store::TenantQueue queue;
    queue.tenant = "demo";
    queue.due = 5;
    queue.running = 2;
    queue.oldest_needs = {"chef"};
    return queue;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_task_says_what_it_waits_for) {
    auto queue = a_queue();
    Workforce workforce;
    const auto words = [&] { return wait_of(queue.oldest_needs, queue, 5, workforce).words; };

    BOOST_TEST(words() == "a provisioner: none is running");
    workforce.alive = 1;
    BOOST_TEST(words() == "a provisioner: all are draining");
    workforce.at_work = 1;
    workforce.workers = 10;
    BOOST_TEST(words() == "its turn: a provisioner takes it within seconds");
    workforce.busy = 10;
    BOOST_TEST(words() == "a free worker: 10 of 10 workers in use");
    queue.workers = 2;
    BOOST_TEST(words() == "the tenant's limit: 2 of 2 workers in use");
    workforce.offers = {{"shell"}};
    BOOST_TEST(words() == "a provisioner with automator chef: none that takes tasks has it");
    queue.oldest_needs = {"provider aws"};
    BOOST_TEST(words() == "a provisioner with provider type aws: none that takes tasks has it");
}

BOOST_AUTO_TEST_CASE(workers_in_use_are_counted_by_their_claims) {
    std::vector<provisioner::store::WatchedDaemon> daemons{
        {.instance = "a:/run/lock", .capacity = 2000, .running = 649},
        {.instance = "b:/run/lock", .capacity = 2000, .running = 1, .drains = true}};

    count_claims(daemons, {{.worker = "a:/run/lock/1-beef", .tenant = "demo", .tasks = 2},
                           {.worker = "a:/run/lock/1-beef", .tenant = "other", .tasks = 1}});

    const Workforce workforce = workforce_of(daemons);
    BOOST_TEST(workforce.busy == 3);
    BOOST_TEST(workforce.draining == 1);
    BOOST_TEST(workforce.draining_busy == 0);
}

BOOST_AUTO_TEST_CASE(plugins_have_to_be_of_the_same_provisioner) {
    const Workforce workforce{
        .alive = 2, .at_work = 2, .workers = 10, .offers = {{"shell"}, {"chef"}}};

    const auto wait = wait_of({"shell", "chef"}, a_queue(), 5, workforce);

    BOOST_TEST(wait.words ==
               "a provisioner with automator shell and automator chef: none that "
               "takes tasks has it");
}

BOOST_AUTO_TEST_CASE(those_that_drain_or_are_silent_do_no_work) {
    using provisioner::store::WatchedDaemon;
    const auto metrics = *provisioner::base::parse_json(
        R"([{"name":"cooperage_daemon_offers","help":"X.","type":"gauge","labels":["plugin"],)"
        R"("samples":[[["shell"],1],[["provider aws"],1]]}])");
    std::vector<WatchedDaemon> daemons{
        {.instance = "a", .capacity = 10, .running = 4, .metrics = metrics},
        {.instance = "b", .capacity = 10, .running = 4, .drains = true},
        {.instance = "c", .capacity = 10, .running = 4, .heard_seconds_ago = 1000}};

    auto workforce = workforce_of(daemons);

    BOOST_TEST(workforce.alive == 2);
    BOOST_TEST(workforce.at_work == 1);
    BOOST_TEST(workforce.workers == 10);
    BOOST_TEST(workforce.busy == 4);
    BOOST_REQUIRE(workforce.offers.size() == 1U);
    BOOST_TEST(workforce.offers[0].contains("provider aws"));
    // One that does not say what it offers may offer anything.
    daemons[1].drains = false;
    BOOST_TEST(workforce_of(daemons).offers.empty());
}

BOOST_AUTO_TEST_CASE(a_queue_whose_oldest_task_waits_long_is_stuck_and_leads_to_its_limit) {
    auto queue = a_queue();
    queue.workers = 2;
    queue.oldest_seconds = stuck_after_seconds;
    auto json = to_json(page_with(queue)).at("queues")[0];

    BOOST_TEST(json.at("stuck") == true);
    BOOST_TEST(json.at("running") == "2 of 2");
    BOOST_TEST(json.at("waits").at("limit_href") == "/tenants/demo#quota-title");
    queue.workers = 0;
    queue.oldest_seconds = 5;
    json = to_json(page_with(queue)).at("queues")[0];
    BOOST_TEST(json.at("stuck") == false);
    BOOST_TEST(json.at("waits").at("limit_href") == "");
}

BOOST_AUTO_TEST_CASE(what_is_due_later_does_not_wait) {
    provisioner::store::TenantQueue queue;
    queue.tenant = "demo";
    queue.later = 3;
    queue.oldest_seconds = 0;

    const auto json = to_json(page_with(queue));

    BOOST_TEST(json.at("summary") == "0 tasks running, 0 waiting.");
    BOOST_TEST(json.at("queues")[0].at("stuck") == false);
    BOOST_TEST(json.at("queues")[0].at("oldest") == "");
    BOOST_TEST(json.at("queues")[0].at("waits").is_null());
}

BOOST_AUTO_TEST_CASE(many_waiting_tasks_are_on_pages_that_lead_to_one_another) {
    provisioner::store::TenantQueue queue;
    queue.due = waiting_shown;
    QueuesPage page = page_with(queue);
    BOOST_TEST(to_json(page).at("pager").is_null());

    page.queues[0].due = 1200;
    page.page = 2;
    const auto pager = to_json(page).at("pager");
    BOOST_TEST(pager.at("words") == "51 to 100 of 1,200");
    BOOST_TEST(pager.at("previous") == "/queues#waiting-title");
    BOOST_TEST(pager.at("next") == "/queues?page=3#waiting-title");
}

BOOST_AUTO_TEST_CASE(emails_that_cannot_be_sent_are_told_with_the_reason) {
    provisioner::store::WatchedNumbers numbers;
    BOOST_TEST(mail_warning(numbers) == "");

    numbers.mails_failing = 1;
    numbers.mails_failing_seconds = 720;
    numbers.mail_error = "smtp://mail.example: Connection refused";
    BOOST_TEST(mail_warning(numbers) ==
               "1 email cannot be sent, for 12 minutes now (smtp://mail.example: Connection "
               "refused).");
    numbers.mails_failing = 1200;
    BOOST_TEST(mail_warning(numbers) ==
               "1,200 emails cannot be sent, for 12 minutes now (smtp://mail.example: Connection "
               "refused).");
}

BOOST_AUTO_TEST_CASE(a_waiting_task_leads_to_its_log_cluster_and_tenant) {
    QueuesPage page;
    page.waiting.resize(1);
    page.waiting[0].task = provisioner::model::TaskId{103};
    page.waiting[0].job = provisioner::model::JobId{2};
    page.waiting[0].cluster = provisioner::model::ClusterId{42};
    page.waiting[0].tenant = "a b";
    page.waiting[0].nodenum = 1003;

    const auto task = to_json(page).at("waiting")[0];

    BOOST_TEST(task.at("task_href") == "/view/a%20b/clusters/00000042/tasks/103");
    BOOST_TEST(task.at("cluster_href") == "/view/a%20b/clusters/00000042");
    BOOST_TEST(task.at("host_href") == "/view/a%20b/clusters/00000042/machines/1003");
    BOOST_TEST(task.at("href") == "/tenants/a%20b");
}

BOOST_AUTO_TEST_SUITE_END()
