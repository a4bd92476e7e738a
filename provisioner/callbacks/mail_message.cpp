#include "provisioner/callbacks/mail_message.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>

#include "provisioner/base/base64.hpp"
#include "provisioner/base/utf8.hpp"

namespace provisioner::callbacks {

namespace {

constexpr const char* line_end = "\r\n";
/// Characters of base64 in a line of the body. Source: RFC 2045, section 6.8.
constexpr std::size_t line_of_base64 = 76;
/// Bytes of a subject in one encoded word: with "Subject: " before it, it fits into a line.
constexpr std::size_t bytes_in_word = 39;

/// Lines ending in CR LF, and no other control characters but tabs.
std::string with_line_ends(const std::string& text) {
    std::string lines;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '\n') {
            lines += line_end;
        } else if ((byte >= ' ' && byte != 0x7f) || c == '\t') {
            lines += c;
        }
    }
    return lines;
}

std::string in_lines_of_base64(const std::string& text) {
    const std::string encoded = base::base64(text);
    std::string lines;
    for (std::size_t at = 0; at < encoded.size(); at += line_of_base64) {
        lines += encoded.substr(at, line_of_base64) + line_end;
    }
    return lines;
}

/// Whether a subject can stand in a header as it is.
bool is_plain_subject(const std::string& subject) {
    constexpr std::size_t longest_plain = 65;
    return subject.size() <= longest_plain && subject.find("=?") == std::string::npos &&
           std::ranges::all_of(subject, [](char c) { return c >= ' ' && c <= '~'; });
}

/// A subject as encoded words, one a line, unless it is plain; none of them ends within a
/// character. So no text of a subject is part of the header's own syntax.
std::string encoded_words(const std::string& subject) {
    if (is_plain_subject(subject)) return subject;
    std::string words;
    std::string_view rest = subject;
    do {
        const std::string_view part = base::utf8_prefix(rest, bytes_in_word);
        if (!words.empty()) words += std::string(line_end) + " ";
        words += "=?UTF-8?B?" + base::base64(part) + "?=";
        rest.remove_prefix(part.size());
    } while (!rest.empty());
    return words;
}

std::string domain_of(const std::string& address) {
    return address.substr(address.rfind('@') + 1);
}

}  // namespace

std::string mail_date(base::Timestamp moment) {
    using namespace std::chrono;
    constexpr std::array days{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    constexpr std::array months{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    const auto day = floor<std::chrono::days>(moment);
    const year_month_day date(day);
    const hh_mm_ss time(floor<seconds>(moment - day));
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%s, %02u %s %04d %02d:%02d:%02d +0000",
                  days.at(weekday(day).c_encoding()), static_cast<unsigned>(date.day()),
                  months.at(static_cast<unsigned>(date.month()) - 1), static_cast<int>(date.year()),
                  static_cast<int>(time.hours().count()), static_cast<int>(time.minutes().count()),
                  static_cast<int>(time.seconds().count()));
    return text.data();
}

std::string mail_message(const model::Mail& mail, const std::string& from, const std::string& id) {
    const auto header = [](const std::string& name, const std::string& value) {
        return name + ": " + value + line_end;
    };
    return header("Date", mail_date(mail.created_at)) + header("From", "Cooperage <" + from + ">") +
           header("To", "<" + mail.address + ">") +
           header("Subject", encoded_words(base::to_utf8(mail.subject))) +
           header("Message-ID",
                  "<mail-" + std::to_string(mail.id) + "." + id + "@" + domain_of(from) + ">") +
           header("Auto-Submitted", "auto-generated") + header("MIME-Version", "1.0") +
           header("Content-Type", "text/plain; charset=utf-8") +
           header("Content-Transfer-Encoding", "base64") + line_end +
           in_lines_of_base64(with_line_ends(base::to_utf8(mail.body)));
}

}  // namespace provisioner::callbacks
