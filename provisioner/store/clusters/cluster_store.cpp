#include "provisioner/store/clusters/cluster_store.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "provisioner/statements/finishing_job.hpp"
#include "provisioner/statements/job_end.hpp"
#include "provisioner/store/clusters/cluster_query.hpp"
#include "provisioner/store/clusters/cluster_rows.hpp"
#include "provisioner/store/database/columns.hpp"

namespace provisioner::store {

namespace {

// The user may have been deleted after the request was authenticated; then the cluster has no
// owner.
constexpr auto insert_cluster_row = R"sql(
    INSERT INTO cluster (tenant_id, owner_id, owner, name, description, status, message, created_at,
                         expires_at, services, config, snapshot, headers, node_count, dns_suffix,
                         region)
    VALUES (?, (SELECT id FROM user WHERE id = ?), ?, ?, ?, ?, ?, ?, NULLIF(?, ''), ?, ?, ?, ?, ?,
            ?, ?)
)sql";

const std::string summary_columns = std::string(R"sql(
    SELECT cluster.id, tenant.name AS tenant, cluster.owner, cluster.name, cluster.description,
           cluster.status, cluster.message, cluster.created_at, cluster.expires_at, cluster.services,
           cluster.headers, cluster.node_count, cluster.services_stopped,
           job.id AS job_id, job.operation, job.status AS job_status, job.message AS job_message,
           job.tasks_total, job.tasks_done, job.aborted, job.created_at AS job_created_at,
           job.finished_at AS job_finished_at, job.asked_by_id, job.asked_by,
           job.request, job.goes_on_without, job.leaves_as_is, job.only_keeps, job.goes_back,
           )sql") + statements::is_finishing_job +
                                    R"sql( AS is_finishing
    FROM cluster
    JOIN tenant ON tenant.id = cluster.tenant_id
    LEFT JOIN job ON job.id = cluster.latest_job_id
)sql";

constexpr auto of_caller = " WHERE cluster.tenant_id = ? AND ? IN (0, cluster.owner_id)";
constexpr auto of_everybody = " WHERE tenant.deleted_id = 0";

const std::string select_states = std::string(R"sql(
    SELECT cluster.id, cluster.tenant_id, COALESCE(cluster.owner_id, 0) AS owner_number,
           cluster.status,
           job.id AS job_id, job.operation, job.status AS job_status, job.message AS job_message,
           job.tasks_total, job.tasks_done, job.aborted, job.created_at AS job_created_at,
           job.finished_at AS job_finished_at, job.asked_by_id, job.asked_by,
           job.request, job.goes_on_without, job.leaves_as_is, job.only_keeps, job.goes_back,
           )sql") + statements::is_finishing_job +
                                  R"sql( AS is_finishing
    FROM cluster
    LEFT JOIN job ON job.id = cluster.latest_job_id
    WHERE cluster.id IN
)sql";

constexpr auto select_creation_times = R"sql(
    SELECT TIMESTAMPDIFF(MICROSECOND, job.created_at, job.finished_at) DIV 1000 AS took
    FROM (SELECT id FROM cluster WHERE tenant_id = ? ORDER BY id DESC LIMIT 100) AS newest
    JOIN cluster ON cluster.id = newest.id
    JOIN job ON job.cluster_id = cluster.id
    WHERE cluster.template_name = ? AND
          cluster.provider_name = ? AND
          job.operation = 'cluster_create' AND job.status = 'complete' AND
          job.finished_at >= job.created_at AND
          NOT EXISTS (SELECT 1 FROM task WHERE task.job_id = job.id AND task.attempts_offset > 0)
    ORDER BY job.id DESC
    LIMIT 5
)sql";

constexpr auto update_cluster_row = R"sql(
    UPDATE cluster SET status = ?, message = ?, latest_job_id = NULLIF(?, 0) WHERE id = ?
)sql";

