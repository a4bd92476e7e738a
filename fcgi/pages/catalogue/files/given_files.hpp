#pragma once

#include <map>
#include <string>
#include <vector>

#include "provisioner/base/json.hpp"
#include "provisioner/model/plugins/plugin_type.hpp"
#include "provisioner/operations/catalogue/references.hpp"
#include "provisioner/store/database/database.hpp"

namespace fcgi::pages {

// Files of automators that nodes get, and services whose actions name others.

/// Names of files that nodes get now or after the next sync, by "<automator>/<resource type>".
/// Without an entry there are no files of that type at all, and they may come in another way.
using FileNames = std::map<std::string, std::vector<std::string>>;

/// The files of a tenant, and the automators that take them, as daemons published them.
struct GivenFiles {
    std::vector<provisioner::model::PluginType> automator_types{};
    FileNames files{};
    /// Files that are uploaded, and that nodes do not get.
    FileNames unused_files{};
};
GivenFiles read_given_files(provisioner::store::Connection& connection,
                            provisioner::model::TenantId tenant);

/// The resource type that a field names files of: "scripts" for the field "script"; empty for other
/// fields. Pure.
std::string resource_type_for(const provisioner::model::PluginType& type, const std::string& field);

/// The files for such a field. Null for other fields, and where there are none of that type.
const std::vector<std::string>* files_for(const FileNames& files,
                                          const provisioner::model::PluginType& type,
                                          const std::string& field);

/// Files that the actions of services name and that nodes do not get, each once: by the name of the
/// service, without those that lack none. Pure.
using LackingFiles = std::map<std::string, std::vector<std::string>>;
LackingFiles services_lacking_files(const provisioner::operations::CatalogueEntries& entries,
                                    const GivenFiles& given);

/// "Its default service Web needs web.sh, which is not among the files that machines get.", a
/// sentence for each such service of a template, in wire form, and of what it takes from others.
/// Pure.
std::vector<std::string> words_on_lacking_files(
    const provisioner::operations::CatalogueEntries& entries, const LackingFiles& lacking,
    const provisioner::base::Json& cluster_template);

}  // namespace fcgi::pages
