#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>

#include "provisioner/providers/existing/existing_provider.hpp"
#include "provisioner/providers/existing/switching.hpp"
#include "tests/unit/provisioner/inventory/keys.hpp"

namespace tests::existing {

using namespace provisioner;
using namespace provisioner::providers;
using namespace provisioner::providers::existing;
using model::LeaseState;

/// Stands still until it is moved.
class StillClock final : public base::Clock {
 public:
    base::Timestamp now() const override { return moment; }
    base::Timestamp moment = base::from_millis(1'700'000'000'000);
};

/// Leases in memory, for one thread. Which candidate is taken is the store's business: here the
/// first that is free.
class MemoryLeases final : public Leases {
 public:
    explicit MemoryLeases(const base::Clock& clock) : clock_(clock) {}

    boost::asio::awaitable<model::LeaseAnswer> take(model::LeaseWish wish) override {
        last_wish = wish;
        model::NoneFree none;
        for (auto& [id, lease] : leases) {
            if (model::is_held(lease.state) && lease.node == wish.node) co_return lease;
        }
        for (const auto& candidate : wish.candidates) {
            const model::MachineLease* taken = holder_of(candidate);
            if (taken == nullptr) co_return add(wish, candidate);
            ++(taken->state == LeaseState::broken   ? none.broken
               : taken->state == LeaseState::leased ? none.leased
                                                    : none.wiping);
        }
        co_return none;
    }
    boost::asio::awaitable<std::vector<model::MachineLease>> of_node(std::string node) override {
        std::vector<model::MachineLease> found;
        for (const auto& [id, lease] : leases) {
            if (lease.node == node) found.push_back(lease);
        }
        co_return found;
    }
    boost::asio::awaitable<std::vector<model::MachineLease>> of_provider(
        model::TenantId tenant, std::string, std::string provider) override {
        std::vector<model::MachineLease> found;
        for (const auto& [id, lease] : leases) {
            if (lease.tenant == tenant && lease.provider == provider) found.push_back(lease);
        }
        co_return found;
    }
    boost::asio::awaitable<bool> change(model::MachineLeaseId lease, LeaseState from, LeaseState to,
                                        std::string reason) override {
        if (lease.value == throws_at) throw std::runtime_error("Incorrect string value");
        const auto found = leases.find(lease.value);
        if (found == leases.end() || found->second.state != from) co_return false;
        found->second.state = to;
        found->second.reason = std::move(reason);
        found->second.changed_at = clock_.now();
        co_return true;
    }
    boost::asio::awaitable<void> note(model::MachineLeaseId lease, std::string reason) override {
        leases.at(lease.value).reason = std::move(reason);
        co_return;
    }
    boost::asio::awaitable<void> relist(model::MachineLeaseId lease, base::Json listed) override {
        leases.at(lease.value).listed = std::move(listed);
        co_return;
    }
    boost::asio::awaitable<bool> enter(model::MachineLeaseId lease,
                                       std::vector<std::string> identities) override {
        if (!leases.contains(lease.value) || !model::is_held(leases.at(lease.value).state)) {
            co_return false;
        }
        for (auto& [id, known] : identities_) {
            for (const std::string& identity : identities) {
                if (id == lease.value || !known.contains(identity)) continue;
                known.merge(identities_.at(lease.value));
                identities_.erase(lease.value);
                leases.erase(lease.value);
                co_return false;
            }
        }
        identities_.at(lease.value).insert(identities.begin(), identities.end());
        for (const std::string& identity : identities) {
            auto& entered = leases.at(lease.value);
            entered.is_entered |= identity.starts_with(model::address_identity);
            entered.has_controller |= identity.starts_with(model::controller_identity);
        }
        co_return true;
    }
    boost::asio::awaitable<void> disown(model::MachineLeaseId lease) override {
        std::erase_if(identities_.at(lease.value), [](const std::string& identity) {
            return !identity.starts_with(model::own_identity);
        });
        co_return;
    }
    boost::asio::awaitable<bool> free(model::MachineLeaseId lease, LeaseState in) override {
        const auto found = leases.find(lease.value);
        if (found == leases.end() || found->second.state != in) co_return false;
        identities_.erase(found->first);
        leases.erase(found);
        co_return true;
    }

    std::map<std::int64_t, model::MachineLease> leases;
    model::LeaseWish last_wish;
    /// A lease that cannot change.
    std::int64_t throws_at = 0;

 private:
    const model::MachineLease* holder_of(const model::LeaseCandidate& candidate) const {
        for (const auto& [id, lease] : leases) {
            for (const std::string& identity : candidate.identities) {
                if (identities_.at(id).contains(identity)) return &lease;
            }
        }
        return nullptr;
    }

    model::MachineLease add(const model::LeaseWish& wish, const model::LeaseCandidate& candidate) {
        model::MachineLease lease;
        lease.id.value = ++last_id_;
        lease.tenant = wish.tenant;
        lease.provider_type = wish.provider_type;
        lease.provider = wish.provider;
        lease.node = wish.node;
        lease.cluster = wish.cluster;
        lease.task = wish.task;
        lease.machine = candidate.machine;
        lease.spread = candidate.spread;
        lease.listed = candidate.listed;
        lease.changed_at = clock_.now();
        for (const std::string& identity : candidate.identities) {
            if (identity.starts_with(model::own_identity)) identities_[last_id_].insert(identity);
        }
        leases[last_id_] = lease;
        return lease;
    }

