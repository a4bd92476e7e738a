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
    static void write(base::Json& json, std::string_view name,
                      const std::vector<std::string>& value);
};

/// The default configuration, with what the objects among "services" beside it bring: {name,
/// config} sets the member `name`. Members that are null are dropped.
struct DefaultConfigCodec {
    static void read(ObjectReader& reader, std::string_view name, base::Json& value);
    static void write(base::Json& json, std::string_view name, const base::Json& value);
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
    Field<TemplateDefaults, std::vector<std::string>, ServiceNamesCodec>{
        "services", &TemplateDefaults::services, MergeRule::unite},
    Field{"provider", &TemplateDefaults::provider, MergeRule::later},
    Field{"hardwaretype", &TemplateDefaults::hardware_type, MergeRule::later},
    Field{"imagetype", &TemplateDefaults::image_type, MergeRule::later},
    Field{"dnsSuffix", &TemplateDefaults::dns_suffix, MergeRule::later},
    Field<TemplateDefaults, base::Json, DefaultConfigCodec>{"config", &TemplateDefaults::config,
                                                            MergeRule::by_key},
};

template <>
inline constexpr auto fields_of<Compatibility> = std::tuple{
    Field{"hardwaretypes", &Compatibility::hardware_types, MergeRule::unite},
    Field{"imagetypes", &Compatibility::image_types, MergeRule::unite},
    Field{"services", &Compatibility::services, MergeRule::unite},
};

// A constraint is replaced together with its name, so its fields have no rules of their own.
template <>
inline constexpr auto fields_of<ServiceConstraint> = std::tuple{
    Field{"hardwaretypes", &ServiceConstraint::hardware_types, MergeRule::own},
    Field{"imagetypes", &ServiceConstraint::image_types, MergeRule::own},
    group<ServiceConstraint>("quantities", {.required = true},
                             Field{"min", &ServiceConstraint::min, MergeRule::own},
                             Field{"max", &ServiceConstraint::max, MergeRule::own}),
};

template <>
inline constexpr auto fields_of<Constraints> = std::tuple{
    group<Constraints>("layout", {},
                       Field{"mustcoexist", &Constraints::must_coexist, MergeRule::unite},
                       Field{"cantcoexist", &Constraints::cant_coexist, MergeRule::unite}),
    Field{"services", &Constraints::services, MergeRule::by_key},
    group<Constraints>("size", {.rule = MergeRule::whole, .check = check_size_limits},
                       Field{"min", &Constraints::size_min, MergeRule::own},
                       Field{"max", &Constraints::size_max, MergeRule::own}),
};

template <>
inline constexpr auto fields_of<LeaseDuration> = std::tuple{
    Field{"initial", &LeaseDuration::initial, MergeRule::own},
    Field{"max", &LeaseDuration::max, MergeRule::own},
    Field{"step", &LeaseDuration::step, MergeRule::own},
};

/// What cluster templates and partial templates share.
template <>
inline constexpr auto fields_of<ClusterTemplate> = std::tuple{
    Field{"defaults", &ClusterTemplate::defaults, MergeRule::inner},
    Field{"compatibility", &ClusterTemplate::compatibility, MergeRule::inner},
    Field{"constraints", &ClusterTemplate::constraints, MergeRule::inner,
          MergeSource::templates_only},
    group<ClusterTemplate>("administration", {.source = MergeSource::templates_only},
                           Field{"leaseduration", &ClusterTemplate::lease, MergeRule::whole}),
    Field<ClusterTemplate, std::vector<Link>, LinksCodec>{"links", &ClusterTemplate::links,
                                                          MergeRule::own},
};

/// What only cluster templates have.
inline constexpr auto fields_of_cluster_template = std::tuple{
    Field<ClusterTemplate, std::optional<std::string>, ReferenceCodec>{
        "extends", &ClusterTemplate::extends, MergeRule::own},
    Field<ClusterTemplate, std::vector<std::string>, ReferencesCodec>{
        "includes", &ClusterTemplate::includes, MergeRule::own},
};

/// What only partial templates have.
inline constexpr auto fields_of_partial_template = std::tuple{
    Field<ClusterTemplate, std::optional<bool>>{"immutable", &ClusterTemplate::immutable,
                                                MergeRule::own, MergeSource::all, true},
};

}  // namespace provisioner::model