constexpr auto set_expiry = R"sql(
    UPDATE cluster SET expires_at = NULLIF(?, ''), deletions_since = NULL WHERE id = ?
)sql";

constexpr auto insert_node_rows = R"sql(
    INSERT INTO node (uuid, cluster_id, nodenum, hostname, hardware_type, image_type, flavor, image,
                      ssh_user, settings, services, automators, addresses, results)
    VALUES
)sql";

constexpr auto select_highest_number = R"sql(
    SELECT COALESCE(MAX(nodenum), 0) AS highest FROM node WHERE cluster_id = ?
)sql";

constexpr auto update_node_services = R"sql(
    UPDATE node SET services = ?, automators = ? WHERE id = ?
)sql";

base::Json header_json(const model::EntityHeader& header) {
    base::Json json = base::Json::object();
    if (header.label) json["label"] = *header.label;
    if (header.description) json["description"] = *header.description;
    if (header.icon) json["icon"] = *header.icon;
    json["version"] = header.version;
    json["name"] = header.name;
    return json;
}

/// Name, label, version and so on of provider and template, for lists.
std::string headers_text(const model::Cluster& cluster) {
    const base::Json headers = {
        {"provider", header_json(cluster.snapshot.provider.header)},
        {"clusterTemplate", header_json(cluster.snapshot.cluster_template.header)}};
    return base::to_text(headers);
}

std::optional<std::string> optional_text(const base::Json& json, std::string_view key) {
    const base::Json* found = base::member(json, key);
    if (found == nullptr) return std::nullopt;
    return found->get<std::string>();
}

model::EntityHeader read_header(const base::Json& json) {
    return {
        .name = json.at("name").get<std::string>(),
        .label = optional_text(json, "label"),
        .description = optional_text(json, "description"),
        .icon = optional_text(json, "icon"),
        .version = json.at("version").get<int>(),
    };
}

std::optional<model::Job> read_latest_job(Rows& row) {
    if (row.is_null("job_id")) return std::nullopt;
    return model::Job{
        .id = model::JobId{row.get<long long>("job_id")},
        .cluster = model::ClusterId{row.get<long long>("id")},
        .operation = base::stored_word<model::Operation>(row.get<std::string>("operation")),
        .status = base::stored_word<model::JobStatus>(row.get<std::string>("job_status")),
        .message = row.get<std::string>("job_message"),
        .created_at = time_column(row, "job_created_at"),
        .finished_at = optional_time_column(row, "job_finished_at"),
        .tasks_total = row.get<int>("tasks_total"),
        .tasks_done = row.get<int>("tasks_done"),
        .aborted = row.get<int>("aborted") != 0,
        .asked_by = asker_columns(row),
        .is_finishing = row.get<int>("is_finishing") != 0,
        .without = optional_strings_column(row, "goes_on_without"),
        .leaves_as_is = row.get<int>("leaves_as_is") != 0,
        .only_keeps = row.get<int>("only_keeps") != 0,
        .goes_back = row.get<int>("goes_back") != 0,
    };
}

ClusterSummary read_summary(Rows& row) {
    const base::Json headers = json_column(row, "headers");
    return {
        .id = model::ClusterId{row.get<long long>("id")},
        .tenant = row.get<std::string>("tenant"),
        .owner = row.get<std::string>("owner"),
        .name = row.get<std::string>("name"),
        .description = row.get<std::string>("description"),
        .status = base::stored_word<model::ClusterStatus>(row.get<std::string>("status")),
        .message = row.get<std::string>("message"),
        .created_at = time_column(row, "created_at"),
        .expires_at = optional_time_column(row, "expires_at"),
        .services = strings_column(row, "services"),
        .node_count = row.get<int>("node_count"),
        .services_stopped = row.get<int>("services_stopped"),
        .provider = read_header(headers.at("provider")),
        .cluster_template = read_header(headers.at("clusterTemplate")),
        .latest_job = read_latest_job(row),
    };
}

