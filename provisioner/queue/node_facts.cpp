#include "provisioner/queue/node_facts.hpp"

#include <cppconn/connection.h>
#include <cppconn/resultset.h>

#include <map>
#include <set>

#include "provisioner/queue/bulk.hpp"

namespace provisioner::queue {

namespace {

// `?`: [{"id":node, "job":..., "results":"...", "addresses":"...", "hostname":"..."}, ...]. Results
// and addresses are JSON inside a JSON text, so that they are stored as they were written here.
constexpr auto update_nodes = R"sql(
    UPDATE JSON_TABLE(?, '$[*]' COLUMNS (
               id BIGINT PATH '$.id', results LONGTEXT PATH '$.results',
               addresses LONGTEXT PATH '$.addresses', job BIGINT PATH '$.job',
               hostname VARCHAR(255) PATH '$.hostname')) AS fresh
    STRAIGHT_JOIN node ON node.id = fresh.id
    JOIN job ON job.id = fresh.job
    SET node.changed_in = job.node_changes,
        node.results = fresh.results,
        node.addresses = IF(fresh.addresses = '', node.addresses, fresh.addresses),
        node.hostname = IF(fresh.hostname = '', node.hostname, fresh.hostname)
)sql";

const std::string end_spans =
    "UPDATE machine_span SET ended_at = UTC_TIMESTAMP(6) WHERE ended_at IS NULL AND node_id IN ";

const std::string begin_spans = R"sql(
    INSERT INTO machine_span (node_id, began_at, tenant_id, cluster_id, owner, cluster_template,
                              provider_type, provider, region, flavor, image)
    SELECT node.id, UTC_TIMESTAMP(6), cluster.tenant_id, cluster.id, cluster.owner,
           COALESCE(cluster.template_name, ''),
           COALESCE(cluster.provider_type, ''),
           COALESCE(cluster.provider_name, ''),
           cluster.region,
           COALESCE(JSON_UNQUOTE(JSON_EXTRACT(node.results, '$.flavor')), node.flavor), node.image
    FROM node
    JOIN cluster ON cluster.id = node.cluster_id
    WHERE cluster.status <> 'terminated' AND node.id IN )sql";

}  // namespace

// Before: the jobs are locked. After: each node has the merged facts and, as changed_in, the new
// node_changes of its job. A copy of the cluster that saw the old number reads this node again.
// node_changes grows first, because update_nodes stamps the nodes with it.
// Results are read, merged in memory and written back, so the nodes are locked (by id) before they
// are read. Two at once: the second one waits there and merges into what the first one stored.
void store_node_facts(sql::Connection& connection, const std::vector<const Finished*>& succeeded) {
    struct Facts {
        base::Json results;
        std::string addresses;
        std::string hostname;
        long long job = 0;
    };
    std::map<long long, Facts> nodes;
    std::set<long long> jobs;
    for (const Finished* one : succeeded) {
        const auto& success = std::get<Succeeded>(one->outcome);
        const bool nothing_new =
            success.facts.empty() && success.addresses.empty() && success.hostname.empty();
        if (nothing_new) continue;
        nodes[one->claim.node.value].job = one->claim.job.value;
        jobs.insert(one->claim.job.value);
    }
    if (nodes.empty()) return;
    execute(connection, "UPDATE job SET node_changes = node_changes + 1 WHERE id IN (" +
                            id_list(jobs, [](long long id) { return id; }) + ")");
    const auto rows = select(connection, "SELECT id, results FROM node WHERE id IN (" +
                                             id_list(nodes, [](const auto& n) { return n.first; }) +
                                             ") ORDER BY id FOR UPDATE");
    while (rows->next()) {
        nodes[rows->getInt64("id")].results =
            base::parse_json(std::string(rows->getString("results")))
                .value_or(base::Json::object());
    }
    for (const Finished* one : succeeded) {
        const auto found = nodes.find(one->claim.node.value);
        if (found == nodes.end()) continue;
        const auto& success = std::get<Succeeded>(one->outcome);
        Facts& facts = found->second;
        facts.results.update(success.facts);
        if (!success.addresses.empty()) {
            facts.addresses = base::to_text(base::Json(success.addresses));
        }
        if (!success.hostname.empty()) facts.hostname = success.hostname;
    }
    std::vector<base::Json> fresh;
    for (const auto& [id, facts] : nodes) {
        fresh.push_back({{"id", id},
                         {"job", facts.job},
                         {"results", base::to_text(facts.results)},
                         {"addresses", facts.addresses},
                         {"hostname", facts.hostname}});
    }
    in_packets(fresh,
               [&](const std::string& text) { execute_with(connection, update_nodes, text); });
}

// Before: each claim is counted once. After: no deleted node has an open span, and each created
// node has one more. Spans are ended by node, so that every open one of a node ends. Two at once:
// delete and create of a node depend on each other, so no two transactions write its spans.
void note_machines(sql::Connection& connection, const std::vector<const Finished*>& succeeded) {
    std::vector<long long> made;
    std::vector<long long> deleted;
    for (const Finished* one : succeeded) {
        if (one->claim.action == model::Action::create) made.push_back(one->claim.node.value);
        if (one->claim.action == model::Action::delete_machine) {
            deleted.push_back(one->claim.node.value);
        }
    }
    in_parts(deleted, [&](std::span<const long long> part) {
        execute(connection, end_spans + ("(" + id_list(part) + ")"));
    });
    in_parts(made, [&](std::span<const long long> part) {
        execute(connection, begin_spans + ("(" + id_list(part) + ")"));
    });
}

}  // namespace provisioner::queue
