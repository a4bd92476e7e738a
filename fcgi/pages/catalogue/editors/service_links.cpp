#include <sstream>

#include "fcgi/pages/catalogue/editors/parts.hpp"
#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::base::member;
using provisioner::base::text_at;
using provisioner::messages::translated;

namespace {

/// A line of the control: "Web site | http://%ip.access_v4.self%/". Either part may be missing.
struct LinkLine {
    int number = 0;
    std::string label{};
    std::string url{};
};

/// Those with something in them.
std::vector<LinkLine> link_lines_in(const std::string& text) {
    std::vector<LinkLine> found;
    std::istringstream lines(text);
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
        const auto bar = line.find('|');
        LinkLine link{.number = ++number,
                      .label = std::string(http::trim(std::string_view(line).substr(0, bar)))};
        if (bar != std::string::npos) link.url = http::trim(std::string_view(line).substr(bar + 1));
        if (!link.label.empty() || !link.url.empty()) found.push_back(std::move(link));
    }
    return found;
}

}  // namespace

std::string link_lines(const Json& entry) {
    std::string lines;
    const Json* links = member(entry, "links");
    if (links == nullptr || !links->is_array()) return lines;
    for (const Json& link : *links) {
        lines +=
            (lines.empty() ? "" : "\n") + text_at(link, "label") + " | " + text_at(link, "url");
    }
    return lines;
}

Json links_in_text(const std::string& text) {
    Json links = Json::array();
    for (const auto& [number, label, url] : link_lines_in(text)) {
        links.push_back(Json{{"label", label}, {"url", url}});
    }
    return links;
}

provisioner::base::Problems problems_with_links(const http::FormData& sent) {
    provisioner::base::Problems problems;
    for (const auto& [number, label, url] : link_lines_in(sent.first("links").value_or(""))) {
        if (!label.empty() && !url.empty()) continue;
        problems.push_back(
            {"links", url.empty()
                          ? translated("Line {0} has no address. Write: label | address.", number)
                          : translated("Line {0} has no label. Write: label | address.", number)});
    }
    return problems;
}

}  // namespace fcgi::pages
