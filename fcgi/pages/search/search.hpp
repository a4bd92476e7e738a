#pragma once

#include <array>
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
    /// The cluster that it is, of the viewer's tenant; 0 for anything else.
    provisioner::model::ClusterId cluster{};
};

/// What was found of one kind, best first.
struct SearchGroup {
    std::string label{};
    std::vector<SearchHit> hits{};
    /// What the address calls it, one of searched_kinds.
    std::string kind{};
    /// More match than are here.
    bool is_cut = false;
};

/// ", address matches 10.0.0.5" for a machine that `text` found by something else than its host
/// name; empty where the name shows it.
std::string match_of_machine(const std::string& hostname, const std::string& text);

/// Takes hits from `group` that lead by the same name to the same page as one of `others`.
void drop_those_of(const SearchGroup& others, SearchGroup& group);

/// What is left of "new cluster of big web" and "template web" without what is asked for: the name
/// of an entry. The whole text if that is one word.
std::string name_asked_for(const std::string& text);

/// Whether the text is "new", "create" or "new cluster", without a name: any template is meant.
bool asks_for_new_cluster(const std::string& text);

/// Whether a cluster or an entry of the catalogue that was found is called so: each word of the
/// text begins one of its name.
bool is_name_of_some(const std::vector<SearchGroup>& groups, const std::string& text);

/// The cluster whose page is open where the text is typed, `&cluster=` of the address; 0: none.
provisioner::model::ClusterId open_cluster(const http::Request& request);

/// Makes it a group of at most `limit` hits that knows whether there were more.
SearchGroup cut_after(SearchGroup group, std::size_t limit);

/// views/search/index: the form, and what the viewer found and may see.
struct SearchPage {
    /// As asked, without blanks around it.
    std::string text{};
    /// Without groups that are empty.
    std::vector<SearchGroup> groups{};
    /// The only kind that was searched; empty: all.
    std::string kind{};
};

/// What `kind` in the address may be.
inline constexpr std::array searched_kinds{"actions",
                                           "cluster-actions",
                                           "clusters",
                                           "machines",
                                           "jobs",
                                           "catalogue",
                                           "users",
                                           "tenants",
                                           "identity-providers",
                                           "provisioners",
                                           "clusters-elsewhere",
                                           "machines-elsewhere",
                                           "users-elsewhere",
                                           "catalogue-elsewhere"};

/// Most hits of each kind on the page, in the command palette, and on the page of a single kind.
constexpr int search_rows = 20;
constexpr int palette_rows = 5;
constexpr int kind_rows = 400;

/// Pure.
provisioner::base::Json to_json(const SearchPage& page);
/// For static/js/palette.js: {"groups": [{"label", "is_cut", "hits": [{"label", "detail",
/// "href"}]}]}, with the prefix before each address.
provisioner::base::Json palette_json(const SearchPage& page, const std::string& prefix,
                                     const std::string& view_path = "");

/// GET /search?q=: a page; with as=json the hits for the command palette; with kind=machines those
/// of one kind, more of them; with cluster=00000042 what may be done with that cluster comes first.
/// Finds what the viewer may see in their tenant: pages, what they can do, clusters, machines, jobs
/// by id, templates; for those who see the tenant also the catalogue and people; for superadmins
/// also tenants, identity providers, provisioners, and the clusters, machines and people of all of
/// them.
http::Response search(const http::Request& request, const auth::Visitor& visitor, App& app);

}  // namespace fcgi::pages
