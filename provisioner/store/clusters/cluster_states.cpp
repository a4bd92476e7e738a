#include "provisioner/store/clusters/cluster_states.hpp"

namespace provisioner::store {

namespace {

std::map<model::ClusterId, ClusterState> read_states(Database& database,
                                                     const std::set<model::ClusterId>& clusters) {
    std::map<model::ClusterId, ClusterState> states;
    for (ClusterState& state :
         database.look([&](Connection& connection) { return find_states(connection, clusters); })) {
        const model::ClusterId id = state.id;
        states.emplace(id, std::move(state));
    }
    return states;
}

}  // namespace

ClusterStates::ClusterStates(Database& database)
    : states_([&database](const std::set<model::ClusterId>& clusters) {
          return read_states(database, clusters);
      }) {}

std::optional<ClusterState> ClusterStates::find(const model::Caller& caller,
                                                model::ClusterId cluster) {
    auto state = states_.ask(cluster);
    if (!state || state->tenant != caller.tenant.id) return std::nullopt;
    const bool sees_all = caller.may(model::Right::see_clusters);
    if (!sees_all && state->owner_id != caller.user.id) return std::nullopt;
    return state;
}

}  // namespace provisioner::store
