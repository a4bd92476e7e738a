#include "provisioner/base/clock.hpp"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <stdexcept>

namespace provisioner::base {

namespace {

/// `pattern` takes six ints (year to second) and the microseconds as long.
std::string formatted(Timestamp moment, const char* pattern) {
    const auto whole = std::chrono::floor<std::chrono::seconds>(moment);
    const auto micros = static_cast<long>((moment - whole).count());
    // system_clock counts nanoseconds, in which the year 2262 is the last.
    const std::time_t seconds = whole.time_since_epoch().count();
    std::tm parts{};
    gmtime_r(&seconds, &parts);
    char text[64];
    std::snprintf(text, sizeof text, pattern, parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday,
                  parts.tm_hour, parts.tm_min, parts.tm_sec, micros);
    return text;
}

/// Whether `text` begins in this form: a digit for each 'd', every other character as it is.
bool has_form_of(std::string_view text, std::string_view form) {
    return text.size() >= form.size() &&
           std::equal(form.begin(), form.end(), text.begin(), [](char wanted, char c) {
               return wanted == 'd' ? c >= '0' && c <= '9' : c == wanted;
           });
}

/// The value of a few digits.
int number_in(std::string_view digits) {
    int value = 0;
    for (const char c : digits) value = 10 * value + (c - '0');
    return value;
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
    const bool has_form = has_form_of(text, "dddd-dd-dd dd:dd:dd");
    const auto fraction = has_form ? microseconds_in(text.substr(19)) : std::nullopt;
    if (!fraction) throw std::invalid_argument("not a DATETIME: " + std::string(text));
    const auto number = [&](std::size_t at, std::size_t digits = 2) {
        return number_in(text.substr(at, digits));
    };
    const std::chrono::year_month_day day{std::chrono::year{number(0, 4)},
                                          std::chrono::month{static_cast<unsigned>(number(5))},
                                          std::chrono::day{static_cast<unsigned>(number(8))}};
    const std::chrono::hours hours{number(11)};
    const std::chrono::minutes minutes{number(14)};
    const std::chrono::seconds seconds{number(17)};
    const bool exists =
        day.ok() && hours.count() < 24 && minutes.count() < 60 && seconds.count() < 60;
    if (!exists) throw std::invalid_argument("no such DATETIME: " + std::string(text));
    return std::chrono::sys_days{day} + hours + minutes + seconds + *fraction;
}

}  // namespace provisioner::base
