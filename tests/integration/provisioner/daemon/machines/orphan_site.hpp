#pragma once

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <mutex>

#include "provisioner/daemon/machines/orphans.hpp"
#include "provisioner/http_client/client.hpp"
#include "provisioner/operations/catalogue/edit.hpp"
#include "provisioner/operations/clusters/create.hpp"
#include "provisioner/operations/clusters/delete.hpp"
#include "provisioner/store/machines/account_store.hpp"
#include "provisioner/store/machines/unknown_machine_store.hpp"
#include "provisioner/store/plugins/plugin_store.hpp"
#include "tests/integration/provisioner/site.hpp"

namespace tests {

using namespace provisioner;
using namespace std::chrono_literals;

/// What is in the accounts of a cloud: user -> names of machines, whose ids are "i-" and the name
/// unless they say otherwise ("name=id").
using Accounts = std::map<std::string, std::set<std::string>>;

inline std::string name_in(const std::string& machine) {
    return machine.substr(0, machine.find('='));
}

inline std::string id_in(const std::string& machine) {
    const auto sign = machine.find('=');
    return sign == std::string::npos ? "i-" + machine : machine.substr(sign + 1);
}

/// A cloud with accounts: machines that are names and nothing more.
class ListedCloud final : public providers::Provider {
 public:
    explicit ListedCloud(Accounts& there) : there_(there) {}

    boost::asio::awaitable<providers::Created> create(const providers::Account&,
                                                      const providers::MachineSpec&) override {
        throw std::logic_error("nobody makes one here");
    }
    boost::asio::awaitable<providers::Confirmed> confirm(const providers::Account&,
                                                         const providers::MachineSpec&,
                                                         const base::Json&) override {
        throw std::logic_error("nobody asks for one here");
    }
    boost::asio::awaitable<providers::Destroyed> destroy(const providers::Account& account,
                                                         const providers::MachineSpec& spec,
                                                         const base::Json& results) override {
        providers::Refused refused{.message = "it is held by a person"};
        if (!held.empty() && spec.name == held) co_return refused;
        const std::lock_guard lock(mutex_);
        std::erase_if(there_.at(user_of(account)), [&](const std::string& machine) {
            return results.at("providerid") == id_in(machine);
        });
        co_return providers::Gone{};
    }
    boost::asio::awaitable<std::vector<providers::SeenMachine>> machines(
        const providers::Account& account) override {
        const std::string user = user_of(account);
        const std::string password = account.fields.value("api_password", "");
        // Several threads ask: no BOOST_TEST here.
        if (account.installation != "ours") throw std::logic_error("whose machines?");
        if (user == silent) {
            boost::asio::steady_timer never(co_await boost::asio::this_coro::executor, 1h);
            co_await never.async_wait(boost::asio::use_awaitable);
        }
        if (is_away) throw std::runtime_error("the cloud is away");
        if (!url.empty()) {
            http_client::Request request;
            request.method = "GET";
            request.url = url;
            const http_client::Reply reply = co_await client->send(request);
            if (reply.status != 200) throw std::runtime_error(reply.error);
        }
        if (!shared && password != "open sesame")
            throw std::runtime_error("no entry with " + password);
        const std::lock_guard lock(mutex_);
        ++looks[user];
        std::vector<providers::SeenMachine> machines;
        for (const std::string& machine : there_[user]) {
            machines.push_back({.id = id_in(machine),
                                .name = name_in(machine),
                                .addresses = {{"access_v4", "192.0.2.1"}}});
        }
        co_return machines;
    }
    std::string account_name(const providers::Account& account) const override {
        return user_of(account) + " in the cloud";
    }
    bool is_shared() const override { return shared; }
    model::PluginType type() const override {
        model::PluginType type;
        type.header.name = "simulated";
        model::PluginField user;
        user.name = user.label = "api_user";
        model::PluginField password;
        password.name = password.label = "api_password";
        password.kind = "password";
        password.overridable = true;
        type.admin.fields = {user, password};
        type.admin.required = {{"api_user", "api_password"}};
        return type;
    }

    bool shared = false;
    std::string held;
    std::string silent;
    bool is_away = false;
    std::map<std::string, int> looks;
    /// Asked before an answer where it is not empty.
    std::string url;
    std::unique_ptr<http_client::Client> client = http_client::make_curl_client();

 private:
    std::string user_of(const providers::Account& account) const {
        return shared ? "all" : account.fields.at("api_user").get<std::string>();
    }

    Accounts& there_;
    std::mutex mutex_;
};

inline base::Json provider_of(const std::string& name, const std::string& user,
                              const std::string& password = "open sesame") {
    return {{"name", name},
            {"providertype", "simulated"},
            {"provisioner", {{"api_user", user}, {"api_password", password}}}};
}

/// A cluster of three nodes, and what there is in the cloud.
struct OrphanSite : ClusterSite {
    OrphanSite() {
        tests::make_keys(fresh.config);
        auto made = std::make_unique<ListedCloud>(there);
        cloud = made.get();
        registry.add(std::move(made));
        fresh.database.write([&](store::Connection& connection) {
            auto type = cloud->type();
            type.kind = model::PluginKind::provider;
            store::save_plugin_type(connection, type, now);
        });
        save(caller, provider_of("cloud", "ann"));
        // The first cluster was made of a provider that leads nowhere.
        make_cluster();
        for (const int nodenum : {1000, 1001, 1002}) there["ann"].insert(machine(nodenum));
    }

    void make_cluster(const base::Json& fields = base::Json::object()) {
        operations::CreateCluster wanted;
        wanted.name = "c2";
        wanted.cluster_template = "pair";
        wanted.machines = 3;
        wanted.provider_fields = fields;
        const auto made = operations::create_cluster(fresh.database, caller, wanted, now);
        BOOST_REQUIRE(made.has_value());
        cluster = *made;
    }

    void save(const model::Caller& who, const base::Json& provider) {
        const auto saved =
            operations::replace_entry(fresh.database, who, model::CatalogueKind::provider,
                                      provider["name"].get<std::string>(), provider, now);
        if (saved) return;
        BOOST_REQUIRE(operations::create_entry(fresh.database, who, model::CatalogueKind::provider,
                                               provider, now)
                          .has_value());
    }

    void forget_provider(const std::string& name) {
        operations::delete_entry(fresh.database, caller, model::CatalogueKind::provider, name,
                                 std::nullopt);
    }

    std::string machine(int nodenum) const {
        return model::to_text(model::MachineName{cluster, nodenum});
    }

    void delete_it() {
        BOOST_REQUIRE(
            operations::delete_cluster(fresh.database, caller, cluster, now, base::Json::object())
                .has_value());
    }

    daemon::Orphans look(std::chrono::seconds every = 0s) {
        return daemon::remove_orphans(
            fresh.database, registry,
            {.installation = "ours", .every = every, .add_files = {}, .patience = 300ms},
            [] { return false; });
    }

    std::vector<model::UnknownMachine> unknown(model::TenantId tenant = {}) {
        return fresh.database.read([&](store::Connection& connection) {
            return store::list_unknown_machines(connection, tenant, 0, 100);
        });
    }

    std::vector<model::ProviderAccount> accounts(model::TenantId tenant = {}) {
        return fresh.database.read(
            [&](store::Connection& connection) { return store::accounts_of(connection, tenant); });
    }

    Accounts there;
    ListedCloud* cloud = nullptr;
    providers::Registry registry;
};

}  // namespace tests
