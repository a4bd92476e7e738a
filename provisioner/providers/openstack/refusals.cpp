#include "provisioner/providers/openstack/refusals.hpp"

#include <algorithm>

#include "provisioner/base/json.hpp"

namespace provisioner::providers::openstack {

namespace {

/// The text between <title> and </title>; proxies and Glance answer with pages.
std::string title_in(const std::string& page) {
    const auto begin = page.find("<title>");
    const auto end = page.find("</title>");
    if (begin == std::string::npos || end == std::string::npos || end < begin) return "";
    return page.substr(begin + 7, end - begin - 7);
}

std::string message_in(const base::Json& json) {
    if (json.is_string()) return json.get<std::string>();
    if (!json.is_object()) return "";
    const std::string own = base::text_at(json, "message");
    if (!own.empty()) return own;
    for (const auto& [name, value] : json.items()) {
        const std::string inner =
            value.is_object() || name == "NeutronError" ? message_in(value) : "";
        if (!inner.empty()) return inner;
    }
    return "";
}

}  // namespace

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

std::string said(const http_client::Reply& reply) {
    const auto json = base::parse_json(reply.body);
    return cloud::words_of(json ? message_in(*json) : title_in(reply.body));
}

bool is_quota(const http_client::Reply& reply) {
    const bool may_be = reply.status == 403 || reply.status == 409 || reply.status == 413;
    const std::string text = said(reply);
    return may_be && (contains(text, "uota exceeded") || contains(text, "uota limit") ||
                      contains(text, "Maximum number of ports exceeded") ||
                      contains(text, "exceeds quota") || contains(text, "exceeds allowed"));
}

bool is_group_gone(const http_client::Reply& reply) {
    const std::string text = said(reply);
    const bool names_group = contains(text, "ecurity group") || contains(text, "SecurityGroup");
    return names_group &&
           (reply.status == 404 || (reply.status == 400 && contains(text, "not found")));
}

void throw_refusal(const http_client::Reply& reply, const std::string& what) {
    const std::string words = said(reply);
    const std::string status = std::to_string(reply.status);
    const std::string because = words.empty() ? "" : ": " + words;
    if (reply.status >= 500) throw cloud::Lost(what + " failed (" + status + ")" + because);
    if (is_quota(reply)) throw cloud::busy("the quota of the project is used up" + because);
    if (contains(words, "No more IP addresses")) {
        throw cloud::busy("the network has no free address" + because);
    }
    if (reply.status == 413) throw cloud::busy("the cloud allows no more for now" + because);
    if (reply.status == 403) {
        throw cloud::wrong("the user may not do this (" + what + because +
                           "): it needs the role \"member\" in the project");
    }
    if (reply.status == 406) {
        throw cloud::wrong(
            "the cloud's Nova is too old: microversion 2.52 is needed, which "
            "OpenStack has since Pike" +
            because);
    }
    throw cloud::wrong(what + " was refused (" + status + ")" + because);
}

std::string listed(const std::vector<std::string>& names) {
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
        text += names[i];
    }
    return text;
}

}  // namespace provisioner::providers::openstack
