#pragma once

#include <tuple>

#include "provisioner/model/catalogue/cluster_template.hpp"
#include "provisioner/model/catalogue/entity_fields.hpp"

namespace provisioner::model {

// The one description of cluster templates and partial templates: a field that is added here is
// read, written and merged. Header (name, label, description, icon, version) apart.

/// The names of default services: texts, or objects {name, config}. Numbers and booleans count as
/// text.
struct ServiceNamesCodec {
    static void read(ObjectReader& reader, std::string_view name, std::vector<std::string>& value);
};

/// The default configuration, with what the objects among "services" beside it bring: {name,
/// config} sets the member `name`. Members that are null are dropped.
struct DefaultConfigCodec {
    static void read(ObjectReader& reader, std::string_view name, base::Json& value);
};

/// {"name": value}
struct ReferenceCodec {
    static void read(ObjectReader& reader, std::string_view name,
                     std::optional<std::string>& value);
    static void write(base::Json& json, std::string_view name,
                      const std::optional<std::string>& value);
};

/// [{"name": value}, ...], each once.
struct ReferencesCodec {
    static void read(ObjectReader& reader, std::string_view name, std::vector<std::string>& value);
    static void write(base::Json& json, std::string_view name,
                      const std::vector<std::string>& value);
};

/// [{"label": text, "url": text}, ...], each once.
struct LinksCodec {
    static void read(ObjectReader& reader, std::string_view name, std::vector<Link>& value);
    static void write(base::Json& json, std::string_view name, const std::vector<Link>& value);
};

/// Notes a minimum below 1 and a maximum below the minimum.
void check_size_limits(ObjectReader& reader, const Constraints& constraints);

template <>
inline constexpr auto fields_of<TemplateDefaults> = std::tuple{
    field<MergeRule::unite, ServiceNamesCodec>("services", &TemplateDefaults::services),
    field<MergeRule::later>("provider", &TemplateDefaults::provider),
    field<MergeRule::later>("hardwaretype", &TemplateDefaults::hardware_type),
    field<MergeRule::later>("imagetype", &TemplateDefaults::image_type),
    field<MergeRule::later>("dnsSuffix", &TemplateDefaults::dns_suffix),
    field<MergeRule::by_key, DefaultConfigCodec>("config", &TemplateDefaults::config),
};

template <>
inline constexpr auto fields_of<Compatibility> = std::tuple{
    field<MergeRule::unite>("hardwaretypes", &Compatibility::hardware_types),
    field<MergeRule::unite>("imagetypes", &Compatibility::image_types),
    field<MergeRule::unite>("services", &Compatibility::services),
};

// A constraint is replaced together with its name, so its fields have no rules of their own.
template <>
inline constexpr auto fields_of<ServiceConstraint> = std::tuple{
    field<MergeRule::own>("hardwaretypes", &ServiceConstraint::hardware_types),
    field<MergeRule::own>("imagetypes", &ServiceConstraint::image_types),
    group<ServiceConstraint>("quantities", {.required = true},
                             field<MergeRule::own>("min", &ServiceConstraint::min),
                             field<MergeRule::own>("max", &ServiceConstraint::max)),
};

template <>
inline constexpr auto fields_of<Constraints> = std::tuple{
    group<Constraints>("layout", {},
                       field<MergeRule::unite>("mustcoexist", &Constraints::must_coexist),
                       field<MergeRule::unite>("cantcoexist", &Constraints::cant_coexist)),
    field<MergeRule::by_key>("services", &Constraints::services),
    group<Constraints>("size", {.rule = MergeRule::whole, .check = check_size_limits},
                       field<MergeRule::own>("min", &Constraints::size_min),
                       field<MergeRule::own>("max", &Constraints::size_max)),
};

// A lease is replaced as a whole (see "leaseduration" below), so its fields have no rules of their
// own.
template <>
inline constexpr auto fields_of<LeaseDuration> = std::tuple{
    field<MergeRule::own>("initial", &LeaseDuration::initial),
    field<MergeRule::own>("max", &LeaseDuration::max),
    field<MergeRule::own>("step", &LeaseDuration::step),
};

/// What cluster templates and partial templates share.
template <>
inline constexpr auto fields_of<ClusterTemplate> = std::tuple{
    field<MergeRule::inner>("defaults", &ClusterTemplate::defaults),
    field<MergeRule::inner>("compatibility", &ClusterTemplate::compatibility),
    field<MergeRule::inner>("constraints", &ClusterTemplate::constraints,
                            {.source = MergeSource::templates_only}),
    group<ClusterTemplate>("administration", {.source = MergeSource::templates_only},
                           field<MergeRule::whole>("leaseduration", &ClusterTemplate::lease)),
    field<MergeRule::own, LinksCodec>("links", &ClusterTemplate::links),
};

/// What only cluster templates have.
inline constexpr auto fields_of_cluster_template = std::tuple{
    field<MergeRule::own, ReferenceCodec>("extends", &ClusterTemplate::extends),
    field<MergeRule::own, ReferencesCodec>("includes", &ClusterTemplate::includes),
};

/// What only partial templates have.
inline constexpr auto fields_of_partial_template = std::tuple{
    field<MergeRule::own>("immutable", &ClusterTemplate::immutable, {.required = true}),
};

}  // namespace provisioner::model