std::optional<model::Cluster> select_one(Connection& connection, const model::Caller& caller,
                                         std::int64_t owner, model::ClusterId cluster,
                                         const std::string& statement) {
    Rows row = connection.sql(statement) << cluster.value << caller.tenant.id.value << owner;
    if (!row.next()) return std::nullopt;
    return read_cluster(row);
}

std::vector<model::Node> select_nodes(Connection& connection, model::ClusterId cluster,
                                      const std::string& condition) {
    const std::string statement = node_columns + condition + by_number;
    Rows row = connection.sql(statement) << cluster.value;
    std::vector<model::Node> nodes;
    while (row.next()) nodes.push_back(read_node(row));
    return nodes;
}

void insert_some_nodes(Connection& connection, std::span<const model::Node> nodes) {
    const std::string statement =
        insert_node_rows + repeated("(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", nodes.size());
    std::vector<std::array<std::string, 5>> documents;
    for (const model::Node& node : nodes) {
        documents.push_back({base::to_text(node.settings), base::to_text(node.services),
                             base::to_text(node.automators), base::to_text(node.addresses),
                             base::to_text(node.results)});
    }
    Statement insert = connection.sql(statement);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const model::Node& node = nodes[i];
        insert << node.uuid << node.cluster.value << node.nodenum << node.hostname
               << node.hardware_type << node.image_type << node.flavor << node.image
               << node.ssh_user;
        for (const std::string& document : documents[i]) insert << document;
    }
    insert.exec();
}

}  // namespace

model::ClusterId insert_cluster(Connection& connection, const model::Cluster& cluster) {
    const std::string status = base::to_word(cluster.status);
    const std::string created_at = base::to_sql(cluster.created_at);
    const std::string expires_at = sql_or_empty(cluster.expires_at);
    const std::string services = base::to_text(cluster.services);
    const std::string config = base::to_text(cluster.config);
    const std::string snapshot = base::to_text(model::to_json(cluster.snapshot));
    const std::string header_text = headers_text(cluster);
    const std::string message = fitting_text(cluster.message);
    Statement insert = connection.sql(insert_cluster_row)
                       << cluster.tenant.value << cluster.owner_id.value << cluster.owner
                       << cluster.name << cluster.description << status << message << created_at
                       << expires_at << services << config << snapshot << header_text
                       << cluster.node_count << cluster.dns_suffix << cluster.region;
    insert.exec();
    return model::ClusterId{insert.last_insert_id()};
}

std::optional<model::Cluster> find_cluster(Connection& connection, const model::Caller& caller,
                                           model::ClusterId cluster) {
    return select_one(connection, caller, owner_filter(caller), cluster, select_cluster);
}

std::optional<model::Cluster> lock_cluster(Connection& connection, const model::Caller& caller,
                                           model::ClusterId cluster) {
    return select_one(connection, caller, owner_filter_of_change(caller), cluster,
                      select_cluster + " FOR UPDATE");
}

std::vector<ClusterSummary> list_clusters(Connection& connection, const model::Caller& caller,
                                          const ClusterQuery& query) {
    if (query.all_tenants && !caller.is_superadmin()) return {};
    std::string statement = summary_columns;
    statement += query.all_tenants ? of_everybody : of_caller;
    const ClusterIds ids(caller, query);
    if (!query.statuses.empty()) statement += " AND cluster.id IN (" + ids.sql() + ")";
    if (query.before.value > 0) statement += " AND cluster.id < ?";
    // Ids ascend in the order in which clusters are made.
    statement += " ORDER BY cluster.id DESC";
    if (query.limit > 0) statement += " LIMIT ?";
    const std::int64_t owner = owner_filter(caller);
    Statement select =
        query.is_search() ? connection.sql(statement).once() : connection.sql(statement);
    if (!query.all_tenants) select << caller.tenant.id.value << owner;
    if (!query.statuses.empty()) ids.bind(select);
    if (query.before.value > 0) select << query.before.value;
    if (query.limit > 0) select << query.limit;
    Rows row = select.query();
    std::vector<ClusterSummary> clusters;
    while (row.next()) clusters.push_back(read_summary(row));
    return clusters;
}

