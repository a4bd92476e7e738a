#pragma once

#include <optional>
#include <string>

#include "fcgi/pages/clusters/list_page.hpp"
#include "provisioner/store/clusters/cluster_order.hpp"

namespace fcgi::pages {

/// How the list of clusters is ordered, other than the newest first: ClustersPage::order.
struct ListOrder {
    provisioner::store::ClusterOrder order{};
    bool is_reversed = false;
};

/// The order that a word means: "name", or "-name" for the other way round. Nothing for no word,
/// and for one that is none.
std::optional<ListOrder> list_order(const std::string& word);

/// The word, if lists of that choice can be ordered so; else empty, for the newest first.
std::string order_in(const std::string& choice, const std::string& word);

/// What the order is called: "by name, A to Z".
std::string words_of_order(const std::string& word);

/// The options of a select, for phones and for those that have no column.
provisioner::base::Json orders_json(const ClustersPage& page);

/// Adds to the JSON of the list the members by_name, by_status, by_machines, by_creation and
/// by_lease: the heading of a column with its link, {sort_href, sort_label, direction, arrow}.
void add_sorted_columns(provisioner::base::Json& json, const ClustersPage& page);

/// The parameters of the list without those that say which part of it is shown.
std::vector<std::pair<std::string, std::string>> parameters_of_list(const ClustersPage& page);

}  // namespace fcgi::pages
