#include "provisioner/providers/cloud/cloud_provider.hpp"

#include <algorithm>
#include <set>

#include "provisioner/http_client/own_addresses.hpp"
#include "provisioner/model/machines/lost_machine.hpp"
#include "provisioner/providers/cloud/fields.hpp"
#include "provisioner/providers/cloud/firewall.hpp"
#include "provisioner/providers/cloud/own_machines.hpp"
#include "provisioner/providers/cloud/user_data.hpp"

namespace provisioner::providers::cloud {
namespace asio = boost::asio;

namespace {

using State = CloudMachine::State;
using std::chrono::milliseconds;

/// How often a machine that is deleted, or must be waited for, is looked at. All machines of an
/// account that wait share one call.
constexpr milliseconds poll_every{2000};
/// A machine that boots is looked at more often while there are not many.
constexpr milliseconds poll_boot_every{1000};
constexpr std::size_t many_machines = 250;
/// A listing that is at most this old shows whether a machine runs. Less than poll_boot_every, so
/// that each look is a new one.
constexpr milliseconds fresh_enough{800};
constexpr milliseconds shortest_poll{200};
/// The first turn of an attempt begins sooner after its claim.
constexpr milliseconds first_turn{100};
constexpr std::size_t most_creations = 100'000;

bool leads_here(const std::string& address) {
    boost::system::error_code is_name;
    const auto parsed = asio::ip::make_address(address, is_name);
    return !is_name && http_client::leads_to_own_network(parsed);
}

Pending pending(milliseconds poll_in, std::string reason) {
    return {.poll_in = poll_in, .reason = std::move(reason)};
}

/// Runs a verb and turns what it throws into its answer. Lost and all others go on to the caller:
/// what happened is unknown.
template <class Answer>
asio::awaitable<Answer> answered(asio::awaitable<Answer> verb) {
    std::optional<Answer> answer;
    try {
        answer = co_await std::move(verb);
    } catch (const Refusal& refusal) {
        answer = refusal.refused();
    } catch (const NotYet& wait) {
        answer = pending(wait.poll_in(), wait.what());
    } catch (const NoCapacity& full) {
        answer = busy(full.what()).refused();
    }
    co_return *std::move(answer);
}

Machine with_facts(Machine machine, const Cloud& cloud, const Account& account,
                   const MachineSpec& spec) {
    machine.facts["ssh-auth"]["user"] = spec.ssh_user;
    if (cloud.may_take_back(account, spec)) machine.facts[model::may_be_reclaimed_fact] = true;
    return machine;
}

std::string because(const CloudMachine& machine) {
    return machine.reason.empty() ? "" : ": " + machine.reason;
}

std::string joined(const std::vector<std::string>& sentences) {
    std::string text;
    for (const std::string& sentence : sentences) text += (text.empty() ? "" : "; ") + sentence;
    return text;
}

std::string listing_key(const Account& account) {
    return account.provider_type + account_key(account);
}

std::string place_name(const Placement& placement) {
    return placement.flavor + (placement.zone.empty() ? "" : " in " + placement.zone);
}

// All that wait look together, when the next listing is due: nobody takes one that is nearly as old
// as the time between two looks.
asio::awaitable<milliseconds> until_next_look(const Account& account, std::size_t machines) {
    const Listings* listings = co_await Listings::here();
    const milliseconds every = machines > many_machines ? poll_every : poll_boot_every;
    co_return std::max(every - listings->age(listing_key(account)), shortest_poll);
}

}  // namespace

std::unique_ptr<Provider> provider_of(std::unique_ptr<Cloud> cloud,
                                      http_client::OwnNetwork own_network) {
    return std::make_unique<CloudProvider>(std::move(cloud), own_network);
}

asio::awaitable<CloudProvider::Machines> CloudProvider::listed(const Account& account,
                                                               milliseconds age) {
    Listings* listings = co_await Listings::here();
    const auto copy = std::make_shared<const Account>(account);
    std::string key = listing_key(account);
    Listings::Fetch fetch = [this, copy]() -> asio::awaitable<std::vector<CloudMachine>> {
        return cloud_->list(*copy);
    };
    Machines machines = co_await listings->get(std::move(key), age, std::move(fetch));
    co_return machines;
}

asio::awaitable<Created> CloudProvider::create(const Account& account, const MachineSpec& spec) {
    base::Problems problems = check_common_fields(account, type(), own_network_);
    for (auto& problem : check_rules(account, spec)) problems.push_back(std::move(problem));
    for (auto& problem : cloud_->check(account, spec)) problems.push_back(std::move(problem));
    if (!problems.empty()) co_return wrong(base::to_text(problems)).refused();
    MachineSpec wanted = spec;
    wanted.ssh_user = cloud_->login_user(account, spec);
    auto verb = find_or_make(account, wanted);
    Created created = co_await answered(std::move(verb));
    co_return created;
}

// A machine that came to nothing is removed first, so that its name and its place are free. Others
// of the same name are doubles, which a lost reply can leave in clouds without tokens.
asio::awaitable<Created> CloudProvider::find_or_make(const Account& account,
                                                     const MachineSpec& spec) {
    const Machines all = co_await listed(account, milliseconds{0});
    const std::vector<CloudMachine> own = machines_of(*all, spec);
    for (const CloudMachine& machine : own) {
        if (!is_made_for_later(machine, spec)) continue;
        throw busy("the machine " + machine.id + " was made by a later task");
    }
    std::size_t kept = 0;
    const bool has_one =
        !own.empty() && (own[0].state == State::running || own[0].state == State::starting);
    if (has_one) kept = 1;
    for (std::size_t i = kept; i < own.size(); ++i) {
        if (own[i].state != State::leaving) co_await cloud_->remove(account, own[i]);
    }
    if (has_one) {
        co_return with_facts({.id = own[0].id, .facts = base::Json::object()}, *cloud_, account,
                             spec);
    }
    if (!own.empty()) {
        co_return pending(poll_every, "the machine " + own[0].id + " of an earlier try is removed" +
                                          because(own[0]));
    }
    const milliseconds within = cloud_->shows_within();
    if (may_be_under_way(spec) && within > milliseconds{0}) {
        co_return pending(within, "another daemon began: looks whether it made the machine");
    }
    auto verb = make(account, spec);
    Created created = co_await std::move(verb);
    co_return created;
}

// The next turn begins with the first place again. Tokens differ by place: a machine made in
// another one must have shown up by then.
milliseconds CloudProvider::looks_after(bool is_first_place) const {
    const milliseconds least = is_first_place ? milliseconds{1000} : milliseconds{10'000};
    return std::max(cloud_->shows_within(), least);
}

bool CloudProvider::may_be_under_way(const MachineSpec& spec) {
    const std::lock_guard lock(mutex_);
    // Those forgotten wait once more.
    if (begun_.size() >= most_creations) begun_.clear();
    const bool is_new_here = begun_.insert({spec.name, spec.task, spec.attempt}).second;
    return is_new_here && spec.asked_for > first_turn;
}

asio::awaitable<Created> CloudProvider::make(const Account& account, const MachineSpec& spec) {
    const std::vector<Placement> placements = cloud_->placements(account, spec);
    std::vector<std::string> full;
    for (std::size_t i = 0; i < placements.size(); ++i) {
        // An earlier attempt may have failed for want of room without a word: begin with the next.
        const std::size_t at = (i + static_cast<std::size_t>(spec.attempt - 1)) % placements.size();
        Order order{.account = account, .spec = spec};
        order.placement = placements[at];
        order.mark = mark_of(account, spec);
        order.part = "machine " + std::to_string(at);
        if (cloud_->runs_cloud_init(account, spec)) {
            const base::Json more = cloud_->more_user_data(account, spec);
            order.user_data = user_data_for(account, spec, order.mark, more);
        }
        std::string lost;
        try {
            Machine made = co_await cloud_->make(order);
            co_return with_facts(std::move(made), *cloud_, account, spec);
        } catch (const NoCapacity& none) {
            full.push_back(place_name(order.placement) + ": " + none.what());
        } catch (const Lost& unknown) {
            lost = unknown.what();
        }
        if (!lost.empty()) {
            co_return pending(looks_after(full.empty()),
                              "looks whether the machine was made: " + lost);
        }
    }
    throw NoCapacity("the provider has no room for the machine: " + joined(full));
}

asio::awaitable<Confirmed> CloudProvider::confirm(const Account& account, const MachineSpec& spec,
                                                  const base::Json& results) {
    auto verb = look_at(account, spec, results);
    Confirmed confirmed = co_await answered(std::move(verb));
    co_return confirmed;
}

asio::awaitable<Confirmed> CloudProvider::look_at(const Account& account, const MachineSpec& spec,
                                                  const base::Json& results) {
    const std::string id = provider_id(results, spec);
    const Machines all = co_await listed(account, fresh_enough);
    const CloudMachine* machine = find_machine(*all, id, spec.name);
    Refused refused;
    // One that came to nothing is deleted and made anew (queue::TaskEnds), elsewhere if it can be.
    refused.worth_retrying = true;
    if (machine == nullptr) {
        if (spec.asked_for < cloud_->listed_within()) {
            co_return pending(poll_every, "the provider does not list the machine " + id + " yet");
        }
        const std::string why = cloud_->why_missing();
        refused.message =
            "the machine " + id + " is not there any more" + (why.empty() ? "" : ": " + why);
        co_return refused;
    }
    if (machine->state == State::gone || machine->state == State::leaving) {
        refused.message = "the machine " + id + " is gone" + because(*machine);
        co_return refused;
    }
    if (machine->state == State::failed) {
        refused.message = "the provider could not make the machine " + id + because(*machine);
        co_return refused;
    }
    if (machine->state == State::starting) {
        const milliseconds next = co_await until_next_look(account, all->size());
        co_return pending(next, "the machine boots" + because(*machine));
    }
    if (machine->id == id) {
        auto removing = remove_doubles(account, spec, *all, id);
        co_await std::move(removing);
    }
    auto completing = cloud_->complete(account, spec, *machine);
    co_await std::move(completing);
    if (!machine->addresses.contains("access_v4")) {
        co_return pending(poll_every, "the machine has no address yet" + because(*machine));
    }
    // What an endpoint says is not believed: sessions to this host are none of its business.
    const std::string& address = machine->addresses.at("access_v4");
    if (own_network_ == http_client::OwnNetwork::closed && leads_here(address)) {
        refused.message = "the provider says that the machine " + id + " has the address " +
                          address + ", which belongs to this host, its local hosts or its link";
        co_return refused;
    }
    auto verb = reached(account, spec, *machine);
    Confirmed confirmed = co_await std::move(verb);
    co_return confirmed;
}

// One that a lost reply left behind may show up after create() looked for it.
asio::awaitable<void> CloudProvider::remove_doubles(const Account& account, const MachineSpec& spec,
                                                    const std::vector<CloudMachine>& all,
                                                    const std::string& kept) {
    const std::vector<CloudMachine> own = machines_of(all, spec);
    for (const CloudMachine& machine : own) {
        const bool stays = machine.id == kept || machine.state == State::leaving ||
                           is_made_for_later(machine, spec);
        if (!stays) co_await cloud_->remove(account, machine);
    }
}

asio::awaitable<Confirmed> CloudProvider::reached(const Account& account, const MachineSpec& spec,
                                                  const CloudMachine& machine) {
    Reachable reachable;
    reachable.addresses = machine.addresses;
    reachable.addresses.try_emplace("bind_v4", machine.addresses.at("access_v4"));
    reachable.hostname = machine.hostname;
    const bool carries_one = cloud_->runs_cloud_init(account, spec);
    const auto pair = carries_one ? host_key_for(spec, machine.mark) : std::nullopt;
    if (pair) {
        reachable.host_key = pair->public_key;
        reachable.host_key_travelled = true;
        co_return reachable;
    }
    const CloudMachine copy = machine;
    reachable.host_key = co_await cloud_->host_key_of(account, copy);
    co_return reachable;
}

asio::awaitable<Destroyed> CloudProvider::destroy(const Account& account, const MachineSpec& spec,
                                                  const base::Json& results) {
    auto verb = take_away(account, spec, results);
    Destroyed destroyed = co_await answered(std::move(verb));
    co_return destroyed;
}

asio::awaitable<Destroyed> CloudProvider::take_away(const Account& account, const MachineSpec& spec,
                                                    const base::Json& results) {
    const std::string id = provider_id(results, spec);
    const Machines all = co_await listed(account, milliseconds{0});
    std::vector<std::string> leaving;
    bool has_later = false;
    for (const CloudMachine& machine : *all) {
        const bool is_ours =
            machine.id == id || (!spec.name.empty() && machine.mark.name == spec.name);
        if (!is_ours || !is_there(machine)) continue;
        if (is_made_for_later(machine, spec)) {
            has_later = true;
            continue;
        }
        if (machine.state != State::leaving) co_await cloud_->remove(account, machine);
        leaving.push_back("the machine " + machine.id + " is being deleted" + because(machine));
    }
    if (!leaving.empty()) co_return pending(poll_every, joined(leaving));
    if (has_later) co_return Gone{};
    auto verb = clean_up(account, spec, *all);
    Destroyed destroyed = co_await std::move(verb);
    co_return destroyed;
}

asio::awaitable<Destroyed> CloudProvider::clean_up(const Account& account, const MachineSpec& spec,
                                                   const std::vector<CloudMachine>& machines) {
    std::vector<std::string> left;
    const Mark mark = mark_of(account, spec);
    if (!mark.name.empty()) left = co_await cloud_->release(account, mark);
    if (!left.empty()) co_return pending(poll_every, joined(left));
    const bool is_last = std::none_of(machines.begin(), machines.end(), [&](const auto& machine) {
        return machine.mark.cluster == spec.cluster && is_there(machine);
    });
    if (!is_last || spec.cluster.empty()) co_return Gone{};
    const Mark cluster = cluster_mark_of(account, spec);
    left = co_await cloud_->release_cluster(account, cluster);
    if (!left.empty()) co_return pending(poll_every, joined(left));
    co_return Gone{};
}

asio::awaitable<std::vector<SeenMachine>> CloudProvider::machines(const Account& account) {
    const Machines all = co_await listed(account, milliseconds{0});
    std::vector<SeenMachine> seen;
    std::set<std::string> names;
    for (const CloudMachine& machine : *all) {
        if (!is_there(machine)) continue;
        names.insert(machine.mark.name);
        SeenMachine found;
        found.id = machine.id;
        found.name = machine.mark.name;
        found.addresses = machine.addresses;
        seen.push_back(std::move(found));
    }
    const auto leftovers = co_await cloud_->leftovers(account, *all);
    for (const Leftover& leftover : leftovers) {
        const bool is_of_one = !leftover.mark.name.empty();
        if (is_of_one && names.contains(leftover.mark.name)) continue;
        SeenMachine found;
        found.id = leftover.kind + " " + leftover.id;
        found.name = is_of_one ? leftover.mark.name : leftover.mark.cluster;
        found.part = leftover.kind;
        found.size_gb = leftover.size_gb;
        seen.push_back(std::move(found));
    }
    co_return seen;
}

asio::awaitable<Tested> CloudProvider::test(const Account& account) {
    const base::Problems problems = check_common_fields(account, type(), own_network_);
    if (!problems.empty()) co_return wrong(base::to_text(problems)).refused();
    std::optional<Tested> tested;
    try {
        tested = co_await cloud_->test(account);
    } catch (const Refusal& refusal) {
        tested = refusal.refused();
    } catch (const NotYet& wait) {
        tested = busy(wait.what()).refused();
    } catch (const Lost& unknown) {
        tested = busy(unknown.what()).refused();
    }
    co_return *std::move(tested);
}

std::string CloudProvider::account_name(const Account& account) const {
    return cloud_->account_name(account);
}

model::PluginType CloudProvider::type() const {
    model::PluginType type = cloud_->type();
    add_common_fields(type);
    return type;
}

}  // namespace provisioner::providers::cloud
