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

// Plugin types, which daemons publish for the web side, and the live resources of plugins, which
// daemons bring to nodes. The web side draws its forms from the types and checks fields against
// them. So it offers just what the running daemons can do. The versions behind the live resources
// are in resource_store.hpp.

/// All types of a kind, by name, with their version in the header. Throws std::logic_error when a
/// stored document cannot be read.
std::vector<model::PluginType> list_plugin_types(Connection& connection, model::PluginKind kind);
/// One type; nothing when no daemon has published it or it was deleted.
std::optional<model::PluginType> find_plugin_type(Connection& connection, model::PluginKind kind,
                                                  const std::string& name);

/// Deletes a type, or only if its version is `version`; does nothing when there is none. A daemon
/// that offers the type publishes it again at its next start.
void delete_plugin_type(Connection& connection, model::PluginKind kind, const std::string& name,
                        std::optional<std::int64_t> version);

/// Publishes a type at the start of a daemon. Its version grows by one when the document differs
/// from the stored one; a new type gets version 1. Several daemons may publish the same type: the
/// last one to start determines the document.
void save_plugin_type(Connection& connection, const model::PluginType& type, base::Timestamp now);

/// A live file of a plugin, as nodes get it.
struct PluginResource {
    /// Name of a resource type of the plugin, and name of the file.
    std::string resource_type;
    std::string name;
    /// Counts the versions of the name, from 1.
    int version = 1;
    model::Content content;
};

/// The live resources of one plugin of a tenant, by type and name; one version of each name. At
/// most 10,000.
std::vector<PluginResource> live_resources(Connection& connection, model::TenantId tenant,
                                           model::PluginKind kind, const std::string& plugin);

/// Copies the resources of a tenant, but for providers' files of keys, to a new tenant without any.
/// Slated versions are live in the copy, as if a sync had run. Only references are copied, no
/// bytes. Deleted versions are not copied, so their numbers may be used again there.
void copy_resources(Connection& connection, model::TenantId from, model::TenantId to,
                    base::Timestamp now);

}  // namespace provisioner::store
