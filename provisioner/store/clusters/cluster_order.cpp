#include "provisioner/store/clusters/cluster_order.hpp"

#include <stdexcept>

#include "provisioner/store/clusters/cluster_query.hpp"

namespace provisioner::store {

namespace {

/// A column or a value made of columns, and whether large ones come first.
struct OrderTerm {
    const char* sql;
    bool is_descending = false;
};

std::vector<OrderTerm> terms_of(ClusterOrder order) {
    switch (order) {
        case ClusterOrder::created:
            return {{"id"}};
        case ClusterOrder::name:
            return {{"name COLLATE utf8mb4_general_ci"}};
        case ClusterOrder::status:
            return {{"FIELD(status, 'pending', 'active', 'terminated')"},
                    {"services_stopped", true}};
        case ClusterOrder::machines:
            return {{"node_count", true}};
        case ClusterOrder::expires:
            return {{"status = 'terminated' OR expires_at IS NULL"}, {"expires_at"}};
        case ClusterOrder::ended:
            return {{"ended_at", true}};
    }
    throw std::logic_error("unknown order of clusters");
}

}  // namespace

std::vector<model::ClusterId> ordered_clusters(Connection& connection, const model::Caller& caller,
                                               ClusterQuery query, ClusterOrder order,
                                               bool is_reversed) {
    const bool is_allowed = !query.all_tenants || caller.is_superadmin();
    if (!is_allowed || query.statuses.empty()) return {};
    query.limit = 0;
    query.before = {};
    const ClusterIds ids(caller, query);
    std::string statement =
        "SELECT id FROM (" +
        ids.rows("id, name, status, node_count, expires_at, ended_at, services_stopped") +
        ") AS listed ORDER BY ";
    for (const OrderTerm& term : terms_of(order)) {
        statement += term.sql;
        statement += term.is_descending != is_reversed ? " DESC, " : ", ";
    }
    statement += "id DESC";
    Statement select =
        query.is_search() ? connection.sql(statement).once() : connection.sql(statement);
    ids.bind(select);
    Rows row = select.query();
    std::vector<model::ClusterId> clusters;
    while (row.next()) clusters.push_back(model::ClusterId{row.get<long long>("id")});
    return clusters;
}

}  // namespace provisioner::store
