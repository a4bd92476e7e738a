#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/model/plugins/content.hpp"
#include "provisioner/model/plugins/plugin_type.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/store/database/database.hpp"
#include "provisioner/store/plugins/content_rows.hpp"

namespace provisioner::store {

// Versions of files that tenants upload for plugins. Each version has two flags: live (nodes get
// it) and slated (nodes get it after the next sync). Staging and recalling change slated; a sync
// copies slated to live. Lock the tenant before every change here: numbers and flags of one name
// depend on each other.

/// A place for files: one resource type of one plugin of a tenant.
struct ResourceShelf {
    model::TenantId tenant;
    model::PluginKind kind = model::PluginKind::automator;
    /// Names of a plugin type and of one of its resource types; not checked here.
    std::string plugin;
    std::string resource_type;
};

/// A version of a file, without its bytes.
struct ResourceVersion {
    std::string name;
    /// Counts the versions of a name on its shelf, from 1, deleted ones included.
    int version = 1;
    /// Whether nodes get it.
    bool live = false;
    /// Whether nodes get it after the next sync.
    bool slated = false;
    /// In bytes.
    std::uint64_t size = 0;
    /// Of its bytes, 64 hexadecimal digits.
    std::string sha256;
    base::Timestamp created_at;
    /// When a live version was put to use. Nothing for one that was live from its beginning, or
    /// before this was kept.
    std::optional<base::Timestamp> live_since{};
};

/// All versions on the shelf that are not deleted, by name and version; only those of `name` unless
/// it is empty.
std::vector<ResourceVersion> list_resources(Connection& connection, const ResourceShelf& shelf,
                                            const std::string& name = "");

/// Where the bytes of one version are; nothing when there is no such version.
std::optional<model::Content> find_resource_content(Connection& connection,
                                                    const ResourceShelf& shelf,
                                                    const std::string& name, int version);

/// A version that the next sync makes live or removes.
struct PendingVersion {
    ResourceShelf shelf;
    ResourceVersion version;
};

/// What the next sync of a tenant changes, by kind, plugin, type, name and version; at most 10,000.
std::vector<PendingVersion> pending_resources(Connection& connection, model::TenantId tenant);

/// A file of a tenant, whatever its versions.
struct NamedResource {
    std::string plugin{};
    std::string resource_type{};
    std::string name{};
    /// Whether nodes get a version of it, now or after the next sync.
    bool is_given = false;
};

/// All files of a kind of plugins that are not deleted, by plugin, type and name; at most 100,000.
std::vector<NamedResource> named_resources(Connection& connection, model::TenantId tenant,
                                           model::PluginKind kind);

/// A content and a shelf with files that refer to it.
struct ShelvedContent {
    ResourceShelf shelf;
    StoredContent stored;
};

/// The contents of all files of providers' shelves that are not deleted, by id; at most 100,000.
std::vector<ShelvedContent> contents_of_providers(Connection& connection);

/// Makes the shelf's files that refer to a content refer to `fresh`, which must be kept by this
/// transaction. False when there are none any more.
[[nodiscard]] bool refer_to(Connection& connection, const ShelvedContent& old,
                            model::ContentId fresh);

/// Stores the next version of a name, neither live nor slated, and returns its number. Deleted
/// versions count, so no number is used twice. `content` must be locked (hold_content) or kept by
/// this transaction.
int insert_resource(Connection& connection, const ResourceShelf& shelf, const std::string& name,
                    model::ContentId content, base::Timestamp now);

/// Stores the next version of a name as the only live and slated one, without a sync. For the
/// installation's seed.
void insert_live_resource(Connection& connection, const ResourceShelf& shelf,
                          const std::string& name, model::ContentId content, base::Timestamp now);

/// Slates this version and no other of the name; 0 slates none. A version that does not exist also
/// slates none, so check it first.
void slate_resource(Connection& connection, const ResourceShelf& shelf, const std::string& name,
                    int version);

/// Takes this version off the slate; other versions keep their flag. Does nothing when it is not
/// slated.
void unslate_resource(Connection& connection, const ResourceShelf& shelf, const std::string& name,
                      int version);

/// Makes this version the only live and slated one of its name, without a sync. A version that does
/// not exist leaves none, so check it first.
void use_resource(Connection& connection, const ResourceShelf& shelf, const std::string& name,
                  int version);

/// Deletes one version or, with 0, all versions of a name. The rows stay without content, so that
/// their numbers are not used again. A sweep removes the bytes, unless another version or tenant
/// refers to them. The caller makes sure that nodes do not get the version any more.
void delete_resource(Connection& connection, const ResourceShelf& shelf, const std::string& name,
                     int version);

/// Makes the slated versions of all shelves of the tenant live, and all others not live.
void sync_resources(Connection& connection, model::TenantId tenant);

}  // namespace provisioner::store
