#pragma once

#include <optional>
#include <string>

#include "provisioner/base/json.hpp"
#include "provisioner/model/catalogue/entity.hpp"

namespace fcgi::pages {

/// What pages and addresses call a kind of entries. Texts are not translated yet.
struct KindWords {
    provisioner::model::CatalogueKind kind;
    /// In addresses, of pages and of the API: "hardwaretypes".
    const char* word;
    const char* title;
    /// One of them.
    const char* singular;
    /// Several of them, in a sentence.
    const char* plural;
    const char* sentence;
};

const KindWords& words_of_kind(provisioner::model::CatalogueKind kind);

/// The kind that a catalogue address names. The words are the API's collections: "providers",
/// "hardwaretypes", "imagetypes", "services", "clustertemplates", "partialtemplates". Nothing for
/// any other word.
std::optional<provisioner::model::CatalogueKind> catalogue_kind(const std::string& word);

/// The word of a kind in addresses, of pages and of the API: "hardwaretypes".
std::string collection_word(provisioner::model::CatalogueKind kind);

/// The page of an entry: "/catalogue/services/php".
std::string entry_page(provisioner::model::CatalogueKind kind, const std::string& name);

/// The tabs of the catalogue: a kind each, and the files of plugins, which is the current one
/// without a kind. Members: href, label, current.
provisioner::base::Json catalogue_tabs(std::optional<provisioner::model::CatalogueKind> current);

/// One entry of a kind: "hardware type".
std::string singular_title(provisioner::model::CatalogueKind kind);

/// The title of a kind's page: "Hardware types".
std::string plural_title(provisioner::model::CatalogueKind kind);

/// Several entries of a kind, in a sentence: "hardware types".
std::string plural_words(provisioner::model::CatalogueKind kind);

/// What tells an entry from those of other kinds: "hardware type small".
std::string kind_and_name(provisioner::model::CatalogueKind kind, const std::string& name);

/// The window's title for a tab of the catalogue, whose pages share a heading: "Services,
/// catalogue".
std::string tab_title(const std::string& tab);

}  // namespace fcgi::pages