    const base::Clock& clock_;
    std::int64_t last_id_ = 0;
    std::map<std::int64_t, std::set<std::string>> identities_;
};

/// Answers what it is told to; then that the script runs.
class FakeScripts final : public Scripts {
 public:
    ScriptState look(const model::Account&, const ScriptRun& run) override {
        runs.push_back(run);
        if (answers.empty()) return ScriptRuns{};
        ScriptState answer = answers.front();
        answers.pop_front();
        return answer;
    }

    std::deque<ScriptState> answers;
    std::vector<ScriptRun> runs;
};

/// Machines that are switched at once, unless `answer` says something else.
class FakePower final : public Power {
 public:
    boost::asio::awaitable<SwitchAnswer> on(const Account&,
                                            const inventory::ListedMachine& machine) override {
        calls.push_back("on " + machine.name);
        co_return answer;
    }
    boost::asio::awaitable<SwitchAnswer> off(const Account&,
                                             const inventory::ListedMachine& machine,
                                             std::chrono::milliseconds) override {
        calls.push_back("off " + machine.name);
        co_return answer;
    }
    boost::asio::awaitable<SwitchAnswer> look(const Account&,
                                              const inventory::ListedMachine& machine) override {
        calls.push_back("look " + machine.name);
        co_return answer;
    }
    base::Problems problems_with(const Account&) const override { return {}; }
    std::vector<model::PluginField> fields() const override { return {}; }

    SwitchAnswer answer = Switched{};
    std::vector<std::string> calls;
};

/// A provider of two machines, "a" (large, rack 1) and "b" (small, rack 2), with a wipe script.
struct Cellar {
    Account account() const {
        Account made;
        made.tenant.value = tenant;
        made.provider = "cellar";
        made.provider_type = "existing";
        made.fields = fields;
        return made;
    }

    static MachineSpec spec(int node, const std::string& flavor = "", long long task = 10) {
        MachineSpec wanted;
        wanted.name = "00000001-" + std::to_string(node);
        wanted.cluster = "00000001";
        wanted.task = task;
        wanted.flavor = flavor;
        return wanted;
    }

    template <class Answer>
    static Answer answer(boost::asio::awaitable<Answer> verb) {
        boost::asio::io_context loop{1};
        auto result = boost::asio::co_spawn(loop, std::move(verb), boost::asio::use_future);
        loop.run();
        return result.get();
    }

    Created create(const MachineSpec& wanted) {
        const Account used = account();
        return answer(provider().create(used, wanted));
    }
    /// A machine that no task of the node has entered.
    std::string leased(const MachineSpec& wanted) { return std::get<Machine>(create(wanted)).id; }
    std::optional<Refused> enter(const MachineSpec& wanted,
                                 const std::string& key = host_keys::first_key) {
        const Account used = account();
        base::Json results = base::Json::object();
        for (const auto& [number, lease] : leases.leases) {
            if (lease.node == wanted.name && model::is_held(lease.state)) {
                results["providerid"] = id_of(lease);
            }
        }
        return answer(provider().entered(used, wanted, results, key));
    }
    /// A machine that the node's tasks have switched on and entered. Each has the key that is
    /// listed first.
    std::string made(const MachineSpec& wanted) {
        const std::string id = leased(wanted);
        const Account used = account();
        for (const auto& [number, lease] : leases.leases) {
            if (id != lease.machine + '#' + std::to_string(number)) continue;
            if (power != nullptr) answer(switch_on(leases, power, used, lease));
            const auto keys = listed_machine(lease).host_keys;
            const auto refused = enter(wanted, keys.empty() ? "ssh-ed25519 pinned" : keys.front());
            if (refused) throw std::runtime_error(refused->message);
            break;
        }
        if (power != nullptr) power->calls.clear();
        return id;
    }
    Destroyed destroy(const MachineSpec& wanted, const base::Json& results = base::Json::object()) {
        const Account used = account();
        return answer(provider().destroy(used, wanted, results));
    }
    std::vector<SeenMachine> machines() {
        const Account used = account();
        return answer(provider().machines(used));
    }

    ExistingProvider& provider() { return power == nullptr ? plain : powered; }

    base::Json fields{
        {"machines", "- {name: a, address: 10.0.0.1, flavor: large, tags: [rack=1], host_key: " +
                         host_keys::first_key +
                         "}\n"
                         "- {name: b, address: 10.0.0.2, port: 2222, user: ops, flavor: small, "
                         "tags: [rack=2], host_key: " +
                         host_keys::second_key + "}\n"},
        {"wipe_script", "rm -rf /srv/data\n"}};
    std::int64_t tenant = 7;
    StillClock clock;
    MemoryLeases leases{clock};
    FakeScripts scripts;
    FakePower fake_power;
    FakePower* power = nullptr;
    ExistingProvider plain{leases, scripts, clock, http_client::OwnNetwork::closed};
    ExistingProvider powered{leases,      scripts,          clock, http_client::OwnNetwork::closed,
                             &fake_power, {.name = "metal"}};
};

}  // namespace tests::existing
