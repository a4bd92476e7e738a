#include "provisioner/store/overview/search_store.hpp"

#include <algorithm>
#include <tuple>

#include "provisioner/base/ids.hpp"
#include "provisioner/store/access/permission_store.hpp"
#include "provisioner/store/clusters/cluster_rows.hpp"
#include "provisioner/store/clusters/node_condition.hpp"
#include "provisioner/store/database/columns.hpp"

namespace provisioner::store {

namespace {

// @ is "=" for the caller's own tenant and "<>" for the others. The pattern is made by
// containing().

// Names are looked at in cluster_name, which has no more than them; rows are read of what matches.
constexpr auto search_cluster_names = R"sql(
    SELECT STRAIGHT_JOIN cluster.id, cluster.name, cluster.owner, cluster.status,
           cluster.services_stopped, cluster.description, tenant.name AS tenant
    FROM cluster AS named FORCE INDEX (cluster_name)
    JOIN cluster ON cluster.id = named.id
    JOIN tenant ON tenant.id = cluster.tenant_id
    WHERE named.tenant_id @ ? AND tenant.deleted_id = 0 AND ? IN (0, cluster.owner_id) AND
          named.name COLLATE utf8mb4_general_ci LIKE ? ESCAPE '!'
    ORDER BY cluster.status = 'terminated', cluster.name COLLATE utf8mb4_general_ci = ? DESC,
             cluster.id DESC
    LIMIT ?
)sql";

constexpr auto search_cluster_number = R"sql(
    SELECT cluster.id, cluster.name, cluster.owner, cluster.status, cluster.services_stopped,
           cluster.description, tenant.name AS tenant
    FROM cluster
    JOIN tenant ON tenant.id = cluster.tenant_id
    WHERE cluster.tenant_id @ ? AND tenant.deleted_id = 0 AND ? IN (0, cluster.owner_id) AND
          cluster.id = ?
)sql";

// Descriptions stand in rows, so only those of the newest clusters are read.
constexpr auto search_cluster_descriptions = R"sql(
    SELECT STRAIGHT_JOIN cluster.id, cluster.name, cluster.owner, cluster.status,
           cluster.services_stopped, cluster.description, tenant.name AS tenant
    FROM (SELECT id
          FROM cluster FORCE INDEX (cluster_use)
          WHERE tenant_id = ? AND status IN ('pending', 'active', 'incomplete', 'inconsistent')
          ORDER BY id DESC
          LIMIT 2000) AS newest
    JOIN cluster ON cluster.id = newest.id
    JOIN tenant ON tenant.id = cluster.tenant_id
    WHERE ? IN (0, cluster.owner_id) AND
          cluster.description COLLATE utf8mb4_general_ci LIKE ? ESCAPE '!'
    ORDER BY cluster.id DESC
    LIMIT ?
)sql";

// From the newest cluster on, so that it ends with the first machines that fit. # is an index that
// has all that is asked of `lived`: rows of clusters, which are wide, are read for machines that
// fit.
constexpr auto search_nodes = R"sql(
    SELECT STRAIGHT_JOIN cluster.id, cluster.name, node.nodenum, node.hostname,
           tenant.name AS tenant
    FROM cluster AS lived FORCE INDEX (#)
    JOIN node ON node.cluster_id = lived.id
    JOIN cluster ON cluster.id = lived.id
    JOIN tenant ON tenant.id = cluster.tenant_id
    WHERE cluster.tenant_id @ ? AND tenant.deleted_id = 0 AND ? IN (0, cluster.owner_id) AND
          cluster.status IN ('pending', 'active', 'incomplete', 'inconsistent') AND
          NOT node.has_left
)sql";

/// Whose clusters are looked through for machines, with an index that covers the condition.
struct Lived {
    const char* index;
    /// With one parameter, or none.
    const char* condition;
};
constexpr Lived lived_of_owner{"cluster_unsatisfiable",
                               " AND lived.owner_id = ? AND lived.ended_at IS NULL"};
