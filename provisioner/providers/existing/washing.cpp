#include "provisioner/providers/existing/washing.hpp"

#include <algorithm>

#include "provisioner/providers/existing/switching.hpp"

namespace provisioner::providers::existing {
namespace asio = boost::asio;
using model::LeaseState;
using model::MachineLease;

namespace {

constexpr auto no_script =
    "the provider has no wipe_script, so nobody but a person can clean it (reuse_without_wiping "
    "would hand it on as it is)";

constexpr auto by_another = "another daemon gives it back";

constexpr auto script_removed =
    "it is being wiped by a script that the provider has no more, so nobody can say how that ends";

using enum Verdict::Kind;

/// `goes_on` where there is a script to run.
Verdict verdict_on(const base::Checked<Cleaning>& cleaning, const MachineLease& lease) {
    // A file that cannot be read now may be there later.
    if (!cleaning) return {waits, base::to_text(cleaning.error())};
    if (!cleaning->script.empty()) return {goes_on};
    // The script of the time before an edit may still be at work there.
    if (is_wiped_by_script(lease)) return {waits, script_removed};
    if (cleaning->reuses_without_wiping) return {done};
    return {broken, no_script};
}

Verdict verdict_on(const SwitchAnswer& answer) {
    if (const auto* refused = std::get_if<Refused>(&answer)) return {waits, refused->message};
    if (const auto* pending = std::get_if<Pending>(&answer))
        return {waits, pending->reason, pending->poll_in};
    return {done};
}

Verdict look(const Account& account, Scripts& scripts, const ScriptRun& run) {
    if (run.host_key.empty() && !run.only_logs_in) {
        return {broken, "its host key is not known, so nobody can say which machine answers there"};
    }
    const ScriptState state = scripts.look(account, run);
    if (std::holds_alternative<ScriptRuns>(state)) {
        return {goes_on, run.only_logs_in ? "a login is tried" : "it is being wiped"};
    }
    if (const auto* failed = std::get_if<ScriptFailed>(&state)) {
        return {broken, (run.only_logs_in ? "" : "wipe_script: ") + failed->reason};
    }
    if (const auto* away = std::get_if<ScriptUnreachable>(&state)) return {waits, away->reason};
    return {done};
}

/// How long the wash of a machine that cannot be reached may last.
std::chrono::minutes patience_with(const base::Checked<Cleaning>& cleaning) {
    const auto limit = cleaning ? cleaning->limit : Cleaning{}.limit;
    return wash_patience + std::chrono::duration_cast<std::chrono::minutes>(limit);
}

Pending washed_soon(std::string reason) {
    return {.poll_in = wash_poll, .reason = std::move(reason)};
}

ScriptRun run_of(const MachineLease& lease, const Cleaning& cleaning) {
    const auto machine = listed_machine(lease);
    ScriptRun run;
    // The machine remembers what it ran by its key. Ids come again after a new installation or a
    // restored backup; moments do not.
    run.key = "wipe" + std::to_string(lease.id.value) + "x" +
              std::to_string(base::to_millis(lease.leased_at));
    run.address = machine.address;
    run.port = machine.port;
    run.user = machine.user.empty() ? "root" : machine.user;
    if (!machine.host_keys.empty()) run.host_key = machine.host_keys.front();
    run.script = cleaning.script;
    run.limit = cleaning.limit;
    return run;
}

ScriptRun login_of(const MachineLease& lease) {
    ScriptRun run = run_of(lease, {});
    run.key = "login-" + run.key;
    run.only_logs_in = true;
    return run;
}

}  // namespace

asio::awaitable<Destroyed> Washing::go_on(const Account& account, MachineLease lease) {
    Destroyed answer = Gone{};
    if (model::is_held(lease.state)) {
        auto step = begin(account, std::move(lease));
        answer = co_await std::move(step);
    } else if (lease.state == LeaseState::wiping) {
        auto step = wipe(account, std::move(lease));
        answer = co_await std::move(step);
    } else if (lease.state == LeaseState::wiped) {
        auto step = finish(account, std::move(lease));
        answer = co_await std::move(step);
    }
    co_return answer;
}

// Before the first step on the machine the lease says that no node has it any more: a daemon that
// dies after that leaves a machine that is being wiped, never one that looks leased and is not.
asio::awaitable<Destroyed> Washing::begin(const Account& account, MachineLease lease) {
    auto changing = leases_.change(lease.id, lease.state, LeaseState::wiping, "");
    const bool is_ours = co_await std::move(changing);
    if (!is_ours) co_return washed_soon(by_another);
    lease.state = LeaseState::wiping;
    lease.changed_at = clock_.now();
    const auto cleaning = cleaning_of(account);
    if (lease.is_entered && cleaning && !cleaning->script.empty()) {
        mark_as_wiped_by_script(lease.listed);
        auto keeping = leases_.relist(lease.id, lease.listed);
        co_await std::move(keeping);
    }
    auto next = wipe(account, std::move(lease));
    Destroyed answer = co_await std::move(next);
    co_return answer;
}

asio::awaitable<Destroyed> Washing::wipe(const Account& account, MachineLease lease) {
    const auto cleaning = cleaning_of(account);
    auto cleansing =
        lease.is_entered ? run_script(account, lease, cleaning) : try_login(account, lease);
    const Verdict verdict = co_await std::move(cleansing);
    if (verdict.kind == Verdict::Kind::done) {
        auto changing = leases_.change(lease.id, LeaseState::wiping, LeaseState::wiped, "");
        const bool is_ours = co_await std::move(changing);
        if (!is_ours) co_return washed_soon(by_another);
        lease.state = LeaseState::wiped;
        lease.changed_at = clock_.now();
        auto next = finish(account, std::move(lease));
        Destroyed answer = co_await std::move(next);
        co_return answer;
    }
    if (verdict.kind == Verdict::Kind::goes_on) co_return washed_soon(verdict.reason);
    auto ending = verdict.kind == Verdict::Kind::broken
                      ? break_off(lease, verdict)
                      : wait_for(lease, verdict, patience_with(cleaning));
    Destroyed answer = co_await std::move(ending);
    co_return answer;
}

asio::awaitable<Verdict> Washing::run_script(const Account& account, const MachineLease& lease,
                                             const base::Checked<Cleaning>& cleaning) {
    Verdict verdict = verdict_on(cleaning, lease);
    if (verdict.kind == goes_on) {
        auto switching = switch_on(leases_, power_, account, lease);
        const SwitchAnswer on = co_await std::move(switching);
        verdict = verdict_on(on);
        if (verdict.kind == done) verdict = look(account, scripts_, run_of(lease, *cleaning));
    }
    co_return verdict;
}

// Whether the next node could use the machine. One that was not switched on for us is not switched
// on to see: it may be another tenant's by now.
asio::awaitable<Verdict> Washing::try_login(const Account& account, const MachineLease& lease) {
    Verdict verdict{done};
    if (power_ != nullptr) {
        const inventory::ListedMachine machine = listed_machine(lease);
        auto asking =
            lease.has_controller ? power_->on(account, machine) : power_->look(account, machine);
        const SwitchAnswer answer = co_await std::move(asking);
        verdict = verdict_on(answer);
        if (!lease.has_controller) co_return verdict;
    }
    if (verdict.kind == done) verdict = look(account, scripts_, login_of(lease));
    co_return verdict;
}

asio::awaitable<Destroyed> Washing::finish(const Account& account, MachineLease lease) {
    // What was never entered may be in use by another, who has not asked its controller.
    if (power_ != nullptr && lease.has_controller && lease.is_entered) {
        // What was read of the lease is old by now: another daemon may have freed the machine, and
        // the next node's must not be switched off.
        auto reading = leases_.of_node(lease.node);
        const auto now = co_await std::move(reading);
        const bool is_still_wiped =
            std::any_of(now.begin(), now.end(), [&](const MachineLease& each) {
                return each.id == lease.id && each.state == LeaseState::wiped;
            });
        if (!is_still_wiped) co_return washed_soon(by_another);
        const inventory::ListedMachine machine = listed_machine(lease);
        auto switching = power_->off(
            account, machine,
            std::chrono::duration_cast<std::chrono::milliseconds>(clock_.now() - lease.changed_at));
        const SwitchAnswer off = co_await std::move(switching);
        const Verdict verdict = verdict_on(off);
        if (verdict.kind != Verdict::Kind::done) {
            auto ending = wait_for(lease, verdict, wash_patience);
            Destroyed answer = co_await std::move(ending);
            co_return answer;
        }
    }
    auto freeing = leases_.free(lease.id, LeaseState::wiped);
    const bool is_free = co_await std::move(freeing);
    if (!is_free) co_return washed_soon(by_another);
    co_return Gone{};
}

asio::awaitable<Destroyed> Washing::break_off(MachineLease lease, Verdict verdict) {
    std::string reason = verdict.reason;
    if (!lease.is_entered) {
        auto disowning = leases_.disown(lease.id);
        co_await std::move(disowning);
        reason = "its node never logged in; " + reason;
    }
    auto changing = leases_.change(lease.id, lease.state, LeaseState::broken, std::move(reason));
    co_await std::move(changing);
    co_return Gone{};
}

asio::awaitable<Destroyed> Washing::wait_for(MachineLease lease, Verdict verdict,
                                             std::chrono::minutes patience) {
    if (clock_.now() - lease.changed_at > patience) {
        verdict.reason = "for " + std::to_string(patience.count()) + " minutes: " + verdict.reason;
        auto ending = break_off(std::move(lease), std::move(verdict));
        Destroyed answer = co_await std::move(ending);
        co_return answer;
    }
    if (lease.reason != verdict.reason) {
        auto noting = leases_.note(lease.id, verdict.reason);
        co_await std::move(noting);
    }
    Pending pending{.poll_in = verdict.poll_in, .reason = verdict.reason};
    co_return pending;
}

}  // namespace provisioner::providers::existing
