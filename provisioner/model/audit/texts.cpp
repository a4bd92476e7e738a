#include "provisioner/model/audit/texts.hpp"

#include <utility>

#include "provisioner/base/utf8.hpp"

namespace provisioner::model::audit {

namespace {

bool is_control(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7f;
}

/// Also U+0080 to U+009F, U+2028 and U+2029, which some programs take for line ends.
std::string on_one_line(std::string_view text) {
    std::string line;
    line.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::string_view rest = text.substr(i);
        const bool is_c1 = rest.size() > 1 && rest[0] == '\xc2' &&
                           static_cast<unsigned char>(rest[1]) >= 0x80 &&
                           static_cast<unsigned char>(rest[1]) < 0xa0;
        const bool is_separator =
            rest.starts_with("\xe2\x80\xa8") || rest.starts_with("\xe2\x80\xa9");
        if (is_c1 || is_separator) {
            i += is_c1 ? 1 : 2;
            line += ' ';
        } else {
            line += is_control(text[i]) ? ' ' : text[i];
        }
    }
    return line;
}

base::Json document(const std::string& text) {
    if (text.empty()) return nullptr;
    auto json = base::parse_json(text);
    return json ? *std::move(json) : base::Json(text);
}

std::string cell(std::string_view text) {
    std::string value = on_one_line(text);
    const auto first = value.find_first_not_of(' ');
    const bool is_formula = first != std::string::npos &&
                            std::string_view("=+-@").find(value[first]) != std::string::npos;
    return is_formula ? "'" + value : value;
}

/// A HEADER field of RFC 5424: printable ASCII without blanks, at most `most` characters; "-"
/// stands for none.
std::string header_field(std::string_view text, std::size_t most) {
    std::string field;
    for (const char c : text) {
        if (field.size() == most) break;
        field += c > ' ' && c < 0x7f ? c : '_';
    }
    return field.empty() ? "-" : field;
}

/// A PARAM-VALUE of RFC 5424, 6.3.3.
std::string param(std::string_view text) {
    std::string value;
    for (const char c : on_one_line(text)) {
        if (c == '"' || c == '\\' || c == ']') value += '\\';
        value += c;
    }
    return value;
}

std::string sentence(const Event& event) {
    std::string text = event.actor.name.empty() ? "somebody" : event.actor.name;
    text += ' ' + event.action;
    if (!event.object.kind.empty()) text += ' ' + event.object.kind;
    const auto& name = event.object.name.empty() ? event.object.id : event.object.name;
    if (!name.empty()) text += ' ' + name;
    text += ": " + base::to_word(event.outcome);
    if (event.times > 1) text += ' ' + std::to_string(event.times) + " times";
    if (!event.reason.empty()) text += ", " + event.reason;
    return on_one_line(text);
}

}  // namespace

base::Json to_json(const Event& event) {
    return {{"number", event.number},
            {"time", base::to_rfc3339(event.at)},
            {"user", event.actor.name},
            {"userId", event.actor.user.value},
            {"userTenant", event.actor.tenant},
            {"role", event.actor.role},
            {"credential", event.actor.credential},
            {"client", event.actor.client},
            {"request", event.actor.request},
            {"action", event.action},
            {"object",
             {{"kind", event.object.kind}, {"id", event.object.id}, {"name", event.object.name}}},
            {"outcome", base::to_word(event.outcome)},
            {"status", event.status},
            {"reason", event.reason},
            {"times", event.times},
            {"before", document(event.before)},
            {"after", document(event.after)},
            {"previous", event.previous},
            {"hash", event.hash}};
}

const std::vector<std::string>& csv_columns() {
    static const std::vector<std::string> columns{
        "number", "time",    "user",   "userId",     "userTenant", "role",       "credential",
        "client", "request", "action", "objectKind", "objectId",   "objectName", "outcome",
        "status", "reason",  "times",  "before",     "after",      "previous",   "hash"};
    return columns;
}

std::vector<std::string> csv_values(const Event& event) {
    std::vector<std::string> values{std::to_string(event.number),
                                    base::to_rfc3339(event.at),
                                    event.actor.name,
                                    std::to_string(event.actor.user.value),
                                    event.actor.tenant,
                                    event.actor.role,
                                    event.actor.credential,
                                    event.actor.client,
                                    event.actor.request,
                                    event.action,
                                    event.object.kind,
                                    event.object.id,
                                    event.object.name,
                                    base::to_word(event.outcome),
                                    std::to_string(event.status),
                                    event.reason,
                                    std::to_string(event.times),
                                    event.before,
                                    event.after,
                                    event.previous,
                                    event.hash};
    for (std::string& value : values) value = cell(value);
    return values;
}

std::string syslog_message(const Event& event, const std::string& host, const std::string& chain) {
    constexpr int facility_log_audit = 13;
    constexpr int warning = 4;
    constexpr int notice = 5;
    const int severity = event.outcome == Outcome::done ? notice : warning;
    std::string message = '<' + std::to_string(facility_log_audit * 8 + severity) + ">1 " +
                          base::to_rfc3339(event.at) + ' ' + header_field(host, 255) +
                          " cooperage - " + header_field(event.action, 32) + " [audit@32473";
    const std::pair<const char*, std::string> params[]{
        {"chain", chain},
        {"number", std::to_string(event.number)},
        {"user", event.actor.name},
        {"userTenant", event.actor.tenant},
        {"role", event.actor.role},
        {"credential", event.actor.credential},
        {"client", event.actor.client},
        {"request", event.actor.request},
        {"action", event.action},
        {"objectKind", event.object.kind},
        {"objectId", event.object.id},
        {"objectName", event.object.name},
        {"outcome", base::to_word(event.outcome)},
        {"status", event.status == 0 ? "" : std::to_string(event.status)},
        {"times", event.times == 1 ? "" : std::to_string(event.times)},
        {"hash", event.hash}};
    for (const auto& [name, value] : params) {
        if (!value.empty()) message += std::string(" ") + name + "=\"" + param(value) + '"';
    }
    // The byte order mark says that the text is UTF-8: RFC 5424, 6.4.
    return message + "] \xef\xbb\xbf" + sentence(event);
}

std::string framed(const std::string& message) {
    return std::to_string(message.size()) + ' ' + message;
}

}  // namespace provisioner::model::audit
