#include "provisioner/model/catalogue/cluster_template.hpp"

#include <algorithm>

#include "provisioner/model/catalogue/cluster_template_fields.hpp"
#include "provisioner/model/names.hpp"

namespace provisioner::model {

using base::Json;

namespace {

std::optional<std::string> as_text(const Json& json) {
    if (json.is_string()) return json.get<std::string>();
    if (json.is_number() || json.is_boolean()) return json.dump();
    return std::nullopt;
}

template <class Fields>
base::Checked<ClusterTemplate> template_from(const Json& json, const Fields& own_fields) {
    base::Problems problems;
    ObjectReader reader(&json, "", problems);
    ClusterTemplate cluster_template;
    cluster_template.header = read_header(reader);
    read_fields(reader, cluster_template, fields_of<ClusterTemplate>);
    read_fields(reader, cluster_template, own_fields);
    return unless_problems(std::move(cluster_template), std::move(problems));
}

}  // namespace

void ServiceNamesCodec::read(ObjectReader& reader, std::string_view name,
                             std::vector<std::string>& value) {
    const Json* services = reader.value(name);
    if (services == nullptr) return;
    if (!services->is_array()) {
        reader.problem(name, "must be an array of names or objects");
        return;
    }
    for (std::size_t at = 0; at < services->size(); ++at) {
        auto service = as_text((*services)[at]);
        if (!service) {
            ObjectReader element = reader.element(name, at);
            element.require("name");
            service = element.text("name");
        }
        if (service) value.push_back(*std::move(service));
    }
    value = without_repetition(value);
}

void DefaultConfigCodec::read(ObjectReader& reader, std::string_view name, Json& value) {
    if (const Json* config = reader.value(name)) {
        if (config->is_object()) {
            value = without_nulls(*config);
        } else {
            reader.problem(name, "must be an object");
        }
    }
    const Json* services = reader.value("services");
    if (services == nullptr || !services->is_array()) return;
    for (const Json& element : *services) {
        const Json* of_service = base::member(element, "config");
        const Json* service = base::member(element, "name");
        if (of_service == nullptr || of_service->is_null() || service == nullptr) continue;
        if (const auto key = as_text(*service)) value[*key] = without_nulls(*of_service);
    }
}

void ReferenceCodec::read(ObjectReader& reader, std::string_view name,
                          std::optional<std::string>& value) {
    if (!reader.has(name)) return;
    ObjectReader reference = reader.object(name);
    reference.require("name");
    value = reference.text("name");
}

void ReferenceCodec::write(Json& json, std::string_view name,
                           const std::optional<std::string>& value) {
    if (value) json[name] = {{"name", *value}};
}

void ReferencesCodec::read(ObjectReader& reader, std::string_view name,
                           std::vector<std::string>& value) {
    for (ObjectReader& element : reader.objects(name)) {
        element.require("name");
        auto reference = element.text("name");
        if (reference) value.push_back(*std::move(reference));
    }
    value = without_repetition(value);
}

void ReferencesCodec::write(Json& json, std::string_view name,
                            const std::vector<std::string>& value) {
    Json& references = json[name] = Json::array();
    for (const std::string& one : value) references.push_back({{"name", one}});
}

void LinksCodec::read(ObjectReader& reader, std::string_view, std::vector<Link>& value) {
    value = read_links(reader);
}

void LinksCodec::write(Json& json, std::string_view name, const std::vector<Link>& value) {
    json[name] = links_json(value);
}

void check_size_limits(ObjectReader& reader, const Constraints& constraints) {
    if (constraints.size_min < 1) reader.problem("min", "Minimum must be at least 1.");
    if (constraints.size_max < constraints.size_min) {
        reader.problem("max", "Maximum must greater than or equal to the minimum.");
    }
}

std::size_t names_in(const ClusterTemplate& cluster_template) {
    const Constraints& rules = cluster_template.constraints;
    std::size_t names = cluster_template.defaults.services.size() +
                        cluster_template.compatibility.services.size() + rules.services.size() +
                        cluster_template.includes.size() + cluster_template.links.size();
    for (const auto* groups : {&rules.must_coexist, &rules.cant_coexist}) {
        names += groups->size();
        for (const auto& group : *groups) names += group.size();
    }
    return names;
}

base::Problems problems_with_amounts(const ClusterTemplate& cluster_template) {
    base::Problems problems;
    const auto check = [&](const char* field, std::size_t count, std::size_t most,
                           const std::string& noun) {
        if (count <= most) return;
        problems.push_back({field, "has " + std::to_string(count) + " " + noun +
                                       "; a template may have at most " + std::to_string(most)});
    };
    const auto check_groups = [&](const char* field,
                                  const std::vector<std::vector<std::string>>& groups) {
        check(field, groups.size(), most_groups_of_a_template, "groups");
        std::size_t names = 0;
        for (const auto& group : groups) names += group.size();
        check(field, names, most_names_in_groups, "names in its groups");
    };
    const Constraints& rules = cluster_template.constraints;
    check("defaults.services", cluster_template.defaults.services.size(),
          most_services_of_a_template, "services");
    check("compatibility.services", cluster_template.compatibility.services.size(),
          most_services_of_a_template, "services");
    check("constraints.services", rules.services.size(), most_services_of_a_template, "services");
    check_groups("constraints.layout.mustcoexist", rules.must_coexist);
    check_groups("constraints.layout.cantcoexist", rules.cant_coexist);
    return problems;
}

base::Checked<ClusterTemplate> cluster_template_from_json(const Json& json) {
    return template_from(json, fields_of_cluster_template);
}

base::Checked<ClusterTemplate> partial_template_from_json(const Json& json) {
    return template_from(json, fields_of_partial_template);
}

Json to_json(const ClusterTemplate& cluster_template) {
    Json json = header_json(cluster_template.header);
    write_fields(json, cluster_template, fields_of<ClusterTemplate>);
    if (cluster_template.immutable) {
        write_fields(json, cluster_template, fields_of_partial_template);
    } else {
        write_fields(json, cluster_template, fields_of_cluster_template);
    }
    return json;
}

Json to_json(const TemplateDefaults& defaults) {
    return fields_json(defaults);
}

Json to_json(const Compatibility& compatibility) {
    return fields_json(compatibility);
}

const ServiceConstraint* constraint_on(const Constraints& constraints, const std::string& service) {
    const auto found = std::find_if(constraints.services.begin(), constraints.services.end(),
                                    [&](const auto& entry) { return entry.first == service; });
    return found == constraints.services.end() ? nullptr : &found->second;
}

}  // namespace provisioner::model
