#include "fcgi/http/form_data.hpp"

#include <algorithm>

#include "provisioner/base/utf8.hpp"

namespace fcgi::http {
namespace {

int hex_value(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

bool stays_itself(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '.' || c == '_' || c == '~';
}

std::string decode_form_value(std::string_view text) {
    std::string spaced(text);
    std::replace(spaced.begin(), spaced.end(), '+', ' ');
    // The database accepts UTF-8 only.
    return provisioner::base::to_utf8(percent_decode(spaced));
}

}  // namespace

std::string percent_decode(std::string_view text) {
    std::string decoded;
    decoded.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool room = text[i] == '%' && i + 2 < text.size();
        const int high = room ? hex_value(text[i + 1]) : -1;
        const int low = room ? hex_value(text[i + 2]) : -1;
        if (high < 0 || low < 0) {
            decoded += text[i];
            continue;
        }
        decoded += static_cast<char>(high * 16 + low);
        i += 2;
    }
    return decoded;
}

std::string percent_encode(std::string_view text) {
    constexpr auto digits = "0123456789ABCDEF";
    std::string encoded;
    for (const char c : text) {
        if (stays_itself(c)) {
            encoded += c;
            continue;
        }
        const auto byte = static_cast<unsigned char>(c);
        encoded += '%';
        encoded += digits[byte >> 4];
        encoded += digits[byte & 15];
    }
    return encoded;
}

std::optional<std::string> FormData::first(std::string_view name) const {
    for (const auto& [candidate, value] : fields) {
        if (candidate == name) return value;
    }
    return std::nullopt;
}

std::string FormData::trimmed(std::string_view name) const {
    const auto value = first(name);
    return value ? std::string(trim(*value)) : std::string();
}

std::vector<std::string> FormData::all(std::string_view name) const {
    std::vector<std::string> values;
    for (const auto& [candidate, value] : fields) {
        if (candidate == name) values.push_back(value);
    }
    return values;
}

bool FormData::has(std::string_view name) const {
    return first(name).has_value();
}

TooManyFields::TooManyFields()
    : std::runtime_error("The form has more than " + std::to_string(most_fields) + " fields.") {}

FormData parse_form(std::string_view text) {
    FormData form;
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t end = std::min(text.find('&', from), text.size());
        const std::string_view field = text.substr(from, end - from);
        from = end + 1;
        if (field.empty()) continue;
        if (form.fields.size() == most_fields) throw TooManyFields();
        const auto equals = field.find('=');
        const bool has_value = equals != std::string_view::npos;
        form.fields.emplace_back(decode_form_value(field.substr(0, equals)),
                                 has_value ? decode_form_value(field.substr(equals + 1)) : "");
    }
    return form;
}

std::string_view trim(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\n\f\v";
    const auto begin = text.find_first_not_of(blanks);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

}  // namespace fcgi::http
