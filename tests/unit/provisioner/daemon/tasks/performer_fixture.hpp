#pragma once

#include <future>

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

#include "provisioner/daemon/tasks/performer.hpp"
#include "provisioner/remote/host_key.hpp"

// A performer over a node, a supply of contents and a provider that are all made up.
namespace tests {

using namespace provisioner;
using boost::asio::awaitable;

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
    /// The host key that it shows.
    std::string host_key = "ssh-ed25519 AAAA";
    /// The keys that each login accepted.
    std::vector<std::string> accepted;
    /// Who logged in, in order.
    std::vector<std::string> users;
    /// What a step prints when it ends at once.
    std::string prints;
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
                                     const remote::OutputSink& sink) override {
        node_.asked.push_back(key.name);
        node_.kinds.push_back(key.kind);
        node_.limits.push_back(run.limit);
        node_.scripts.push_back(run.script);
        if (node_.breaks) throw remote::TransportError("the connection broke");
        if (node_.has_others) co_return remote::RunResult{.is_another = true};
        if (node_.steps_end) {
            sink(remote::Stream::out, node_.prints);
            co_return remote::RunResult{};
        }
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
    const std::string& host_key() const override { return node_.host_key; }
    bool alive() const override { return true; }
    std::chrono::steady_clock::time_point last_heard() const override {
        return std::chrono::steady_clock::now() + node_.heard_later;
    }

 private:
    Node& node_;
};

class FakeConnector final : public remote::Connector {
 public:
    explicit FakeConnector(Node& node) : node_(node) {}

    awaitable<std::shared_ptr<remote::Session>> connect(const remote::Endpoint& endpoint,
                                                        std::chrono::milliseconds) override {
        node_.accepted.push_back(endpoint.host_key);
        node_.users.push_back(endpoint.user);
        const bool is_known = remote::same_host_key(endpoint.host_key, node_.host_key);
        if (!endpoint.host_key.empty() && !is_known) {
            throw remote::UntrustedHost("another host key");
        }
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

/// A cloud whose machines are there at once, with a host key that travelled in user data.
class FakeCloud final : public providers::Provider {
 public:
    awaitable<providers::Created> create(const providers::Account&,
                                         const providers::MachineSpec&) override {
        co_return created;
    }
    awaitable<providers::Confirmed> confirm(const providers::Account&,
                                            const providers::MachineSpec&,
                                            const base::Json&) override {
        providers::Reachable reachable;
        reachable.addresses = {{"access_v4", "203.0.113.3"}, {"bind_v4", "10.0.0.3"}};
        reachable.host_key = "ssh-ed25519 AAAA";
        reachable.host_key_travelled = true;
        co_return reachable;
    }
    awaitable<providers::Destroyed> destroy(const providers::Account&,
                                            const providers::MachineSpec&,
                                            const base::Json&) override {
        co_return providers::Gone{};
    }
    awaitable<std::vector<providers::SeenMachine>> machines(const providers::Account&) override {
        co_return std::vector<providers::SeenMachine>{};
    }
    std::string account_name(const providers::Account&) const override { return "here"; }
    bool gives_names() const override { return false; }
    model::PluginType type() const override {
        model::PluginType type;
        type.header.name = "fake";
        return type;
    }

    providers::Created created = providers::Machine{.id = "i-1"};
};

/// A bootstrap by the shell automator with two scripts.
inline daemon::Work bootstrap_with_scripts(const daemon::Work& of_node) {
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

inline daemon::Work start_of_web(std::optional<std::chrono::milliseconds> limit = std::nullopt,
                                 const std::string& type = "local") {
    model::Service web;
    web.header.name = "web";
    web.actions[model::Action::start] = {
        .type = "shell", .fields = {{"script", "sleep 600"}}, .limit = limit};
    model::Cluster cluster;
    cluster.snapshot.services = {web};
    cluster.snapshot.provider.provider_type = type;
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
    work.account = std::make_shared<const model::Account>();
    return work;
}

/// A performer with a task under way on its node.
struct UnderWay {
    using Prepare = std::function<void(UnderWay&)>;

    explicit UnderWay(const Prepare& prepare = [](UnderWay&) {}) {
        providers.refuse("local", "none here");
        auto made = std::make_unique<FakeCloud>();
        cloud = made.get();
        providers.add(std::move(made));
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
    FakeCloud* cloud = nullptr;
    daemon::LoginKeys keys{daemon::LoginKey{}};
    boost::asio::io_context loop{1};
    daemon::Performer performer{providers, connector, supply, keys};
    daemon::Work work = start_of_web();
    std::string printed;
    std::future<queue::Outcome> outcome;
};

}  // namespace tests
