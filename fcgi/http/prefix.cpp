#include "fcgi/http/prefix.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace fcgi::http {
namespace {

constexpr std::array<std::string_view, 6> address_attributes{
    "href", "src", "action", "formaction", "data-document", "data-upload-to"};

/// What no view of a tenant has: files, the own account, the ways in and out, and what is of the
/// installation.
constexpr std::array<std::string_view, 11> outside_of_views{
    "/static",  "/profile",    "/login",   "/logout", "/viewing",           "/view",
    "/tenants", "/new-tenant", "/daemons", "/queues", "/identity-providers"};

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

/// Before what an address of this site begins.
class Beginning {
 public:
    Beginning(const std::string& prefix, const std::string& view_path)
        : prefix_(prefix), in_view_(prefix + view_path) {}

    /// `address` is the beginning of a text; what ends an address may follow.
    const std::string& of(std::string_view address) const {
        return is_outside_of_views(address) ? prefix_ : in_view_;
    }

 private:
    std::string prefix_;
    std::string in_view_;
};

std::string html_with(const Beginning& beginning, const std::string& html) {
    constexpr std::string_view opening = "=\"";
    std::string result;
    std::size_t done = 0;
    for (auto at = html.find(opening); at != std::string::npos; at = html.find(opening, done)) {
        const std::size_t value = at + opening.size();
        result.append(html, done, value - done);
        done = value;
        const auto rest = std::string_view(html).substr(value);
        if (is_of_this_site(rest) && holds_address(html, at)) result += beginning.of(rest);
    }
    return result.append(html, done);
}

/// The value of a header with the prefix before its address.
std::string header_with(const Beginning& beginning, const std::string& name, std::string value) {
    if (name == "Location" && is_of_this_site(value)) return beginning.of(value) + value;
    const bool links = name == "Link" && value.starts_with('<');
    if (!links) return value;
    const std::string address = value.substr(1);
    return is_of_this_site(address) ? '<' + beginning.of(address) + address : value;
}

}  // namespace

bool is_outside_of_views(std::string_view address) {
    const auto first = address.substr(0, address.find_first_of("/?#\">", 1));
    return std::ranges::count(outside_of_views, first) > 0;
}

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

void Prefix::strip_view(Request& request) {
    constexpr std::string_view views = "/view/";
    if (!request.path.starts_with(views)) return;
    const auto end = std::min(request.path.find('/', views.size()), request.path.size());
    if (end == views.size()) return;
    request.view_path = request.path.substr(0, end);
    request.view = percent_decode(request.path.substr(views.size(), end - views.size()));
    request.path.erase(0, end);
    if (request.path.empty()) request.path = "/";
}

Response Prefix::add(Response response, const std::string& view_path) const {
    if (text_.empty() && view_path.empty()) return response;
    const Beginning beginning(text_, view_path);
    for (auto& [name, value] : response.headers) value = header_with(beginning, name, value);
    if (response.header("Content-Type").starts_with("text/html")) {
        response.body = html_with(beginning, response.body);
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
