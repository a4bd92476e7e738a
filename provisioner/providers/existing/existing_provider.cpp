#include "provisioner/providers/existing/existing_provider.hpp"

#include <algorithm>
#include <set>

#include "provisioner/http_client/own_addresses.hpp"
#include "provisioner/providers/existing/switching.hpp"
#include "provisioner/providers/ssh_banner.hpp"

namespace provisioner::providers::existing {
namespace asio = boost::asio;
using model::LeaseState;
using model::MachineLease;

namespace {

using namespace std::chrono_literals;

constexpr auto ssh_poll = 1s;
constexpr auto has_none = "the node has no machine any more";
/// How long a node's task waits for the wash of its machine.
constexpr auto task_patience = 5min;
/// Most controllers that a test of the account asks.
constexpr std::size_t most_asked = 20;

Refused wrong(std::string message) {
    return {.message = std::move(message), .worth_retrying = false, .nothing_created = true};
}

Machine machine_of(const MachineLease& lease, const MachineSpec& spec) {
    const auto listed = listed_machine(lease);
    base::Json facts = base::Json::object();
    facts["machine"] = lease.machine;
    facts["ssh-auth"]["user"] = listed.user.empty() ? spec.ssh_user : listed.user;
    if (listed.port != 22) facts["ssh-auth"]["port"] = listed.port;
    return {.id = id_of(lease), .facts = facts};
}

/// Whether destroy() means this lease: that of its machine, and not one of a later task.
bool is_meant(const MachineLease& lease, const MachineSpec& spec, const std::string& id) {
    if (lease.state == LeaseState::broken) return false;
    if (spec.task == 0) return id.empty() || id == id_of(lease);
    return lease.task <= spec.task;
}

Created answer_to(const model::NoneFree& none) {
    if (none.wiping > 0) return Pending{.poll_in = 5s, .reason = sentence_about(none)};
    return Refused{.message = sentence_about(none),
                   .worth_retrying = none.leased > 0,
                   .nothing_created = true};
}

Pending silent(const inventory::ListedMachine& machine) {
    return {.poll_in = ssh_poll,
            .reason = machine.name + " does not answer with SSH at " + machine.address + ", port " +
                      std::to_string(machine.port)};
}

void add_choices(Offer& offer, const std::string& field, const Fields& fields,
                 const std::vector<std::string> inventory::ListedMachine::*words) {
    std::set<std::string> all;
    for (const auto& machine : fields.machines) {
        all.insert((machine.*words).begin(), (machine.*words).end());
    }
    for (const std::string& word : all) offer.choices[field].push_back({.value = word});
}

/// A list is written by administrators of tenants: it must not lead to the daemon's own host, nor
/// to the metadata service of its cloud.
void add_own_addresses(base::Problems& problems,
                       const std::vector<inventory::ListedMachine>& machines) {
    for (const auto& machine : machines) {
        boost::system::error_code error;
        const auto address = asio::ip::make_address(machine.address, error);
        if (error || !http_client::leads_to_own_network(address)) continue;
        problems.push_back({"machines", machine.name + ": " + machine.address +
                                            " is the provisioner's own host, a local host or a "
                                            "link-local address (setting http.own_network)"});
    }
}

}  // namespace

base::Checked<Fields> ExistingProvider::checked_fields(const Account& account) const {
    auto fields = fields_of(account, rules());
    base::Problems problems = fields ? base::Problems{} : fields.error();
    if (const auto cleaning = cleaning_of(account); !cleaning) {
        problems.insert(problems.end(), cleaning.error().begin(), cleaning.error().end());
    }
    if (fields && own_network_ == http_client::OwnNetwork::closed) {
        add_own_addresses(problems, fields->machines);
    }
    if (power_ != nullptr) {
        const auto more = power_->problems_with(account);
        problems.insert(problems.end(), more.begin(), more.end());
    }
    if (!problems.empty()) return base::unexpected(std::move(problems));
    return fields;
}

asio::awaitable<Created> ExistingProvider::create(const Account& account, const MachineSpec& spec) {
    const auto fields = checked_fields(account);
    if (!fields) co_return wrong(base::to_text(fields.error()));
    model::LeaseWish wish = wish_of(account, spec, *fields);
    if (wish.candidates.empty()) {
        co_return wrong(inventory::why_none_fits(fields->machines, wanted_of(spec)));
    }
    auto taking = leases_.take(std::move(wish));
    const model::LeaseAnswer answer = co_await std::move(taking);
    if (const auto* none = std::get_if<model::NoneFree>(&answer)) co_return answer_to(*none);
    co_return machine_of(std::get<MachineLease>(answer), spec);
}

/// The lease that the node holds; nothing without one.
asio::awaitable<std::optional<MachineLease>> ExistingProvider::held_by(std::string node) {
    auto reading = leases_.of_node(std::move(node));
    const auto leases = co_await std::move(reading);
    std::optional<MachineLease> held;
    for (const MachineLease& lease : leases) {
        if (model::is_held(lease.state)) held = lease;
    }
    co_return held;
}

asio::awaitable<Confirmed> ExistingProvider::confirm(const Account& account,
                                                     const MachineSpec& spec, const base::Json&) {
    auto reading = held_by(spec.name);
    const auto held = co_await std::move(reading);
    if (!held) co_return wrong(has_none);
    const SwitchAnswer on = co_await switch_on(leases_, power_, account, *held);
    if (const auto* refused = std::get_if<Refused>(&on)) co_return *refused;
    if (const auto* pending = std::get_if<Pending>(&on)) co_return *pending;
    const auto machine = listed_machine(*held);
    auto asking = answers_with_ssh(machine.address, machine.port);
    const bool answers = co_await std::move(asking);
    if (!answers) co_return silent(machine);
    Reachable reachable;
    reachable.addresses = {{"access_v4", machine.address}, {"bind_v4", machine.bind_address}};
    if (!machine.host_keys.empty()) reachable.host_key = machine.host_keys.front();
    co_return reachable;
}

// The key is kept first: a machine that is entered and whose key nobody knows could never be wiped.
asio::awaitable<bool> ExistingProvider::take_in(MachineLease& lease, const std::string& host_key) {
    auto keeping = keep_first_login(lease, host_key);
    co_await std::move(keeping);
    auto entering = leases_.enter(lease.id, proven_by_login(listed_machine(lease), host_key));
    const bool is_ours = co_await std::move(entering);
    lease.is_entered = is_ours;
    co_return is_ours;
}

// The lease that is held now may be a later one than that of the login.
asio::awaitable<std::optional<Refused>> ExistingProvider::entered(const Account&,
                                                                  const MachineSpec& spec,
                                                                  const base::Json& results,
                                                                  const std::string& host_key) {
    auto reading = held_by(spec.name);
    auto held = co_await std::move(reading);
    if (!held || base::text_at(results, "providerid") != id_of(*held)) co_return wrong(has_none);
    auto taking = take_in(*held, host_key);
    const bool is_ours = co_await std::move(taking);
    std::optional<Refused> refused;
    if (!is_ours) {
        refused = Refused{.message = std::string(taken_by_another), .worth_retrying = true};
    }
    co_return refused;
}

asio::awaitable<void> ExistingProvider::keep_first_login(MachineLease& lease,
                                                         const std::string& host_key) {
    auto machine = listed_machine(lease);
    if (!machine.host_keys.empty() || host_key.empty()) co_return;
    machine.host_keys = {host_key};
    lease.listed = to_json(machine);
    auto keeping = leases_.relist(lease.id, lease.listed);
    co_await std::move(keeping);
}

asio::awaitable<Destroyed> ExistingProvider::give_back(const Account& account, MachineLease lease,
                                                       const base::Json& results) {
    const model::MachineLeaseId id = lease.id;
    std::string failure;
    try {
        // A daemon of before this may have confirmed the node.
        const std::string shown = pinned_host_key(results);
        if (model::is_held(lease.state) && !lease.is_entered && !shown.empty()) {
            auto taking = take_in(lease, shown);
            co_await std::move(taking);
        }
        auto washing = washing_.go_on(account, std::move(lease));
        Destroyed step = co_await std::move(washing);
        co_return step;
    } catch (const std::exception& error) {
        failure = error.what();
    }
    try {
        auto noting = leases_.note(id, failure);
        co_await std::move(noting);
    } catch (const std::exception&) {
        // The leases are out of reach: the next call will see.
    }
    Pending pending{.poll_in = wash_poll, .reason = failure};
    co_return pending;
}

// A node may have several machines in the wash: it was created anew while the first was wiped.
asio::awaitable<Destroyed> ExistingProvider::destroy(const Account& account,
                                                     const MachineSpec& spec,
                                                     const base::Json& results) {
    const std::string id = base::text_at(results, "providerid");
    auto reading = leases_.of_node(spec.name);
    const auto leases = co_await std::move(reading);
    std::optional<Pending> pending;
    for (std::size_t i = 0; i < leases.size(); ++i) {
        MachineLease lease = leases[i];
        if (!is_meant(lease, spec, id)) continue;
        const bool is_late = !model::is_held(lease.state) &&
                             clock_.now() - lease.changed_at > task_patience && spec.task > 0;
        auto giving = give_back(account, std::move(lease), results);
        const Destroyed step = co_await std::move(giving);
        if (is_late) continue;
        if (const auto* waits = std::get_if<Pending>(&step)) pending = *waits;
    }
    if (pending) co_return *pending;
    co_return Gone{};
}

asio::awaitable<std::vector<SeenMachine>> ExistingProvider::machines(const Account& account) {
    auto reading = leases_.of_provider(account.tenant, account.provider_type, account.provider);
    const auto leases = co_await std::move(reading);
    const base::Json nothing_new = base::Json::object();
    std::vector<SeenMachine> seen;
    for (std::size_t i = 0; i < leases.size(); ++i) {
        const MachineLease& lease = leases[i];
        if (model::is_held(lease.state)) {
            seen.push_back({.id = id_of(lease),
                            .name = lease.node,
                            .addresses = {{"access_v4", base::text_at(lease.listed, "address")}}});
        } else if (lease.state != LeaseState::broken) {
            auto giving = give_back(account, lease, nothing_new);
            co_await std::move(giving);
        }
    }
    co_return seen;
}

asio::awaitable<void> ExistingProvider::ask_controllers(const Account& account,
                                                        const Fields& fields, Offer& offer) {
    if (power_ == nullptr) co_return;
    const std::size_t asked = std::min(fields.machines.size(), most_asked);
    for (std::size_t i = 0; i < asked; ++i) {
        const inventory::ListedMachine& machine = fields.machines[i];
        const SwitchAnswer answer = co_await power_->look(account, machine);
        if (const auto* refused = std::get_if<Refused>(&answer)) {
            offer.notes.push_back(machine.name + ": " + refused->message);
        }
    }
    if (asked < fields.machines.size()) {
        offer.notes.push_back("The controllers of the first " + std::to_string(asked) +
                              " machines were asked.");
    }
}

asio::awaitable<Tested> ExistingProvider::test(const Account& account) {
    const auto fields = checked_fields(account);
    if (!fields) co_return wrong(base::to_text(fields.error()));
    Offer offer;
    add_choices(offer, "flavor", *fields, &inventory::ListedMachine::flavors);
    add_choices(offer, "image", *fields, &inventory::ListedMachine::images);
    add_choices(offer, "tags", *fields, &inventory::ListedMachine::tags);
    auto reading = leases_.of_provider(account.tenant, account.provider_type, account.provider);
    const auto leases = co_await std::move(reading);
    offer.notes.push_back(std::to_string(fields->machines.size()) + " machines are listed, " +
                          std::to_string(leases.size()) + " of this provider are not free.");
    for (const MachineLease& lease : leases) {
        if (lease.state != LeaseState::broken) continue;
        offer.notes.push_back(lease.machine + " is out of use: " + lease.reason);
    }
    const auto cleaning = cleaning_of(account);
    if (cleaning->script.empty() && !cleaning->reuses_without_wiping) {
        offer.notes.emplace_back(
            "There is no wipe_script: each machine serves once, until a person releases it.");
    }
    co_await ask_controllers(account, *fields, offer);
    co_return offer;
}

std::string ExistingProvider::account_name(const Account& account) const {
    return "machines of " + account.provider;
}

}  // namespace provisioner::providers::existing
