#include "fcgi/pages/kept/done_once.hpp"

#include <algorithm>
#include <chrono>
#include <string_view>

#include "fcgi/auth/csrf.hpp"
#include "fcgi/http/cookies.hpp"
#include "fcgi/http/form_data.hpp"
#include "provisioner/identity/checksum.hpp"

namespace fcgi::pages {

using http::Request;
using http::Response;

namespace {

constexpr std::string_view done_parameter = "done=";
/// A word and the name of what it is about.
constexpr std::size_t longest_done_word = 800;

/// An address of this site, taken apart.
struct DoneAddress {
    std::string path{};
    /// Path, query and fragment without the parameter.
    std::string without{};
    std::optional<std::string> done{};
};

DoneAddress taken_apart(const std::string& address) {
    const auto fragment = std::min(address.find('#'), address.size());
    const auto query = std::min(address.find('?'), fragment);
    DoneAddress parts{.path = address.substr(0, query)};
    std::string rest;
    for (auto at = query + 1; at < fragment;) {
        const auto end = std::min(address.find('&', at), fragment);
        const std::string pair = address.substr(at, end - at);
        if (pair.starts_with(done_parameter)) {
            parts.done = pair.substr(done_parameter.size());
        } else {
            rest += (rest.empty() ? "?" : "&") + pair;
        }
        at = end + 1;
    }
    parts.without = parts.path + rest + address.substr(fragment);
    return parts;
}

bool is_done_word(const std::string& text) {
    return !text.empty() && text.size() <= longest_done_word &&
           std::ranges::all_of(text, [](char c) {
               const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
               return is_letter || (c >= '0' && c <= '9') ||
                      std::string_view("-_.~%").find(c) != std::string_view::npos;
           });
}

/// Of one page: forms in other tabs have cookies of their own.
http::Cookie done_cookie(const Request& request, const std::string& path) {
    constexpr std::size_t long_enough = 16;
    return {
        .name = "cooperage-done-" + provisioner::identity::checksum(path).substr(0, long_enough),
        .value = "",
        .max_age = std::chrono::seconds{0},
        .secure = request.secure,
        .path = request.prefix.empty() ? "/" : request.prefix};
}

std::string done_header(const Request& request, const std::string& path, std::string word) {
    constexpr std::chrono::minutes lasts{1};
    http::Cookie cookie = done_cookie(request, path);
    cookie.value = std::move(word);
    cookie.max_age = lasts;
    return http::to_header(cookie);
}

}  // namespace

std::optional<Response> moved_done(const Request& request) {
    if (request.method != "GET") return std::nullopt;
    // "//x" would be another site.
    const auto name = std::min(request.path.find_first_not_of('/'), request.path.size());
    const std::string address = '/' + request.path.substr(name) + '?' + request.query;
    const auto to = taken_apart(address);
    if (!to.done) return std::nullopt;
    // What another site, or a bookmark, says is not told.
    return http::see_other(auth::says_same_origin(request) ? address : to.without);
}

bool take_done(Request& request) {
    if (request.method != "GET") return false;
    const auto word =
        http::cookie_value(request.header("cookie"), done_cookie(request, request.path).name);
    if (!word || !is_done_word(*word)) return false;
    request.query += (request.query.empty() ? "" : "&") + std::string(done_parameter) + *word;
    return true;
}

std::string done_with_name(const std::string& word, const std::string& name) {
    return http::percent_encode(word + ':' + name);
}

std::optional<std::string> name_of_done(const Request& request, const std::string& word) {
    const std::string done = request.query_value("done").value_or("");
    if (!done.starts_with(word + ':')) return std::nullopt;
    return done.substr(word.size() + 1);
}

Response with_done_once(Response response, const Request& request, bool was_told) {
    if (was_told) {
        response.headers.emplace_back("Set-Cookie",
                                      http::to_header(done_cookie(request, request.path)));
    }
    if (response.status != 303) return response;
    for (auto& [name, value] : response.headers) {
        if (name != "Location" || !value.starts_with('/')) continue;
        const auto to = taken_apart(value);
        if (!to.done) return response;
        value = to.without;
        if (!is_done_word(*to.done)) return response;
        response.headers.emplace_back("Set-Cookie", done_header(request, to.path, *to.done));
        return response;
    }
    return response;
}

}  // namespace fcgi::pages
