#include "fcgi/pages/docs.hpp"

#include <algorithm>
#include <array>

#include "fcgi/api/openapi.hpp"
#include "fcgi/pages/frame.hpp"

namespace fcgi::pages {

using provisioner::base::Json;

namespace {

constexpr std::array methods{"get", "post", "put", "delete"};

std::string capital_letters(std::string text) {
    std::ranges::transform(text, text.begin(), [](char c) {
        return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    });
    return text;
}

}  // namespace

Json calls_json(const Json& document) {
    Json groups = Json::array();
    for (const Json& tag : document.at("tags")) {
        groups.push_back({{"tag", tag.at("name")}, {"calls", Json::array()}});
    }
    for (const auto& [path, item] : document.at("paths").items()) {
        for (const char* method : methods) {
            const auto call = item.find(method);
            if (call == item.end()) continue;
            const auto group = std::ranges::find_if(
                groups, [&](const Json& one) { return one.at("tag") == call->at("tags").at(0); });
            if (group == groups.end()) continue;
            group->at("calls").push_back({{"method", capital_letters(method)},
                                          {"path", path},
                                          {"summary", call->at("summary")}});
        }
    }
    return groups;
}

http::Response show_api(const http::Request&, const auth::Visitor& visitor, App& app) {
    static const Json calls = calls_json(api::openapi_document());
    return drawn(app, visitor, 200, "docs/api",
                 {.title = "API", .section = "docs", .script = "api.js"}, {{"groups", calls}});
}

}  // namespace fcgi::pages
