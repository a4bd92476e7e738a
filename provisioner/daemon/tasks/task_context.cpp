#include "provisioner/daemon/tasks/task_context.hpp"

#include <stdexcept>

#include "provisioner/operations/catalogue/provider_secrets.hpp"
#include "provisioner/store/plugins/plugin_store.hpp"

namespace provisioner::daemon {

namespace {

std::shared_ptr<const LiveResources> read_resources(store::Connection& connection,
                                                    model::TenantId tenant,
                                                    const std::string& automator) {
    LiveResources live;
    for (auto& stored :
         store::live_resources(connection, tenant, model::PluginKind::automator, automator)) {
        live.resources.push_back({.type = std::move(stored.resource_type),
                                  .name = std::move(stored.name),
                                  .sha256 = stored.content.sha256,
                                  .size = stored.content.size,
                                  .is_gzip = stored.content.is_gzip});
        std::string sha256 = stored.content.sha256;
        live.contents.emplace(std::move(sha256), std::move(stored.content));
    }
    return std::make_shared<const LiveResources>(std::move(live));
}

}  // namespace

// After: every claim is in the result once. The first try reads all clusters in one snapshot. Its
// works are assigned only when all were read, so a failure leaves nothing behind. Then the second
// try, one cluster at a time, cannot add a claim twice.
TaskContext::Batch TaskContext::read(const std::vector<queue::Claim>& claims) {
    ByCluster clusters;
    for (const queue::Claim& claim : claims) clusters[claim.cluster].push_back(claim);
    const auto read = [&](const ByCluster& some) {
        return database_.read(
            [&](store::Connection& connection) { return works_of(connection, some); });
    };
    Batch batch;
    try {
        batch.works = read(clusters);
        return batch;
    } catch (const std::exception&) {
        // One unreadable cluster must not fail the tasks of the others.
    }
    for (const auto& [cluster, its_claims] : clusters) {
        try {
            for (Work& work : read({{cluster, its_claims}})) batch.works.push_back(std::move(work));
        } catch (const std::exception& error) {
            for (const queue::Claim& claim : its_claims) {
                batch.unreadable.push_back({claim, error.what()});
            }
        }
    }
    return batch;
}

std::vector<Work> TaskContext::works_of(store::Connection& connection, const ByCluster& clusters) {
    std::vector<Work> works;
    TenantResources resources;
    for (const auto& [cluster, claims] : clusters) {
        brief_cluster(connection, cluster, claims, resources, works);
    }
    return works;
}

void TaskContext::brief_cluster(store::Connection& connection, model::ClusterId cluster,
                                const std::vector<queue::Claim>& claims, TenantResources& resources,
                                std::vector<Work>& works) {
    const auto view = watch_.look(connection, cluster);
    if (!view) throw std::logic_error("a task of a cluster that is not there");
    const auto account =
        std::make_shared<model::Account>(operations::opened_account(connection, *view->cluster));
    account->installation = installation_;
    add_files_(connection, *account);
    for (const queue::Claim& claim : claims) {
        const auto node = view->find(claim.node);
        if (!node) throw std::logic_error("a task of a node that is not there");
        Work work{
            .claim = claim, .cluster = view, .account = account, .node = node, .resources = {}};
        for (const std::string& automator : work.node->automators) {
            auto& shared = resources[{view->cluster->tenant, automator}];
            if (!shared) {
                shared = read_resources(connection, view->cluster->tenant, automator);
            }
            work.resources[automator] = shared;
        }
        works.push_back(std::move(work));
    }
}

}  // namespace provisioner::daemon
