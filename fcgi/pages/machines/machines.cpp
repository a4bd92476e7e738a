#include "fcgi/pages/machines/machines.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <span>

#include "fcgi/pages/clusters/tabs/machine_looks.hpp"
#include "fcgi/pages/filter_links.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/machines/machines_page.hpp"
#include "provisioner/base/ids.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/store/clusters/node_condition.hpp"
#include "provisioner/store/machines/sighting_store.hpp"
#include "provisioner/store/overview/home_store.hpp"

namespace fcgi::pages {

using provisioner::messages::translated;
namespace model = provisioner::model;
namespace store = provisioner::store;

namespace {

constexpr std::chrono::seconds machines_refresh{5};
/// So many clusters have numbered pages; the machines of older ones are behind the last of them.
constexpr int most_clusters = 10'000;
/// Machines among which a text is looked for; fewer where addresses are read, which are in no
/// index.
constexpr std::size_t most_searched_machines = 100'000;
constexpr std::size_t most_searched_addresses = 10'000;
/// Machines whose states are read for one page, and how many of them, of how many clusters, at
/// once.
constexpr std::size_t most_looked_at = 5'000;
/// So many machines in a state are counted, also where they need not be read.
constexpr std::size_t most_in_a_state = 5'000;
constexpr std::size_t machines_at_once = 1'000;
constexpr std::size_t clusters_at_once = 200;
/// A list of so many machines is read as a whole.
constexpr std::size_t most_read_whole = 3'000;

/// Clusters, the newest first, with how many of their machines are listed.
using CountsByCluster = std::vector<std::pair<model::ClusterId, int>>;
using SomeCounts = std::span<const CountsByCluster::value_type>;

std::size_t machines_in(const CountsByCluster::value_type& cluster) {
    return static_cast<std::size_t>(std::max(cluster.second, 0));
}

std::size_t sum_of(SomeCounts counts) {
    std::size_t sum = 0;
    for (const auto& cluster : counts) sum += machines_in(cluster);
    return sum;
}

/// The clusters at the beginning that have so many machines together; all, if they have fewer.
SomeCounts first_with(SomeCounts all, std::size_t machines) {
    std::size_t count = 0;
    for (std::size_t sum = 0; count < all.size() && sum < machines; ++count) {
        sum += machines_in(all[count]);
    }
    return all.first(count);
}

/// Whether every machine of the cluster runs or is ready, unless it is lost.
bool is_all_ready(const store::ClusterSize& size) {
    return size.status == model::ClusterStatus::active && size.services_stopped == 0;
}

CountsByCluster counts_of(const std::vector<store::ClusterSize>& sizes) {
    CountsByCluster counts;
    for (const store::ClusterSize& size : sizes) counts.emplace_back(size.cluster, size.nodes);
    return counts;
}

void put_in_order(std::vector<MachineRow>& rows, const std::string& order) {
    const bool is_reversed = order.starts_with('-');
    const auto by = [&](const auto& value_of) {
        std::ranges::stable_sort(rows, [&](const MachineRow& left, const MachineRow& right) {
            return is_reversed ? value_of(right) < value_of(left)
                               : value_of(left) < value_of(right);
        });
    };
    if (order.ends_with("name")) {
        by([](const MachineRow& row) -> const std::string& { return row.machine.hostname; });
    } else if (order.ends_with("state")) {
        by([](const MachineRow& row) { return row.look; });
    }
}

/// Counts the machines of a list and reads those of one page.
class MachineReader {
 public:
    MachineReader(store::Connection& connection, const model::Caller& caller, MachinesPage& page)
        : connection_(connection),
          caller_(caller),
          page_(page),
          choice_(machine_choice(page.choice)) {}

    void read(std::size_t number) {
        const std::vector<store::ClusterSize> sizes = all_sizes();
        if (page_.before.value == 0 && read_whole(counts_of(sizes), number)) return;
        page_.order.clear();
        const CountsByCluster counts = count(chosen_sizes(sizes));
        page_.portion = portion_of(sum_of(counts), machines_on_a_list, number);
        std::size_t skipped = page_.portion.begin();
        SomeCounts rest = counts;
        while (!rest.empty() && skipped >= machines_in(rest.front())) {
            skipped -= machines_in(rest.front());
            rest = rest.subspan(1);
        }
        page_.machines = chosen_of(first_with(rest, skipped + machines_on_a_list));
        auto& rows = page_.machines;
        rows.erase(rows.begin(),
                   rows.begin() + std::min(std::ssize(rows), static_cast<std::ptrdiff_t>(skipped)));
        if (rows.size() > machines_on_a_list) rows.resize(machines_on_a_list);
    }

