#include "fcgi/http/prefix.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>

namespace fcgi::http {
namespace {

constexpr std::array<std::string_view, 6> address_attributes{
    "href", "src", "action", "formaction", "data-document", "data-upload-to"};

bool is_plain(char c) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return is_letter || (c >= '0' && c <= '9') ||
           std::string_view("-_.~/").find(c) != std::string_view::npos;
}

bool has_segment(std::string_view path, std::string_view segment) {
    const std::string whole = std::string(path) + '/';
    return whole.find('/' + std::string(segment) + '/') != std::string::npos;
}

/// Why `text` is no prefix; empty if it is one.
std::string reasons_against(const std::string& text) {
    std::string found;
    const auto unless = [&](bool good, const char* reason) {
        if (!good) found += (found.empty() ? "" : ", ") + std::string(reason);
    };
    unless(text.starts_with('/'), "it has to begin with '/'");
    unless(!text.ends_with('/'), "it must not end with '/'");
    unless(text.find("//") == std::string::npos, "it must not have two '/' in a row");
    unless(!has_segment(text, ".") && !has_segment(text, ".."), "no part may be '.' or '..'");
    unless(std::all_of(text.begin(), text.end(), is_plain),
           "only letters, digits, '-', '_', '.' and '~' may stand between '/'");
    return found;
}

/// True if `address` begins with exactly one '/'.
bool is_of_this_site(std::string_view address) {
    return address.starts_with('/') && !address.starts_with("//");
}

/// True if the text before `equals` ends with the name of an attribute that holds an address.
bool holds_address(std::string_view html, std::size_t equals) {
    const auto blank = html.find_last_of(" \t\n", equals);
    const auto begin = blank == std::string_view::npos ? 0 : blank + 1;
    const auto name = html.substr(begin, equals - begin);
    return std::find(address_attributes.begin(), address_attributes.end(), name) !=
           address_attributes.end();
}

std::string html_with(const std::string& prefix, const std::string& html) {
    constexpr std::string_view opening = "=\"";
    std::string result;
    std::size_t done = 0;
    for (auto at = html.find(opening); at != std::string::npos; at = html.find(opening, done)) {
        const std::size_t value = at + opening.size();
        result.append(html, done, value - done);
        done = value;
        const auto rest = std::string_view(html).substr(value);
        if (is_of_this_site(rest) && holds_address(html, at)) result += prefix;
    }
    return result.append(html, done);
}

/// The value of a header with the prefix before its address.
std::string header_with(const std::string& prefix, const std::string& name, std::string value) {
    if (name == "Location" && is_of_this_site(value)) return prefix + value;
    const bool links = name == "Link" && value.starts_with('<');
    if (links && is_of_this_site(std::string_view(value).substr(1))) value.insert(1, prefix);
    return value;
}

}  // namespace

Prefix::Prefix(std::string text) : text_(std::move(text)) {
    if (text_.empty()) return;
    const std::string reasons = reasons_against(text_);
    if (!reasons.empty()) throw std::invalid_argument(reasons);
}

bool Prefix::strip(Request& request) const {
    if (!request.path.starts_with(text_)) return false;
    std::string rest = request.path.substr(text_.size());
    if (rest.empty() && !text_.empty()) rest = "/";
    if (!text_.empty() && !rest.starts_with('/')) return false;
    request.path = std::move(rest);
    request.prefix = text_;
    return true;
}

Response Prefix::add(Response response) const {
    if (text_.empty()) return response;
    for (auto& [name, value] : response.headers) value = header_with(text_, name, value);
    if (response.header("Content-Type").starts_with("text/html")) {
        response.body = html_with(text_, response.body);
    }
    return response;
}

Prefix prefix_in(const provisioner::base::Config& config) {
    const std::string text = config.get_or("web.prefix", "");
    try {
        return Prefix(text);
    } catch (const std::invalid_argument& reasons) {
        throw std::runtime_error("web.prefix is a path like /cooperage, or empty, not " + text +
                                 ": " + reasons.what());
    }
}

}  // namespace fcgi::http
