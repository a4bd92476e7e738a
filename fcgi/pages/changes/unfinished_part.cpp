#include "fcgi/pages/changes/unfinished_part.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <vector>

#include "fcgi/pages/changes/machine_picker.hpp"
#include "fcgi/pages/clusters/blocked.hpp"
#include "fcgi/pages/progress.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/solver/changes/resize.hpp"
#include "provisioner/solver/layout/selection.hpp"

namespace fcgi::pages {

using provisioner::messages::translated;
using provisioner::messages::translated_count;
using namespace provisioner::model;
using provisioner::base::Json;

namespace {

/// The reasons of the solver against removing them all; empty if it has none.
std::vector<std::string> reasons_to_keep_any(const ChangePage& page) {
    const Snapshot& snapshot = page.cluster.snapshot;
    provisioner::solver::ShrinkProblem problem{.cluster_template = snapshot.cluster_template,
                                               .nodes = present_nodes(page)};
    std::set<std::string> staying;
    for (const Node& node : page.nodes) {
        staying.insert(node.services.begin(), node.services.end());
    }
    std::set<std::string> vanishing;
    for (const Node& node : page.unfinished) {
        problem.nodes.push_back({node.nodenum, node.hardware_type, node.image_type, node.services});
        problem.named.push_back(node.nodenum);
        std::ranges::copy_if(node.services, std::inserter(vanishing, vanishing.end()),
                             [&](const auto& service) { return !staying.contains(service); });
    }
    if (const auto going = provisioner::solver::shrink(problem); !going) {
        return going.error().reasons;
    }
    std::vector<std::string> left = page.cluster.services;
    std::erase_if(left, [&](const auto& service) { return vanishing.contains(service); });
    const auto unmet = provisioner::solver::check_removal(left, snapshot.services);
    return unmet ? unmet->reasons : std::vector<std::string>{};
}

/// "sim-1000, sim-1001, sim-1002 and 181 more"
std::string some_names(const std::vector<Node>& nodes) {
    constexpr std::size_t most_named_machines = 3;
    std::vector<std::string> names;
    for (const Node& node : nodes) names.push_back(short_name(node.hostname));
    return listed(std::move(names), most_named_machines);
}

}  // namespace

std::string reason_to_finish_first(const ChangePage& page) {
    if (page.unfinished.empty()) return "";
    if (page.nodes.empty()) {
        return translated(
            "The latest job left all machines of the cluster unfinished, so none can be kept. "
            "Finish the job first, or delete the cluster.");
    }
    std::string reasons;
    for (const std::string& reason : reasons_to_keep_any(page)) {
        reasons += ' ' + page.labels.in(reason);
    }
    if (reasons.empty()) return "";
    return translated_count(
               page.unfinished.size(),
               "Machines cannot be removed now: the {0} machine that the latest job left "
               "unfinished would have to go, too, and the cluster needs it.",
               "Machines cannot be removed now: all {0} machines that the latest job left "
               "unfinished would have to go, and the cluster needs some of them.") +
           reasons + ' ' + translated("Finish the job first.");
}

Json unfinished_json(const ChangePage& page) {
    if (page.unfinished.empty()) return nullptr;
    Json json = ways_json(ways_out(page.cluster, page.job, page.end), false);
    json["words"] = translated_count(
        page.unfinished.size(),
        "The latest job left {0} machine unfinished: {1}. Shrink removes it. To keep it, finish "
        "the job instead.",
        "The latest job left {0} machines unfinished: {1}. Shrink removes all of them. To keep "
        "them, finish the job instead.",
        some_names(page.unfinished));
    json["going"] = Json::array();
    for (const Node& node : page.unfinished) {
        json["going"].push_back({{"number", std::to_string(node.nodenum)}});
    }
    return json;
}

}  // namespace fcgi::pages
