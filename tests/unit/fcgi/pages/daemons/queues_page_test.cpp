#include "fcgi/pages/daemons/queues.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(queues_page)

namespace {

using namespace fcgi::pages;

QueuesPage page_with(const provisioner::store::TenantQueue& queue, int at_work) {
    QueuesPage page;
    page.queues = {queue};
    page.at_work = at_work;
    return page;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_queue_that_is_stuck_says_why) {
    provisioner::store::TenantQueue queue;
    queue.tenant = "demo";
    queue.workers = 2;
    queue.running = 2;
    queue.due = 5;
    queue.oldest_seconds = stuck_after_seconds;

    const auto why = [&](int at_work) {
        return to_json(page_with(queue, at_work)).at("queues")[0].at("why").get<std::string>();
    };

    BOOST_TEST(why(0) == "No provisioner is running.");
    BOOST_TEST(why(1) == "All of its 2 workers are busy.");
    queue.running = 1;
    BOOST_TEST(why(1) == "No provisioner with a free worker has the plugins that its tasks need.");
    queue.oldest_seconds = 5;
    BOOST_TEST(why(1) == "");
}

BOOST_AUTO_TEST_CASE(what_is_due_later_does_not_wait) {
    provisioner::store::TenantQueue queue;
    queue.tenant = "demo";
    queue.later = 3;
    queue.oldest_seconds = 0;

    const auto json = to_json(page_with(queue, 0));

    BOOST_TEST(json.at("summary") == "0 tasks running, 0 waiting.");
    BOOST_TEST(json.at("queues")[0].at("stuck") == false);
    BOOST_TEST(json.at("queues")[0].at("oldest") == "");
}

BOOST_AUTO_TEST_CASE(many_waiting_tasks_are_on_pages_that_lead_to_one_another) {
    provisioner::store::TenantQueue queue;
    queue.due = waiting_shown;
    QueuesPage page = page_with(queue, 1);
    BOOST_TEST(to_json(page).at("pager").is_null());

    page.queues[0].due = 1200;
    page.page = 2;
    const auto pager = to_json(page).at("pager");
    BOOST_TEST(pager.at("words") == "51 to 100 of 1,200");
    BOOST_TEST(pager.at("previous") == "/queues#waiting-title");
    BOOST_TEST(pager.at("next") == "/queues?page=3#waiting-title");
}

BOOST_AUTO_TEST_CASE(a_waiting_task_leads_to_its_log_cluster_and_tenant) {
    QueuesPage page;
    page.waiting.resize(1);
    page.waiting[0].task = provisioner::model::TaskId{103};
    page.waiting[0].job = provisioner::model::JobId{2};
    page.waiting[0].cluster = provisioner::model::ClusterId{42};
    page.waiting[0].tenant = "a b";

    const auto task = to_json(page).at("waiting")[0];

    BOOST_TEST(task.at("task_href") == "/clusters/00000042/tasks/103");
    BOOST_TEST(task.at("cluster_href") == "/clusters/00000042");
    BOOST_TEST(task.at("href") == "/tenants/a%20b");
}

BOOST_AUTO_TEST_SUITE_END()
