#include "provisioner/daemon/metrics/measured_provider.hpp"

#include <variant>

namespace provisioner::daemon {

namespace {

using boost::asio::awaitable;
using model::Account;
using providers::MachineSpec;

/// Counts one call when it ends. A call that nobody calls ended was left by an exception.
class MeasuredCall {
 public:
    MeasuredCall(ProviderCounters& counters, Verb verb) : counters_(counters), verb_(verb) {}
    ~MeasuredCall() { counters_.called(verb_, end_, std::chrono::steady_clock::now() - began_); }
    MeasuredCall(const MeasuredCall&) = delete;
    MeasuredCall& operator=(const MeasuredCall&) = delete;

    template <class Answer>
    void ended(const Answer& answer) {
        const bool is_refused = std::holds_alternative<providers::Refused>(answer);
        end_ = is_refused ? CallEnd::refused : CallEnd::answered;
    }
    void answered() { end_ = CallEnd::answered; }

 private:
    ProviderCounters& counters_;
    Verb verb_;
    CallEnd end_ = CallEnd::broken;
    std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

}  // namespace

MeasuredProvider::MeasuredProvider(std::unique_ptr<providers::Provider> provider,
                                   DaemonMetrics& metrics)
    : provider_(std::move(provider)),
      counters_(metrics.add_provider(provider_->type().header.name)) {}

awaitable<providers::Created> MeasuredProvider::create(const Account& account,
                                                       const MachineSpec& spec) {
    MeasuredCall call(counters_, Verb::create);
    providers::Created created = co_await provider_->create(account, spec);
    call.ended(created);
    co_return created;
}

awaitable<providers::Confirmed> MeasuredProvider::confirm(const Account& account,
                                                          const MachineSpec& spec,
                                                          const base::Json& results) {
    MeasuredCall call(counters_, Verb::confirm);
    providers::Confirmed confirmed = co_await provider_->confirm(account, spec, results);
    call.ended(confirmed);
    co_return confirmed;
}

awaitable<std::optional<providers::Refused>> MeasuredProvider::entered(
    const Account& account, const MachineSpec& spec, const base::Json& results,
    const std::string& host_key) {
    std::optional<providers::Refused> refused =
        co_await provider_->entered(account, spec, results, host_key);
    co_return refused;
}

awaitable<providers::Destroyed> MeasuredProvider::destroy(const Account& account,
                                                          const MachineSpec& spec,
                                                          const base::Json& results) {
    MeasuredCall call(counters_, Verb::destroy);
    providers::Destroyed destroyed = co_await provider_->destroy(account, spec, results);
    call.ended(destroyed);
    co_return destroyed;
}

awaitable<std::vector<providers::SeenMachine>> MeasuredProvider::machines(const Account& account) {
    MeasuredCall call(counters_, Verb::machines);
    std::vector<providers::SeenMachine> seen = co_await provider_->machines(account);
    call.answered();
    co_return seen;
}

awaitable<providers::Tested> MeasuredProvider::test(const Account& account) {
    providers::Tested tested = co_await provider_->test(account);
    co_return tested;
}

bool MeasuredProvider::gives_names() const {
    return provider_->gives_names();
}

std::string MeasuredProvider::account_name(const Account& account) const {
    return provider_->account_name(account);
}

bool MeasuredProvider::is_shared() const {
    return provider_->is_shared();
}

model::PluginType MeasuredProvider::type() const {
    return provider_->type();
}

}  // namespace provisioner::daemon
