#include "provisioner/simulation/simulated_session.hpp"

#include <algorithm>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <optional>

#include "provisioner/remote/answer.hpp"
#include "provisioner/simulation/action_script.hpp"
#include "provisioner/simulation/chance.hpp"

namespace provisioner::simulation {

namespace asio = boost::asio;
using base::Timestamp;

namespace {

using namespace std::chrono_literals;

/// The shortest pause between two checks of a step's output.
constexpr auto shortest_pause = 20ms;
/// The longest pause. A machine deleted during a step is noticed within this time.
constexpr auto longest_pause = 1000ms;

asio::awaitable<void> pause_for(std::chrono::microseconds time) {
    auto executor = co_await asio::this_coro::executor;
    asio::steady_timer timer(executor, time);
    co_await timer.async_wait(asio::use_awaitable);
}

class SimulatedSession : public remote::Session {
 public:
    SimulatedSession(std::string machine, std::string host_key, LedgerFile ledger,
                     const base::Clock& clock)
        : machine_(std::move(machine)),
          host_key_(std::move(host_key)),
          ledger_(std::move(ledger)),
          clock_(clock) {}

    asio::awaitable<void> upload(const remote::Upload&) override {
        if (!ledger_.refresh()) break_connection("the machine is gone");
        co_return;
    }

    /// Reports no missing files: a simulated machine has no file system.
    asio::awaitable<std::vector<std::size_t>> lacking(const remote::Delivery&) override {
        if (!ledger_.refresh()) break_connection("the machine is gone");
        co_return std::vector<std::size_t>();
    }

    asio::awaitable<void> send(const remote::DeliveredFile&, const remote::Pieces&) override {
        if (!ledger_.refresh()) break_connection("the machine is gone");
        co_return;
    }

    asio::awaitable<remote::RunResult> run(const remote::Run& run, const remote::StepKey& key,
                                           const remote::OutputSink& sink) override {
        BegunStep step = ask_for(run, key);
        if (step.fence > key.fence) {
            co_return remote::read_answer("fenced " + std::to_string(step.fence));
        }
        const bool is_another = !key.kind.empty() && step.course.label != run.label;
        if (is_another) co_return remote::read_answer("another");
        const std::optional<Timestamp> broken_at = when_it_breaks(key, step);
        int printed = 0;
        for (;;) {
            const Timestamp now = clock_.now();
            const Timestamp until = std::min(broken_at.value_or(end_of(step)), end_of(step));
            printed = print(step, printed, now, sink);
            if (now >= until) break;
            const auto time = time_to_next_line(step, printed, now);
            co_await pause_for(std::min(time, until - now));
            if (!ledger_.refresh()) break_connection("the machine is gone");
            last_heard_ = std::chrono::steady_clock::now();
            // Another session may have stopped it.
            step = begun(key);
        }
        if (broken_at) break_connection("connection reset (simulated)");
        co_return ending(step, sink);
    }

    asio::awaitable<void> stop(const remote::StepKey& key) override {
        if (!ledger_.append(stopped_record(clock_.now(), key))) {
            break_connection("the machine is gone");
        }
        co_return;
    }

    const std::string& host_key() const override { return host_key_; }

    bool alive() const override { return alive_; }

    std::chrono::steady_clock::time_point last_heard() const override { return last_heard_; }

 private:
    /// Begins or joins the step. If two sessions append "begun" at once, the earlier record wins,
    /// and the later one counts as joining. So the step must be read from the ledger after the
    /// append.
    BegunStep ask_for(const remote::Run& run, const remote::StepKey& key) {
        bool there = ledger_.refresh();
        const MadeMachine* machine = ledger_.ledger().machine();
        if (!there || machine == nullptr) break_connection("the machine is gone");
        const auto now = clock_.now();
        const bool known = ledger_.ledger().step(key.name) != nullptr;
        there = ledger_.append(
            known ? joined_record(now, key)
                  : begun_record(now, key, course_of(machine->behaviour, machine_, key.name, run)));
        if (!there) break_connection("the machine is gone");
        return begun(key);
    }

    /// The ledger has no such step when the machine was made again since it began.
    BegunStep begun(const remote::StepKey& key) {
        const BegunStep* step = ledger_.ledger().step(key.name);
        if (step == nullptr) break_connection("the machine was made again");
        return *step;
    }

    /// Halfway between now and the end of the step; nothing when the connection holds.
    std::optional<Timestamp> when_it_breaks(const remote::StepKey& key,
                                            const BegunStep& step) const {
        const Behaviour& behaviour = ledger_.ledger().machine()->behaviour;
        const double draw =
            chance(behaviour.seed, "connection", machine_ + "/" + key.name, step.asked);
        if (!happens(behaviour.reset_percent, draw)) return std::nullopt;
        const Timestamp now = clock_.now();
        return now + std::max(end_of(step) - now, Timestamp::duration{0}) / 2;
    }

