#include "tests/unit/provisioner/planner/cases.hpp"

#include <set>

namespace tests {

namespace {

std::vector<std::string> split(const std::string& text, const std::string& separator) {
    std::vector<std::string> parts;
    std::size_t from = 0;
    while (true) {
        const auto to = text.find(separator, from);
        parts.push_back(text.substr(from, to - from));
        if (to == std::string::npos) return parts;
        from = to + separator.size();
    }
}

}  // namespace

std::string orders(const std::vector<std::string>& chains) {
    std::set<std::string> lines;
    for (const auto& chain : chains) {
        const auto links = split(chain, " -> ");
        if (links.size() == 1) lines.insert(chain);
        for (std::size_t at = 0; at + 1 < links.size(); ++at) {
            for (const auto& before : split(links[at], ", ")) {
                for (const auto& after : split(links[at + 1], ", ")) {
                    lines.insert(before + " -> " + after);
                }
            }
        }
    }
    std::string text;
    for (const auto& line : lines) text += line + "\n";
    return text;
}

provisioner::model::Service needing(provisioner::model::Service service,
                                    const std::vector<std::string>& others) {
    service.dependencies.runtime.required = others;
    return service;
}

provisioner::model::Service needing_to_install(provisioner::model::Service service,
                                               const std::vector<std::string>& others) {
    service.dependencies.install.required = others;
    return service;
}

std::vector<provisioner::planner::PlannedNode> nodes_with(
    const std::vector<std::vector<std::string>>& services) {
    std::vector<provisioner::planner::PlannedNode> nodes;
    for (const auto& names : services) {
        nodes.push_back({.name = "n" + std::to_string(nodes.size() + 1), .services = names});
    }
    return nodes;
}

}  // namespace tests
