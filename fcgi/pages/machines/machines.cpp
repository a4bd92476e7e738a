#include "fcgi/pages/machines/machines.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <span>

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
constexpr std::size_t most_in_a_state = 20'000;
constexpr std::size_t machines_at_once = 1'000;
constexpr std::size_t clusters_at_once = 200;

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

/// Whether every machine of the cluster is ready, unless it is lost.
bool is_all_ready(const store::ClusterSummary& cluster) {
    const auto& job = cluster.latest_job;
    return cluster.status == model::ClusterStatus::active && job &&
           job->status == model::JobStatus::complete && job->tasks_done == job->tasks_total;
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
        const CountsByCluster counts = count();
        page_.portion = portion_of(sum_of(counts), machines_on_a_list, number);
        std::size_t skipped = page_.portion.begin();
        SomeCounts rest = counts;
        while (!rest.empty() && skipped >= machines_in(rest.front())) {
            skipped -= machines_in(rest.front());
            rest = rest.subspan(1);
        }
        page_.machines = chosen_of(clusters_of(first_with(rest, skipped + machines_on_a_list)));
        auto& rows = page_.machines;
        rows.erase(rows.begin(),
                   rows.begin() + std::min(std::ssize(rows), static_cast<std::ptrdiff_t>(skipped)));
        if (rows.size() > machines_on_a_list) rows.resize(machines_on_a_list);
    }

 private:
    struct Clusters {
        std::vector<store::ClusterSummary> summaries{};
        std::map<model::NodeId, provisioner::base::Timestamp> lost{};
    };

    CountsByCluster count() {
        store::ClusterQuery query{.statuses = choice_.statuses,
                                  .all_tenants = page_.is_of_all,
                                  .trouble = choice_.trouble,
                                  .limit = most_clusters + 1,
                                  .before = page_.before};
        CountsByCluster counts = store::cluster_sizes(connection_, caller_, query);
        const auto some = first_with(SomeCounts(counts).first(std::min(
                                         counts.size(), static_cast<std::size_t>(most_clusters))),
                                     most_searched());
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
        Clusters clusters = clusters_of(some);
        // Where all machines are in one state they need not be read.
        std::map<model::ClusterId, int> counts;
        if (choice_.word == "ready" && clusters.lost.empty()) {
            std::erase_if(clusters.summaries, [&](const store::ClusterSummary& cluster) {
                if (!is_all_ready(cluster)) return false;
                counts[cluster.id] =
                    std::ranges::find(some, cluster.id, &CountsByCluster::value_type::first)
                        ->second;
                return true;
            });
        }
        std::size_t read = sum_of(some);
        for (const auto& [cluster, count] : counts) read -= machines_in({cluster, count});
        for (const MachineRow& row : chosen_of(clusters)) ++counts[row.cluster.id];
        for (const auto& [cluster, machines] : some) {
            const auto found = counts.find(cluster);
            if (found != counts.end()) chosen.emplace_back(cluster, found->second);
        }
        return read;
    }

    Clusters clusters_of(SomeCounts counts) {
        std::vector<model::ClusterId> ids;
        for (const auto& [cluster, machines] : counts) ids.push_back(cluster);
        return {.summaries = store::list_clusters(connection_, caller_, ids, page_.is_of_all),
                .lost = store::lost_machines_of(connection_, ids)};
    }

    std::vector<MachineRow> chosen_of(const Clusters& clusters) {
        std::vector<store::ListedCluster> work;
        std::map<model::ClusterId, const store::ClusterSummary*> by_id;
        for (const auto& cluster : clusters.summaries) {
            work.push_back({.cluster = cluster.id,
                            .job = cluster.latest_job ? cluster.latest_job->id : model::JobId{}});
            by_id[cluster.id] = &cluster;
        }
        std::vector<MachineRow> rows;
        for (auto& machine : store::list_machines(connection_, work, page_.text)) {
            const auto since = clusters.lost.find(machine.node);
            MachineRow row{.machine = std::move(machine),
                           .lost = since == clusters.lost.end() ? LostSince() : since->second};
            row.cluster = *by_id.at(row.machine.cluster);
            if (is_chosen(row)) rows.push_back(std::move(row));
        }
        return rows;
    }

    bool is_chosen(const MachineRow& row) const {
        return choice_.looks.empty() || std::ranges::count(choice_.looks, row.look()) > 0;
    }

    store::Connection& connection_;
    const model::Caller& caller_;
    MachinesPage& page_;
    const MachineChoice& choice_;
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
    const std::string place = request.query_value("before").value_or("");
    page.before.value =
        std::max<std::int64_t>(provisioner::base::parse_number(place).value_or(0), 0);
    const std::size_t number = static_cast<std::size_t>(page_number(request, "page", notes));
    app.database.read([&](store::Connection& connection) {
        // A read may be begun anew.
        page.rest.reset();
        page.looked_at.reset();
        MachineReader(connection, caller, page).read(number);
        page.labels =
            read_labels(connection, caller.tenant.id,
                        {model::CatalogueKind::hardware_type, model::CatalogueKind::service});
        if (!page.is_whole()) return;
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
    if (page.before.value == 0 && !place.empty()) {
        frame.notes.push_back(
            unknown_value(translated("place"), place, translated("showing the newest")));
    }
    return drawn(app, visitor, 200, "machines/index", frame, to_json(page));
}

}  // namespace fcgi::pages
