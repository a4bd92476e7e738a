#include "fcgi/http/form_data.hpp"

#include <algorithm>
#include <cctype>

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

constexpr std::size_t longest_boundary = 70;
constexpr std::string_view line_end = "\r\n";

bool is_same_word(std::string_view a, std::string_view b) {
    return std::ranges::equal(
        a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

/// Takes the text up to `end` off `rest`, and `end` itself; nothing if it is not there.
std::optional<std::string_view> take_until(std::string_view& rest, std::string_view end) {
    const auto at = rest.find(end);
    if (at == std::string_view::npos) return std::nullopt;
    const auto taken = rest.substr(0, at);
    rest.remove_prefix(at + end.size());
    return taken;
}

/// A value between quotes, of which the first is taken off already. Browsers send %22 for a quote
/// in it, others a backslash before it.
std::string take_quoted(std::string_view& rest) {
    std::string value;
    while (!rest.empty() && rest.front() != '"') {
        if (rest.starts_with("\\\"")) rest.remove_prefix(1);
        value += rest.front();
        rest.remove_prefix(1);
    }
    if (!rest.empty()) rest.remove_prefix(1);
    return value;
}

/// The parameter of a header's value: `name` of `form-data; name="file"; filename="a.sh"`.
std::optional<std::string> parameter_of(std::string_view value, std::string_view name) {
    std::string_view rest = value;
    if (!take_until(rest, ";")) return std::nullopt;
    while (!rest.empty()) {
        const auto key = take_until(rest, "=");
        if (!key) return std::nullopt;
        std::string found;
        if (rest.starts_with('"')) {
            rest.remove_prefix(1);
            found = take_quoted(rest);
            rest.remove_prefix(std::min(rest.find(';'), rest.size()));
        } else {
            found = trim(rest.substr(0, rest.find(';')));
            rest.remove_prefix(std::min(rest.find(';'), rest.size()));
        }
        if (!rest.empty()) rest.remove_prefix(1);
        if (is_same_word(trim(*key), name)) return found;
    }
    return std::nullopt;
}

/// The value of Content-Disposition in the headers of a part; empty if it has none.
std::string_view disposition_in(std::string_view headers) {
    while (!headers.empty()) {
        const std::string_view line = headers.substr(0, headers.find(line_end));
        headers.remove_prefix(std::min(headers.size(), line.size() + line_end.size()));
        const auto colon = line.find(':');
        if (colon == std::string_view::npos) continue;
        if (is_same_word(line.substr(0, colon), "content-disposition")) {
            return trim(line.substr(colon + 1));
        }
    }
    return {};
}

void add_part(MultipartForm& form, std::string_view disposition, std::string_view content) {
    using provisioner::base::to_utf8;
    if (form.fields.fields.size() == most_fields) throw TooManyFields();
    const std::string name = to_utf8(parameter_of(disposition, "name").value_or(""));
    auto file = parameter_of(disposition, "filename");
    if (!file) {
        form.fields.fields.emplace_back(name, to_utf8(std::string(content)));
        return;
    }
    // Some clients send the whole path.
    const std::string file_name = to_utf8(file->substr(file->find_last_of("/\\") + 1));
    form.fields.fields.emplace_back(name, file_name);
    form.files.push_back({.field = name, .name = file_name, .bytes = std::string(content)});
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

std::optional<std::string> boundary_in(std::string_view content_type) {
    const std::string_view type = trim(content_type.substr(0, content_type.find(';')));
    if (!is_same_word(type, "multipart/form-data")) return std::nullopt;
    auto boundary = parameter_of(content_type, "boundary");
    if (!boundary || boundary->empty() || boundary->size() > longest_boundary) return std::nullopt;
    return boundary;
}

std::optional<MultipartForm> parse_multipart(std::string_view body, std::string_view boundary) {
    const std::string first = "--" + std::string(boundary);
    const std::string next = "\r\n" + first;
    if (!body.starts_with(first)) return std::nullopt;
    body.remove_prefix(first.size());
    MultipartForm form;
    while (!body.starts_with("--")) {
        if (!body.starts_with(line_end)) return std::nullopt;
        const auto headers = take_until(body, "\r\n\r\n");
        if (!headers) return std::nullopt;
        const auto content = take_until(body, next);
        if (!content) return std::nullopt;
        // Without headers, the empty line that ends them is the line end of the boundary.
        const auto from = std::min(line_end.size(), headers->size());
        add_part(form, disposition_in(headers->substr(from)), *content);
    }
    return form;
}

std::string urlencoded(const FormData& form) {
    std::string text;
    for (const auto& [name, value] : form.fields) {
        text += (text.empty() ? "" : "&") + percent_encode(name) + '=' + percent_encode(value);
    }
    return text;
}

std::string_view trim(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\n\f\v";
    const auto begin = text.find_first_not_of(blanks);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

}  // namespace fcgi::http