std::vector<ClusterSummary> list_clusters(Connection& connection, const model::Caller& caller,
                                          const std::vector<model::ClusterId>& clusters,
                                          bool all_tenants) {
    if (clusters.empty() || (all_tenants && !caller.is_superadmin())) return {};
    Statement select =
        connection.sql(summary_columns + (all_tenants ? of_everybody : of_caller) +
                       " AND cluster.id IN (" + repeated("?", clusters.size()) + ")");
    if (!all_tenants) select << caller.tenant.id.value << owner_filter(caller);
    for (const model::ClusterId cluster : clusters) select << cluster.value;
    std::map<model::ClusterId, ClusterSummary> found;
    Rows row = select.query();
    while (row.next()) {
        auto summary = read_summary(row);
        found.emplace(summary.id, std::move(summary));
    }
    std::vector<ClusterSummary> listed;
    for (const model::ClusterId cluster : clusters) {
        const auto summary = found.find(cluster);
        if (summary != found.end()) listed.push_back(std::move(summary->second));
    }
    return listed;
}

std::vector<ClusterSize> cluster_sizes(Connection& connection, const model::Caller& caller,
                                       const ClusterQuery& query) {
    const bool is_allowed = !query.all_tenants || caller.is_superadmin();
    if (!is_allowed || query.statuses.empty()) return {};
    const ClusterIds ids(caller, query);
    Statement select = connection.sql("SELECT id, node_count, status, services_stopped FROM (" +
                                      ids.rows("id, node_count, status, services_stopped") +
                                      ") AS of_status ORDER BY id DESC LIMIT ?");
    ids.bind(select);
    select << (query.limit > 0 ? query.limit : std::numeric_limits<int>::max());
    Rows row = select.query();
    std::vector<ClusterSize> sizes;
    while (row.next()) {
        sizes.push_back(
            {.cluster = model::ClusterId{row.get<long long>("id")},
             .nodes = row.get<int>("node_count"),
             .status = base::stored_word<model::ClusterStatus>(row.get<std::string>("status")),
             .services_stopped = row.get<int>("services_stopped")});
    }
    return sizes;
}

std::optional<model::ClusterId> cluster_after(Connection& connection, const model::Caller& caller,
                                              ClusterQuery query, int newer) {
    const bool is_allowed = !query.all_tenants || caller.is_superadmin();
    if (!is_allowed || query.statuses.empty()) return std::nullopt;
    query.limit = newer + 1;
    const ClusterIds ids(caller, query);
    Statement select = connection.sql(ids.sql() + " ORDER BY id DESC LIMIT ?, 1");
    ids.bind(select);
    select << newer;
    Rows row = select.query();
    if (!row.next()) return std::nullopt;
    return model::ClusterId{row.get<long long>("id")};
}

std::vector<ClusterState> find_states(Connection& connection,
                                      const std::set<model::ClusterId>& clusters) {
    if (clusters.empty()) return {};
    Statement select = connection.sql(select_states + ("(" + repeated("?", clusters.size()) + ")"));
    for (const model::ClusterId cluster : clusters) select << cluster.value;
    Rows row = select.query();
    std::vector<ClusterState> states;
    while (row.next()) {
        states.push_back(
            {.id = model::ClusterId{row.get<long long>("id")},
             .tenant = model::TenantId{row.get<long long>("tenant_id")},
             .owner_id = model::UserId{row.get<long long>("owner_number")},
             .status = base::stored_word<model::ClusterStatus>(row.get<std::string>("status")),
             .latest_job = read_latest_job(row)});
    }
    return states;
}

