#pragma once

#include <chrono>
#include <functional>
#include <future>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "provisioner/base/failure_log.hpp"
#include "provisioner/base/log.hpp"

namespace provisioner::daemon {

/// Something that is done again and again.
struct Duty {
    /// Where a duty runs.
    enum class Place {
        /// On the thread of the duties. For short ones: a late one delays all others.
        here,
        /// On a thread of its own, one run at a time. For those that wait for providers, places or
        /// long statements.
        aside
    };

    /// A literal.
    const char* name;
    /// From one start to the next.
    std::chrono::milliseconds every;
    Place place;
    std::function<void()> run;
};

/// Carries out duties when they are due. One that throws is logged, and due again as usual.
class Duties {
 public:
    /// `log` must outlive the object.
    explicit Duties(const base::Log& log) : log_(log) {}

    /// Works on the caller's thread until `is_over` says so; to be called once. Runs that are aside
    /// may still be under way then.
    void run(const std::vector<Duty>& duties, const std::function<bool()>& is_over);

    /// Whether no run is under way aside. Only after run() has returned.
    bool all_ended() const;

 private:
    void attempt(const Duty& duty);
    void begin_aside(const Duty& duty);

    const base::Log& log_;
    /// By the name of the duty; used by the thread of run(), then by all_ended().
    std::map<std::string, std::future<void>> asides_;
    /// Guards failures_: duties run in several threads.
    std::mutex mutex_;
    std::map<std::string, base::FailureLog> failures_;
};

}  // namespace provisioner::daemon
