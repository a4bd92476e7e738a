#pragma once

#include <initializer_list>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

#include "provisioner/base/clock.hpp"

namespace provisioner::base {

/// One value of an event: text is quoted when it has blanks, quotes or control characters.
struct LogField {
    std::string_view key;
    std::string value;

    LogField(std::string_view name, std::string text) : key(name), value(std::move(text)) {}
    LogField(std::string_view name, const char* text) : key(name), value(text) {}
    LogField(std::string_view name, std::string_view text) : key(name), value(text) {}
    LogField(std::string_view name, long long number) : key(name), value(std::to_string(number)) {}
    LogField(std::string_view name, long number) : key(name), value(std::to_string(number)) {}
    LogField(std::string_view name, int number) : key(name), value(std::to_string(number)) {}
    LogField(std::string_view name, std::size_t number)
        : key(name), value(std::to_string(number)) {}
};

/// Writes events for operators, one line each, whole lines only, from any thread:
///     2026-11-20T23:28:02.123456Z info task.claimed task=12 worker=host
/// Never give it a secret.
class Log {
 public:
    /// `out` must outlive the log.
    Log(std::ostream& out, const Clock& clock) : out_(out), clock_(clock) {}

    void info(std::string_view event, std::initializer_list<LogField> fields = {}) const;
    void warn(std::string_view event, std::initializer_list<LogField> fields = {}) const;
    void error(std::string_view event, std::initializer_list<LogField> fields = {}) const;

 private:
    void write(std::string_view level, std::string_view event,
               std::initializer_list<LogField> fields) const;

    std::ostream& out_;
    const Clock& clock_;
};

}  // namespace provisioner::base
