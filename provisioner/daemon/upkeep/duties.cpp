#include "provisioner/daemon/upkeep/duties.hpp"

#include <algorithm>
#include <optional>
#include <thread>

namespace provisioner::daemon {

using std::chrono::steady_clock;

namespace {

constexpr std::chrono::milliseconds look_every{50};

bool is_under_way(const std::future<void>& run) {
    return run.valid() && run.wait_for(std::chrono::seconds{0}) != std::future_status::ready;
}

}  // namespace

void Duties::run(const std::vector<Duty>& duties, const std::function<bool()>& is_over) {
    std::vector<steady_clock::time_point> due(duties.size());
    while (!is_over()) {
        for (std::size_t i = 0; i < duties.size(); ++i) {
            const auto now = steady_clock::now();
            if (now < due[i]) continue;
            due[i] = now + duties[i].every;
            duties[i].place == Duty::Place::aside ? begin_aside(duties[i]) : attempt(duties[i]);
        }
        std::this_thread::sleep_for(look_every);
    }
}

bool Duties::all_ended() const {
    return std::none_of(asides_.begin(), asides_.end(),
                        [](const auto& each) { return is_under_way(each.second); });
}

void Duties::attempt(const Duty& duty) {
    std::optional<std::string> failure;
    try {
        duty.run();
    } catch (const std::exception& error) {
        failure = error.what();
    }
    const std::lock_guard lock(mutex_);
    base::FailureLog& failures =
        failures_
            .try_emplace(duty.name, log_, "duty.failed", "duty.works_again",
                         base::LogField{"duty", duty.name})
            .first->second;
    failure ? failures.failed(*failure) : failures.worked();
}

// A finished future is replaced, which does not block; one under way is kept, because its
// destructor would wait for it.
void Duties::begin_aside(const Duty& duty) {
    std::future<void>& running = asides_[duty.name];
    if (is_under_way(running)) return;
    // A copy: the run may outlast run().
    running = std::async(std::launch::async, [this, duty] { attempt(duty); });
}

}  // namespace provisioner::daemon
