#include "fcgi/pages/clusters/list_order.hpp"

#include <algorithm>
#include <array>

#include "fcgi/pages/filter_links.hpp"
#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::messages::for_translation;
using provisioner::messages::translated;
using provisioner::store::ClusterOrder;

namespace {

/// A word of the address, what it means and what it is called. Empty: the newest first.
struct OrderOfList {
    const char* word;
    ClusterOrder order;
    bool is_reversed;
    const char* label;
};

constexpr std::array orders_of_list{
    OrderOfList{"", ClusterOrder::created, true, for_translation("newest first")},
    OrderOfList{"created", ClusterOrder::created, false, for_translation("oldest first")},
    OrderOfList{"name", ClusterOrder::name, false, for_translation("by name, A to Z")},
    OrderOfList{"-name", ClusterOrder::name, true, for_translation("by name, Z to A")},
    OrderOfList{"status", ClusterOrder::status, false,
                for_translation("by status, problems first")},
    OrderOfList{"-status", ClusterOrder::status, true, for_translation("by status, problems last")},
    OrderOfList{"machines", ClusterOrder::machines, false, for_translation("most machines first")},
    OrderOfList{"-machines", ClusterOrder::machines, true,
                for_translation("fewest machines first")},
    OrderOfList{"expires", ClusterOrder::expires, false,
                for_translation("by lease, next to expire first")},
    OrderOfList{"-expires", ClusterOrder::expires, true,
                for_translation("by lease, next to expire last")},
    OrderOfList{"ended", ClusterOrder::ended, false, for_translation("by end, latest first")},
    OrderOfList{"-ended", ClusterOrder::ended, true, for_translation("by end, earliest first")}};

/// Whether a list of these clusters has the order: terminated ones have ended and expire no more.
/// The status says nothing where all have the same; active ones differ by their stopped services.
bool has_order(const std::string& choice, ClusterOrder order) {
    if (order == ClusterOrder::status) return choice != "terminated" && choice != "pending";
    if (choice == "terminated") return order != ClusterOrder::expires;
    return order != ClusterOrder::ended;
}

Json sorted_column(const ClustersPage& page, const std::string& label, const std::string& word,
                   const std::string& then, bool is_descending) {
    return sorted_column_json(label, page.order,
                              {.word = word, .then = then, .is_descending = is_descending},
                              "/clusters", parameters_of_list(page));
}

}  // namespace

std::optional<ListOrder> list_order(const std::string& word) {
    const auto found = std::ranges::find_if(
        orders_of_list, [&](const OrderOfList& one) { return word == one.word; });
    if (word.empty() || found == orders_of_list.end()) return std::nullopt;
    return ListOrder{.order = found->order, .is_reversed = found->is_reversed};
}

std::string order_in(const std::string& choice, const std::string& word) {
    const auto order = list_order(word);
    return order && has_order(choice, order->order) ? word : "";
}

std::string words_of_order(const std::string& word) {
    const auto found = std::ranges::find_if(
        orders_of_list, [&](const OrderOfList& one) { return word == one.word; });
    return translated(found == orders_of_list.end() ? orders_of_list.front().label : found->label);
}

Json orders_json(const ClustersPage& page) {
    Json choices = Json::array();
    const bool is_all = page.is_first && page.is_last && !page.searched;
    if (is_all && page.clusters.size() < 2) return choices;
    for (const OrderOfList& one : orders_of_list) {
        if (!has_order(page.choice, one.order)) continue;
        choices.push_back({{"value", one.word},
                           {"label", translated(one.label)},
                           {"selected", page.order == one.word}});
    }
    return choices;
}

void add_sorted_columns(Json& json, const ClustersPage& page) {
    json["by_name"] = sorted_column(page, translated("Name"), "name", "-name", false);
    json["by_status"] = sorted_column(page, translated("Status"), "status", "-status", false);
    if (!has_order(page.choice, ClusterOrder::status)) json["by_status"]["sort_href"] = "";
    json["by_machines"] =
        sorted_column(page, translated("Machines"), "machines", "-machines", true);
    json["by_creation"] = sorted_column(page, translated("Created"), "", "created", true);
    json["by_lease"] =
        page.choice == "terminated"
            ? sorted_column(page, translated("Ended"), "ended", "-ended", true)
            : sorted_column(page, translated("Expires"), "expires", "-expires", false);
}

std::vector<std::pair<std::string, std::string>> parameters_of_list(const ClustersPage& page) {
    return {{"tenants", page.is_of_all ? "all" : ""},
            {"status", page.choice},
            {"q", page.text},
            {"template", page.cluster_template},
            {"provider", page.provider},
            {"order", page.order}};
}

}  // namespace fcgi::pages
