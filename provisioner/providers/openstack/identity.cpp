#include "provisioner/providers/openstack/identity.hpp"

#include "provisioner/base/ids.hpp"

namespace provisioner::providers::openstack {

namespace {

constexpr std::size_t digits_of_time = 19;  // 2026-11-23T19:05:43

/// "-05:00" or "Z" as seconds east of UTC; nothing for other texts.
std::optional<std::chrono::seconds> offset_in(const std::string& text) {
    if (text == "Z" || text.empty()) return std::chrono::seconds{0};
    const bool has_form = text.size() == 6 && (text[0] == '+' || text[0] == '-') && text[3] == ':';
    if (!has_form) return std::nullopt;
    const auto hours = base::parse_number(text.substr(1, 2));
    const auto minutes = base::parse_number(text.substr(4, 2));
    if (!hours || !minutes) return std::nullopt;
    const std::chrono::seconds length = std::chrono::hours{*hours} + std::chrono::minutes{*minutes};
    return text[0] == '-' ? -length : length;
}

std::optional<base::Timestamp> moment_in(std::string text) {
    if (text.size() < digits_of_time || text[10] != 'T') return std::nullopt;
    std::string rest = text.substr(digits_of_time);
    if (rest.starts_with('.'))
        rest.erase(0, std::min(rest.find_first_not_of("0123456789", 1), rest.size()));
    const auto offset = offset_in(rest);
    if (!offset) return std::nullopt;
    text.resize(digits_of_time);
    text[10] = ' ';
    try {
        return base::from_sql(text) - *offset;
    } catch (const std::invalid_argument&) {
        return std::nullopt;
    }
}

}  // namespace

base::Json to_json(const std::vector<Endpoint>& endpoints) {
    base::Json json = base::Json::array();
    for (const Endpoint& endpoint : endpoints) {
        json.push_back({{"type", endpoint.type},
                        {"name", endpoint.name},
                        {"region", endpoint.region},
                        {"interface", endpoint.interface},
                        {"url", endpoint.url}});
    }
    return json;
}

std::vector<Endpoint> endpoints_in(const base::Json& details) {
    std::vector<Endpoint> endpoints;
    for (const base::Json& each : details) {
        endpoints.push_back({.type = base::text_at(each, "type"),
                             .name = base::text_at(each, "name"),
                             .region = base::text_at(each, "region"),
                             .interface = base::text_at(each, "interface"),
                             .url = base::text_at(each, "url")});
    }
    return endpoints;
}

base::Timestamp time_in(const std::string& text) {
    const auto moment = moment_in(text);
    if (!moment) {
        throw cloud::Lost("the login's answer has no readable end of the token: " +
                          cloud::words_of(text));
    }
    return *moment;
}

std::string host_of(const std::string& url) {
    const auto scheme = url.find("://");
    const std::string rest = scheme == std::string::npos ? url : url.substr(scheme + 3);
    const std::string authority = rest.substr(0, rest.find_first_of("/?#"));
    const auto user = authority.rfind('@');
    return user == std::string::npos ? authority : authority.substr(user + 1);
}

std::string without_ends(std::string url, const std::vector<std::string>& ends) {
    for (bool cut = true; cut;) {
        cut = false;
        for (const std::string& end : ends) {
            if (!url.ends_with(end)) continue;
            url.resize(url.size() - end.size());
            cut = true;
        }
        if (url.ends_with('/')) {
            url.pop_back();
            cut = true;
        }
    }
    return url;
}

}  // namespace provisioner::providers::openstack
