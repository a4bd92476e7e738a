#include "provisioner/daemon/tasks/performer.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>

using namespace provisioner;
using boost::asio::awaitable;

namespace {

/// What the node says of a file that was sent.
enum class Refusal { none, full, wrong };

/// What happens on the node: steps that go on until they are stopped. One that is stopped before it
/// begins never does.
struct Node {
    int sessions = 0;
    int uploads = 0;
    /// Checksum -> content of what was sent.
    std::map<std::string, std::string> contents;
    Refusal refusal = Refusal::none;
    /// Whether steps end at once and well.
    bool steps_end = false;
    /// Whether it has other steps under the keys.
    bool has_others = false;
    std::vector<std::string> begun;
    /// Key and kind of every run that was asked for.
    std::vector<std::string> asked;
    std::vector<std::string> kinds;
    std::vector<std::chrono::seconds> limits;
    std::vector<std::string> scripts;
    std::vector<std::string> stopped;
    /// So many stops are lost with their connections.
    int lost_stops = 0;
    boost::asio::steady_timer* under_way = nullptr;
    /// Whether every run breaks the connection, and what was heard until then.
    bool breaks = false;
    std::chrono::seconds heard_later{0};
};

class FakeSession final : public remote::Session {
 public:
    explicit FakeSession(Node& node) : node_(node) { ++node_.sessions; }

    awaitable<void> upload(const remote::Upload&) override {
        ++node_.uploads;
        co_return;
    }
    awaitable<std::vector<std::size_t>> lacking(const remote::Delivery& delivery) override {
        std::vector<std::size_t> lacking;
        for (std::size_t i = 0; i < delivery.files.size(); ++i) {
            if (!node_.contents.contains(delivery.files[i].sha256)) lacking.push_back(i);
        }
        co_return lacking;
    }
    awaitable<void> send(const remote::DeliveredFile& file, const remote::Pieces& pieces) override {
        auto executor = co_await boost::asio::this_coro::executor;
        std::string content;
        for (auto piece = pieces(); !piece.empty(); piece = pieces()) {
            content += piece;
            co_await boost::asio::post(executor, boost::asio::use_awaitable);
        }
        if (node_.refusal == Refusal::full) throw remote::NodeRefusal("No space left on device");
        if (node_.refusal == Refusal::wrong) throw remote::WrongContent("not the same");
        node_.contents[file.sha256] = content;
    }
    awaitable<remote::RunResult> run(const remote::Run& run, const remote::StepKey& key,
                                     const remote::OutputSink&) override {
        node_.asked.push_back(key.name);
        node_.kinds.push_back(key.kind);
        node_.limits.push_back(run.limit);
        node_.scripts.push_back(run.script);
        if (node_.breaks) throw remote::TransportError("the connection broke");
        if (node_.has_others) co_return remote::RunResult{.is_another = true};
        if (node_.steps_end) co_return remote::RunResult{};
        auto executor = co_await boost::asio::this_coro::executor;
        if (!node_.stopped.empty()) {
            co_return remote::RunResult{.exit_code = 143, .stopped = true};
        }
        node_.begun.push_back(key.name);
        boost::asio::steady_timer timer(executor, std::chrono::hours(1));
        node_.under_way = &timer;
        boost::system::error_code cancelled;
        co_await timer.async_wait(
            boost::asio::redirect_error(boost::asio::use_awaitable, cancelled));
        node_.under_way = nullptr;
        co_return remote::RunResult{.exit_code = 143, .stopped = true};
    }
    awaitable<void> stop(const remote::StepKey& key) override {
        if (node_.lost_stops > 0) {
            --node_.lost_stops;
            throw remote::TransportError("the connection broke");
        }
        node_.stopped.push_back(key.name + " " + std::to_string(key.fence));
        if (node_.under_way != nullptr) node_.under_way->cancel();
        co_return;
    }
    const std::string& host_key() const override { return host_key_; }
    bool alive() const override { return true; }
    std::chrono::steady_clock::time_point last_heard() const override {
        return std::chrono::steady_clock::now() + node_.heard_later;
    }

