#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/contents/contents.hpp"
#include "provisioner/model/audit/event.hpp"
#include "provisioner/operations/refusal.hpp"
#include "provisioner/store/plugins/resource_store.hpp"

namespace provisioner::operations {

// Files that administrators upload for plugins (automators, mostly), in versions. An upload is
// inactive. Staging selects the version that the next sync makes live; recalling removes one with
// the next sync. Nodes get live versions only: at the next job that bootstraps them.

/// The status of a version. Nodes get an active one before and after the next sync. They get a
/// recalled one only before it, a staged one only after it, and an inactive one neither.
enum class ResourceStatus { active, recalled, staged, inactive };

/// The status that follows from the flags `live` and `slated`.
ResourceStatus status_of(const store::ResourceVersion& version);

/// The versions on a shelf, by name and version; only those of `name` unless it is empty. Refused
/// with not_found when the plugin or its resource type is unknown. Uploads and deletions are
/// refused likewise.
Result<std::vector<store::ResourceVersion>> list_resources(store::Database& database,
                                                           const store::ResourceShelf& shelf,
                                                           const std::string& name = "");

/// What is told with an upload.
struct UploadOptions {
    /// Why, for the audit log; what is longer than its limit is cut.
    std::string reason{};
    /// The newest version that the sender knows of; 0: whichever it is.
    int known_version = 0;
};

/// Reads `size` bytes from `from` and stores them as the next version of `name`, inactive. Checks
/// shelf and name before it reads the first byte, and again after the last. No lock is held while
/// bytes arrive, which may take long. Equal bytes that are stored already are used again. A new
/// version always gets its own number.
///
/// Refused as invalid for a wrong name, and as a conflict if there is a newer version than the
/// known one: of two uploads that know the same one, the second is refused. Throws what
/// contents::Contents::take_in throws; no bytes are left then.
Result<store::ResourceVersion> upload_resource(
    store::Database& database, const contents::Contents& contents, const model::Caller& caller,
    const store::ResourceShelf& shelf, const std::string& name, contents::Source& from,
    std::uint64_t size, base::Timestamp now, const UploadOptions& options = {});

/// Who uploaded versions of a file, when and why, by the version: events of the audit log, without
/// documents, as long as it keeps them. Of the newest 1,000.
std::map<int, model::audit::Event> uploads_of_file(store::Connection& connection,
                                                   const store::ResourceShelf& shelf,
                                                   const std::string& name);

/// The newest version of a file if it has these bytes: saving them would add nothing. Nothing for
/// another one, and for a file whose bytes are sealed.
std::optional<store::ResourceVersion> newest_with_bytes(store::Database& database,
                                                        const store::ResourceShelf& shelf,
                                                        const std::string& name,
                                                        const std::string& bytes);

/// Whether the live version of a file has these bytes.
bool has_live_bytes(store::Database& database, const store::ResourceShelf& shelf,
                    const std::string& name, const std::string& bytes);

/// Whether a user has uploaded, staged, recalled or deleted a version of a file: the audit log says
/// so, as long as it keeps its events.
bool have_users_changed(store::Database& database, const store::ResourceShelf& shelf,
                        const std::string& name);

/// Makes these bytes the only live version of `name`, without staging and sync. Does nothing when
/// the live version has the same bytes. Does not check shelf and name. For the installation's seed.
void save_live_resource(store::Database& database, const contents::Contents& contents,
                        const store::ResourceShelf& shelf, const std::string& name,
                        const std::string& bytes, base::Timestamp now);

/// Deletes one version, or all without `version`. Refused with conflict unless each of them is
/// inactive, and with not_found for a version that does not exist.
Result<void> delete_resource(store::Database& database, const model::Caller& caller,
                             const store::ResourceShelf& shelf, const std::string& name,
                             std::optional<int> version);

/// Selects this version as the only one of its name after the next sync. Does nothing when the
/// version does not exist. Refused with not_found when the name has no version at all.
Result<void> stage_resource(store::Database& database, const model::Caller& caller,
                            const store::ResourceShelf& shelf, const std::string& name,
                            int version);

/// Removes this version with the next sync; of a staged one no other takes the place. Otherwise
/// like stage_resource.
Result<void> recall_resource(store::Database& database, const model::Caller& caller,
                             const store::ResourceShelf& shelf, const std::string& name,
                             int version);

/// Undoes the staging of a version: the one in use stays in use, and none is without one. Refused
/// with not_found when there is no such version, and with conflict when it is not staged.
Result<void> unstage_resource(store::Database& database, const model::Caller& caller,
                              const store::ResourceShelf& shelf, const std::string& name,
                              int version);

/// Puts this version to use at once, as staging it and a sync would, and leaves what else is staged
/// or recalled as it is. Refused with not_found when there is no such version.
Result<void> use_resource(store::Database& database, const model::Caller& caller,
                          const store::ResourceShelf& shelf, const std::string& name, int version);

}  // namespace provisioner::operations

namespace provisioner::base {

/// The words of the API.
template <>
inline constexpr std::array words<operations::ResourceStatus>{
    std::pair{operations::ResourceStatus::active, std::string_view("active")},
    std::pair{operations::ResourceStatus::recalled, std::string_view("recalled")},
    std::pair{operations::ResourceStatus::staged, std::string_view("staged")},
    std::pair{operations::ResourceStatus::inactive, std::string_view("inactive")}};

}  // namespace provisioner::base
