#include "provisioner/daemon/claims/outage.hpp"

#include "provisioner/daemon/timing.hpp"

namespace provisioner::daemon {

bool has_lasted_too_long(const queue::OutageSoFar& outage) {
    return outage.age > timing::outage_patience && outage.turns >= timing::outage_turns;
}

queue::Waiting wait_for_end(queue::Outage outage, std::string reason, double jitter) {
    using std::chrono::milliseconds;
    return {
        .poll_in = std::chrono::duration_cast<milliseconds>(timing::reconnect_in * (1 + jitter)),
        .reason = std::move(reason),
        .output_starts_over = true,
        .outage = outage};
}

}  // namespace provisioner::daemon