 private:
    const std::vector<model::ClusterStatus>& all_statuses() const {
        return machine_choices().front().statuses;
    }

    bool is_of_trouble() const { return choice_.trouble != store::MachineTrouble::any; }

    std::vector<store::ClusterSize> sizes_of(const store::ClusterQuery& query) {
        auto sizes = store::cluster_sizes(connection_, caller_, query);
        for (const store::ClusterSize& size : sizes) {
            if (is_all_ready(size)) all_ready_.insert(size.cluster);
        }
        return sizes;
    }

    /// The current clusters; where those with trouble are looked up, only enough of them to say
    /// whether the list is short.
    std::vector<store::ClusterSize> all_sizes() {
        return sizes_of(
            {.statuses = all_statuses(),
             .all_tenants = page_.is_of_all,
             .limit = 1 + (is_of_trouble() ? static_cast<int>(clusters_at_once) : most_clusters),
             .before = page_.before});
    }

    /// The clusters that can have such machines, of `all`, if that has each of them.
    std::vector<store::ClusterSize> chosen_sizes(std::vector<store::ClusterSize> all) {
        if (choice_.statuses == all_statuses()) return all;
        if (!is_of_trouble() && all.size() <= most_clusters) {
            std::erase_if(all, [&](const store::ClusterSize& size) {
                return std::ranges::count(choice_.statuses, size.status) == 0;
            });
            return all;
        }
        return sizes_of(query_of_choice());
    }

    store::ClusterQuery query_of_choice() const {
        return {.statuses = choice_.statuses,
                .all_tenants = page_.is_of_all,
                .trouble = choice_.trouble,
                .limit = most_clusters + 1,
                .before = page_.before};
    }

    /// Reads a list that is short enough as a whole, so that it is counted by state and can be in
    /// any order; false: it is not.
    bool read_whole(const CountsByCluster& sizes, std::size_t number) {
        if (sizes.size() > clusters_at_once || sum_of(sizes) > most_read_whole) return false;
        std::vector<MachineRow> rows = rows_of(clusters_of(sizes));
        std::map<std::string, std::size_t> counts;
        for (const MachineChoice& choice : machine_choices()) {
            counts[choice.word] = static_cast<std::size_t>(std::ranges::count_if(
                rows, [&](const MachineRow& row) { return choice.has(row); }));
        }
        page_.counts = std::move(counts);
        std::erase_if(rows, [&](const MachineRow& row) { return !choice_.has(row); });
        put_in_order(rows, page_.order);
        page_.portion = portion_of(rows.size(), machines_on_a_list, number);
        for (std::size_t i = page_.portion.begin(); i < page_.portion.end(); ++i) {
            page_.machines.push_back(std::move(rows[i]));
        }
        return true;
    }

    struct Clusters {
        std::vector<store::ClusterSummary> summaries{};
        LostMachines lost{};
    };

    CountsByCluster count(const std::vector<store::ClusterSize>& sizes) {
        CountsByCluster counts = counts_of(sizes);
        const auto some = first_with(SomeCounts(counts).first(std::min(
                                         counts.size(), static_cast<std::size_t>(most_clusters))),
                                     most_searched());
        store::ClusterQuery query = query_of_choice();
        if (some.size() < counts.size()) {
            end_with(some);
            query.from = some.back().first;
            counts.resize(some.size());
        }
        std::erase_if(counts, [](const auto& cluster) { return machines_in(cluster) == 0; });
        if (!page_.text.empty()) {
            query.machine_text = page_.text;
            counts = store::count_machines(connection_, caller_, query);
        }
        return choice_.looks.empty() ? counts : count_chosen(counts);
    }

    std::size_t most_searched() const {
        if (page_.text.empty()) return std::numeric_limits<std::size_t>::max();
        return store::NodeCondition(page_.text).reads_addresses() ? most_searched_addresses
                                                                  : most_searched_machines;
    }

    /// Older clusters than these are behind the last page.
    void end_with(SomeCounts looked_at) {
        page_.rest = looked_at.back().first;
        page_.looked_at = sum_of(looked_at);
    }