std::optional<ClusterSummary> find_summary(Connection& connection, const model::Caller& caller,
                                           model::ClusterId cluster) {
    const std::string statement = summary_columns + of_caller + " AND cluster.id = ?";
    Rows row = connection.sql(statement)
               << caller.tenant.id.value << owner_filter(caller) << cluster.value;
    if (!row.next()) return std::nullopt;
    return read_summary(row);
}

std::vector<ClusterSummary> clusters_named(Connection& connection, const model::Caller& caller,
                                           const std::string& name) {
    const std::string statement =
        summary_columns + of_caller +
        " AND cluster.name = ? AND cluster.status <> 'terminated' ORDER BY cluster.id DESC LIMIT 5";
    Rows row = connection.sql(statement) << caller.tenant.id.value << owner_filter(caller) << name;
    std::vector<ClusterSummary> clusters;
    while (row.next()) clusters.push_back(read_summary(row));
    return clusters;
}

std::vector<std::chrono::milliseconds> creation_times(Connection& connection,
                                                      model::TenantId tenant,
                                                      const std::string& cluster_template,
                                                      const std::string& provider) {
    Rows row = connection.sql(select_creation_times)
               << tenant.value << cluster_template << provider;
    std::vector<std::chrono::milliseconds> times;
    while (row.next()) times.emplace_back(row.get<long long>("took"));
    return times;
}

void update_cluster(Connection& connection, const model::Cluster& cluster) {
    const std::string message = fitting_text(cluster.message);
    connection.sql(update_cluster_row) << base::to_word(cluster.status) << message
                                       << cluster.latest_job.value << cluster.id.value << exec;
    const bool ends = cluster.status == model::ClusterStatus::terminated;
    if (ends) close_if_terminated(connection, cluster.latest_job);
}

void note_unsatisfiable(Connection& connection, model::ClusterId cluster) {
    connection.sql("UPDATE cluster SET unsatisfiable = TRUE WHERE id = ?") << cluster.value << exec;
}

int count_unsatisfiable_since(Connection& connection, model::UserId owner, base::Timestamp moment) {
    const std::string since = base::to_sql(moment);
    Rows row =
        connection.sql(
            "SELECT COUNT(*) AS clusters FROM cluster WHERE owner_id = ? AND unsatisfiable = 1 "
            "AND ended_at >= ?")
        << owner.value << since << one_row;
    return row.get<int>("clusters");
}

int count_unsatisfiable_of_tenant_since(Connection& connection, model::TenantId tenant,
                                        base::Timestamp moment) {
    const std::string since = base::to_sql(moment);
    // By users, because the index of such clusters begins with the user.
    Rows row =
        connection.sql(
            "SELECT COUNT(*) AS clusters FROM user JOIN cluster ON cluster.owner_id = user.id "
            "AND cluster.unsatisfiable = 1 AND cluster.ended_at >= ? "
            "WHERE user.tenant_id = ?")
        << since << tenant.value << one_row;
    return row.get<int>("clusters");
}

void close_if_terminated(Connection& connection, model::JobId latest) {
    connection.sql(statements::close_cluster) << latest.value << exec;
    connection.sql(statements::end_spans_of_cluster) << latest.value << exec;
}

void update_expiry(Connection& connection, model::ClusterId cluster,
                   std::optional<base::Timestamp> expires_at) {
    const std::string end = expires_at ? base::to_sql(*expires_at) : "";
    connection.sql(set_expiry) << end << cluster.value << exec;
}

void update_description(Connection& connection, model::ClusterId cluster,
                        const std::string& description) {
    connection.sql("UPDATE cluster SET description = ? WHERE id = ?")
        << description << cluster.value << exec;
}

void update_secrets(Connection& connection, const model::Cluster& cluster) {
    const std::string text = base::to_text(cluster.secrets);
    connection.sql("UPDATE cluster SET secrets = ? WHERE id = ?")
        << text << cluster.id.value << exec;
}

