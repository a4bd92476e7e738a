#include "fcgi/pages/clusters/configure_plan.hpp"

#include <map>
#include <set>
#include <string>

#include "fcgi/pages/progress.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/planner/plan.hpp"

namespace fcgi::pages {

using provisioner::messages::translated;
using namespace provisioner::model;
using provisioner::base::Json;
namespace planner = provisioner::planner;

namespace {

/// Indices of nodes.
using Places = std::set<std::size_t>;

constexpr std::size_t most_named_places = 3;

/// "all 148 machines", or "shop-1000, shop-1001, shop-1002 and 12 more".
std::string words_of_places(const Places& places, const std::vector<Node>& nodes) {
    if (places.size() == nodes.size() && places.size() > most_named_places) {
        return translated("all {0} machines", grouped(places.size()));
    }
    std::vector<std::string> names;
    for (const std::size_t place : places) names.push_back(short_name(nodes[place].hostname));
    return listed(std::move(names), most_named_places);
}

/// The machines on which the service has a task of this action, for each such service.
std::map<std::string, Places> machines_with(const planner::TaskGraph& graph, Action action) {
    std::map<std::string, Places> places;
    for (const planner::TaskKey& task : graph.tasks()) {
        if (task.action == action && !task.service.empty()) {
            places[task.service].insert(task.node);
        }
    }
    return places;
}

/// Services that have the same machines, by these.
std::map<Places, std::vector<std::string>> by_places(
    const std::map<std::string, Places>& of_services) {
    std::map<Places, std::vector<std::string>> alike;
    for (const auto& [service, places] : of_services) alike[places].push_back(service);
    return alike;
}

Json touched_json(const planner::TaskGraph& graph, const std::vector<Node>& nodes,
                  const Labels& labels) {
    const auto stopped = machines_with(graph, Action::stop);
    auto configured = machines_with(graph, Action::configure);
    for (const auto& [service, places] : stopped) configured.erase(service);
    Json sentences = Json::array();
    for (const auto& [places, services] : by_places(stopped)) {
        sentences.push_back({{"text", translated("Interrupted by a restart: {0} on {1}",
                                                 listed(labels.services(services)),
                                                 words_of_places(places, nodes))}});
    }
    for (const auto& [places, services] : by_places(configured)) {
        sentences.push_back({{"text", translated("Reconfigured without a restart: {0} on {1}",
                                                 listed(labels.services(services)),
                                                 words_of_places(places, nodes))}});
    }
    return sentences;
}

}  // namespace

Json configuration_plan_json(const planner::TaskGraph& graph, const std::vector<Node>& nodes,
                             const Labels& labels) {
    Json json = plan_json(planner::count_by_action(graph), graph.tasks().size(),
                          planner::stages(graph).size());
    json["touched"] = touched_json(graph, nodes, labels);
    return json;
}

}  // namespace fcgi::pages
