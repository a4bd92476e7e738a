#include "fcgi/api/paging.hpp"

#include <algorithm>

#include "fcgi/http/form_data.hpp"
#include "provisioner/base/ids.hpp"

namespace fcgi::api {

using provisioner::base::expected;
using provisioner::base::Json;
using provisioner::base::parse_number;
using provisioner::base::unexpected;

namespace {

constexpr long long most_at_once = 1000;

// The query without one parameter. Each parameter that stays is followed by "&".
std::string without(const std::string& query, const std::string& name) {
    std::string rest;
    std::size_t begin = 0;
    while (begin < query.size()) {
        const auto end = std::min(query.find('&', begin), query.size());
        const auto parameter = query.substr(begin, end - begin);
        const bool is_it = parameter == name || parameter.starts_with(name + "=");
        if (!is_it && !parameter.empty()) rest += parameter + "&";
        begin = end + 1;
    }
    return rest;
}

}  // namespace

expected<Page, std::string> page_in(const http::Request& request) {
    Page page;
    if (const auto text = request.query_value("limit")) {
        const auto limit = parse_number(*text);
        if (!limit || *limit < 1 || *limit > most_at_once) {
            return unexpected<std::string>("limit must be a number from 1 to " +
                                           std::to_string(most_at_once));
        }
        page.limit = static_cast<int>(*limit);
    }
    page.after = request.query_value("cursor").value_or("");
    return page;
}

http::Response unknown_cursor() {
    return http::text(400, "cursor must come from the Link header of this list");
}

http::Response listed(const http::Request& request, const Json& all, const char* key) {
    return listed(request, all, key, nullptr);
}

http::Response listed(const http::Request& request, const Json& all, const char* key,
                      const std::function<Json(const Json&)>& whole) {
    const auto page = page_in(request);
    if (!page) return http::text(400, page.error());
    const auto name_of = [&](const Json& entry) {
        const Json& name = entry.at(key);
        return name.is_string() ? name.get<std::string>() : name.dump();
    };
    auto begin = all.begin();
    if (!page->after.empty()) {
        begin = std::find_if(all.begin(), all.end(),
                             [&](const Json& entry) { return name_of(entry) == page->after; });
        if (begin == all.end()) return unknown_cursor();
        ++begin;
    }
    const bool is_all = page->limit == 0 || std::distance(begin, all.end()) <= page->limit;
    const auto end = is_all ? all.end() : begin + page->limit;
    Json part = Json::array();
    for (auto entry = begin; entry != end; ++entry) part.push_back(whole ? whole(*entry) : *entry);
    auto response = http::json(200, part);
    if (is_all) return response;
    return http::with_header(std::move(response), "Link",
                             next_link(request, http::percent_encode(name_of(*(end - 1)))));
}

void WrittenList::add(const std::string& key, const Entry& entry) {
    if (has_ended()) return;
    if (!has_begun_) {
        has_begun_ = key == page_.after;
        return;
    }
    if (page_.limit > 0 && count_ == page_.limit) {
        has_more_ = true;
        return;
    }
    text_ += count_ == 0 ? "" : ",";
    text_ += provisioner::base::to_text(entry());
    last_ = key;
    ++count_;
}

http::Response WrittenList::answer() && {
    if (!has_begun_) return unknown_cursor();
    if (is_too_large()) {
        return http::text(400, "The list is larger than " + std::to_string(largest_) +
                                   " bytes. Ask for a part of it: ?limit=1000, or less");
    }
    auto response = http::json_text(200, std::move(text_ += ']'));
    if (!has_more_) return response;
    return http::with_header(std::move(response), "Link",
                             next_link(request_, http::percent_encode(last_)));
}

std::string next_link(const http::Request& request, const std::string& cursor) {
    return "<" + request.path + "?" + without(request.query, "cursor") + "cursor=" + cursor +
           ">; rel=\"next\"";
}

}  // namespace fcgi::api