constexpr Lived lived_of_tenant{
    "cluster_use",
    " AND lived.tenant_id = ? AND "
    "lived.status IN ('pending', 'active', 'incomplete', 'inconsistent')"};
constexpr Lived lived_everywhere{
    "cluster_everywhere",
    " AND lived.status IN ('pending', 'active', 'incomplete', 'inconsistent')"};

constexpr auto search_user_names = R"sql(
    SELECT user.name, tenant.name AS tenant
    FROM user
    JOIN tenant ON tenant.id = user.tenant_id
    WHERE user.tenant_id @ ? AND tenant.deleted_id = 0 AND
          user.name COLLATE utf8mb4_general_ci LIKE ? ESCAPE '!'
    ORDER BY user.name, tenant.name
    LIMIT ?
)sql";

// From the index, which has no documents.
constexpr auto search_entry_names_of_others = R"sql(
    SELECT DISTINCT entry.kind, entry.name, tenant.name AS tenant
    FROM catalogue_entry AS entry FORCE INDEX (catalogue_entry_name)
    JOIN tenant ON tenant.id = entry.tenant_id
    WHERE entry.tenant_id <> ? AND tenant.deleted_id = 0 AND
          entry.name COLLATE utf8mb4_general_ci LIKE ? ESCAPE '!'
    ORDER BY entry.name COLLATE utf8mb4_general_ci = ? DESC, entry.name, tenant.name, entry.kind
    LIMIT ?
)sql";

constexpr auto search_tenant_names = R"sql(
    SELECT name
    FROM tenant
    WHERE deleted_id = 0 AND name COLLATE utf8mb4_general_ci LIKE ? ESCAPE '!'
    ORDER BY name
    LIMIT ?
)sql";

constexpr auto search_daemon_names = R"sql(
    SELECT instance AS name
    FROM daemon
    WHERE instance COLLATE utf8mb4_general_ci LIKE ? ESCAPE '!'
    ORDER BY instance
    LIMIT ?
)sql";

constexpr auto search_job = R"sql(
    SELECT job.id
    FROM job
    JOIN cluster ON cluster.id = job.cluster_id
    WHERE job.id = ? AND cluster.id = ? AND cluster.tenant_id = ? AND ? IN (0, cluster.owner_id)
)sql";

/// The statement for the tenants that are searched.
std::string for_tenants(Tenants tenants, std::string statement) {
    return statement.replace(statement.find('@'), 1, tenants == Tenants::own ? "=" : "<>");
}

/// Tenants of others are searched by superadmins only.
bool may_search(const model::Caller& caller, Tenants tenants) {
    return tenants == Tenants::own || caller.is_superadmin();
}

/// The newest version of each entry whose name, label or description contains the text. JSON in a
/// column is compared in binary unless told otherwise.
std::string search_entry_texts(std::size_t kinds) {
    const std::string like = " COLLATE utf8mb4_general_ci LIKE ? ESCAPE '!'";
    return "SELECT kind, name, label FROM (SELECT entry.kind, entry.name, "
           "COALESCE(JSON_UNQUOTE(JSON_EXTRACT(document, '$.label')), '') AS label, "
           "COALESCE(JSON_UNQUOTE(JSON_EXTRACT(document, '$.description')), '') AS description "
           "FROM (SELECT tenant_id, kind, name, MAX(version) AS version FROM catalogue_entry "
           "WHERE tenant_id = ? AND kind IN (" +
           repeated("?", kinds) +
           ") GROUP BY tenant_id, kind, name) AS newest "
           "JOIN catalogue_entry AS entry USING (tenant_id, kind, name, version)) AS found "
           "WHERE name" +
           like + " OR label" + like + " OR description" + like +
           " ORDER BY name COLLATE utf8mb4_general_ci = ? DESC, "
           "label COLLATE utf8mb4_general_ci = ? DESC, kind, name LIMIT ?";
}

