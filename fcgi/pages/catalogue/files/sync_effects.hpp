#pragma once

#include <set>
#include <string>
#include <vector>

#include "provisioner/operations/catalogue/references.hpp"
#include "provisioner/operations/plugins/file_changes.hpp"

namespace fcgi::pages {

// What a sync of files takes away or replaces of what services in use need. A service is in use if
// a template that is offered has it by default, or a cluster has it.

/// What a sync does to a file that services need.
struct SyncEffect {
    provisioner::operations::FileChange change{};
    /// Names of the services whose actions name it.
    std::vector<std::string> services{};
    /// Their labels, and those of the offered cluster templates that have one of them by default.
    std::vector<std::string> service_labels{};
    std::vector<std::string> templates{};
    /// Clusters that have one of them.
    std::size_t clusters = 0;
};

/// Of changes that take away or replace a file of an automator which services name, in their order,
/// without clusters. `drafts` are the templates that are not offered. Pure.
std::vector<SyncEffect> effects_of_sync(
    const std::vector<provisioner::operations::FileChange>& changes,
    const provisioner::operations::CatalogueEntries& entries, const std::set<std::string>& drafts);

/// Those of a tenant's changes that concern services in use.
std::vector<SyncEffect> read_sync_effects(
    provisioner::store::Connection& connection, provisioner::model::TenantId tenant,
    const std::vector<provisioner::operations::FileChange>& changes);

/// Sentences about each effect: what machines no longer get, which services need it, who offers
/// and who has these. Pure.
std::vector<std::string> words_on_sync(const std::vector<SyncEffect>& effects);

}  // namespace fcgi::pages
