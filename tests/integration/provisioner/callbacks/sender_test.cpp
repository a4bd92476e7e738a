#include "provisioner/callbacks/sender.hpp"

#include <boost/test/unit_test.hpp>

#include <cppconn/connection.h>

#include <sstream>

#include "provisioner/operations/clusters/create.hpp"
#include "provisioner/operations/clusters/lease.hpp"
#include "provisioner/operations/clusters/service_actions.hpp"
#include "provisioner/operations/jobs/control.hpp"
#include "provisioner/queue/bulk.hpp"
#include "provisioner/queue/link.hpp"
#include "tests/integration/provisioner/site.hpp"

using namespace provisioner;
using namespace std::chrono_literals;
using model::CallbackState;

BOOST_AUTO_TEST_SUITE(sender)

namespace {

/// The other side: notes what it is told and answers as it is told to.
struct Ear {
    std::vector<http_client::Request> heard;
    int answer = 200;
    std::string error;
};

class FakeClient final : public http_client::Client {
 public:
    explicit FakeClient(Ear& ear) : ear_(ear) {}

    boost::asio::awaitable<http_client::Reply> send(http_client::Request request) override {
        ear_.heard.push_back(std::move(request));
        http_client::Reply reply;
        reply.status = ear_.answer;
        reply.error = ear_.error;
        co_return reply;
    }

 private:
    Ear& ear_;
};

class StoppedClock final : public base::Clock {
 public:
    base::Timestamp now() const override { return moment; }
    base::Timestamp moment = tests::some_time();
};

struct Site : tests::ClusterSite {
    explicit Site(const std::string& settings =
                      "callback.start.url = http://ear/start\n"
                      "callback.success.url = http://ear/success\n"
                      "callback.failure.url = http://ear/failure\n"
                      "callback.expiring.url = http://ear/expiring\n")
        : sender(fresh.database, std::make_unique<FakeClient>(ear),
                 callbacks::targets_from(base::Config::parse(settings)), clock, log) {}

    void send_all() {
        while (sender.send_due() > 0) continue;
    }

    /// "start, success": where it was told, in order.
    std::string told() const {
        std::string text;
        for (const auto& request : ear.heard) {
            if (!text.empty()) text += ", ";
            text += request.url.substr(request.url.rfind('/') + 1);
        }
        return text;
    }

    std::vector<model::Callback> stored() {
        return fresh.database.read([&](store::Connection& connection) {
            return store::callbacks_of(connection, cluster);
        });
    }

