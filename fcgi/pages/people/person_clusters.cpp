#include "fcgi/pages/people/person_clusters.hpp"

#include <array>

#include "fcgi/pages/progress.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/store/overview/home_store.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::messages::translated;
using provisioner::messages::translated_count;
namespace model = provisioner::model;
namespace store = provisioner::store;

namespace {

constexpr std::array live_statuses{model::ClusterStatus::pending, model::ClusterStatus::active,
                                   model::ClusterStatus::incomplete,
                                   model::ClusterStatus::inconsistent};

}  // namespace

PersonClusters read_clusters_of(store::Connection& connection, const model::User& user,
                                const model::Tenant& tenant) {
    model::Caller owner{.user = user, .tenant = tenant};
    owner.user.role = model::Role::user;
    const auto counts = store::count_clusters(connection, owner);
    return {
        .newest = store::list_clusters(connection, owner,
                                       {.statuses = {live_statuses.begin(), live_statuses.end()},
                                        .limit = clusters_of_person_shown}),
        .total = counts.active + counts.pending + counts.failing};
}

Json to_json(const PersonClusters& clusters) {
    Json json;
    json["live_clusters"] = clusters.total == 0
                                ? std::string()
                                : translated_count(clusters.total, "{0} cluster", "{0} clusters");
    json["clusters"] = Json::array();
    for (const store::ClusterSummary& cluster : clusters.newest) {
        Json item;
        item["cluster"] = cluster.name;
        item["cluster_href"] = "/clusters/" + model::wire_id(cluster.id);
        item["status"] =
            shown_status(cluster.status, cluster.latest_job, cluster.services_stopped).words;
        item["machines"] = translated_count(cluster.node_count, "{0} machine", "{0} machines");
        json["clusters"].push_back(std::move(item));
    }
    const int more = clusters.total - static_cast<int>(clusters.newest.size());
    json["more_clusters"] =
        more <= 0 ? std::string() : translated("and {0} more", std::to_string(more));
    return json;
}

}  // namespace fcgi::pages