    /// How many of these machines are in the chosen state.
    CountsByCluster count_chosen(const CountsByCluster& all) {
        if (choice_.word == "ready") forget_clusters_with_lost_machines();
        CountsByCluster chosen;
        std::size_t read = 0;
        std::size_t done = 0;
        while (done < all.size() && read < most_looked_at && sum_of(chosen) < most_in_a_state) {
            const SomeCounts rest = SomeCounts(all).subspan(done);
            const auto some =
                first_with(rest.first(std::min(rest.size(), clusters_at_once)), machines_at_once);
            read += add_chosen(some, chosen);
            done += some.size();
        }
        if (done < all.size()) end_with(SomeCounts(all).first(done));
        return chosen;
    }

    /// Returns how many machines were read for it.
    std::size_t add_chosen(SomeCounts some, CountsByCluster& chosen) {
        CountsByCluster unknown(some.begin(), some.end());
        std::erase_if(unknown, [&](const auto& one) { return is_known(one.first); });
        read_chosen(unknown);
        for (const auto& [cluster, machines] : some) {
            const int count = !is_known(cluster)        ? static_cast<int>(chosen_[cluster].size())
                              : choice_.word == "ready" ? machines
                                                        : 0;
            if (count > 0) chosen.emplace_back(cluster, count);
        }
        return sum_of(unknown);
    }

    /// Whether the machines of the cluster need not be read to tell how many are in the state.
    bool is_known(model::ClusterId cluster) const {
        return (choice_.word == "ready" || choice_.word == "stopped") &&
               all_ready_.contains(cluster);
    }

    void forget_clusters_with_lost_machines() {
        for (const auto& size : store::cluster_sizes(connection_, caller_,
                                                     {.statuses = {model::ClusterStatus::active},
                                                     .all_tenants = page_.is_of_all,
                                                     .trouble = store::MachineTrouble::lost})) {
            all_ready_.erase(size.cluster);
        }
    }

    Clusters clusters_of(SomeCounts counts) {
        std::vector<model::ClusterId> ids;
        for (const auto& [cluster, machines] : counts) ids.push_back(cluster);
        return {.summaries = store::list_clusters(connection_, caller_, ids, page_.is_of_all),
                .lost = store::lost_machines_of(connection_, ids)};
    }

    void read_chosen(const CountsByCluster& clusters) {
        if (clusters.empty()) return;
        for (const auto& [cluster, machines] : clusters) chosen_[cluster];
        for (MachineRow& row : rows_of(clusters_of(clusters))) {
            if (choice_.has(row)) chosen_[row.cluster.id].push_back(std::move(row));
        }
    }

    std::vector<MachineRow> chosen_of(SomeCounts clusters) {
        CountsByCluster unread(clusters.begin(), clusters.end());
        std::erase_if(unread, [&](const auto& one) { return chosen_.contains(one.first); });
        read_chosen(unread);
        std::vector<MachineRow> rows;
        for (const auto& [cluster, machines] : clusters) {
            std::ranges::move(chosen_[cluster], std::back_inserter(rows));
        }
        return rows;
    }

    /// All machines of these clusters that the text means, with their states.
    std::vector<MachineRow> rows_of(const Clusters& clusters) {
        std::vector<store::ListedCluster> work;
        std::vector<model::ClusterId> ids;
        for (const auto& cluster : clusters.summaries) {
            // Nothing is left to do for an active one.
            const bool is_active = cluster.status == model::ClusterStatus::active;
            const model::JobId job =
                cluster.latest_job && !is_active ? cluster.latest_job->id : model::JobId{};
            work.push_back({.cluster = cluster.id, .job = job});
            ids.push_back(cluster.id);
        }
        const auto [machines, of_services] = store::list_machines(connection_, work, page_.text);
        const Knowledge known{.run = store::services_that_run(connection_, ids),
                              .work = of_services};
        std::map<model::ClusterId, const store::ClusterSummary*> by_id;
        for (const auto& cluster : clusters.summaries) by_id[cluster.id] = &cluster;
        std::vector<MachineRow> rows;
        for (auto begin = machines.begin(); begin != machines.end();) {
            const auto end = std::find_if(begin, machines.end(), [&](const auto& machine) {
                return machine.cluster != begin->cluster;
            });
            add_rows(*by_id.at(begin->cluster), {begin, end}, known, clusters, rows);
            begin = end;
        }
        return rows;
    }

