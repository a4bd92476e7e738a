#include "fcgi/pages/kinds.hpp"

#include <array>
#include <stdexcept>

#include "fcgi/http/form_data.hpp"
#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::messages::for_translation;
using provisioner::messages::translated;
using provisioner::model::CatalogueKind;

namespace {

constexpr std::array kinds{
    KindWords{CatalogueKind::provider, "providers", for_translation("Providers"),
              for_translation("provider"), for_translation("providers"),
              for_translation("Accounts that machines come from.")},
    KindWords{CatalogueKind::hardware_type, "hardwaretypes", for_translation("Hardware types"),
              for_translation("hardware type"), for_translation("hardware types"),
              for_translation("Sizes of machines, and what each provider calls them.")},
    KindWords{CatalogueKind::image_type, "imagetypes", for_translation("Image types"),
              for_translation("image type"), for_translation("image types"),
              for_translation("Operating systems of machines, and what each provider calls them.")},
    KindWords{CatalogueKind::service, "services", for_translation("Services"),
              for_translation("service"), for_translation("services"),
              for_translation("Software, what it needs and how to run it.")},
    KindWords{CatalogueKind::cluster_template, "clustertemplates",
              for_translation("Cluster templates"), for_translation("cluster template"),
              for_translation("cluster templates"),
              for_translation("What users build clusters from.")},
    KindWords{CatalogueKind::partial_template, "partialtemplates",
              for_translation("Partial templates"), for_translation("partial template"),
              for_translation("partial templates"),
              for_translation("Parts that cluster templates include.")},
};

}  // namespace

const KindWords& words_of_kind(CatalogueKind kind) {
    for (const KindWords& candidate : kinds) {
        if (candidate.kind == kind) return candidate;
    }
    throw std::logic_error("a catalogue kind has no words");
}

std::optional<CatalogueKind> catalogue_kind(const std::string& word) {
    for (const KindWords& kind : kinds) {
        if (kind.word == word) return kind.kind;
    }
    return std::nullopt;
}

std::string collection_word(CatalogueKind kind) {
    return words_of_kind(kind).word;
}

std::string entry_page(CatalogueKind kind, const std::string& name) {
    return "/catalogue/" + collection_word(kind) + '/' + http::percent_encode(name);
}

Json catalogue_tabs(std::optional<CatalogueKind> current) {
    Json list = Json::array();
    for (const KindWords& kind : kinds) {
        Json item;
        item["href"] = std::string("/catalogue/") + kind.word;
        item["label"] = translated(kind.title);
        item["current"] = kind.kind == current;
        list.push_back(std::move(item));
    }
    Json files;
    files["href"] = "/catalogue/files";
    files["label"] = translated("Files");
    files["current"] = !current;
    list.push_back(std::move(files));
    return list;
}

std::string singular_title(CatalogueKind kind) {
    return translated(words_of_kind(kind).singular);
}

std::string plural_title(CatalogueKind kind) {
    return translated(words_of_kind(kind).title);
}

std::string plural_words(CatalogueKind kind) {
    return translated(words_of_kind(kind).plural);
}

std::string kind_and_name(CatalogueKind kind, const std::string& name) {
    return singular_title(kind) + ' ' + name;
}

std::string tab_title(const std::string& tab) {
    return translated("{0}, catalogue", tab);
}

}  // namespace fcgi::pages
