#include "fcgi/http/conditional.hpp"

#include <cstdio>
#include <functional>

#include "fcgi/http/form_data.hpp"

namespace fcgi::http {
namespace {

std::string tag_of(const std::string& body) {
    char tag[24];
    std::snprintf(tag, sizeof tag, "\"%016zx\"", std::hash<std::string>{}(body));
    return tag;
}

// Weak comparison: nginx weakens the tag of an answer that it compresses.
bool lists(std::string_view list, std::string_view tag) {
    while (!list.empty()) {
        const auto comma = list.find(',');
        auto candidate = trim(list.substr(0, comma));
        if (candidate == "*") return true;
        if (candidate.starts_with("W/")) candidate.remove_prefix(2);
        if (candidate == tag) return true;
        list = comma == std::string_view::npos ? std::string_view() : list.substr(comma + 1);
    }
    return false;
}

}  // namespace

Response conditional(Response response, const Request& request) {
    if (request.method != "GET" || response.status != 200) return response;
    const auto tag = tag_of(response.body);
    if (lists(request.header("if-none-match"), tag)) response = empty(304);
    response.headers.emplace_back("ETag", tag);
    // Browsers keep what they may on disk, and the next person at the same one may look there.
    const bool is_of_browser =
        request.header("coopr-apikey").empty() && !request.header("cookie").empty();
    response.headers.emplace_back("Cache-Control",
                                  is_of_browser ? "no-store" : "private, no-cache");
    return response;
}

}  // namespace fcgi::http
