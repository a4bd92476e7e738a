#pragma once

#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>

namespace fcgi::monitoring {

/// How long a value serves.
struct CacheTimes {
    /// Nobody makes a new one before.
    std::chrono::milliseconds fresh{1000};
    /// While one thread makes a new value, others get the last one, if it is not older than this.
    std::chrono::milliseconds stale{30'000};
    /// A value that took long to make is kept for this many times as long: so making it takes at
    /// most a share of the time of whoever is asked.
    int rest = 0;
};

/// A value that is made at most once in a while, by one thread at a time, however many ask. Nobody
/// waits for another thread's value: so callers cannot load what it is made from, nor hold threads.
/// Safe from any thread.
template <class Value>
class Cached {
 public:
    using Moment = std::chrono::steady_clock::time_point;

    explicit Cached(CacheTimes times) : times_(times) {}

    /// The value, made by `make()` if the last one is not fresh. Nothing while another thread makes
    /// the first one, or one after a long pause. `make` must not throw. `clock()` says the time.
    template <class Make, class Clock>
    std::shared_ptr<const Value> get(Make&& make, Clock&& clock) {
        const Moment began = clock();
        {
            const std::lock_guard lock(mutex_);
            if (value_ && began < fresh_until_) return value_;
            if (is_being_made_) return value_ && began < stale_until_ ? value_ : nullptr;
            is_being_made_ = true;
        }
        auto made = std::make_shared<const Value>(make());
        const Moment ended = clock();
        const std::lock_guard lock(mutex_);
        value_ = std::move(made);
        fresh_until_ =
            ended + std::max<Moment::duration>(times_.fresh, times_.rest * (ended - began));
        stale_until_ = std::max(fresh_until_, ended + times_.stale);
        is_being_made_ = false;
        return value_;
    }

    template <class Make>
    std::shared_ptr<const Value> get(Make&& make) {
        return get(std::forward<Make>(make), [] { return std::chrono::steady_clock::now(); });
    }

 private:
    CacheTimes times_;
    std::mutex mutex_;
    std::shared_ptr<const Value> value_;
    Moment fresh_until_{};
    Moment stale_until_{};
    bool is_being_made_ = false;
};

}  // namespace fcgi::monitoring
