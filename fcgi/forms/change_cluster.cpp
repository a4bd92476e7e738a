#include "fcgi/forms/change_cluster.hpp"

#include "fcgi/forms/provider_fields.hpp"

namespace fcgi::forms {

using provisioner::base::Json;
using provisioner::base::Problems;
using provisioner::model::ObjectReader;
namespace operations = provisioner::operations;

namespace {

/// Reads the common members; `read(reader)` reads the members of one kind of change.
template <class Read>
ChangeForm change_in(const Json& json, Read&& read) {
    Problems problems;
    ObjectReader reader(json.is_null() ? nullptr : &json, "", problems);
    operations::ChangeCluster wanted;
    wanted.change = read(reader);
    wanted.restart = reader.truth("restart").value_or(true);
    wanted.provider_fields = object_in(reader, "providerFields").value_or(Json::object());
    return provisioner::model::unless_problems(std::move(wanted), std::move(problems));
}

// The changes compare names with names.
constexpr std::size_t most_services = 1000;
constexpr std::size_t most_nodes = 10'000;

std::vector<std::string> names_in(ObjectReader& reader, const std::string& key, std::size_t most) {
    auto names = reader.names(key);
    if (names.size() > most) reader.problem(key, "must name at most " + std::to_string(most));
    return names;
}

std::vector<std::string> services_in(ObjectReader& reader) {
    auto services = names_in(reader, "services", most_services);
    if (services.empty()) reader.problem("services", "must name at least 1 service");
    return services;
}

}  // namespace

ChangeForm add_services(const Json& json) {
    return change_in(json, [](ObjectReader& reader) -> operations::ClusterChange {
        return operations::AddServices{.services = services_in(reader)};
    });
}

ChangeForm remove_services(const Json& json) {
    return change_in(json, [](ObjectReader& reader) -> operations::ClusterChange {
        return operations::RemoveServices{.services = services_in(reader),
                                          .force = reader.truth("force").value_or(false)};
    });
}

ChangeForm grow_cluster(const Json& json) {
    return change_in(json, [](ObjectReader& reader) -> operations::ClusterChange {
        reader.require("numMachines");
        return operations::GrowCluster{.machines = reader.whole_number("numMachines").value_or(0),
                                       .hardware_type = reader.text("hardwaretype"),
                                       .image_type = reader.text("imagetype")};
    });
}

ChangeForm shrink_cluster(const Json& json) {
    return change_in(json, [](ObjectReader& reader) -> operations::ClusterChange {
        return operations::ShrinkCluster{.machines = reader.whole_number("numMachines").value_or(0),
                                         .nodes = names_in(reader, "nodes", most_nodes),
                                         .force = reader.truth("force").value_or(false),
                                         .keep = reader.truth("keep").value_or(false)};
    });
}

provisioner::base::Checked<std::optional<std::vector<std::string>>> retry_job(const Json& json) {
    Problems problems;
    std::optional<std::vector<std::string>> nodes;
    ObjectReader reader(json.is_null() ? nullptr : &json, "", problems);
    if (json.is_object() && json.contains("nodes")) {
        nodes = names_in(reader, "nodes", most_nodes);
        if (nodes->empty()) reader.problem("nodes", "must name at least 1 machine");
    }
    return provisioner::model::unless_problems(std::move(nodes), std::move(problems));
}

ChangeForm replace_node(const Json& json, const std::string& node) {
    return change_in(json, [&](ObjectReader&) -> operations::ClusterChange {
        return operations::ReplaceNodes{.nodes = {node}};
    });
}

}  // namespace fcgi::forms