    static int print(const BegunStep& step, int printed, Timestamp now,
                     const remote::OutputSink& sink) {
        const int due = lines_by(step, now);
        std::string text;
        for (int line = printed + 1; line <= due; ++line) {
            text += printed_line(step.course.label, line, step.course.lines);
        }
        if (!text.empty()) sink(remote::Stream::out, text);
        return due;
    }

    static Timestamp::duration time_to_next_line(const BegunStep& step, int printed,
                                                 Timestamp now) {
        const Timestamp next = step.began_at + (end_of(step) - step.began_at) /
                                                   (step.course.lines + 1) * (printed + 1);
        return std::clamp<Timestamp::duration>(next - now, shortest_pause, longest_pause);
    }

    static remote::RunResult ending(const BegunStep& step, const remote::OutputSink& sink) {
        const remote::RunResult result = remote::read_answer(ending_of(step));
        if (result.timed_out) {
            const auto limit = std::chrono::duration_cast<std::chrono::seconds>(step.course.limit);
            sink(remote::Stream::err, "cooperage: killed after its limit of " +
                                          std::to_string(limit.count()) + " s (simulated)\n");
        } else if (result.stopped) {
            sink(remote::Stream::err, "cooperage: stopped on request (simulated)\n");
        } else if (result.exit_code != 0) {
            sink(remote::Stream::err, failure_line(step.course.label));
        }
        return result;
    }

    [[noreturn]] void break_connection(const std::string& why) {
        alive_ = false;
        throw remote::TransportError(machine_ + ": " + why);
    }

    std::string machine_;
    std::string host_key_;
    LedgerFile ledger_;
    const base::Clock& clock_;
    bool alive_ = true;
    std::chrono::steady_clock::time_point last_heard_ = std::chrono::steady_clock::now();
};

class SimulatedConnector : public remote::Connector {
 public:
    SimulatedConnector(const LedgerFolder& ledgers, const base::Clock& clock)
        : ledgers_(ledgers), clock_(clock) {}

    asio::awaitable<std::shared_ptr<remote::Session>> connect(const remote::Endpoint& endpoint,
                                                              std::chrono::milliseconds) override {
        if (!endpoint.host_key.starts_with(host_key_prefix)) {
            throw remote::UntrustedHost(endpoint.address + ": its host key is not simulated");
        }
        std::string machine = endpoint.host_key.substr(host_key_prefix.size());
        LedgerFile ledger = ledgers_.open(machine);
        const bool there = ledger.refresh();
        const MadeMachine* made = ledger.ledger().machine();
        if (!there || made == nullptr || clock_.now() < made->booted_at()) {
            throw remote::TransportError(endpoint.address + ": the simulated machine " + machine +
                                         " does not answer");
        }
        co_return std::make_shared<SimulatedSession>(std::move(machine), endpoint.host_key,
                                                     std::move(ledger), clock_);
    }

 private:
    const LedgerFolder& ledgers_;
    const base::Clock& clock_;
};

bool is_for_benchmarks(std::string_view address) {
    return address.starts_with("198.18.") || address.starts_with("198.19.");
}

class GuestConnector : public remote::Connector {
 public:
    GuestConnector(const LedgerFolder& guests, const base::Clock& clock,
                   remote::Connector& otherwise)
        : guests_(guests), clock_(clock), otherwise_(otherwise) {}

    asio::awaitable<std::shared_ptr<remote::Session>> connect(
        const remote::Endpoint& endpoint, std::chrono::milliseconds patience) override {
        const bool is_known = endpoint.host_key.starts_with(guest_key_prefix);
        const bool is_new = endpoint.host_key.empty() && is_for_benchmarks(endpoint.address);
        if (!is_known && !(is_new && guests_.is_there())) {
            return otherwise_.connect(endpoint, patience);
        }
        return open(endpoint.address);
    }

 private:
    /// The first daemon that connects makes the ledger. When two do, both records say the same.
    asio::awaitable<std::shared_ptr<remote::Session>> open(std::string address) {
        LedgerFile ledger = guests_.open_to_make(address);
        if (!ledger.refresh()) {
            ledger.begin_with(made_record(clock_.now(), address, 0ms, base::Json::object(), 0));
        }
        const std::string key = std::string(guest_key_prefix) + address;
        co_return std::make_shared<SimulatedSession>(std::move(address), key, std::move(ledger),
                                                     clock_);
    }

    const LedgerFolder& guests_;
    const base::Clock& clock_;
    remote::Connector& otherwise_;
};

}  // namespace

std::string host_key_of(const std::string& machine) {
    return std::string(host_key_prefix) + machine;
}

std::unique_ptr<remote::Connector> make_simulated_connector(const LedgerFolder& ledgers,
                                                            const base::Clock& clock) {
    return std::make_unique<SimulatedConnector>(ledgers, clock);
}

std::unique_ptr<remote::Connector> make_guest_connector(const LedgerFolder& guests,
                                                        const base::Clock& clock,
                                                        remote::Connector& otherwise) {
    return std::make_unique<GuestConnector>(guests, clock, otherwise);
}

}  // namespace provisioner::simulation
