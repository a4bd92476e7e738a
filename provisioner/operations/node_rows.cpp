#include "provisioner/operations/node_rows.hpp"

#include "provisioner/model/names.hpp"
#include "provisioner/operations/stored_entries.hpp"

namespace provisioner::operations {

namespace {

template <class Type>
std::map<std::string, std::string> settings_of(const std::vector<Type>& types,
                                               const std::string& name,
                                               const std::string& provider) {
    for (const Type& type : types) {
        if (type.header.name != name) continue;
        const auto found = type.provider_map.find(provider);
        if (found != type.provider_map.end()) return found->second;
    }
    return {};
}

}  // namespace

MachineTypes machine_types(store::Connection& connection, model::TenantId tenant) {
    return {.hardware = stored_entries(connection, tenant, model::CatalogueKind::hardware_type,
                                       model::hardware_type_from_json),
            .image = stored_entries(connection, tenant, model::CatalogueKind::image_type,
                                    model::image_type_from_json)};
}

model::Node node_row(const model::Cluster& cluster, const NodePreview& preview,
                     const MachineTypes& types) {
    const std::string& provider = cluster.snapshot.provider.header.name;
    auto settings = settings_of(types.hardware, preview.hardware_type, provider);
    settings.merge(settings_of(types.image, preview.image_type, provider));
    model::Node node;
    node.cluster = cluster.id;
    node.uuid = base::random_uuid();
    node.nodenum = preview.nodenum;
    node.hostname =
        model::hostname(cluster.name, cluster.id.value, preview.nodenum, cluster.dns_suffix);
    node.hardware_type = preview.hardware_type;
    node.image_type = preview.image_type;
    node.flavor = settings["flavor"];
    node.image = settings["image"];
    if (settings.contains("sshuser")) node.ssh_user = settings["sshuser"];
    node.settings = std::move(settings);
    node.services = preview.services;
    node.automators = model::automators_of(preview.services, cluster.snapshot.services);
    return node;
}

}  // namespace provisioner::operations
