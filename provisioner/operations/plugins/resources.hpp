#pragma once

#include <optional>
#include <string>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/contents/contents.hpp"
#include "provisioner/operations/refusal.hpp"
#include "provisioner/store/plugins/resource_store.hpp"

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

/// Takes in the bytes of a new version, `size` of them, and stores it; what is refused is refused
/// before the first byte is read. Refused as invalid for a name that is none. Throws what
/// contents::Contents::take_in throws; then nothing is left of it.
Result<store::ResourceVersion> upload_resource(store::Database& database,
                                               const contents::Contents& contents,
                                               const store::ResourceShelf& shelf,
                                               const std::string& name, contents::Source& from,
                                               std::uint64_t size, base::Timestamp now);

/// Makes these bytes the one live version of a name; does nothing when the live one has them. The
/// shelf and the name are not checked.
void save_live_resource(store::Database& database, const contents::Contents& contents,
                        const store::ResourceShelf& shelf, const std::string& name,
                        const std::string& bytes, base::Timestamp now);

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