FoundCluster read_found_cluster(Rows& row) {
    return {.id = model::ClusterId{row.get<long long>("id")},
            .name = row.get<std::string>("name"),
            .owner = row.get<std::string>("owner"),
            .tenant = row.get<std::string>("tenant"),
            .status = base::stored_word<model::ClusterStatus>(row.get<std::string>("status")),
            .services_stopped = row.get<int>("services_stopped"),
            .description = row.get<std::string>("description")};
}

/// Adds what is not there yet, at most up to `limit` clusters.
void add_found_clusters(Rows row, int limit, std::vector<FoundCluster>& found) {
    while (std::ssize(found) < limit && row.next()) {
        FoundCluster cluster = read_found_cluster(row);
        const bool is_there = std::ranges::count(found, cluster.id, &FoundCluster::id) > 0;
        if (!is_there) found.push_back(std::move(cluster));
    }
}

std::vector<std::string> read_names(Rows row) {
    std::vector<std::string> names;
    while (row.next()) names.push_back(row.get<std::string>("name"));
    return names;
}

}  // namespace

std::vector<FoundCluster> search_clusters(Connection& connection, const model::Caller& caller,
                                          Tenants tenants, const std::string& text, int limit) {
    std::vector<FoundCluster> found;
    if (!may_search(caller, tenants)) return found;
    const std::int64_t owner = owner_filter(caller);
    if (const auto number = base::parse_number(text)) {
        add_found_clusters(connection.sql(for_tenants(tenants, search_cluster_number))
                               << caller.tenant.id.value << owner << *number,
                           limit, found);
    }
    add_found_clusters(connection.sql(for_tenants(tenants, search_cluster_names)).once()
                           << caller.tenant.id.value << owner << containing(text) << text << limit,
                       limit, found);
    if (tenants == Tenants::others || std::ssize(found) == limit) return found;
    add_found_clusters(connection.sql(search_cluster_descriptions).once()
                           << caller.tenant.id.value << owner << containing(text) << limit,
                       limit, found);
    return found;
}

std::vector<FoundMachine> search_machines(Connection& connection, const model::Caller& caller,
                                          Tenants tenants, const std::string& text, int limit) {
    std::vector<FoundMachine> found;
    if (!may_search(caller, tenants)) return found;
    const std::int64_t owner = owner_filter(caller);
    const Lived& lived = tenants == Tenants::others ? lived_everywhere
                         : owner != 0               ? lived_of_owner
                                                    : lived_of_tenant;
    const auto look = [&](const NodeCondition& called) {
        std::vector<FoundMachine> machines;
        std::string statement = for_tenants(tenants, search_nodes) + lived.condition +
                                called.sql() + " ORDER BY lived.id DESC LIMIT ?";
        statement.replace(statement.find('#'), 1, lived.index);
        Statement select = connection.sql(statement).once() << caller.tenant.id.value << owner;
        if (tenants == Tenants::own) select << (owner != 0 ? owner : caller.tenant.id.value);
        called.bind(select);
        select << limit;
        Rows row = select.query();
        while (row.next()) {
            machines.push_back({.cluster = model::ClusterId{row.get<long long>("id")},
                                .cluster_name = row.get<std::string>("name"),
                                .tenant = row.get<std::string>("tenant"),
                                .nodenum = row.get<int>("nodenum"),
                                .hostname = row.get<std::string>("hostname")});
        }
        std::ranges::sort(machines, [](const FoundMachine& one, const FoundMachine& other) {
            return std::tuple(-one.cluster.value, one.nodenum) <
                   std::tuple(-other.cluster.value, other.nodenum);
        });
        return machines;
    };
    const NodeCondition called(text);
    // What has the very address comes before what only begins with it.
    if (called.reads_addresses()) found = look(NodeCondition::with_address(text));
    for (auto& machine : look(called)) {
        const bool is_there = std::ranges::any_of(found, [&](const FoundMachine& one) {
            return one.cluster == machine.cluster && one.nodenum == machine.nodenum;
        });
        if (!is_there && std::ssize(found) < limit) found.push_back(std::move(machine));
    }
    return found;
}

