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

/// Fingerprints by id.
using Have = std::map<std::string, std::string, std::less<>>;

/// "a=1, b=2" as a map.
Have read_have(std::string_view header) {
    Have have;
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

/// The live parts that begin between two places of the page and stand in no other one there.
std::vector<LivePart> parts_between(std::string_view html, std::size_t begin, std::size_t end) {
    std::vector<LivePart> parts;
    for (auto at = html.find(mark, begin); at < end; at = html.find(mark, at)) {
        const auto start = html.rfind('<', at);
        const std::size_t end_of_tag = at + mark.size() - 1;
        const auto tag = html.substr(start + 1, end_of_tag - start - 1);
        const auto name = name_of_tag(tag);
        const auto close = end_of_element(html, name, end_of_tag + 1);
        const auto size = std::min(html.size(), close + name.size() + 3) - start;
        parts.push_back({.id = attribute(tag, "id"),
                         .element = html.substr(start, size),
                         .inside = html.substr(end_of_tag + 1, close - end_of_tag - 1),
                         .end_of_tag = end_of_tag,
                         .is_list = tag.find(" data-rows") != std::string_view::npos,
                         .parts = parts_between(html, end_of_tag + 1, close)});
        at = close;
    }
    return parts;
}

/// Writes what stands from `begin` on, with the fingerprints of the parts that are there.
void add_marked(std::string& out, std::string_view html, std::string_view piece,
                const std::vector<LivePart>& parts) {
    auto done = static_cast<std::size_t>(piece.data() - html.data());
    const std::size_t end = done + piece.size();
    for (const LivePart& part : parts) {
        out.append(html, done, part.end_of_tag - done);
        out.append("=\"").append(fingerprint(part)).append("\">");
        add_marked(out, html, part.inside, part.parts);
        done = part.end_of_tag + 1 + part.inside.size();
    }
    out.append(html, done, end - done);
}

std::string marked(std::string_view html, std::string_view piece,
                   const std::vector<LivePart>& parts) {
    std::string out;
    out.reserve(piece.size() + parts.size() * 24);
    add_marked(out, html, piece, parts);
    return out;
}

std::string text_between(std::string_view html, std::string_view begin, std::string_view end) {
    const auto at = html.find(begin);
    if (at == std::string_view::npos) return "";
    const auto rest = html.substr(at + begin.size());
    return std::string(rest.substr(0, rest.find(end)));
}

/// What a browser with those parts has to be told; collects it.
struct News {
    std::string_view html;
    Have have;
    Json changed = Json::object();

    void add(const std::vector<LivePart>& parts) {
        for (const LivePart& part : parts) add(part);
    }

    void add(const LivePart& part) {
        const std::string now = fingerprint(part);
        const auto known = have.find(part.id);
        const bool is_known = known != have.end();
        if (is_known && known->second == now) return add(part.parts);
        if (is_known && part.is_list) return add_list(part, now);
        changed[std::string(part.id)] = {{"fingerprint", now},
                                         {"html", marked(html, part.inside, part.parts)}};
    }

    void add_list(const LivePart& list, const std::string& now) {
        Json order = Json::array();
        Json added = Json::object();
        for (const LivePart& row : list.parts) {
            order.push_back(row.id);
            if (have.contains(row.id)) {
                add(row);
            } else {
                added[std::string(row.id)] = marked(html, row.element, {row});
            }
        }
        changed[std::string(list.id)] = {
            {"fingerprint", now}, {"order", std::move(order)}, {"added", std::move(added)}};
    }
};

Json news(std::string_view html, const std::vector<LivePart>& parts, std::string_view header) {
    News news{.html = html, .have = read_have(header)};
    news.add(parts);
    return {{"title", text_between(html, "<title>", "</title>")},
            {"follows", html.find("data-follow=\"yes\"") != std::string_view::npos},
            {"parts", std::move(news.changed)}};
}

}  // namespace

std::vector<LivePart> live_parts(std::string_view html) {
    return parts_between(html, 0, html.size());
}

std::string fingerprint(const LivePart& part) {
    std::uint64_t hash = provisioner::base::fnv1a("");
    std::size_t done = 0;
    for (const LivePart& inner : part.parts) {
        const auto begin = static_cast<std::size_t>(inner.inside.data() - part.inside.data());
        hash = provisioner::base::fnv1a(part.inside.substr(done, begin - done), hash);
        done = begin + inner.inside.size();
    }
    hash = provisioner::base::fnv1a(part.inside.substr(done), hash);
    std::array<char, 16> digits{};
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
        response.body = marked(response.body, response.body, parts);
        return response;
    }
    response.body = http::json(200, news(response.body, parts, asked->second)).body;
    for (auto& [name, value] : response.headers) {
        if (name == "Content-Type") value = "application/json";
    }
    return response;
}

}  // namespace fcgi::views
