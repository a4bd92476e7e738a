#include "provisioner/queue/retry.hpp"

#include <algorithm>
#include <stdexcept>

#include "provisioner/model/jobs/job_end.hpp"

namespace provisioner::queue {

namespace {

/// What apt (pkgAcquire, debSystem::Lock) and dpkg print when another process has their lock.
constexpr std::array lock_messages{
    std::string_view("Could not get lock /var/"),
    std::string_view("Unable to acquire the dpkg frontend lock"),
    std::string_view("dpkg frontend lock was locked by another process"),
    std::string_view("dpkg status database is locked by another process"),
    std::string_view("Unable to lock directory /var/lib/apt/"),
};

const RetryRule& rule_for(Cause cause) {
    const auto found = std::ranges::find(retry_rules, cause, &RetryRule::cause);
    if (found == retry_rules.end()) throw std::logic_error("a cause of failure has no rule");
    return *found;
}

}  // namespace

std::optional<std::chrono::milliseconds> retry_in(Cause cause, int tries, double jitter) {
    using std::chrono::milliseconds;
    const RetryRule& rule = rule_for(cause);
    if (tries >= rule.tries) return std::nullopt;
    const int doublings = std::clamp(tries - 1, 0, 16);
    const milliseconds pause = std::min(rule.longest, rule.first * (1 << doublings));
    return pause +
           milliseconds(static_cast<long>(static_cast<double>(pause.count()) * 0.2 * jitter));
}

std::string about_next_try(Cause cause, int tries, std::chrono::milliseconds pause) {
    const auto seconds = std::chrono::round<std::chrono::seconds>(pause).count();
    return " (try " + std::to_string(tries) + " of " + std::to_string(rule_for(cause).tries) +
           ", the next one after " + std::to_string(seconds) + " s)";
}

Failed failure(Cause cause, int tries, double jitter, std::string message, int status_code) {
    Failed failed;
    failed.message = std::move(message);
    failed.status_code = status_code;
    failed.stderr_tail = failed.message;
    failed.retry_in = retry_in(cause, tries, jitter);
    if (failed.retry_in) failed.message += about_next_try(cause, tries, *failed.retry_in);
    return failed;
}

Cause cause_of_step(std::string_view printed, int exit_code) {
    const bool locked = std::ranges::any_of(lock_messages, [&](std::string_view message) {
        return printed.find(message) != std::string_view::npos;
    });
    if (locked) return Cause::apt_locked;
    return exit_code == model::exit_of_wrong_configuration ? Cause::configuration : Cause::step;
}

Cause cause_of_outage(std::string_view message) {
    const bool no_banner = message.find("banner") != std::string_view::npos;
    return no_banner ? Cause::no_banner : Cause::network;
}

}  // namespace provisioner::queue