void update_snapshot(Connection& connection, const model::Cluster& cluster) {
    const std::string text = base::to_text(model::to_json(cluster.snapshot));
    connection.sql("UPDATE cluster SET snapshot = ?, region = ? WHERE id = ?")
        << text << cluster.region << cluster.id.value << exec;
}

void update_template(Connection& connection, const model::Cluster& cluster) {
    update_snapshot(connection, cluster);
    const std::string headers = headers_text(cluster);
    connection.sql("UPDATE cluster SET headers = ? WHERE id = ?")
        << headers << cluster.id.value << exec;
}

void keep_working_config(Connection& connection, model::ClusterId cluster) {
    connection.sql(
        "UPDATE cluster SET working_config = config WHERE id = ? AND working_config IS NULL")
        << cluster.value << exec;
}

std::optional<base::Json> working_config(Connection& connection, model::ClusterId cluster) {
    Rows row = connection.sql(
                   "SELECT working_config FROM cluster "
                   "WHERE id = ? AND BINARY working_config <> BINARY config")
               << cluster.value;
    if (!row.next()) return std::nullopt;
    return json_column(row, "working_config");
}

void update_config(Connection& connection, model::ClusterId cluster, const base::Json& config) {
    const std::string text = base::to_text(config);
    connection.sql("UPDATE cluster SET config = ? WHERE id = ?") << text << cluster.value << exec;
}

std::vector<model::NodeId> insert_nodes(Connection& connection,
                                        const std::vector<model::Node>& nodes) {
    if (nodes.empty()) return {};
    const std::span<const model::Node> all(nodes);
    for (std::size_t from = 0; from < all.size(); from += rows_per_statement) {
        insert_some_nodes(connection,
                          all.subspan(from, std::min(rows_per_statement, all.size() - from)));
    }
    std::map<int, model::NodeId> numbered;
    for (const model::Node& stored : nodes_of(connection, nodes.front().cluster)) {
        numbered[stored.nodenum] = stored.id;
    }
    std::vector<model::NodeId> ids;
    ids.reserve(nodes.size());
    for (const model::Node& node : nodes) ids.push_back(numbered.at(node.nodenum));
    return ids;
}

std::vector<model::Node> nodes_of(Connection& connection, model::ClusterId cluster) {
    return select_nodes(connection, cluster, still_there);
}

std::vector<model::Node> nodes_ever_of(Connection& connection, model::ClusterId cluster) {
    return select_nodes(connection, cluster, "");
}

int next_number_of(Connection& connection, model::ClusterId cluster) {
    Rows row = connection.sql(select_highest_number) << cluster.value << one_row;
    return std::max(model::first_nodenum, row.get<int>("highest") + 1);
}

void update_services(Connection& connection, const model::Cluster& cluster) {
    const std::string services = base::to_text(cluster.services);
    connection.sql("UPDATE cluster SET services = ? WHERE id = ?")
        << services << cluster.id.value << exec;
    update_snapshot(connection, cluster);
}

void update_node_count(Connection& connection, model::ClusterId cluster, int nodes) {
    connection.sql("UPDATE cluster SET node_count = ? WHERE id = ?")
        << nodes << cluster.value << exec;
}

void update_services_of(Connection& connection, const model::Node& node) {
    const std::string services = base::to_text(node.services);
    const std::string automators = base::to_text(node.automators);
    connection.sql(update_node_services) << services << automators << node.id.value << exec;
}

void mark_leaving(Connection& connection, const std::vector<model::NodeId>& nodes,
                  model::JobId job) {
    for (std::size_t from = 0; from < nodes.size(); from += rows_per_statement) {
        const std::size_t count = std::min(rows_per_statement, nodes.size() - from);
        const std::string statement =
            "UPDATE node SET leaves_job_id = ? WHERE id IN (" + repeated("?", count) + ")";
        Statement update = connection.sql(statement) << job.value;
        for (std::size_t i = from; i < from + count; ++i) update << nodes[i].value;
        update.exec();
    }
}

}  // namespace provisioner::store
