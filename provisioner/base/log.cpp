#include "provisioner/base/log.hpp"

#include <mutex>

namespace provisioner::base {

namespace {

std::string quoted_if_needed(const std::string& value) {
    const bool plain =
        !value.empty() && value.find_first_of(" \t\r\n\"=\\") == std::string::npos;
    if (plain) return value;
    std::string text = "\"";
    for (const char c : value) {
        switch (c) {
            case '\n': text += "\\n"; break;
            case '\r': text += "\\r"; break;
            case '\t': text += "\\t"; break;
            case '"': text += "\\\""; break;
            case '\\': text += "\\\\"; break;
            default: text += c;
        }
    }
    return text + '"';
}

std::mutex one_line_at_a_time;

}  // namespace

void Log::write(std::string_view level, std::string_view event,
                std::initializer_list<LogField> fields) const {
    std::string line = to_rfc3339(clock_.now());
    line.append(" ").append(level).append(" ").append(event);
    for (const LogField& field : fields) {
        line.append(" ").append(field.key).append("=").append(quoted_if_needed(field.value));
    }
    line += '\n';
    const std::lock_guard lock(one_line_at_a_time);
    out_ << line << std::flush;
}

void Log::info(std::string_view event, std::initializer_list<LogField> fields) const {
    write("info", event, fields);
}
void Log::warn(std::string_view event, std::initializer_list<LogField> fields) const {
    write("warn", event, fields);
}
void Log::error(std::string_view event, std::initializer_list<LogField> fields) const {
    write("error", event, fields);
}

}  // namespace provisioner::base
