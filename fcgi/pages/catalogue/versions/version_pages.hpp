#pragma once

#include <optional>
#include <string>
#include <vector>

#include "provisioner/base/json.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/model/catalogue/entity.hpp"
#include "provisioner/model/catalogue/version.hpp"
#include "provisioner/operations/changes/sync_template.hpp"

namespace fcgi::pages {

/// The history of an entry: views/catalogue/versions/index.
struct VersionsPage {
    provisioner::model::CatalogueKind kind{};
    std::string name{};
    /// The newest first, without documents.
    std::vector<provisioner::model::CatalogueVersion> lines{};
    /// The version in force; nothing: the entry was deleted.
    std::optional<int> version{};
    /// Templates only: clusters made from it.
    std::vector<provisioner::operations::TemplateUse> clusters{};
    /// Whether there are other clusters after these.
    bool has_more_clusters = false;
    /// Whether any cluster of the template has an older one; only set if there are more.
    bool has_clusters_behind = false;
    /// Whether the viewer may update the template of a cluster.
    bool may_operate = true;
    /// What was updated just now.
    std::string done{};
    provisioner::base::Timestamp now{};
};
provisioner::base::Json to_json(const VersionsPage& page);
/// Title and heading: "Versions of service web".
std::string title_of(const VersionsPage& page);

/// One version beside another, or beside what is in force: views/catalogue/versions/show.
struct VersionPage {
    provisioner::model::CatalogueKind kind{};
    std::string name{};
    provisioner::model::CatalogueVersion older{};
    /// What it is compared with; nothing: with `present`.
    std::optional<provisioner::model::CatalogueVersion> newer{};
    /// The entry in force, with its version; null: it was deleted.
    provisioner::base::Json present{};
    /// Its version, and who began it.
    provisioner::model::PresentVersion in_force{};
    /// Of a deletion: the version that it ended; nothing where that is not kept.
    std::optional<provisioner::model::CatalogueVersion> ended{};
    /// False for auditors, and for who views a tenant: nothing is restored.
    bool may_change = true;
    /// What users would get by restoring it that has to be read first.
    std::vector<std::string> to_check{};
    /// What is told beside it (ChangeCheck).
    std::vector<std::string> to_note{};
    /// What was typed, when restoring was refused, and why.
    std::string note{};
    provisioner::base::Problems problems{};
    /// Whether it was refused because somebody has restored this version meanwhile, or the form was
    /// sent twice.
    bool is_restored_already = false;
    provisioner::base::Timestamp now{};
};
provisioner::base::Json to_json(const VersionPage& page);
/// Of a version that was not restored because another one is in force than was seen: notes it where
/// that says the same.
void tell_restored(VersionPage& page);
/// Title and heading: "Service web: version 2", "Service web: version 2 and version 3".
std::string title_of(const VersionPage& page);

/// The latest changes of all entries of a kind: views/catalogue/versions/latest.
struct LatestPage {
    provisioner::model::CatalogueKind kind{};
    /// (name, line), the newest first.
    std::vector<std::pair<std::string, provisioner::model::CatalogueVersion>> lines{};
    provisioner::base::Timestamp now{};
};
provisioner::base::Json to_json(const LatestPage& page);
/// Title and heading: "Latest changes of services".
std::string title_of(const LatestPage& page);

}  // namespace fcgi::pages
