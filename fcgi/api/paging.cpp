#include "fcgi/api/paging.hpp"

#include "provisioner/base/ids.hpp"

namespace fcgi::api {

using provisioner::base::expected;
using provisioner::base::parse_number;
using provisioner::base::unexpected;

namespace {

constexpr long long most_at_once = 1000;

// The query without the parameter.
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
    if (const auto text = request.query_value("cursor")) {
        const auto after = parse_number(*text);
        if (!after || *after < 1) {
            return unexpected<std::string>("cursor must come from the Link header of a list");
        }
        page.after = *after;
    }
    return page;
}

std::string next_link(const http::Request& request, const std::string& cursor) {
    return "<" + request.path + "?" + without(request.query, "cursor") + "cursor=" + cursor +
           ">; rel=\"next\"";
}

}  // namespace fcgi::api
