#include "provisioner/base/log.hpp"

#include <algorithm>
#include <mutex>

#include "provisioner/base/utf8.hpp"

namespace provisioner::base {

namespace {

bool is_control(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7f;
}

/// Length in bytes of a character beyond ASCII that begins `text` and is not seen as it stands: a
/// control character (U+0080 to U+009F), a line or paragraph separator, or one that turns the
/// direction of what follows. 0: it is none. `text` is UTF-8.
std::size_t hidden_length(std::string_view text) {
    const auto is_between = [&](std::string_view first, std::string_view last) {
        const auto head = text.substr(0, first.size());
        return head >= first && head <= last;
    };
    if (is_between("\xc2\x80", "\xc2\x9f")) return 2;
    const bool is_hidden =
        is_between("\xe2\x80\xa8", "\xe2\x80\xae") || is_between("\xe2\x81\xa6", "\xe2\x81\xa9");
    return is_hidden ? 3 : 0;
}

bool has_hidden(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (hidden_length(text.substr(i)) > 0) return true;
    }
    return false;
}

bool is_plain(char c) {
    return !is_control(c) && c != ' ' && c != '"' && c != '=' && c != '\\';
}

/// Escape of a control character: as it is, it could move the cursor of the operator's terminal.
std::string hexadecimal(char c) {
    constexpr auto digits = "0123456789abcdef";
    const auto byte = static_cast<unsigned char>(c);
    return {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
}

std::string quoted_if_needed(const std::string& value) {
    const bool is_as_it_is =
        !value.empty() && std::all_of(value.begin(), value.end(), is_plain) && !has_hidden(value);
    if (is_as_it_is) return value;
    std::string text = "\"";
    std::size_t hidden = 0;
    for (std::size_t i = 0; i < value.size(); ++i) {
        const char c = value[i];
        if (hidden == 0) hidden = hidden_length(std::string_view(value).substr(i));
        if (hidden > 0) {
            text += hexadecimal(c);
            --hidden;
            continue;
        }
        switch (c) {
            case '\n':
                text += "\\n";
                break;
            case '\r':
                text += "\\r";
                break;
            case '\t':
                text += "\\t";
                break;
            case '"':
                text += "\\\"";
                break;
            case '\\':
                text += "\\\\";
                break;
            default:
                text += is_control(c) ? hexadecimal(c) : std::string(1, c);
        }
    }
    return text + '"';
}

/// One for all logs: several may share a stream, and a stream is not safe from several threads.
std::mutex one_line_at_a_time;

}  // namespace

void Log::write(std::string_view level, std::string_view event,
                std::initializer_list<LogField> fields) const {
    std::string line = to_rfc3339(clock_.now());
    line.append(" ").append(level).append(" ").append(event);
    for (const LogField& field : fields) {
        line.append(" ").append(field.key).append("=").append(
            quoted_if_needed(to_utf8(field.value)));
    }
    line += '\n';
    const std::lock_guard lock(one_line_at_a_time);
    if (!out_) {
        // The disk was full, for example. What was written then may have ended within a line.
        out_.clear();
        out_ << '\n';
    }
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
