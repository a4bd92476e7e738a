#include "provisioner/store/clusters/cluster_rows.hpp"

#include "provisioner/store/database/columns.hpp"

namespace provisioner::store {

model::Cluster read_outline(Rows& row) {
    return {
        .id = model::ClusterId{row.get<long long>("id")},
        .tenant = model::TenantId{row.get<long long>("tenant_id")},
        .owner_id = model::UserId{row.get<long long>("owner_number")},
        .owner = row.get<std::string>("owner"),
        .name = row.get<std::string>("name"),
        .description = row.get<std::string>("description"),
        .status = base::stored_word<model::ClusterStatus>(row.get<std::string>("status")),
        .message = row.get<std::string>("message"),
        .created_at = time_column(row, "created_at"),
        .expires_at = optional_time_column(row, "expires_at"),
        .services = {},
        .snapshot = {},
        .latest_job = model::JobId{row.get<long long>("latest_job_id")},
        .node_count = row.get<int>("node_count"),
        .services_stopped = row.get<int>("services_stopped"),
        .dns_suffix = row.get<std::string>("dns_suffix"),
        .region = row.get<std::string>("region"),
        .secrets = json_column(row, "secrets"),
    };
}

model::Cluster read_cluster(Rows& row) {
    model::Cluster cluster = read_outline(row);
    cluster.services = strings_column(row, "services");
    cluster.config = json_column(row, "config");
    cluster.snapshot = model::snapshot_from_json(json_column(row, "snapshot"));
    return cluster;
}

model::Node read_node(Rows& row) {
    return {
        .id = model::NodeId{row.get<long long>("id")},
        .cluster = model::ClusterId{row.get<long long>("cluster_id")},
        .uuid = row.get<std::string>("uuid"),
        .nodenum = row.get<int>("nodenum"),
        .hostname = row.get<std::string>("hostname"),
        .hardware_type = row.get<std::string>("hardware_type"),
        .image_type = row.get<std::string>("image_type"),
        .flavor = row.get<std::string>("flavor"),
        .image = row.get<std::string>("image"),
        .ssh_user = row.get<std::string>("ssh_user"),
        .settings = json_column(row, "settings").get<std::map<std::string, std::string>>(),
        .services = strings_column(row, "services"),
        .automators = strings_column(row, "automators"),
        .addresses = json_column(row, "addresses").get<std::map<std::string, std::string>>(),
        .results = json_column(row, "results"),
        .leaves = row.get<int>("leaves") != 0,
        .was_set_up = row.get<int>("was_set_up") != 0,
    };
}

std::int64_t owner_filter(const model::Caller& caller) {
    return caller.may(model::Right::see_clusters) ? 0 : caller.user.id.value;
}

std::int64_t owner_filter_of_change(const model::Caller& caller) {
    if (caller.may(model::Right::operate_clusters)) return 0;
    return caller.may(model::Right::use_clusters) ? caller.user.id.value : -1;
}

}  // namespace provisioner::store
