#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "provisioner/model/catalogue/cluster_template.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/operations/refusal.hpp"
#include "provisioner/store/catalogue/version_store.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

/// Gives an active cluster the newest version of its template, resolved. Later changes follow its
/// rules; nothing is done on the nodes, and no job starts.
///
/// Refused with the texts of the wire contract. With not_found when the cluster, its template or
/// its nodes do not exist. With conflict when the cluster is not active. As invalid when the
/// present layout violates the new template, with its template_misfits().
Result<void> sync_template(store::Database& database, const model::Caller& caller,
                           model::ClusterId cluster);

/// Says which template a page showed: another text for one that says something else, or has another
/// version. Pure.
std::string sum_of_template(const model::ClusterTemplate& newest);

/// The same, unless the newest version is another one than the caller was shown: refused with
/// conflict where its sum_of_template() is not `shown`.
Result<void> sync_template_as_shown(store::Database& database, const model::Caller& caller,
                                    model::ClusterId cluster, const std::string& shown);

/// The newest version of a cluster's template, resolved.
struct NewestTemplate {
    model::ClusterTemplate cluster_template{};
    /// Why the cluster cannot take it (template_misfits); empty: it can.
    base::Problems misfits{};
};

/// The template that sync_template would give the cluster, or would if it fitted; otherwise its
/// refusal. Writes nothing.
Result<NewestTemplate> preview_sync(store::Database& database, const model::Caller& caller,
                                    model::ClusterId cluster);

/// The entry of a template as it is now. Reads each version once, when it is asked for; use it in
/// one transaction.
class PresentEntry {
 public:
    PresentEntry(store::Connection& connection, model::TenantId tenant, std::string name);

    /// Whether the template that a cluster was made with is none of the versions of the entry: that
    /// was deleted and made anew since. False for drafts, and where the entry, or that version of
    /// it, is gone.
    bool is_newer_than(const model::ClusterTemplate& made);

 private:
    const std::optional<model::ClusterTemplate>& at(int version);

    store::Connection& connection_;
    model::TenantId tenant_;
    std::string name_;
    /// 0: the entry is gone.
    int newest_ = 0;
    std::map<int, std::optional<model::ClusterTemplate>> versions_{};
};

/// A cluster that was made from a template.
struct TemplateUse {
    store::ClusterOfTemplate cluster{};
    /// Whether sync_template would change more than the number of its version.
    bool is_behind = false;
    /// Of one that is behind: PresentEntry::is_newer_than().
    bool is_of_earlier = false;
};

/// The clusters of the tenant that have this template, terminated ones left out, by id; at most
/// `most`. Of a template that was deleted, or cannot be resolved, no cluster is behind.
std::vector<TemplateUse> uses_of_template(store::Connection& connection, model::TenantId tenant,
                                          const std::string& name, int most);

/// Clusters with a template that sync_template would change.
struct ClustersBehind {
    std::vector<store::ClusterOfTemplate> clusters{};
    /// Whether there are others after these.
    bool has_more = false;
    /// sum_of_template() of the newest version; empty for one that cannot be resolved.
    std::string newest{};
};

/// Those of uses_of_template() that are behind, by id, the first `most` after `after`.
ClustersBehind clusters_behind(store::Connection& connection, model::TenantId tenant,
                               const std::string& name, model::ClusterId after, int most);

/// Whether two templates differ in more than the number of their version. Pure.
bool says_other_things(const model::ClusterTemplate& present, model::ClusterTemplate newest);

}  // namespace provisioner::operations
