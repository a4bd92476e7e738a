#include "fcgi/pages/clusters/plans/configure_plan.hpp"

#include <map>
#include <set>
#include <string>

#include "fcgi/pages/progress.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/planner/plan.hpp"

namespace fcgi::pages {

using provisioner::messages::for_translation;
using provisioner::messages::translated;
using namespace provisioner::model;
using provisioner::base::Json;
using provisioner::store::ServicePlaces;
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
    std::vector<std::string> hosts;
    for (const std::size_t place : places) hosts.push_back(nodes[place].hostname);
    return listed_hosts(std::move(hosts));
}

using PlacesOfServices = std::map<std::string, Places>;

/// The machines on which the service has a task of this action, for each such service that is
/// stopped there, or is not.
PlacesOfServices machines_with(const planner::TaskGraph& graph, Action action,
                               const std::vector<Node>& nodes, const ServicePlaces& stopped,
                               bool is_stopped) {
    PlacesOfServices places;
    for (const planner::TaskKey& task : graph.tasks()) {
        if (task.action != action || task.service.empty()) continue;
        if (stopped.contains({nodes[task.node].id, task.service}) != is_stopped) continue;
        places[task.service].insert(task.node);
    }
    return places;
}

/// Services that have the same machines, by these.
std::map<Places, std::vector<std::string>> by_places(const PlacesOfServices& of_services) {
    std::map<Places, std::vector<std::string>> alike;
    for (const auto& [service, places] : of_services) alike[places].push_back(service);
    return alike;
}

/// `text` has the services and the machines.
void add_sentences(Json& sentences, const char* text, const PlacesOfServices& of_services,
                   const std::vector<Node>& nodes, const Labels& labels) {
    for (const auto& [places, services] : by_places(of_services)) {
        sentences.push_back({{"text", translated(text, listed(labels.services(services)),
                                                 words_of_places(places, nodes))}});
    }
}

Json touched_json(const planner::TaskGraph& graph, const std::vector<Node>& nodes,
                  const Labels& labels, const ServicePlaces& stopped) {
    const auto interrupted = machines_with(graph, Action::stop, nodes, stopped, false);
    const auto started = machines_with(graph, Action::start, nodes, stopped, true);
    auto configured = machines_with(graph, Action::configure, nodes, stopped, false);
    for (const auto& [service, places] : interrupted) configured.erase(service);
    Json sentences = Json::array();
    add_sentences(sentences, for_translation("Interrupted by a restart: {0} on {1}"), interrupted,
                  nodes, labels);
    add_sentences(sentences, for_translation("Started again: {0} on {1}"), started, nodes, labels);
    add_sentences(sentences, for_translation("Reconfigured without a restart: {0} on {1}"),
                  configured, nodes, labels);
    return sentences;
}

}  // namespace

Json configuration_plan_json(const planner::TaskGraph& graph, const std::vector<Node>& nodes,
                             const Labels& labels, const ServicePlaces& stopped) {
    Json json = plan_json(planner::count_by_action(graph), graph.tasks().size(),
                          planner::stages(graph).size());
    json["touched"] = touched_json(graph, nodes, labels, stopped);
    return json;
}

}  // namespace fcgi::pages
