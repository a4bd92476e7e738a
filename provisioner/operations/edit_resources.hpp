#pragma once

#include <optional>
#include <string>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/operations/refusal.hpp"
#include "provisioner/store/resource_store.hpp"

namespace provisioner::operations {

/// What a version of a file is to nodes: had and will have (active), has and will not have
/// (recalled), has not and will have (staged), neither (inactive).
enum class ResourceStatus { active, recalled, staged, inactive };

ResourceStatus status_of(const store::ResourceVersion& version);

/// The versions on a shelf, by name and version; only those of `name` unless it is empty. Refused
/// with not_found when the plugin or its resource type is unknown, as everything here but staging,
/// recalling and sync.
Result<std::vector<store::ResourceVersion>> list_resources(store::Database& database,
                                                           const store::ResourceShelf& shelf,
                                                           const std::string& name = "");

/// Stores a new version and returns its number; refused as invalid for a name that is none.
Result<int> upload_resource(store::Database& database, const store::ResourceShelf& shelf,
                            const std::string& name, const std::string& content,
                            base::Timestamp now);

/// Deletes one version or all of them. Refused with conflict unless what goes is inactive, with
/// not_found for a version that is not there.
Result<void> delete_resource(store::Database& database, const store::ResourceShelf& shelf,
                             const std::string& name, std::optional<int> version);

/// Nodes get this version and no other of the name after the next sync; a version that is not there
/// changes nothing. Refused with not_found when there is no version of the name at all.
Result<void> stage_resource(store::Database& database, const store::ResourceShelf& shelf,
                            const std::string& name, int version);

/// Nodes no longer get this version after the next sync. Refused as stage_resource says.
Result<void> recall_resource(store::Database& database, const store::ResourceShelf& shelf,
                             const std::string& name, int version);

/// From now on nodes get what is staged and not what is recalled.
void sync_resources(store::Database& database, model::TenantId tenant);

}  // namespace provisioner::operations

namespace provisioner::base {

template <>
inline constexpr std::array words<operations::ResourceStatus>{
    std::pair{operations::ResourceStatus::active, std::string_view("active")},
    std::pair{operations::ResourceStatus::recalled, std::string_view("recalled")},
    std::pair{operations::ResourceStatus::staged, std::string_view("staged")},
    std::pair{operations::ResourceStatus::inactive, std::string_view("inactive")}};

}  // namespace provisioner::base
