#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/model/plugins/content.hpp"
#include "provisioner/model/plugins/plugin_type.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

std::vector<model::PluginType> list_plugin_types(Connection& connection, model::PluginKind kind);
std::optional<model::PluginType> find_plugin_type(Connection& connection, model::PluginKind kind,
                                                  const std::string& name);

/// Deletes a type, or only if it is of that version; does nothing when it is not there. A daemon
/// that offers it writes it again when it starts.
void delete_plugin_type(Connection& connection, model::PluginKind kind, const std::string& name,
                        std::optional<std::int64_t> version);

/// Writes what a daemon offers; a new version when it differs from what is there.
void save_plugin_type(Connection& connection, const model::PluginType& type, base::Timestamp now);

/// A live file of a plugin, as nodes get it.
struct PluginResource {
    std::string resource_type;
    std::string name;
    int version = 1;
    model::Content content;
};

/// The live resources of one plugin of a tenant, by type and name.
std::vector<PluginResource> live_resources(Connection& connection, model::TenantId tenant,
                                           model::PluginKind kind, const std::string& plugin);

/// Copies every resource of one tenant to another that has none, as it is after the next sync.
void copy_resources(Connection& connection, model::TenantId from, model::TenantId to,
                    base::Timestamp now);

}  // namespace provisioner::store