    static std::vector<model::ClusterId> with_stopped(const store::ClusterSummary& cluster) {
        if (cluster.services_stopped == 0) return {};
        return {cluster.id};
    }

    struct Knowledge {
        std::map<model::ClusterId, std::set<std::string>> run;
        const store::TasksOfServices& work;
    };

    void add_rows(const store::ClusterSummary& cluster,
                  std::span<const store::ListedMachine> machines, const Knowledge& known,
                  const Clusters& clusters, std::vector<MachineRow>& rows) {
        static const std::set<std::string> none;
        const auto found = known.run.find(cluster.id);
        const auto& run = found == known.run.end() ? none : found->second;
        const auto places = places_of(run, machines);
        const auto states =
            cluster.status == model::ClusterStatus::active
                ? store::states_of_active(connection_, with_stopped(cluster), places)
                : store::service_states(connection_, cluster.id, places);
        const auto& job = cluster.latest_job;
        const ClusterAtWork at_work{
            .status = cluster.status,
            .operation = job ? std::optional(job->operation) : std::nullopt};
        const MachineLooks looks(at_work, clusters.lost,
                                 looks_of_places({.cluster = at_work,
                                                  .run = run,
                                                  .machines = machines,
                                                  .states = states,
                                                  .work = known.work,
                                                  .lost = clusters.lost}));
        for (const store::ListedMachine& machine : machines) {
            const auto since = clusters.lost.find(machine.node);
            rows.push_back({.machine = machine,
                            .lost = since == clusters.lost.end() ? LostSince() : since->second,
                            .cluster = cluster,
                            .look = looks.of(machine),
                            .left = looks.left_words(machine)});
        }
    }

    store::Connection& connection_;
    const model::Caller& caller_;
    MachinesPage& page_;
    const MachineChoice& choice_;
    /// Of the clusters that were counted.
    std::set<model::ClusterId> all_ready_;
    /// The machines in the chosen state, of the clusters that were read.
    std::map<model::ClusterId, std::vector<MachineRow>> chosen_;
};

}  // namespace

http::Response list_machines_of_clusters(const http::Request& request, const auth::Visitor& visitor,
                                         App& app) {
    const model::Caller& caller = visitor.who();
    std::vector<std::string> notes;
    const bool is_of_all = asks_for_all_tenants(request, caller, notes);
    const std::string state = request.query_value("state").value_or("");
    MachinesPage page{.choice = machine_choice(state).word,
                      .may_see_all = caller.is_superadmin(),
                      .is_of_all = is_of_all,
                      .tenant = caller.tenant.name,
                      .show_owner = caller.may(model::Right::see_clusters),
                      .may_create = caller.may(model::Right::use_clusters),
                      .now = app.clock.now()};
    page.text = searched_text(request);
    const std::string order = request.query_value("order").value_or("");
    page.order = machine_order(order);
    const std::string place = request.query_value("before").value_or("");
    page.before.value =
        std::max<std::int64_t>(provisioner::base::parse_number(place).value_or(0), 0);
    const std::size_t number = static_cast<std::size_t>(page_number(request, "page", notes));
    app.database.read([&](store::Connection& connection) {
        // A read may be begun anew.
        page.rest.reset();
        page.looked_at.reset();
        page.counts.reset();
        page.machines.clear();
        page.order = machine_order(order);
        MachineReader(connection, caller, page).read(number);
        page.labels =
            read_labels(connection, caller.tenant.id,
                        {model::CatalogueKind::hardware_type, model::CatalogueKind::service});
        if (!page.is_whole() || page.counts) return;
        page.total = is_of_all ? store::count_all_clusters(connection, caller).nodes
                               : store::count_clusters(connection, caller).nodes;
    });
    const auto refresh = page.changes() ? machines_refresh : std::chrono::seconds{0};
    Frame frame{.title = translated("Machines"),
                .section = "machines",
                .script = "live.js",
                .refresh = reload_every(refresh, request),
                .notes = std::move(notes)};
    if (page.choice != state) {
        frame.notes.push_back(unknown_value(translated("state"), state, translated("showing all")));
    }
    if (page.order != order) {
        frame.notes.push_back(
            unknown_value(translated("order"), order, translated("newest first")));
    }
    if (page.before.value == 0 && !place.empty()) {
        frame.notes.push_back(
            unknown_value(translated("place"), place, translated("showing the newest")));
    }
    return drawn(app, visitor, 200, "machines/index", frame, to_json(page));
}

}  // namespace fcgi::pages
