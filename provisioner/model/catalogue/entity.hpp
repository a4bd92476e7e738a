#pragma once

#include <optional>
#include <string>

#include "provisioner/base/json.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/base/words.hpp"

namespace provisioner::model {

/// The kinds of catalogue entries, each with its own file in this folder.
enum class CatalogueKind {
    provider,
    hardware_type,
    image_type,
    service,
    cluster_template,
    partial_template
};

/// What every catalogue entry has. `version` counts the writes of a name from 1; 0 before it is
/// stored.
struct EntityHeader {
    /// Identifies the entry in its tenant and kind; see problem_with_name().
    std::string name;
    /// What people read in place of the name.
    std::optional<std::string> label;
    std::optional<std::string> description;
    /// Where a picture is: for programs of users; our pages show none.
    std::optional<std::string> icon;
    int version = 0;

    bool operator==(const EntityHeader&) const = default;
};

/// Where a program reads more about what it made, for example a web console. `url` may hold macros.
struct Link {
    std::string label;
    std::string url;

    bool operator==(const Link&) const = default;
};

}  // namespace provisioner::model

namespace provisioner::base {

/// The words the database stores; messages say them with blanks.
template <>
inline constexpr std::array words<model::CatalogueKind>{
    std::pair{model::CatalogueKind::provider, std::string_view("provider")},
    std::pair{model::CatalogueKind::hardware_type, std::string_view("hardware_type")},
    std::pair{model::CatalogueKind::image_type, std::string_view("image_type")},
    std::pair{model::CatalogueKind::service, std::string_view("service")},
    std::pair{model::CatalogueKind::cluster_template, std::string_view("cluster_template")},
    std::pair{model::CatalogueKind::partial_template, std::string_view("partial_template")}};

}  // namespace provisioner::base
