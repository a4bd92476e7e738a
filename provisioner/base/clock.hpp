#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace provisioner::base {

/// A moment in UTC, in microseconds: what a DATETIME(6) column holds.
using Timestamp = std::chrono::sys_time<std::chrono::microseconds>;

/// Where loops and request handlers get the time from; pure code takes a Timestamp instead.
class Clock {
 public:
    virtual ~Clock() = default;
    virtual Timestamp now() const = 0;
};

/// The machine's own clock.
class SystemClock final : public Clock {
 public:
    Timestamp now() const override;
};

/// Time since the machine was started, the time it slept included: what a lease is measured by that
/// others watch too.
struct BootClock {
    using duration = std::chrono::nanoseconds;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<BootClock>;
    static constexpr bool is_steady = true;

    static time_point now();
};

/// Milliseconds since 1970, the unit of every time in the JSON API.
std::int64_t to_millis(Timestamp moment);
Timestamp from_millis(std::int64_t millis);

/// "2026-11-20 23:28:02.123456", the text of a DATETIME(6) column in UTC.
std::string to_sql(Timestamp moment);

/// Reads that text, with or without a fraction; throws std::invalid_argument for anything else.
Timestamp from_sql(std::string_view text);

/// "2026-11-20T23:28:02.123456Z" (RFC 3339), for logs.
std::string to_rfc3339(Timestamp moment);

}  // namespace provisioner::base