 private:
    Node& node_;
    std::string host_key_ = "ssh-ed25519 AAAA";
};

class FakeConnector final : public remote::Connector {
 public:
    explicit FakeConnector(Node& node) : node_(node) {}

    awaitable<std::shared_ptr<remote::Session>> connect(const remote::Endpoint&,
                                                        std::chrono::milliseconds) override {
        co_return std::make_shared<FakeSession>(node_);
    }

 private:
    Node& node_;
};

/// Contents of three pieces each, "<name>1<name>2<name>3".
class FakeSupply final : public daemon::ContentSupply {
 public:
    awaitable<std::unique_ptr<daemon::ContentReader>> open(model::Content content) override {
        opened.push_back(content.name);
        std::unique_ptr<daemon::ContentReader> reader =
            std::make_unique<Reader>(*this, content.name);
        co_return std::move(reader);
    }

    void forget(const model::Content& content) override { forgotten.push_back(content.name); }

    std::vector<std::string> opened;
    std::vector<std::string> forgotten;
    /// Happens whenever the second piece of a content is asked for.
    std::function<void()> in_the_middle = [] {};

 private:
    struct Reader final : daemon::ContentReader {
        Reader(FakeSupply& from, std::string of) : supply(from), name(std::move(of)) {}
        std::string_view next() override {
            if (number == 3) return {};
            if (number == 1) supply.in_the_middle();
            piece = name + std::to_string(++number);
            return piece;
        }
        FakeSupply& supply;
        std::string name;
        std::string piece;
        int number = 0;
    };
};

/// A bootstrap by the shell automator with two scripts.
daemon::Work bootstrap_with_scripts(const daemon::Work& of_node) {
    daemon::LiveResources live;
    for (const std::string name : {"one", "two"}) {
        live.resources.push_back({.type = "scripts", .name = name, .sha256 = "sum-" + name});
        model::Content& content = live.contents["sum-" + name];
        content.name = name;
    }
    daemon::Work work = of_node;
    work.claim.action = model::Action::bootstrap;
    work.claim.service.clear();
    work.resources["shell"] = std::make_shared<const daemon::LiveResources>(live);
    return work;
}

daemon::Work start_of_web(std::optional<std::chrono::milliseconds> limit = std::nullopt) {
    model::Service web;
    web.header.name = "web";
    web.actions[model::Action::start] = {
        .type = "shell", .fields = {{"script", "sleep 600"}}, .limit = limit};
    model::Cluster cluster;
    cluster.snapshot.services = {web};
    model::Node node;
    node.hostname = "web.local";
    node.addresses = {{"access_v4", "203.0.113.3"}, {"bind_v4", "203.0.113.3"}};
    node.ssh_user = "root";
    node.services = {"web"};
    node.automators = {"shell"};
    auto shared_node = std::make_shared<const model::Node>(node);
    daemon::Work work;
    work.claim.task = model::TaskId{17};
    work.claim.fence = 4;
    work.claim.action = model::Action::start;
    work.claim.service = "web";
    work.cluster = std::make_shared<const store::ClusterView>(store::ClusterView{
        .cluster = std::make_shared<const model::Cluster>(cluster), .nodes = {shared_node}});
    work.node = shared_node;
    return work;
}

/// A performer with a task under way on its node.
struct UnderWay {
    using Prepare = std::function<void(UnderWay&)>;

    explicit UnderWay(const Prepare& prepare = [](UnderWay&) {}) {
        prepare(*this);
        outcome = boost::asio::co_spawn(loop, performer.perform(work, printed_to()),
                                        boost::asio::use_future);
        go_on();
    }

    daemon::TaskOutput printed_to() {
        return [this](const std::string&, std::string_view text) { printed += text; };
    }

    /// Makes it a bootstrap whose steps end at once.
    void bootstrap() {
        work = bootstrap_with_scripts(work);
        node.steps_end = true;
    }

    void stop(const queue::Claim& claim) {
        stop_soon(claim);
        go_on();
    }

    void stop_soon(const queue::Claim& claim) {
        boost::asio::co_spawn(loop, performer.stop(claim, printed_to()), boost::asio::detached);
    }

    /// Until everything waits.
    void go_on() { loop.poll(); }