std::vector<FoundEntry> search_entries(Connection& connection, const model::Caller& caller,
                                       const std::vector<model::CatalogueKind>& kinds,
                                       const std::string& text, int limit) {
    if (kinds.empty()) return {};
    const model::Withheld withheld = withheld_from(connection, caller);
    const std::string pattern = containing(text);
    Statement select = connection.sql(search_entry_texts(kinds.size())).once()
                       << caller.tenant.id.value;
    for (const model::CatalogueKind kind : kinds) select << base::to_word(kind);
    // What is withheld is taken out afterwards.
    select << pattern << pattern << pattern << text << text
           << limit + static_cast<int>(withheld.entries().size());
    Rows row = select.query();
    std::vector<FoundEntry> found;
    while (row.next() && std::ssize(found) < limit) {
        FoundEntry entry{
            .entry = {base::stored_word<model::CatalogueKind>(row.get<std::string>("kind")),
                      row.get<std::string>("name")},
            .label = row.get<std::string>("label"),
            .tenant = ""};
        const bool is_withheld = withheld.contains(entry.entry.kind, entry.entry.name);
        if (!is_withheld) found.push_back(std::move(entry));
    }
    return found;
}

std::vector<FoundEntry> search_entries_of_others(Connection& connection,
                                                 const model::Caller& caller,
                                                 const std::string& text, int limit) {
    std::vector<FoundEntry> found;
    if (!may_search(caller, Tenants::others)) return found;
    Rows row = connection.sql(search_entry_names_of_others).once()
               << caller.tenant.id.value << containing(text) << text << limit;
    while (row.next()) {
        found.push_back(
            {.entry = {base::stored_word<model::CatalogueKind>(row.get<std::string>("kind")),
                       row.get<std::string>("name")},
             .label = "",
             .tenant = row.get<std::string>("tenant")});
    }
    return found;
}

std::vector<FoundUser> search_users(Connection& connection, const model::Caller& caller,
                                    Tenants tenants, const std::string& text, int limit) {
    std::vector<FoundUser> found;
    if (!may_search(caller, tenants)) return found;
    Rows row = connection.sql(for_tenants(tenants, search_user_names)).once()
               << caller.tenant.id.value << containing(text) << limit;
    while (row.next()) {
        found.push_back({row.get<std::string>("name"), row.get<std::string>("tenant")});
    }
    return found;
}

std::vector<std::string> search_tenants(Connection& connection, const std::string& text,
                                        int limit) {
    return read_names(connection.sql(search_tenant_names).once() << containing(text) << limit);
}

std::vector<std::string> search_provisioners(Connection& connection, const model::Caller& caller,
                                             const std::string& text, int limit) {
    if (!caller.is_superadmin()) return {};
    return read_names(connection.sql(search_daemon_names).once() << containing(text) << limit);
}

std::string tenant_of(Connection& connection, const model::Caller& superadmin,
                      model::ClusterId cluster) {
    if (!superadmin.is_superadmin()) return "";
    Rows row = connection.sql(
                   "SELECT tenant.name FROM cluster JOIN tenant ON tenant.id = cluster.tenant_id "
                   "WHERE cluster.id = ? AND tenant.deleted_id = 0")
               << cluster.value;
    return row.next() ? row.get<std::string>("name") : "";
}

bool has_job(Connection& connection, const model::Caller& caller, model::ClusterId cluster,
             model::JobId job) {
    Rows row = connection.sql(search_job)
               << job.value << cluster.value << caller.tenant.id.value << owner_filter(caller);
    return row.next();
}

}  // namespace provisioner::store