    Ear ear;
    StoppedClock clock;
    std::ostringstream lines;
    base::Log log{lines, clock};
    callbacks::Sender sender;
    std::unique_ptr<sql::Connection> behind_its_back = queue::connect(fresh.config);
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_callback_that_cannot_be_written_holds_no_other_one_back) {
    Site site;
    operations::CreateCluster wanted;
    wanted.name = "c2";
    wanted.cluster_template = "pair";
    wanted.machines = 3;
    const auto other =
        operations::create_cluster(site.fresh.database, site.caller, wanted, site.now);
    BOOST_REQUIRE(other.has_value());
    // The one of the first cluster cannot be written any more: its snapshot is damaged.
    queue::execute(*site.behind_its_back, "UPDATE cluster SET snapshot = '{}' WHERE id = " +
                                              std::to_string(site.cluster.value));

    site.sender.send_due();

    BOOST_REQUIRE(site.ear.heard.size() == 1U);
    BOOST_TEST(base::parse_json(site.ear.heard[0].body)->at("cluster").at("id") ==
               model::wire_id(*other));
    const auto stored = site.stored();
    BOOST_REQUIRE(stored.size() == 1U);
    BOOST_TEST((stored[0].state == CallbackState::waiting));
    BOOST_TEST(stored[0].error.starts_with("it could not be sent: "));
    BOOST_TEST(site.sender.send_due() == 0);
}

BOOST_AUTO_TEST_CASE(what_the_other_side_says_is_stored_as_utf8) {
    Site site;
    site.ear.answer = 0;
    site.ear.error = "nonsense \xE9\xFF";

    site.sender.send_due();

    BOOST_TEST(site.stored().at(0).error == "nonsense \xEF\xBF\xBD\xEF\xBF\xBD");
}

BOOST_AUTO_TEST_CASE(the_beginning_and_the_end_of_a_job_are_told_once_and_in_order) {
    Site site;
    site.succeed_all();

    site.send_all();

    BOOST_TEST(site.told() == "start, success");
    const auto first = *base::parse_json(site.ear.heard[0].body);
    const auto second = *base::parse_json(site.ear.heard[1].body);
    BOOST_TEST(first.at("cluster").at("status") == "PENDING");
    BOOST_TEST(first.at("job").at("jobStatus") == "RUNNING");
    BOOST_TEST(second.at("cluster").at("status") == "ACTIVE");
    BOOST_TEST(second.at("job").at("jobStatus") == "COMPLETE");
    BOOST_TEST(second.at("nodes").size() == 3U);
    for (const auto& callback : site.stored()) {
        BOOST_TEST((callback.state == CallbackState::delivered));
        BOOST_TEST(callback.attempts == 1);
        BOOST_TEST(*callback.reply == 200);
    }
}

BOOST_AUTO_TEST_CASE(failures_aborts_and_operations_without_tasks_are_told_too) {
    Site site;
    site.finish(site.claim(1).front(), tests::a_failure(std::nullopt));
    operations::retry_job(site.fresh.database, site.caller, site.cluster);
    site.succeed_all();
    operations::act_on_services(site.fresh.database, site.caller, site.cluster,
                                {.operation = model::Operation::stop_services}, site.now);

    site.send_all();

    BOOST_TEST(site.told() == "start, failure, start, success, success");

    Site aborted;
    operations::abort_job(aborted.fresh.database, aborted.caller, aborted.cluster);
    aborted.send_all();
    BOOST_TEST(aborted.told() == "start, failure");
    BOOST_TEST(base::parse_json(aborted.ear.heard[1].body)->at("job").at("statusMessage") ==
               "Aborted by user.");
}

BOOST_AUTO_TEST_CASE(a_callback_that_was_not_received_is_sent_again_with_the_same_body) {
    Site site;
    site.ear.answer = 503;
    BOOST_TEST(site.sender.send_due() == 1);
    BOOST_TEST(site.sender.send_due() == 0);
    const auto waiting = site.stored().front();
    BOOST_TEST((waiting.state == CallbackState::waiting));
    BOOST_TEST(waiting.error == "answered 503");
    BOOST_TEST(site.lines.str().find("callback.failed") != std::string::npos);

    // Meanwhile the job ends: what is told of its beginning stays what it was.
    site.succeed_all();
    site.fresh.database.write([&](store::Connection& connection) {
        store::settle_callback(connection, {.callback = waiting.id,
                                            .state = CallbackState::waiting,
                                            .again_in = 0ms,
                                            .body = site.ear.heard[0].body,
                                            .reply = 503,
                                            .error = "answered 503"});
    });
    site.ear.answer = 204;
    site.send_all();

    BOOST_TEST(site.told() == "start, start, success");
    BOOST_TEST(site.ear.heard[0].body == site.ear.heard[1].body);
    BOOST_TEST((site.stored().back().state == CallbackState::delivered));
    BOOST_TEST(site.stored().back().attempts == 2);
}

BOOST_AUTO_TEST_CASE(what_comes_later_waits_until_what_came_before_is_told) {
    Site site;
    site.ear.answer = 500;
    site.succeed_all();

    BOOST_TEST(site.sender.send_due() == 1);
    BOOST_TEST(site.sender.send_due() == 0);

    BOOST_TEST(site.told() == "start");
}

BOOST_AUTO_TEST_CASE(what_nobody_asked_for_is_put_aside_and_shown_to_nobody) {
    Site site("callback.start.url = http://ear/start\ncallback.start.triggers = cluster_delete\n");
    site.succeed_all();

    site.send_all();

    BOOST_TEST(site.told().empty());
    BOOST_TEST(site.stored().empty());
}

BOOST_AUTO_TEST_CASE(a_lease_about_to_end_is_told_once_and_again_after_it_was_changed) {
    Site site;
    site.succeed_all();
    site.send_all();
    site.ear.heard.clear();
    const auto ends_at = [&](base::Timestamp moment) {
        operations::change_expiry(site.fresh.database, site.caller, site.cluster,
                                  base::to_millis(moment), site.now);
    };

    ends_at(site.clock.moment + 25h);
    site.send_all();
    BOOST_TEST(site.told().empty());
    site.clock.moment += 2h;
    site.send_all();
    site.send_all();
    BOOST_TEST(site.told() == "expiring");
    ends_at(site.clock.moment + 20h);
    site.send_all();

    BOOST_TEST(site.told() == "expiring, expiring");
}

BOOST_AUTO_TEST_SUITE_END()
