#include "fcgi/views/live_parts.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>

#include "provisioner/base/fnv1a.hpp"
#include "provisioner/base/json.hpp"

namespace fcgi::views {

using provisioner::base::Json;

namespace {

constexpr std::string_view mark = " data-live>";

std::string_view name_of_tag(std::string_view tag) {
    return tag.substr(0, tag.find_first_of(" >/\n\t"));
}

/// The value of an attribute in a start tag; empty without it.
std::string_view attribute(std::string_view tag, std::string_view name) {
    const std::string opening = ' ' + std::string(name) + "=\"";
    const auto at = tag.find(opening);
    if (at == std::string_view::npos) return {};
    const auto value = tag.substr(at + opening.size());
    return value.substr(0, value.find('"'));
}

/// Where the end tag begins that closes an element whose inside begins at `begin`.
std::size_t end_of_element(std::string_view html, std::string_view name, std::size_t begin) {
    int depth = 1;
    for (auto at = html.find('<', begin); at != std::string_view::npos;
         at = html.find('<', at + 1)) {
        const bool closes = html.substr(at + 1).starts_with('/');
        if (name_of_tag(html.substr(at + (closes ? 2 : 1), name.size() + 1)) != name) continue;
        depth += closes ? -1 : 1;
        if (depth == 0) return at;
    }
    return html.size();
}

/// "a=1, b=2" as a map.
std::map<std::string, std::string, std::less<>> read_have(std::string_view header) {
    std::map<std::string, std::string, std::less<>> have;
    while (!header.empty()) {
        const auto comma = header.find(',');
        auto entry = header.substr(0, comma);
        header = comma == std::string_view::npos ? "" : header.substr(comma + 1);
        entry.remove_prefix(std::min(entry.find_first_not_of(' '), entry.size()));
        const auto equals = entry.find('=');
        if (equals == std::string_view::npos) continue;
        have.emplace(entry.substr(0, equals), entry.substr(equals + 1));
    }
    return have;
}

std::string with_fingerprints(const std::string& html, const std::vector<LivePart>& parts) {
    std::string marked;
    marked.reserve(html.size() + parts.size() * 24);
    std::size_t done = 0;
    for (const LivePart& part : parts) {
        marked.append(html, done, part.end_of_tag - done);
        marked.append("=\"").append(fingerprint(part.inside)).append("\"");
        done = part.end_of_tag;
    }
    return marked.append(html, done);
}

std::string text_between(std::string_view html, std::string_view begin, std::string_view end) {
    const auto at = html.find(begin);
    if (at == std::string_view::npos) return "";
    const auto rest = html.substr(at + begin.size());
    return std::string(rest.substr(0, rest.find(end)));
}

Json news(std::string_view html, const std::vector<LivePart>& parts, std::string_view header) {
    const auto have = read_have(header);
    Json changed = Json::object();
    for (const LivePart& part : parts) {
        const std::string now = fingerprint(part.inside);
        const auto known = have.find(part.id);
        if (known != have.end() && known->second == now) continue;
        changed[std::string(part.id)] = {{"fingerprint", now}, {"html", part.inside}};
    }
    return {{"title", text_between(html, "<title>", "</title>")},
            {"follows", html.find("data-follow=\"yes\"") != std::string_view::npos},
            {"parts", std::move(changed)}};
}

}  // namespace

std::vector<LivePart> live_parts(std::string_view html) {
    std::vector<LivePart> parts;
    for (auto at = html.find(mark); at != std::string_view::npos; at = html.find(mark, at)) {
        const auto start = html.rfind('<', at);
        const std::size_t end_of_tag = at + mark.size() - 1;
        const auto tag = html.substr(start + 1, end_of_tag - start - 1);
        const auto end = end_of_element(html, name_of_tag(tag), end_of_tag + 1);
        parts.push_back({.id = attribute(tag, "id"),
                         .inside = html.substr(end_of_tag + 1, end - end_of_tag - 1),
                         .end_of_tag = end_of_tag});
        at = end;
    }
    return parts;
}

std::string fingerprint(std::string_view inside) {
    std::array<char, 16> digits{};
    const auto hash = provisioner::base::fnv1a(inside);
    const auto end = std::to_chars(digits.begin(), digits.end(), hash, 16).ptr;
    const std::string text(digits.begin(), end);
    return std::string(digits.size() - text.size(), '0') + text;
}

http::Response with_live_parts(http::Response response, const http::Request& request) {
    const bool is_page = response.status == 200 && request.method == "GET" &&
                         response.header("Content-Type").starts_with("text/html");
    if (!is_page) return response;
    const auto parts = live_parts(response.body);
    if (parts.empty()) return response;
    const auto asked = request.headers.find("x-live-parts");
    if (asked == request.headers.end()) {
        response.body = with_fingerprints(response.body, parts);
        return response;
    }
    response.body = http::json(200, news(response.body, parts, asked->second)).body;
    for (auto& [name, value] : response.headers) {
        if (name == "Content-Type") value = "application/json";
    }
    return response;
}

}  // namespace fcgi::views
