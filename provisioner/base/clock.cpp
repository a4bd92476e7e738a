#include "provisioner/base/clock.hpp"

#include <cstdio>
#include <ctime>
#include <stdexcept>

namespace provisioner::base {

namespace {

/// `pattern` takes six ints (year to second) and the microseconds as long.
std::string formatted(Timestamp moment, const char* pattern) {
    const auto whole = std::chrono::floor<std::chrono::seconds>(moment);
    const auto micros = static_cast<long>((moment - whole).count());
    const std::time_t seconds = std::chrono::system_clock::to_time_t(whole);
    std::tm parts{};
    gmtime_r(&seconds, &parts);
    char text[64];
    std::snprintf(text, sizeof text, pattern, parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday,
                  parts.tm_hour, parts.tm_min, parts.tm_sec, micros);
    return text;
}

/// Reads "" or "." with one to six digits; nothing for other text.
std::optional<std::chrono::microseconds> microseconds_in(std::string_view fraction) {
    if (fraction.empty()) return std::chrono::microseconds{0};
    std::string digits(fraction.substr(1));
    const bool readable = fraction.front() == '.' && !digits.empty() && digits.size() <= 6 &&
                          digits.find_first_not_of("0123456789") == std::string::npos;
    if (!readable) return std::nullopt;
    digits.resize(6, '0');
    return std::chrono::microseconds{std::stol(digits)};
}

}  // namespace

Timestamp SystemClock::now() const {
    return std::chrono::floor<std::chrono::microseconds>(std::chrono::system_clock::now());
}

BootClock::time_point BootClock::now() {
    timespec now{};
    ::clock_gettime(CLOCK_BOOTTIME, &now);
    return time_point(std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec));
}

std::int64_t to_millis(Timestamp moment) {
    return std::chrono::floor<std::chrono::milliseconds>(moment).time_since_epoch().count();
}

Timestamp from_millis(std::int64_t millis) {
    return Timestamp{std::chrono::milliseconds{millis}};
}

std::string to_sql(Timestamp moment) {
    return formatted(moment, "%04d-%02d-%02d %02d:%02d:%02d.%06ld");
}

std::string to_rfc3339(Timestamp moment) {
    return formatted(moment, "%04d-%02d-%02dT%02d:%02d:%02d.%06ldZ");
}

Timestamp from_sql(std::string_view text) {
    std::tm parts{};
    int used = 0;
    const std::string copy(text);
    const int read =
        std::sscanf(copy.c_str(), "%4d-%2d-%2d %2d:%2d:%2d%n", &parts.tm_year, &parts.tm_mon,
                    &parts.tm_mday, &parts.tm_hour, &parts.tm_min, &parts.tm_sec, &used);
    const auto fraction = read == 6 ? microseconds_in(std::string_view(copy).substr(used))
                                    : std::optional<std::chrono::microseconds>{};
    if (!fraction) throw std::invalid_argument("not a DATETIME: " + copy);
    parts.tm_year -= 1900;
    parts.tm_mon -= 1;
    return Timestamp{std::chrono::seconds{timegm(&parts)} + *fraction};
}

}  // namespace provisioner::base
