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

namespace provisioner::store {

/// The versions of the files of one resource type of one plugin of a tenant.
struct ResourceShelf {
    model::TenantId tenant;
    model::PluginKind kind = model::PluginKind::automator;
    std::string plugin;
    std::string resource_type;
};

/// A version of a file without its content.
struct ResourceVersion {
    std::string name;
    int version = 1;
    /// Nodes get it.
    bool live = false;
    /// Nodes get it after the next sync.
    bool slated = false;
    std::uint64_t size = 0;
    /// Of its bytes, 64 hexadecimal digits.
    std::string sha256;
    base::Timestamp created_at;
};

/// All versions on the shelf, by name and version; only those of `name` unless it is empty.
std::vector<ResourceVersion> list_resources(Connection& connection, const ResourceShelf& shelf,
                                            const std::string& name = "");

/// Stores the next version of a name, neither live nor slated, and returns its number. Versions
/// that were deleted count. Lock the tenant first.
int insert_resource(Connection& connection, const ResourceShelf& shelf, const std::string& name,
                    model::ContentId content, base::Timestamp now);

/// Stores the next version of a name as the one that is live and slated.
void insert_live_resource(Connection& connection, const ResourceShelf& shelf,
                          const std::string& name, model::ContentId content, base::Timestamp now);

/// Slates this version, or none with 0, and no other of the name.
void slate_resource(Connection& connection, const ResourceShelf& shelf, const std::string& name,
                    int version);

/// Takes this version off the slate.
void unslate_resource(Connection& connection, const ResourceShelf& shelf, const std::string& name,
                      int version);

/// Lets go of the content of one version or, with 0, of all.
void delete_resource(Connection& connection, const ResourceShelf& shelf, const std::string& name,
                     int version);

/// From now on nodes get what is slated.
void sync_resources(Connection& connection, model::TenantId tenant);

}  // namespace provisioner::store
