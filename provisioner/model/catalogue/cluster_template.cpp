#include "provisioner/model/catalogue/cluster_template.hpp"

#include <algorithm>

#include "provisioner/model/catalogue/entity_json.hpp"
#include "provisioner/model/names.hpp"

namespace provisioner::model {

namespace {

using base::Json;

/// The object form of a default service carries a part of the configuration.
void read_default_service(ObjectReader element, TemplateDefaults& defaults) {
    element.require("name");
    const auto name = element.text("name");
    if (!name) return;
    defaults.services.push_back(*name);
    if (element.has("config")) defaults.config[*name] = without_nulls(*element.value("config"));
}

void read_default_services(ObjectReader& reader, TemplateDefaults& defaults,
                           base::Problems& problems) {
    const Json* services = reader.value("services");
    if (services == nullptr) return;
    if (!services->is_array()) {
        reader.problem("services", "must be an array of names or objects");
        return;
    }
    for (std::size_t i = 0; i < services->size(); ++i) {
        const Json& element = (*services)[i];
        const std::string path = "defaults.services." + std::to_string(i);
        if (element.is_string()) {
            defaults.services.push_back(element.get<std::string>());
        } else if (element.is_number() || element.is_boolean()) {
            defaults.services.push_back(element.dump());
        } else {
            read_default_service({&element, path, problems}, defaults);
        }
    }
}

TemplateDefaults read_defaults(ObjectReader reader, base::Problems& problems) {
    TemplateDefaults defaults;
    if (const Json* config = reader.value("config")) {
        if (config->is_object()) {
            defaults.config = without_nulls(*config);
        } else {
            reader.problem("config", "must be an object");
        }
    }
    read_default_services(reader, defaults, problems);
    defaults.services = without_repetition(defaults.services);
    defaults.provider = reader.text("provider");
    defaults.hardware_type = reader.text("hardwaretype");
    defaults.image_type = reader.text("imagetype");
    defaults.dns_suffix = reader.text("dnsSuffix");
    return defaults;
}

Compatibility read_compatibility(ObjectReader reader) {
    return {.hardware_types = reader.names("hardwaretypes"),
            .image_types = reader.names("imagetypes"),
            .services = reader.names("services")};
}

ServiceConstraint read_service_constraint(ObjectReader reader) {
    ServiceConstraint constraint{.hardware_types = reader.names("hardwaretypes"),
                                 .image_types = reader.names("imagetypes")};
    reader.require("quantities");
    ObjectReader quantities = reader.object("quantities");
    constraint.min = quantities.whole_number("min").value_or(0);
    constraint.max = quantities.whole_number("max").value_or(no_maximum);
    return constraint;
}

void read_size(ObjectReader reader, Constraints& constraints) {
    constraints.size_min = reader.whole_number("min").value_or(1);
    constraints.size_max = reader.whole_number("max").value_or(no_maximum);
    if (constraints.size_min < 1) reader.problem("min", "Minimum must be at least 1.");
    if (constraints.size_max < constraints.size_min) {
        reader.problem("max", "Maximum must greater than or equal to the minimum.");
    }
}

Constraints read_constraints(ObjectReader reader) {
    Constraints constraints;
    ObjectReader layout = reader.object("layout");
    constraints.must_coexist = layout.groups("mustcoexist");
    constraints.cant_coexist = layout.groups("cantcoexist");
    ObjectReader services = reader.object("services");
    for (auto& [name, service] : services.members()) {
        constraints.services.emplace_back(name, read_service_constraint(service));
    }
    read_size(reader.object("size"), constraints);
    return constraints;
}

LeaseDuration read_lease(ObjectReader administration) {
    ObjectReader reader = administration.object("leaseduration");
    LeaseDuration lease;
    lease.initial = reader.duration("initial").value_or(lease.initial);
    lease.max = reader.duration("max").value_or(lease.max);
    lease.step = reader.duration("step").value_or(lease.step);
    return lease;
}

/// What cluster templates and partial templates share.
ClusterTemplate read_common(ObjectReader& reader, base::Problems& problems) {
    ClusterTemplate cluster_template;
    cluster_template.header = read_header(reader);
    cluster_template.defaults = read_defaults(reader.object("defaults"), problems);
    cluster_template.compatibility = read_compatibility(reader.object("compatibility"));
    cluster_template.constraints = read_constraints(reader.object("constraints"));
    cluster_template.lease = read_lease(reader.object("administration"));
    cluster_template.links = read_links(reader);
    return cluster_template;
}

std::optional<std::string> read_reference(ObjectReader reader) {
    reader.require("name");
    return reader.text("name");
}

void read_family(ObjectReader& reader, ClusterTemplate& cluster_template) {
    if (reader.has("extends")) cluster_template.extends = read_reference(reader.object("extends"));
    for (const ObjectReader& element : reader.objects("includes")) {
        auto name = read_reference(element);
        if (name) cluster_template.includes.push_back(std::move(*name));
    }
    cluster_template.includes = without_repetition(cluster_template.includes);
}

Json defaults_json(const TemplateDefaults& defaults) {
    Json json = {{"services", defaults.services}};
    if (defaults.provider) json["provider"] = *defaults.provider;
    if (defaults.hardware_type) json["hardwaretype"] = *defaults.hardware_type;
    if (defaults.image_type) json["imagetype"] = *defaults.image_type;
    if (defaults.dns_suffix) json["dnsSuffix"] = *defaults.dns_suffix;
    json["config"] = defaults.config;
    return json;
}

Json compatibility_json(const Compatibility& compatibility) {
    return {{"hardwaretypes", compatibility.hardware_types},
            {"imagetypes", compatibility.image_types},
            {"services", compatibility.services}};
}

Json service_constraint_json(const ServiceConstraint& constraint) {
    return {{"hardwaretypes", constraint.hardware_types},
            {"imagetypes", constraint.image_types},
            {"quantities", {{"min", constraint.min}, {"max", constraint.max}}}};
}

Json constraints_json(const Constraints& constraints) {
    Json services = Json::object();
    for (const auto& [name, constraint] : constraints.services) {
        services[name] = service_constraint_json(constraint);
    }
    return {
        {"layout",
         {{"mustcoexist", constraints.must_coexist}, {"cantcoexist", constraints.cant_coexist}}},
        {"services", services},
        {"size", {{"min", constraints.size_min}, {"max", constraints.size_max}}}};
}

Json administration_json(const LeaseDuration& lease) {
    return {{"leaseduration",
             {{"initial", lease.initial.count()},
              {"max", lease.max.count()},
              {"step", lease.step.count()}}}};
}

Json reference_json(const std::string& name) {
    return {{"name", name}};
}

Json includes_json(const std::vector<std::string>& includes) {
    Json json = Json::array();
    for (const std::string& name : includes) json.push_back(reference_json(name));
    return json;
}

}  // namespace

base::Checked<ClusterTemplate> cluster_template_from_json(const Json& json) {
    base::Problems problems;
    ObjectReader reader(&json, "", problems);
    ClusterTemplate cluster_template = read_common(reader, problems);
    read_family(reader, cluster_template);
    return unless_problems(std::move(cluster_template), std::move(problems));
}

base::Checked<ClusterTemplate> partial_template_from_json(const Json& json) {
    base::Problems problems;
    ObjectReader reader(&json, "", problems);
    ClusterTemplate cluster_template = read_common(reader, problems);
    reader.require("immutable");
    cluster_template.immutable = reader.truth("immutable").value_or(false);
    return unless_problems(std::move(cluster_template), std::move(problems));
}

Json to_json(const ClusterTemplate& cluster_template) {
    Json json = header_json(cluster_template.header);
    json["defaults"] = defaults_json(cluster_template.defaults);
    json["compatibility"] = compatibility_json(cluster_template.compatibility);
    json["constraints"] = constraints_json(cluster_template.constraints);
    json["administration"] = administration_json(cluster_template.lease);
    json["links"] = links_json(cluster_template.links);
    if (cluster_template.immutable) {
        json["immutable"] = *cluster_template.immutable;
        return json;
    }
    if (cluster_template.extends) json["extends"] = reference_json(*cluster_template.extends);
    json["includes"] = includes_json(cluster_template.includes);
    return json;
}

const ServiceConstraint* constraint_on(const Constraints& constraints, const std::string& service) {
    const auto found = std::find_if(constraints.services.begin(), constraints.services.end(),
                                    [&](const auto& entry) { return entry.first == service; });
    return found == constraints.services.end() ? nullptr : &found->second;
}

}  // namespace provisioner::model
