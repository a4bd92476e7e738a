#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <vector>

namespace provisioner::metrics {

/// A number that only grows. Any thread may call any function; none of them locks.
class Counter {
 public:
    void add(std::uint64_t more = 1) { value_.fetch_add(more, std::memory_order_relaxed); }
    std::uint64_t value() const { return value_.load(std::memory_order_relaxed); }

 private:
    std::atomic<std::uint64_t> value_{0};
};

/// How many of something there are at this moment. Any thread may call any function.
class Level {
 public:
    void change(std::int64_t by) { value_.fetch_add(by, std::memory_order_relaxed); }
    std::int64_t value() const { return value_.load(std::memory_order_relaxed); }

    /// One more for the lifetime of this object. The level must outlive it.
    class One {
     public:
        explicit One(Level& level) : level_(level) { level_.change(1); }
        ~One() { level_.change(-1); }
        One(const One&) = delete;
        One& operator=(const One&) = delete;

     private:
        Level& level_;
    };

 private:
    std::atomic<std::int64_t> value_{0};
};

/// Durations by size. `size` bounds in seconds, ascending; one more bucket has what is above them.
/// Any thread may call any function; none of them locks. A reader may see an observation in one
/// number and not yet in another.
template <std::size_t size>
class Histogram {
 public:
    explicit Histogram(const std::array<double, size>& bounds) : bounds_(bounds) {}

    void observe(std::chrono::nanoseconds duration) {
        const double seconds = std::chrono::duration<double>(duration).count();
        const auto bound = std::lower_bound(bounds_.begin(), bounds_.end(), seconds);
        counts_[static_cast<std::size_t>(bound - bounds_.begin())].add();
        nanoseconds_.add(static_cast<std::uint64_t>(std::max<std::int64_t>(duration.count(), 0)));
    }

    /// In the form of Sample::buckets.
    std::vector<std::uint64_t> buckets() const {
        std::vector<std::uint64_t> values;
        for (const Counter& count : counts_) values.push_back(count.value());
        return values;
    }
    /// All durations together, in seconds.
    double sum() const { return static_cast<double>(nanoseconds_.value()) / 1e9; }

 private:
    const std::array<double, size>& bounds_;
    std::array<Counter, size + 1> counts_;
    Counter nanoseconds_;
};

}  // namespace provisioner::metrics
