#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fcgi/pages/clusters/tabs/machine_state.hpp"
#include "fcgi/pages/filter_links.hpp"
#include "provisioner/store/clusters/cluster_store.hpp"

namespace fcgi::pages {

/// A machine with the cluster that it belongs to.
struct MachineRow {
    provisioner::store::ListedMachine machine{};
    LostSince lost{};
    provisioner::store::ClusterSummary cluster{};
    /// MachineLooks::of() and left_words().
    MachineLook look = MachineLook::ready;
    std::string left{};
};

/// A choice of machines: a word of the query of /machines, and what it stands for.
struct MachineChoice {
    /// Empty for all machines.
    std::string word{};
    /// The states of these machines; empty: all.
    std::vector<MachineLook> looks{};
    /// Where such machines can be: no others are read.
    std::vector<provisioner::model::ClusterStatus> statuses{};
    provisioner::store::MachineTrouble trouble = provisioner::store::MachineTrouble::any;

    bool has(const MachineRow& row) const;
};
/// In the order of the links above the list; the first one holds without a word.
const std::vector<MachineChoice>& machine_choices();
/// The choice of that word; the first one for another word.
const MachineChoice& machine_choice(const std::string& word);

/// The word, if lists can be in that order: "name" or "state", with "-" the other way round; else
/// empty, for the newest cluster first.
std::string machine_order(const std::string& word);

constexpr std::size_t machines_on_a_list = 50;

/// One page of the machines that the viewer may see: views/machines/index.
struct MachinesPage {
    /// In that order; else the newest clusters first, in each by number. At most
    /// machines_on_a_list.
    std::vector<MachineRow> machines{};
    /// The word of their choice.
    std::string choice{};
    /// Part of their host names or addresses; empty: all.
    std::string text{};
    /// A word of machine_order().
    std::string order{};
    /// How many machines each choice has, by its word; nothing for a list that is too long to be
    /// counted, or put in order.
    std::optional<std::map<std::string, std::size_t>> counts{};
    /// Which of the machines that were counted the page has.
    Portion portion{.per_page = machines_on_a_list};
    /// Only machines of older clusters than this are listed; 0: of all.
    provisioner::model::ClusterId before{};
    /// The oldest cluster whose machines were counted; nothing if there are no older ones.
    std::optional<provisioner::model::ClusterId> rest{};
    /// How many machines were looked at, where there are older ones.
    std::optional<std::size_t> looked_at{};
    /// The machines of all current clusters that the viewer may see, as clusters count them; 0 for
    /// a list of some of them.
    int total = 0;
    /// True for superadmins: they may see the machines of all tenants.
    bool may_see_all = false;
    /// True if the machines are those of all tenants.
    bool is_of_all = false;
    /// The tenant of the viewer.
    std::string tenant{};
    /// What people read for services and hardware types of that tenant; machines of other tenants
    /// have names.
    Labels labels{};
    /// True for those who see the machines of every user of the tenant.
    bool show_owner = false;
    /// False if the viewer changes nothing: no button to create a cluster.
    bool may_create = true;
    provisioner::base::Timestamp now{};

    bool is_filtered() const { return !choice.empty() || !text.empty(); }
    /// Whether the list has the machines of all current clusters.
    bool is_whole() const { return !is_filtered() && before.value == 0; }
    /// Whether a job is under way on one of them, so that the browser must reload the page.
    bool changes() const;
};

/// The rows, the filters and what stands above them. Pure.
provisioner::base::Json to_json(const MachinesPage& page);

}  // namespace fcgi::pages
