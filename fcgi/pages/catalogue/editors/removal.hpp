#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "fcgi/app.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/operations/catalogue/references.hpp"
#include "provisioner/store/catalogue/cluster_use_store.hpp"

namespace fcgi::pages {

/// Entries that are deleted at once, at most.
constexpr std::size_t most_removed = 1000;

/// An entry that is to be deleted.
struct RemovedEntry {
    std::string name{};
    std::string description{};
    /// Who names it, entries that go as well left out.
    std::vector<provisioner::operations::Reference> references{};
    /// The current clusters of a template or provider.
    provisioner::store::ClusterUse clusters{};
    /// Who began the draft of a change to a template; empty without one.
    std::string draft_by{};

    /// Whether one that stays could not be used without it.
    bool is_needed() const {
        return std::ranges::any_of(references, &provisioner::operations::Reference::blocks);
    }
};

/// Asks before entries of one kind are deleted: views/catalogue/delete. Says what uses them. While
/// an entry is needed there is no button.
struct RemovalPage {
    provisioner::model::CatalogueKind kind{};
    std::vector<RemovedEntry> entries{};
    /// Why deleting was refused, if not because an entry is needed.
    std::string refusal{};
};

provisioner::base::Json to_json(const RemovalPage& page);

/// Its title and heading: "Delete service web?", "Delete the 2 selected services?".
std::string title_of(const RemovalPage& page);

/// GET /catalogue/delete/{kind}?name=a&name=b: the question. 404 without an entry of these names.
http::Response ask_removal(const http::Request& request, const auth::Visitor& visitor, App& app);
/// POST /catalogue/delete/{kind}: deletes all, or nothing with 409 while one is needed.
http::Response remove_entries(const http::Request& request, const auth::Visitor& visitor, App& app);
/// GET /catalogue/export/{kind}?name=a: those entries as a JSON file, secrets masked, in the form
/// of a catalogue export. Without names all of the kind.
http::Response export_entries(const http::Request& request, const auth::Visitor& visitor, App& app);

}  // namespace fcgi::pages
