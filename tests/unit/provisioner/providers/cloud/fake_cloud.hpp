#pragma once

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>

#include "provisioner/providers/cloud/cloud_provider.hpp"

namespace tests {

using namespace provisioner;
using boost::asio::awaitable;
using providers::cloud::CloudMachine;
using providers::cloud::Leftover;
using providers::cloud::Mark;
using providers::cloud::Order;

/// A cloud in memory. What it did is in `done`, in order.
class FakeCloud final : public providers::cloud::Cloud {
 public:
    model::PluginType type() const override {
        model::PluginType type;
        type.header.name = "fake";
        return type;
    }
    std::string account_name(const providers::Account&) const override { return "fake account"; }
    base::Problems check(const providers::Account&, const providers::MachineSpec&) const override {
        return problems;
    }
    bool runs_cloud_init(const providers::Account& account,
                         const providers::MachineSpec& spec) const override {
        return knows_cloud_init.value_or(Cloud::runs_cloud_init(account, spec));
    }
    std::string login_user(const providers::Account&,
                           const providers::MachineSpec& spec) const override {
        return user.empty() ? spec.ssh_user : user;
    }
    std::chrono::milliseconds shows_within() const override { return shows; }
    awaitable<std::vector<CloudMachine>> list(const providers::Account&) override {
        ++listings;
        if (list_is_lost) throw providers::cloud::Lost("no answer");
        co_return machines;
    }
    awaitable<std::vector<Leftover>> leftovers(const providers::Account&,
                                               const std::vector<CloudMachine>&) override {
        co_return left;
    }
    awaitable<providers::Machine> make(const Order& order) override {
        std::string where = order.placement.flavor + "@" + order.placement.zone;
        done.push_back("make " + where);
        user_data = order.user_data;
        if (full.contains(where)) throw providers::cloud::NoCapacity("sold out");
        CloudMachine machine;
        machine.id = "i-" + std::to_string(++made);
        machine.mark = order.mark;
        machines.push_back(machine);
        if (reply_is_lost) throw providers::cloud::Lost("the connection broke");
        providers::Machine answer;
        answer.id = machine.id;
        co_return answer;
    }
    awaitable<void> remove(const providers::Account&, const CloudMachine& machine) override {
        done.push_back("remove " + machine.id);
        for (CloudMachine& other : machines) {
            if (other.id == machine.id) other.state = CloudMachine::State::leaving;
        }
        co_return;
    }
    awaitable<std::vector<std::string>> release(const providers::Account&,
                                                const Mark& mark) override {
        done.push_back("release " + mark.name);
        co_return std::exchange(still_there, {});
    }
    awaitable<std::vector<std::string>> release_cluster(const providers::Account&,
                                                        const Mark& mark) override {
        done.push_back("release cluster " + mark.cluster);
        co_return std::vector<std::string>{};
    }
    awaitable<std::string> host_key_of(const providers::Account&, const CloudMachine&) override {
        co_return "ssh-ed25519 of-the-console";
    }
    awaitable<providers::Offer> test(const providers::Account&) override {
        throw providers::cloud::wrong("wrong password");
    }

    base::Problems problems;
    std::vector<CloudMachine> machines;
    std::vector<Leftover> left;
    std::vector<std::string> still_there;
    std::set<std::string> full;
    bool reply_is_lost = false;
    std::chrono::milliseconds shows{10'000};
    bool list_is_lost = false;
    /// Nothing: as the fields say.
    std::optional<bool> knows_cloud_init;
    std::string user;
    int made = 0;
    int listings = 0;
    std::string user_data;
    std::vector<std::string> done;
};

struct SetClock final : base::Clock {
    base::Timestamp now() const override { return moment; }
    base::Timestamp moment{std::chrono::seconds{1000}};
};

/// Runs a coroutine to its end.
template <class Answer>
Answer run(boost::asio::awaitable<Answer> verb) {
    boost::asio::io_context loop{1};
    auto result = boost::asio::co_spawn(loop, std::move(verb), boost::asio::use_future);
    loop.run();
    return result.get();
}

inline providers::Account an_account() {
    providers::Account account;
    account.tenant.value = 3;
    account.provider_type = "fake";
    account.installation = "0123456789abcdef0123456789abcdef";
    return account;
}

inline providers::MachineSpec a_spec(long long task = 10) {
    providers::MachineSpec spec;
    spec.name = "00000001-1001";
    spec.task = task;
    spec.cluster = "00000001";
    spec.hostname = "web1.example.org";
    spec.flavor = "small";
    spec.authorized_key = "ssh-ed25519 LOGIN";
    spec.ssh_user = "admin";
    spec.host_key_seed = base::Secret(std::string(32, 's'));
    return spec;
}

}  // namespace tests
