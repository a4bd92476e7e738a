#pragma once

#include <initializer_list>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

#include "provisioner/base/clock.hpp"

namespace provisioner::base {

/// One `key=value` of an event. A value with blanks, quotes, '=', backslashes or control characters
/// is quoted and escaped; so are separators of lines and what turns the direction of text. An empty
/// value is written as "". Bytes that are not UTF-8 become U+FFFD.
struct LogField {
    /// Written as it is, so callers use a literal of [a-z_]. Must live until the call of Log
    /// returns.
    std::string_view key;
    /// Never a secret: redact text from outside first (daemon/redaction/redact.hpp).
    std::string value;

    /// One constructor for each type of value, so that call sites need no conversion. Numbers are
    /// written in decimal.
    LogField(std::string_view name, std::string text) : key(name), value(std::move(text)) {}
    LogField(std::string_view name, const char* text) : key(name), value(text) {}
    LogField(std::string_view name, std::string_view text) : key(name), value(text) {}
    LogField(std::string_view name, long long number) : key(name), value(std::to_string(number)) {}
    LogField(std::string_view name, long number) : key(name), value(std::to_string(number)) {}
    LogField(std::string_view name, int number) : key(name), value(std::to_string(number)) {}
    LogField(std::string_view name, std::size_t number)
        : key(name), value(std::to_string(number)) {}
};

/// Log of events for operators. Each event is one line: time (UTC), level, name of the event,
/// fields in the given order. One event per line lets tools filter by name and field.
///
///     log.info("task.claimed", {{"task", id.value}, {"worker", name}});
///
///     2026-11-20T23:28:02.123456Z info task.claimed task=12 worker=host
///
/// Safe from any thread: one mutex for the whole process keeps lines whole, even between two logs.
/// Each line is flushed, so a crash loses none. A slow stream therefore blocks all threads that
/// log. Both programs log to standard error.
class Log {
 public:
    /// `out` and `clock` must outlive the log. Nothing else may write to `out` meanwhile.
    Log(std::ostream& out, const Clock& clock) : out_(out), clock_(clock) {}

    /// Normal operation: something started, was claimed, ended. `event` is a literal such as
    /// "task.claimed".
    void info(std::string_view event, std::initializer_list<LogField> fields = {}) const;
    /// A failure the program handles by itself, for example a retry; an operator need not act.
    void warn(std::string_view event, std::initializer_list<LogField> fields = {}) const;
    /// A failure that an operator must look at.
    void error(std::string_view event, std::initializer_list<LogField> fields = {}) const;

 private:
    /// Formats outside the lock; only the write to the stream is serialised.
    void write(std::string_view level, std::string_view event,
               std::initializer_list<LogField> fields) const;

    std::ostream& out_;
    const Clock& clock_;
};

}  // namespace provisioner::base
