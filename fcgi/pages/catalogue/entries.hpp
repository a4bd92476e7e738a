#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fcgi/app.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/model/catalogue/entity.hpp"

namespace fcgi::pages {

/// The kind that a catalogue address names. The words are the API's collections: "providers",
/// "hardwaretypes", "imagetypes", "services", "clustertemplates", "partialtemplates". Nothing for
/// any other word.
std::optional<provisioner::model::CatalogueKind> catalogue_kind(const std::string& word);

/// All entries of a kind: views/catalogue/index. Pages show the catalogue and do not edit it:
/// entries come in through the API. One struct serves all kinds. A table in the .cpp gives each
/// kind its title, sentence and columns, so a new kind needs one line there.
struct CataloguePage {
    provisioner::model::CatalogueKind kind{};
    /// The newest version of each entry in wire form, by name.
    std::vector<provisioner::base::Json> entries{};
};

/// A table whose columns depend on the kind; an entry without a value has an empty cell.
provisioner::base::Json to_json(const CataloguePage& page);

/// One entry with its JSON: views/catalogue/show.
struct EntryPage {
    provisioner::model::CatalogueKind kind{};
    /// The newest version in wire form, as stored.
    provisioner::base::Json entry{};
    /// Request::prefix, for the address of the entry in the API that the page shows as text.
    std::string prefix{};
    /// Who may use it, in words; empty for partial templates.
    std::string for_whom{};
};

/// Facts and the whole JSON document. Sealed provider fields are masked. Strings whose member name
/// sounds secret are replaced, at every depth; other types of values are shown.
provisioner::base::Json to_json(const EntryPage& page);

/// The title of a kind's page: "Hardware types".
std::string plural_title(provisioner::model::CatalogueKind kind);

/// GET /catalogue/{kind}: all entries of the visitor's tenant, for administrators. 404 for an
/// unknown kind.
http::Response list_entries(const http::Request& request, const auth::Visitor& visitor, App& app);

/// GET /catalogue/{kind}/{name}: one entry. 404 if it does not exist.
http::Response show_entry(const http::Request& request, const auth::Visitor& visitor, App& app);

}  // namespace fcgi::pages
