#include "provisioner/providers/simulated/simulated_provider.hpp"

#include <algorithm>
#include <stdexcept>

#include "provisioner/base/ids.hpp"
#include "provisioner/simulation/chance.hpp"
#include "provisioner/simulation/simulated_session.hpp"

namespace provisioner::providers::simulated {
namespace asio = boost::asio;
using simulation::Behaviour;
using simulation::chance;
using simulation::happens;
using simulation::LedgerFile;
using simulation::MadeMachine;

namespace {

/// Secret fields, with which the handling of secrets can be tried out.
constexpr auto account_password = "simulated_account_password";
constexpr auto given_password = "simulated_password";

using std::chrono::milliseconds;

/// The longest pause between two looks at a machine that boots.
constexpr milliseconds longest_poll{1000};

Machine machine_of(const MachineSpec& spec) {
    base::Json facts = base::Json::object();
    facts["providerid"] = spec.name;
    facts["ssh-auth"]["user"] = spec.ssh_user;
    return {.id = spec.name, .facts = facts};
}

Refused quota_used_up() {
    return {.message = "the quota is used up (simulated_quota_percent of the provider)",
            .worth_retrying = true,
            .nothing_created = true};
}

/// What people call the machine: its host name without the suffix.
std::string shown_name(const MachineSpec& spec) {
    return spec.hostname.empty() ? spec.name : spec.hostname.substr(0, spec.hostname.find('.'));
}

Refused half_created(const MachineSpec& spec) {
    return {.message = "the creation of " + shown_name(spec) +
                       " broke off half way (simulated_half_created_percent of the provider)",
            .worth_retrying = true,
            .nothing_created = false};
}

[[noreturn]] void lose_the_reply(const std::string& what) {
    throw std::runtime_error("the reply to " + what +
                             " was lost (simulated_lost_reply_percent of the provider)");
}

}  // namespace

milliseconds boot_of(const Behaviour& behaviour, const std::string& machine) {
    const milliseconds usual = simulation::spread_around(
        behaviour.boot, behaviour.boot_spread, chance(behaviour.seed, "boot time", machine));
    const bool slow =
        happens(behaviour.slow_boot_percent, chance(behaviour.seed, "slow boot", machine));
    return slow ? usual + behaviour.slow_boot : usual;
}

std::string address_of(const std::string& cluster, const std::string& machine) {
    constexpr std::int64_t first = (198LL << 24) + (18LL << 16) + 1;
    constexpr std::int64_t usable = (1 << 17) - 2;
    const auto last = machine.find_last_not_of("0123456789");
    const auto digits = last == std::string::npos ? machine : machine.substr(last + 1);
    const auto number = base::parse_number(digits).value_or(0) % usable;
    const auto begin = static_cast<std::int64_t>(chance(0, "addresses", cluster) * usable);
    const std::int64_t address = first + (begin + number) % usable;
    return std::to_string(address >> 24) + "." + std::to_string(address >> 16 & 255) + "." +
           std::to_string(address >> 8 & 255) + "." + std::to_string(address & 255);
}

/// Shows the given password in its message on purpose, as some clouds do: the daemon must redact
/// it.
std::optional<Refused> refused_login(const base::Json& fields) {
    const std::string wanted = base::text_at(fields, account_password);
    const std::string given = base::text_at(fields, given_password);
    if (wanted.empty() || wanted == given) return std::nullopt;
    return Refused{.message = "the account refuses the password \"" + given + "\"",
                   .worth_retrying = false,
                   .nothing_created = true};
}

asio::awaitable<Created> SimulatedProvider::create(const Account& account,
                                                   const MachineSpec& spec) {
    if (auto refused = refused_login(account.fields)) co_return *std::move(refused);
    const auto behaviour = simulation::behaviour_from(account.fields);
    if (!behaviour) {
        Refused refused{.message = base::to_text(behaviour.error()),
                        .worth_retrying = false,
                        .nothing_created = true};
        co_return refused;
    }
    LedgerFile ledger = ledgers_.open_to_make(spec.name);
    if (ledger.refresh() && ledger.ledger().machine() != nullptr) co_return machine_of(spec);
    co_return make(ledger, account, spec, *behaviour);
}

Created SimulatedProvider::make(LedgerFile& ledger, const Account& account, const MachineSpec& spec,
                                const Behaviour& behaviour) {
    const double draw = chance(behaviour.seed, "quota", spec.name, ledger.ledger().refusals());
    if (happens(behaviour.quota_percent, draw)) {
        ledger.begin_with(simulation::refused_record(clock_.now()));
        return quota_used_up();
    }
    ledger.begin_with(simulation::made_record(
        clock_.now(), spec.hostname, boot_of(behaviour, spec.name), account.fields, spec.task));
    if (happens(behaviour.lost_reply_percent, chance(behaviour.seed, "lost create", spec.name))) {
        lose_the_reply("create " + shown_name(spec));
    }
    if (happens(behaviour.half_created_percent,
                chance(behaviour.seed, "half created", spec.name))) {
        return half_created(spec);
    }
    return machine_of(spec);
}

asio::awaitable<Confirmed> SimulatedProvider::confirm(const Account&, const MachineSpec& spec,
                                                      const base::Json& results) {
    const std::string name = provider_id(results, spec);
    LedgerFile ledger = ledgers_.open(name);
    ledger.refresh();
    const MadeMachine* machine = ledger.ledger().machine();
    if (machine == nullptr) {
        Refused refused{.message = "there is no simulated machine " + shown_name(spec),
                        .worth_retrying = false,
                        .nothing_created = false};
        co_return refused;
    }
    const auto left = std::chrono::ceil<milliseconds>(machine->booted_at() - clock_.now());
    if (left > milliseconds{0}) {
        Pending pending{.poll_in = std::min(left, longest_poll), .reason = "it boots"};
        co_return pending;
    }
    const std::string address = address_of(spec.cluster, name);
    Reachable reachable{.addresses = {{"access_v4", address}, {"bind_v4", address}},
                        .host_key = simulation::host_key_of(name),
                        .hostname = {}};
    co_return reachable;
}

bool SimulatedProvider::is_made_for_later(const std::string& name, long long task) const {
    LedgerFile ledger = ledgers_.open(name);
    ledger.refresh();
    const MadeMachine* machine = ledger.ledger().machine();
    return machine != nullptr && task > 0 && machine->task > task;
}

asio::awaitable<Destroyed> SimulatedProvider::destroy(const Account& account,
                                                      const MachineSpec& spec,
                                                      const base::Json& results) {
    const std::string name = provider_id(results, spec);
    const Behaviour behaviour = simulation::behaviour_from(account.fields).value_or(Behaviour{});
    const bool there = ledgers_.has(name);
    if (there && is_made_for_later(name, spec.task)) co_return Gone{};
    ledgers_.remove(name, behaviour.keep_ledger, clock_.now());
    const double draw = chance(behaviour.seed, "lost destroy", name);
    if (there && happens(behaviour.lost_reply_percent, draw))
        lose_the_reply("destroy " + shown_name(spec));
    co_return Gone{};
}

asio::awaitable<std::vector<SeenMachine>> SimulatedProvider::machines(const Account&) {
    std::vector<SeenMachine> machines;
    for (const std::string& name : ledgers_.machines()) {
        machines.push_back({.id = name, .name = name});
    }
    co_return machines;
}

model::PluginType SimulatedProvider::type() const {
    model::PluginType type;
    type.header.name = "simulated";
    type.header.label = "Simulated machines";
    type.header.description = "Machines that are only records: to rehearse templates";
    for (const simulation::BehaviourField& offered : simulation::behaviour_fields()) {
        model::PluginField field;
        field.name = offered.name;
        field.label = offered.label;
        field.tip = offered.tip;
        field.default_value = offered.default_value;
        field.default_applies = true;
        if (!offered.options.empty()) {
            field.kind = "select";
            field.options = offered.options;
        } else {
            field.number =
                model::NumberRange{.least = 0, .most = static_cast<double>(offered.most)};
        }
        type.admin.fields.push_back(std::move(field));
    }
    model::PluginField account;
    account.name = account_password;
    account.label = "Password of the account";
    account.kind = "password";
    account.tip = "Creations that come with another one are refused; empty: none is asked for";
    account.sensitive = true;
    type.admin.fields.push_back(std::move(account));
    model::PluginField given;
    given.name = given_password;
    given.label = "Your password";
    given.kind = "password";
    given.tip = "Only where the account of the simulated machines asks for one";
    given.sensitive = true;
    // Overridable instead of a field for users: Coopr's Java client cannot read a type that has
    // fields of both kinds.
    given.overridable = true;
    type.admin.fields.push_back(std::move(given));
    return type;
}

}  // namespace provisioner::providers::simulated
