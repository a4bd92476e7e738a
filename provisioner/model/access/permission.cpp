#include "provisioner/model/access/permission.hpp"

#include <array>
#include <stdexcept>

namespace provisioner::model {

namespace {

constexpr std::array collections{
    std::pair{CatalogueKind::provider, std::string_view("providers")},
    std::pair{CatalogueKind::hardware_type, std::string_view("hardwaretypes")},
    std::pair{CatalogueKind::image_type, std::string_view("imagetypes")},
    std::pair{CatalogueKind::service, std::string_view("services")},
    std::pair{CatalogueKind::cluster_template, std::string_view("clustertemplates")},
    std::pair{CatalogueKind::partial_template, std::string_view("partialtemplates")},
};

}  // namespace

std::string_view collection_of(CatalogueKind kind) {
    for (const auto& [candidate, word] : collections) {
        if (candidate == kind) return word;
    }
    throw std::logic_error("a catalogue kind has no collection");
}

std::optional<CatalogueKind> kind_of_collection(std::string_view collection) {
    for (const auto& [kind, word] : collections) {
        if (word == collection) return kind;
    }
    return std::nullopt;
}

}  // namespace provisioner::model
