#pragma once

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <cppconn/connection.h>
#include <cppconn/resultset.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <sstream>

#include "provisioner/daemon/machines/key_rotation.hpp"
#include "provisioner/identity/ssh_keys.hpp"
#include "provisioner/operations/machines/login_keys.hpp"
#include "provisioner/providers/registry.hpp"
#include "provisioner/queue/bulk.hpp"
#include "provisioner/queue/link.hpp"
#include "provisioner/store/machines/login_key_store.hpp"
#include "provisioner/store/machines/node_login_store.hpp"
#include "provisioner/store/plugins/plugin_store.hpp"
#include "tests/integration/provisioner/site.hpp"

namespace tests {

using namespace provisioner;
namespace asio = boost::asio;

/// Everything ends here: a daemon that is killed.
struct Killed {};

/// The sshd of all nodes: by address, the private keys that let in.
struct Machines {
    std::map<std::string, std::set<std::string>> keys;
    /// Addresses that do not answer.
    std::set<std::string> down;
    /// Addresses that take connections and then say nothing.
    std::set<std::string> hanging;
    /// Called when somebody connects.
    std::function<void(const std::string& address)> on_connect;
    std::map<std::string, int> connections;
    /// The action at which the daemon is killed; 0: none.
    int killed_at = 0;
    int actions = 0;

    void act() {
        if (++actions == killed_at) throw Killed();
    }
    /// Whether `script` names the key of this private one.
    static bool names(const std::string& script, const std::string& private_key) {
        const auto key = identity::public_key_in(private_key);
        return key && script.find(key->substr(key->find(' ') + 1)) != std::string::npos;
    }
};

class FakeSession final : public remote::Session {
 public:
    FakeSession(Machines& machines, std::string address, std::vector<std::string> known)
        : machines_(machines), address_(std::move(address)), known_(std::move(known)) {}

    asio::awaitable<void> upload(const remote::Upload&) override { co_return; }
    asio::awaitable<std::vector<std::size_t>> lacking(const remote::Delivery&) override {
        co_return std::vector<std::size_t>{};
    }
    asio::awaitable<void> send(const remote::DeliveredFile&, const remote::Pieces&) override {
        co_return;
    }
    asio::awaitable<remote::RunResult> run(const remote::Run& run, const remote::StepKey&,
                                           const remote::OutputSink&) override {
        machines_.act();
        auto& keys = machines_.keys[address_];
        if (run.label == "add the new login key") {
            keys.insert(wanted_in(run.script));
        } else {
            const std::string wanted = wanted_in(run.script);
            if (!keys.contains(wanted)) throw std::logic_error("the new key was not there");
            keys = {wanted};
        }
        // After the effect, before anybody knows of it.
        machines_.act();
        co_return remote::RunResult{};
    }
    asio::awaitable<void> stop(const remote::StepKey&) override { co_return; }
    const std::string& host_key() const override { return host_key_; }
    bool alive() const override { return true; }
    std::chrono::steady_clock::time_point last_heard() const override { return {}; }

 private:
    /// The key that `key='...'` names.
    std::string wanted_in(const std::string& script) const {
        const auto at = script.find("\n", script.find("\nuser=") + 1);
        const std::string line = script.substr(0, at);
        const std::string last = line.substr(line.rfind(" key="));
        for (const std::string& key : known_) {
            if (Machines::names(last, key)) return key;
        }
        throw std::logic_error("a script with an unknown key");
    }

    Machines& machines_;
    std::string address_;
    std::vector<std::string> known_;
    std::string host_key_ = "ssh-ed25519 AAAA";
};

class FakeConnector final : public remote::Connector {
 public:
    explicit FakeConnector(Machines& machines) : machines_(machines) {}

    asio::awaitable<std::shared_ptr<remote::Session>> connect(const remote::Endpoint& endpoint,
                                                              std::chrono::milliseconds) override {
        machines_.act();
        ++machines_.connections[endpoint.address];
        if (machines_.hanging.contains(endpoint.address)) {
            asio::steady_timer for_ever(co_await asio::this_coro::executor, std::chrono::hours{1});
            co_await for_ever.async_wait(asio::use_awaitable);
        }
        if (machines_.on_connect) machines_.on_connect(endpoint.address);
        std::vector<base::Secret> offered{endpoint.private_key};
        offered.insert(offered.end(), endpoint.other_keys.begin(), endpoint.other_keys.end());
        for (const auto& key : offered) seen_.insert(key.reveal());
        if (machines_.down.contains(endpoint.address)) {
            throw remote::TransportError(endpoint.address + ": no route to host");
        }
        for (const auto& key : offered) {
            if (!machines_.keys[endpoint.address].contains(key.reveal())) continue;
            std::vector<std::string> known(seen_.begin(), seen_.end());
            std::shared_ptr<remote::Session> session =
                std::make_shared<FakeSession>(machines_, endpoint.address, std::move(known));
            co_return session;
        }
        throw remote::LoginRefused("login failed");
    }

 private:
    Machines& machines_;
    std::set<std::string> seen_;
};

/// A provider of machines on this host, which nobody asks for any.
class OwnHost final : public providers::Provider {
 public:
    explicit OwnHost(model::PluginType type) : type_(std::move(type)) {}

