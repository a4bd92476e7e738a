#include "tests/support/drawing.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <vector>

#include "provisioner/planner/plan.hpp"

namespace tests {

using provisioner::planner::TaskGraph;
using provisioner::planner::TaskKey;

namespace {

std::string in_capitals(std::string word) {
    std::ranges::transform(word, word.begin(), [](unsigned char letter) {
        return static_cast<char>(std::toupper(letter));
    });
    return word;
}

std::string place(const TaskKey& task) {
    return task.service + (task.service.empty() ? "n" : "@n") + std::to_string(task.node + 1);
}

std::string draw(const TaskKey& task) {
    return provisioner::base::to_word(task.action) + " " + place(task);
}

std::string draw(const TaskGraph& graph, const std::vector<std::vector<std::size_t>>& groups) {
    std::string drawn;
    for (const auto& group : groups) {
        std::string members;
        for (const std::size_t index : group) {
            const TaskKey& task = graph.tasks()[index];
            if (!members.empty()) members += ", ";
            members += in_capitals(provisioner::base::to_word(task.action)) + " " + place(task);
        }
        drawn += (drawn.empty() ? "[" : " [") + members + "]";
    }
    return drawn;
}

}  // namespace

std::string draw(const TaskGraph& graph) {
    std::multiset<std::string> lines;
    for (std::size_t index = 0; index < graph.tasks().size(); ++index) {
        const std::string task = draw(graph.tasks()[index]);
        for (const std::size_t follower : graph.followers(index)) {
            lines.insert(task + " -> " + draw(graph.tasks()[follower]));
        }
        if (graph.followers(index).empty() && graph.waits_for(index) == 0) lines.insert(task);
    }
    std::string drawn;
    for (const auto& line : lines) drawn += line + "\n";
    return drawn;
}

std::string draw_stages(const TaskGraph& graph) {
    return draw(graph, provisioner::planner::stages(graph));
}

std::string draw_rounds(const TaskGraph& graph) {
    const auto rounds = graph.rounds();
    if (!rounds) return "circle";
    std::vector<std::vector<std::size_t>> groups;
    for (std::size_t index = 0; index < rounds->size(); ++index) {
        const auto round = static_cast<std::size_t>((*rounds)[index]);
        if (groups.size() <= round) groups.resize(round + 1);
        groups[round].push_back(index);
    }
    return draw(graph, groups);
}

}  // namespace tests
