#pragma once

#include <string>
#include <vector>

#include "fcgi/app.hpp"
#include "provisioner/base/json.hpp"

namespace fcgi::pages {

/// One thing that was found.
struct SearchHit {
    std::string label{};
    /// What tells it from others of the same name; may be empty.
    std::string detail{};
    /// Path below the prefix.
    std::string href{};
};

/// What was found of one kind, best first.
struct SearchGroup {
    std::string label{};
    std::vector<SearchHit> hits{};
};

/// views/search/index: the form, and what the viewer found and may see.
struct SearchPage {
    /// As asked, without blanks around it.
    std::string text{};
    /// Without groups that are empty.
    std::vector<SearchGroup> groups{};
};

/// Most hits of each kind on the page, and in the command palette.
constexpr int search_rows = 20;
constexpr int palette_rows = 5;

/// Pure.
provisioner::base::Json to_json(const SearchPage& page);
/// For static/js/palette.js: {"groups": [{"label", "hits": [{"label", "detail", "href"}]}]}, with
/// the prefix before each address.
provisioner::base::Json palette_json(const SearchPage& page, const std::string& prefix);

/// GET /search?q=: a page; with as=json the hits for the command palette. Finds what the viewer may
/// see in their tenant: what they can do, clusters, machines, jobs by id, templates; for those who
/// see the tenant also the catalogue and people; for superadmins also tenants, and the clusters,
/// machines and people of all of them.
http::Response search(const http::Request& request, const auth::Visitor& visitor, App& app);

}  // namespace fcgi::pages
