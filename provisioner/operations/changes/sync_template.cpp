#include "provisioner/operations/changes/sync_template.hpp"

#include "provisioner/base/fnv1a.hpp"
#include "provisioner/model/catalogue/template_family.hpp"
#include "provisioner/operations/access/permissions.hpp"
#include "provisioner/operations/audit.hpp"
#include "provisioner/operations/catalogue/stored_entries.hpp"
#include "provisioner/operations/changes/template_misfits.hpp"
#include "provisioner/operations/clusters/resolve_template.hpp"
#include "provisioner/store/catalogue/catalogue_store.hpp"
#include "provisioner/store/clusters/cluster_store.hpp"

namespace provisioner::operations {

namespace {

/// Read at once while those that are behind are looked for.
constexpr int clusters_at_once = 200;

/// The newest version of the cluster's template, resolved, and why it does not fit, if it does not.
Result<NewestTemplate> newest_template(store::Connection& connection,
                                       const model::Cluster& cluster) {
    const std::string& name = cluster.snapshot.cluster_template.header.name;
    if (!store::find_entry(connection, cluster.tenant, model::CatalogueKind::cluster_template,
                           name)) {
        return refuse(Refusal::Kind::not_found, "", "template " + name + " no longer exists");
    }
    const auto nodes = store::nodes_of(connection, cluster.id);
    if (nodes.empty()) {
        return refuse(Refusal::Kind::not_found, "", "could not find cluster nodes");
    }
    auto newest = find_resolved(connection, cluster.tenant, name);
    if (!newest) return base::unexpected(newest.error());
    NewestTemplate found{.cluster_template = *std::move(newest)};
    for (auto& sentence : template_misfits(found.cluster_template, cluster.services, nodes)) {
        found.misfits.push_back({.field = "", .message = std::move(sentence)});
    }
    return found;
}

/// Of a template that does not fit: its misfits, and the wire contract's text for all of them.
base::unexpected<Refusal> refuse_misfits(base::Problems misfits) {
    auto refusal = refuse(Refusal::Kind::invalid, std::move(misfits));
    refusal.value().wire_message = "updating the template would result in an invalid cluster";
    return refusal;
}

/// The same, if the caller may give it to the cluster now.
Result<NewestTemplate> template_for(store::Connection& connection, const model::Caller& caller,
                                    const model::Cluster& cluster) {
    if (cluster.status != model::ClusterStatus::active) {
        return refuse(Refusal::Kind::conflict, "",
                      "Cluster is not in a state where the template can by synced");
    }
    auto problems = withheld_problems(store::withheld_from(connection, caller),
                                      {{"clusterTemplate", model::CatalogueKind::cluster_template,
                                        cluster.snapshot.cluster_template.header.name}});
    if (!problems.empty()) return refuse(Refusal::Kind::forbidden, std::move(problems));
    return newest_template(connection, cluster);
}

/// `shown` is what the newest version has to be, if that matters.
Result<void> take_newest(store::Database& database, const model::Caller& caller,
                         model::ClusterId id, const std::optional<std::string>& shown) {
    return database.write([&](store::Connection& connection) -> Result<void> {
        auto cluster = store::lock_cluster(connection, caller, id);
        if (!cluster) {
            return no_such_cluster(id);
        }
        auto newest = template_for(connection, caller, *cluster);
        if (!newest) return base::unexpected(newest.error());
        if (!newest->misfits.empty()) return refuse_misfits(std::move(newest->misfits));
        if (shown && *shown != sum_of_template(newest->cluster_template)) {
            return refuse(Refusal::Kind::conflict, "",
                          "The template was changed meanwhile. Look again at what changes.");
        }
        const int before = cluster->snapshot.cluster_template.header.version;
        cluster->snapshot.cluster_template = std::move(newest->cluster_template);
        store::update_template(connection, *cluster);
        audit(connection, caller,
              {.action = "cluster.sync-template",
               .object = object_of(*cluster),
               .before = {{"version", before}},
               .after = {{"version", cluster->snapshot.cluster_template.header.version}}});
        return {};
    });
}

}  // namespace

std::string sum_of_template(const model::ClusterTemplate& newest) {
    return std::to_string(base::fnv1a(std::to_string(newest.header.version) + '\n' +
                                      base::to_text(model::to_json(newest))));
}

Result<void> sync_template(store::Database& database, const model::Caller& caller,
                           model::ClusterId id) {
    return take_newest(database, caller, id, std::nullopt);
}

Result<void> sync_template_as_shown(store::Database& database, const model::Caller& caller,
                                    model::ClusterId id, const std::string& shown) {
    return take_newest(database, caller, id, shown);
}

Result<NewestTemplate> preview_sync(store::Database& database, const model::Caller& caller,
                                    model::ClusterId id) {
    return database.read([&](store::Connection& connection) -> Result<NewestTemplate> {
        const auto cluster = store::find_cluster(connection, caller, id);
        if (!cluster) return no_such_cluster(id);
        return template_for(connection, caller, *cluster);
    });
}

bool says_other_things(const model::ClusterTemplate& present, model::ClusterTemplate newest) {
    newest.header.version = present.header.version;
    return present != newest;
}

PresentEntry::PresentEntry(store::Connection& connection, model::TenantId tenant, std::string name)
    : connection_(connection), tenant_(tenant), name_(std::move(name)) {
    const auto newest =
        store::find_entry(connection, tenant, model::CatalogueKind::cluster_template, name_);
    if (newest) newest_ = newest->at("version").get<int>();
}

const std::optional<model::ClusterTemplate>& PresentEntry::at(int version) {
    const auto [found, is_new] = versions_.try_emplace(version);
    if (!is_new) return found->second;
    const auto stored = store::find_entry(connection_, tenant_,
                                          model::CatalogueKind::cluster_template, name_, version);
    if (stored) found->second = as_stored(*stored, model::cluster_template_from_json);
    return found->second;
}

bool PresentEntry::is_newer_than(const model::ClusterTemplate& made) {
    const int version = made.header.version;
    if (version == 0 || newest_ == 0) return false;
    if (version > newest_) return true;
    const auto& own = at(version);
    return own && !model::can_be_made_of(made, *own);
}

std::vector<TemplateUse> uses_of_template(store::Connection& connection, model::TenantId tenant,
                                          const std::string& name, int most) {
    const auto newest = find_resolved(connection, tenant, name);
    PresentEntry entry(connection, tenant, name);
    std::vector<TemplateUse> uses;
    for (auto& cluster : store::clusters_of_template(connection, tenant, name, {}, most)) {
        const bool is_behind = newest && says_other_things(cluster.cluster_template, *newest);
        const bool is_of_earlier = is_behind && entry.is_newer_than(cluster.cluster_template);
        uses.push_back({.cluster = std::move(cluster),
                        .is_behind = is_behind,
                        .is_of_earlier = is_of_earlier});
    }
    return uses;
}

ClustersBehind clusters_behind(store::Connection& connection, model::TenantId tenant,
                               const std::string& name, model::ClusterId after, int most) {
    const auto newest = find_resolved(connection, tenant, name);
    if (!newest) return {};
    ClustersBehind behind{.newest = sum_of_template(*newest)};
    while (true) {
        auto read = store::clusters_of_template(connection, tenant, name, after, clusters_at_once);
        for (auto& cluster : read) {
            after = cluster.id;
            if (!says_other_things(cluster.cluster_template, *newest)) continue;
            if (static_cast<int>(behind.clusters.size()) == most) {
                behind.has_more = true;
                return behind;
            }
            behind.clusters.push_back(std::move(cluster));
        }
        if (static_cast<int>(read.size()) < clusters_at_once) return behind;
    }
}

}  // namespace provisioner::operations
