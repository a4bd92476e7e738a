#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fcgi/app.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/model/catalogue/entity.hpp"

namespace fcgi::pages {

/// The kind a catalogue address is about: "providers", "hardwaretypes", "imagetypes", "services",
/// "clustertemplates" or "partialtemplates", as the API writes it; nothing for any other word.
std::optional<provisioner::model::CatalogueKind> catalogue_kind(const std::string& word);

/// All entries of a kind: views/catalogue/index. `entries` in wire form.
struct CataloguePage {
    provisioner::model::CatalogueKind kind{};
    std::vector<provisioner::base::Json> entries{};
};

provisioner::base::Json to_json(const CataloguePage& page);

/// One entry with its JSON: views/catalogue/show. Values whose names say that they are secret are
/// not shown.
struct EntryPage {
    provisioner::model::CatalogueKind kind{};
    provisioner::base::Json entry{};
};

provisioner::base::Json to_json(const EntryPage& page);

/// "Hardware types" and so on.
std::string plural_title(provisioner::model::CatalogueKind kind);

/// GET /catalogue/{kind}: all entries of a kind.
http::Response list_entries(const http::Request& request, const auth::Visitor& visitor, App& app);

/// GET /catalogue/{kind}/{name}: one entry with its JSON.
http::Response show_entry(const http::Request& request, const auth::Visitor& visitor, App& app);

}  // namespace fcgi::pages
