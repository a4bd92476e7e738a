#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace provisioner::base {

/// A moment in UTC with microseconds: the precision of a DATETIME(6) column. Comparable and
/// subtractable; the default value is 1970-01-01.
using Timestamp = std::chrono::sys_time<std::chrono::microseconds>;

/// Source of the current time for request handlers and the daemon's loops. Pure code takes a
/// Timestamp parameter instead, so that tests choose the time. The composition roots own one clock;
/// every user holds a reference that the clock must outlive.
class Clock {
 public:
    virtual ~Clock() = default;
    /// Current time; safe from any thread. May step backwards when the machine's clock is
    /// corrected, so it must not measure durations.
    virtual Timestamp now() const = 0;
};

/// The operating system's clock (std::chrono::system_clock), cut to microseconds.
class SystemClock final : public Clock {
 public:
    Timestamp now() const override;
};

/// Time since the machine booted, including time it was suspended (CLOCK_BOOTTIME). The daemon
/// measures its claims with it. A claim's deadline in the database goes on during suspension;
/// std::chrono::steady_clock would stop there and make an expired claim look valid. Meets the Clock
/// requirements of <chrono>.
struct BootClock {
    using duration = std::chrono::nanoseconds;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<BootClock>;
    /// Never adjusted, unlike SystemClock. Unlike std::chrono::steady_clock it does not stop in
    /// suspension.
    static constexpr bool is_steady = true;

    /// Never decreases; safe from any thread. Comparable only within one boot of one machine.
    static time_point now();
};

/// Milliseconds since 1970-01-01 UTC, the unit of every time in the JSON API; rounded down.
std::int64_t to_millis(Timestamp moment);
/// Inverse of to_millis; accepts negative values. Values beyond about 292,000 years overflow.
Timestamp from_millis(std::int64_t millis);

/// "2026-11-20 23:28:02.123456": the text of a DATETIME(6) column, always UTC with six decimals.
/// Statements bind times as this text.
std::string to_sql(Timestamp moment);

/// Reads the text of a DATETIME column, with zero to six decimals. Throws std::invalid_argument for
/// text of another form and for a moment that does not exist, such as 31 February or minute 60.
Timestamp from_sql(std::string_view text);

/// "2026-11-20T23:28:02.123456Z" (RFC 3339, section 5.6); used in log lines.
std::string to_rfc3339(Timestamp moment);

}  // namespace provisioner::base