    bool has_ended() {
        return outcome.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
    }

    Node node;
    FakeConnector connector{node};
    FakeSupply supply;
    providers::Registry providers;
    daemon::LoginKey key;
    boost::asio::io_context loop{1};
    daemon::Performer performer{providers, connector, supply, key};
    daemon::Work work = start_of_web();
    std::string printed;
    std::future<queue::Outcome> outcome;
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_step_that_runs_is_stopped_over_a_second_session_and_fails_for_good) {
    UnderWay under_way;
    BOOST_REQUIRE((under_way.node.begun == std::vector<std::string>{"17-1-0"}));

    under_way.stop(under_way.work.claim);

    BOOST_TEST((under_way.node.stopped == std::vector<std::string>{"17-1-0 4"}));
    BOOST_TEST(under_way.node.sessions == 2);
    BOOST_REQUIRE(under_way.has_ended());
    const queue::Outcome outcome = under_way.outcome.get();
    const auto& failure = std::get<queue::Failed>(outcome);
    BOOST_TEST(failure.message == "stopped because the job was aborted");
    BOOST_TEST(failure.status_code == 143);
    BOOST_TEST(!failure.retry_in.has_value());
    BOOST_TEST(under_way.node.begun.size() == 1U);
}

BOOST_AUTO_TEST_CASE(
    an_attempt_whose_steps_are_others_than_when_it_began_makes_place_for_a_new_one) {
    UnderWay changed([](UnderWay& about) { about.node.has_others = true; });

    BOOST_REQUIRE(changed.has_ended());
    const auto failure = std::get<queue::Failed>(changed.outcome.get());
    BOOST_TEST(failure.message.starts_with(
        "start web: the steps of this attempt are not those it began with"));
    BOOST_TEST(failure.retry_in.has_value());
}

BOOST_AUTO_TEST_CASE(runs_are_numbered_among_themselves_and_say_what_they_are) {
    UnderWay under_way([](UnderWay& about) { about.bootstrap(); });

    BOOST_REQUIRE(under_way.has_ended());
    const Node& node = under_way.node;
    BOOST_TEST(node.uploads > 0);
    BOOST_REQUIRE(!node.asked.empty());
    for (std::size_t i = 0; i < node.asked.size(); ++i) {
        BOOST_TEST(node.asked[i] == "17-1-" + std::to_string(i));
        BOOST_TEST(node.kinds[i].size() == 16U);
    }
}

BOOST_AUTO_TEST_CASE(the_limit_of_an_action_goes_to_its_node_in_whole_seconds) {
    const auto limits_of = [](daemon::Work work) {
        const UnderWay ended([&](UnderWay& about) {
            about.work = std::move(work);
            about.node.steps_end = true;
        });
        return ended.node.limits;
    };

    BOOST_TEST((limits_of(start_of_web(std::chrono::milliseconds(90'500))) ==
                std::vector{std::chrono::seconds(91)}));
    BOOST_TEST((limits_of(start_of_web()) == std::vector{remote::Run{}.limit}));
}

BOOST_AUTO_TEST_CASE(a_turn_at_an_aborted_job_takes_any_step_for_the_one_to_end) {
    UnderWay aborted([](UnderWay& about) { about.work.claim.aborted = true; });

    BOOST_TEST((aborted.node.kinds == std::vector<std::string>{""}));
}

BOOST_AUTO_TEST_CASE(a_turn_at_an_aborted_job_ends_what_began_and_begins_nothing) {
    UnderWay aborted([](UnderWay& about) { about.work.claim.aborted = true; });

    BOOST_REQUIRE(aborted.has_ended());
    BOOST_TEST((aborted.node.stopped == std::vector<std::string>{"17-1-0 4"}));
    BOOST_TEST(aborted.node.begun.empty());
    BOOST_TEST(aborted.node.uploads == 0);
    const auto failure = std::get<queue::Failed>(aborted.outcome.get());
    BOOST_TEST(failure.message == "stopped because the job was aborted");
    BOOST_TEST(!failure.retry_in.has_value());
}

BOOST_AUTO_TEST_CASE(a_stop_is_for_its_claim_alone) {
    UnderWay under_way;
    queue::Claim older = under_way.work.claim;
    older.fence = 3;
    queue::Claim another = under_way.work.claim;
    another.task = model::TaskId{18};

    under_way.stop(older);
    under_way.stop(another);

    BOOST_TEST(under_way.node.stopped.empty());
    BOOST_TEST(!under_way.has_ended());
    under_way.stop(under_way.work.claim);
    BOOST_TEST(under_way.has_ended());
}

BOOST_AUTO_TEST_CASE(a_node_that_could_not_be_told_is_told_the_next_time) {
    UnderWay under_way;
    under_way.node.lost_stops = 1;

    under_way.stop(under_way.work.claim);
    BOOST_TEST(!under_way.has_ended());
    BOOST_TEST(under_way.printed == "the step could not be stopped: the connection broke\n");
    under_way.stop(under_way.work.claim);

    BOOST_TEST(under_way.has_ended());
    BOOST_TEST(under_way.node.stopped.size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_stop_after_the_end_does_nothing) {
    UnderWay under_way;
    under_way.stop(under_way.work.claim);

    under_way.stop(under_way.work.claim);

    BOOST_TEST(under_way.node.stopped.size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_node_gets_the_files_it_lacks_and_no_others) {
    UnderWay bootstrap([](UnderWay& about) {
        about.bootstrap();
        about.node.contents["sum-one"] = "there already";
    });

    BOOST_REQUIRE(bootstrap.has_ended());
    BOOST_TEST(std::holds_alternative<queue::Succeeded>(bootstrap.outcome.get()));
    BOOST_TEST((bootstrap.supply.opened == std::vector<std::string>{"two"}));
    BOOST_TEST(bootstrap.node.contents.at("sum-one") == "there already");
    BOOST_TEST(bootstrap.node.contents.at("sum-two") == "two1two2two3");
    BOOST_TEST(bootstrap.printed == "sent 1 of 2 files, 0 bytes\n");
}

BOOST_AUTO_TEST_CASE(what_speaks_of_all_nodes_is_made_once_for_all_tasks_and_brought_once_to_each) {
    const daemon::Work of_one = start_of_web();
    model::Cluster cluster = *of_one.cluster->cluster;
    cluster.config = {{"web", {{"hosts", "%join(host.service.web,' ')%"}, {"me", "%host.self%"}}}};
    store::ClusterView view{.cluster = std::make_shared<const model::Cluster>(cluster),
                            .nodes = {}};
    for (int i = 0; i < 1000; ++i) {
        model::Node node = *of_one.node;
        node.nodenum = 1000 + i;
        node.uuid = "uuid-" + std::to_string(i);
        node.hostname = "web-" + std::to_string(i) + ".local";
        view.nodes.push_back(std::make_shared<const model::Node>(node));
    }
    const auto whole = std::make_shared<const store::ClusterView>(std::move(view));
    Node nodes[2];
    for (int i = 0; i < 2; ++i) {
        UnderWay task([&](UnderWay& about) {
            about.work.cluster = whole;
            about.work.node = whole->nodes.at(static_cast<std::size_t>(i));
            about.node.steps_end = true;
        });
        BOOST_REQUIRE(task.has_ended());
        BOOST_TEST(std::holds_alternative<queue::Succeeded>(task.outcome.get()));
        BOOST_TEST(task.printed.starts_with("sent 4 of 4 files, "));
        nodes[i] = task.node;
    }

    // All nodes and the names of all hosts, each as JSON and as a table of values.
    BOOST_REQUIRE(nodes[0].contents.size() == 4U);
    BOOST_TEST((nodes[0].contents == nodes[1].contents));
    for (int i = 0; i < 2; ++i) {
        const std::string me = "\"me\":\"web-" + std::to_string(i) + ".local\"";
        BOOST_REQUIRE(nodes[i].scripts.size() == 1U);
        BOOST_TEST(nodes[i].scripts.front().find(me) != std::string::npos);
        BOOST_TEST(nodes[i].scripts.front().size() < 10'000U);
    }
}

BOOST_AUTO_TEST_CASE(an_abort_does_not_wait_for_the_rest_of_a_file) {
    UnderWay bootstrap([](UnderWay& about) {
        about.bootstrap();
        about.supply.in_the_middle = [&about] { about.stop_soon(about.work.claim); };
    });

    BOOST_REQUIRE(bootstrap.has_ended());
    // The next turn finds the job aborted.
    BOOST_TEST(std::get<queue::Waiting>(bootstrap.outcome.get()).reason == "the job was aborted");
    BOOST_TEST(bootstrap.node.contents.empty());
    BOOST_TEST(bootstrap.supply.opened.size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_node_that_cannot_keep_a_file_is_a_failure_and_no_outage) {
    UnderWay bootstrap([](UnderWay& about) {
        about.bootstrap();
        about.node.refusal = Refusal::full;
    });

    BOOST_REQUIRE(bootstrap.has_ended());
    const auto failure = std::get<queue::Failed>(bootstrap.outcome.get());
    BOOST_TEST(failure.message.starts_with("No space left on device"));
    BOOST_TEST(bootstrap.supply.forgotten.empty());
}

BOOST_AUTO_TEST_CASE(what_arrived_otherwise_than_it_was_kept_is_fetched_anew_the_next_time) {
    UnderWay bootstrap([](UnderWay& about) {
        about.bootstrap();
        about.node.refusal = Refusal::wrong;
    });

    BOOST_REQUIRE(bootstrap.has_ended());
    BOOST_TEST(std::holds_alternative<queue::Failed>(bootstrap.outcome.get()));
    BOOST_TEST((bootstrap.supply.forgotten == std::vector<std::string>{"one"}));
}

BOOST_AUTO_TEST_CASE(a_connection_that_breaks_in_an_old_attempt_is_waited_for) {
    UnderWay lost([](UnderWay& about) {
        about.node.breaks = true;
        about.work.claim.attempt_age = std::chrono::hours(3);
    });

    BOOST_REQUIRE(lost.has_ended());
    const auto waiting = std::get<queue::Waiting>(lost.outcome.get());
    BOOST_TEST(waiting.reason == "the connection broke");
    BOOST_TEST((waiting.outage == queue::Outage::goes_on));
    BOOST_TEST(waiting.output_starts_over);
}

BOOST_AUTO_TEST_CASE(a_node_that_was_away_for_more_than_five_minutes_ends_the_attempt) {
    UnderWay lost([](UnderWay& about) {
        about.node.breaks = true;
        about.work.claim.outage = {.age = std::chrono::minutes(6), .turns = 12};
    });

    BOOST_REQUIRE(lost.has_ended());
    const auto failure = std::get<queue::Failed>(lost.outcome.get());
    BOOST_TEST(failure.message.starts_with("the connection broke"));
    BOOST_TEST(failure.retry_in.has_value());
}

BOOST_AUTO_TEST_CASE(a_node_that_answered_for_a_while_begins_another_outage) {
    UnderWay lost([](UnderWay& about) {
        about.node.breaks = true;
        about.node.heard_later = std::chrono::seconds(11);
        about.work.claim.outage = {.age = std::chrono::minutes(6), .turns = 12};
    });

    BOOST_REQUIRE(lost.has_ended());
    const auto waiting = std::get<queue::Waiting>(lost.outcome.get());
    BOOST_TEST((waiting.outage == queue::Outage::begins));
}

BOOST_AUTO_TEST_CASE(what_this_daemon_cannot_do_is_left_to_one_that_can) {
    UnderWay strange([](UnderWay& about) {
        model::Cluster cluster = *about.work.cluster->cluster;
        cluster.snapshot.services[0].actions[model::Action::start].type = "of-next-year";
        about.work.cluster = std::make_shared<const store::ClusterView>(
            store::ClusterView{.cluster = std::make_shared<const model::Cluster>(cluster),
                               .nodes = {about.work.node}});
    });

    BOOST_REQUIRE(strange.has_ended());
    const auto waiting = std::get<queue::Waiting>(strange.outcome.get());
    BOOST_TEST(waiting.reason ==
               "this daemon has no automator of type of-next-year; waiting for one that has");
    BOOST_TEST((waiting.outage == queue::Outage::none));
}