    asio::awaitable<providers::Created> create(const providers::Account&,
                                               const providers::MachineSpec&) override {
        throw std::logic_error("not asked for");
    }
    asio::awaitable<providers::Confirmed> confirm(const providers::Account&,
                                                  const providers::MachineSpec&,
                                                  const base::Json&) override {
        throw std::logic_error("not asked for");
    }
    asio::awaitable<providers::Destroyed> destroy(const providers::Account&,
                                                  const providers::MachineSpec&,
                                                  const base::Json&) override {
        throw std::logic_error("not asked for");
    }
    asio::awaitable<std::vector<providers::SeenMachine>> machines(
        const providers::Account&) override {
        throw std::logic_error("not asked for");
    }
    std::string account_name(const providers::Account&) const override { return "here"; }
    bool is_shared() const override { return true; }
    model::PluginType type() const override { return type_; }

 private:
    model::PluginType type_;
};

/// A cluster of three nodes whose machines have the installation's key.
struct RotationSite {
    RotationSite() {
        tests::make_keys(site.fresh.config);
        type.header.name = provider_type();
        type.login_keys = true;
        db().write([&](store::Connection& connection) {
            store::save_plugin_type(connection, type, site.now);
        });
        sql("UPDATE node SET addresses = JSON_OBJECT('access_v4', CONCAT('10.0.0.', nodenum))");
        for (const std::string& address : addresses()) {
            machines.keys[address] = {installation.private_key.reveal()};
        }
        registry.add(std::make_unique<OwnHost>(type));
        start();
    }

    /// A daemon.
    std::unique_ptr<daemon::KeyRotation> a_daemon() {
        return std::make_unique<daemon::KeyRotation>(
            daemon::KeyRotation::Settings{.installation = "i",
                                          .add_files = operations::add_login_keys,
                                          .stopping = [] { return false; },
                                          .look_every = {},
                                          .patience = patience,
                                          .slots = slots,
                                          .slots_of_tenant = slots},
            db(), registry, connector, keys, log);
    }
    void start() { rotation = a_daemon(); }

    store::Database& db() { return site.fresh.database; }
    void sql(const std::string& statement) {
        queue::execute(*queue::connect(site.fresh.root), statement);
    }
    std::string provider_type() {
        return one("SELECT provider_type AS value FROM cluster LIMIT 1");
    }
    std::string one(const std::string& query) {
        const auto connection = queue::connect(site.fresh.root);
        const auto row = queue::select(*connection, query);
        if (!row->next()) throw std::logic_error("no row: " + query);
        return row->getString("value");
    }
    std::vector<std::string> addresses() {
        const auto connection = queue::connect(site.fresh.root);
        const auto row = queue::select(
            *connection,
            "SELECT JSON_UNQUOTE(JSON_EXTRACT(addresses, '$.access_v4')) AS value FROM node");
        std::vector<std::string> all;
        while (row->next()) all.push_back(row->getString("value"));
        return all;
    }
    model::LoginKeyRow rotate(const std::string& provider = "") {
        const auto made =
            operations::rotate_login_key(db(), site.caller, provider, base::SystemClock().now());
        BOOST_REQUIRE(made.has_value());
        return *made;
    }
    /// What a daemon does once, as if all pauses were over.
    void go_on() {
        sql("UPDATE node_login_key SET retry_at = NULL, held_until = NULL, due_at = "
            "UTC_TIMESTAMP(6) - INTERVAL 1 SECOND WHERE step <> 'done' AND due_at IS NOT NULL");
        try {
            rotation->run();
        } catch (const Killed&) {
        }
    }
    model::LoginProgress progress(const model::LoginKeyRow& key) {
        return db().read([&](store::Connection& connection) {
            return store::login_progress(connection, key.id);
        });
    }
    /// The private keys with which a daemon may log in now.
    std::set<std::string> stored_keys() {
        model::Account account;
        account.tenant = site.caller.tenant.id;
        account.provider = "cloud";
        account.provider_type = type.header.name;
        db().read([&](store::Connection& connection) {
            account.login_keys.clear();
            operations::add_login_keys(connection, account);
        });
        std::set<std::string> all;
        for (const auto& key : keys.all_of(account, true)) all.insert(key.private_key.reveal());
        return all;
    }
    bool all_can_be_reached() {
        const auto known = stored_keys();
        return std::ranges::all_of(machines.keys, [&](const auto& machine) {
            return std::ranges::any_of(machine.second,
                                       [&](const auto& key) { return known.contains(key); });
        });
    }
    std::string states() {
        return one("SELECT GROUP_CONCAT(state ORDER BY id SEPARATOR ' ') AS value FROM login_key");
    }

    std::vector<std::string> uuids(const std::string& where) {
        const auto connection = queue::connect(site.fresh.root);
        const auto row =
            queue::select(*connection, "SELECT uuid FROM node WHERE " + where + " ORDER BY id");
        std::vector<std::string> all;
        while (row->next()) all.push_back(row->getString("uuid"));
        return all;
    }

    std::chrono::steady_clock::duration patience = std::chrono::seconds{20};
    int slots = 32;
    ClusterSite site{3};
    model::PluginType type;
    identity::SshKeyPair installation = identity::ssh_key_pair(identity::random_seed());
    daemon::LoginKeys keys{
        {.private_key = installation.private_key, .public_key = installation.public_key}};
    Machines machines;
    FakeConnector connector{machines};
    providers::Registry registry;
    base::SystemClock clock;
    std::ostringstream lines;
    base::Log log{lines, clock};
    std::unique_ptr<daemon::KeyRotation> rotation;
};

}  // namespace tests
