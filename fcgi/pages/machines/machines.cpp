#include "fcgi/pages/machines/machines.hpp"

#include <algorithm>
#include <map>
#include <span>

#include "fcgi/pages/filter_links.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/machines/machines_page.hpp"
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
constexpr int clusters_at_once = static_cast<int>(machines_on_a_list) + 1;
/// Machines that are read at once where only some of them are listed.
constexpr std::size_t machines_at_once = 250;
/// A page that has looked at so many machines ends.
constexpr std::size_t most_looked_at = 1000;
/// Clusters and machines among which one page searches for a text; fewer where addresses are read,
/// which are in no index.
constexpr int most_searched_clusters = 2000;
constexpr int most_searched_machines = 20'000;
constexpr int most_searched_addresses = 8'000;

/// Fills a page with the machines after a place, cluster by cluster.
class MachineWalk {
 public:
    MachineWalk(store::Connection& connection, const model::Caller& caller, MachinesPage& page)
        : connection_(connection),
          caller_(caller),
          page_(page),
          choice_(machine_choice(page.choice)) {}

    /// A page of all machines by its number, where there are not too many clusters to number them.
    void fill_numbered(std::size_t number) {
        const auto sizes = store::cluster_sizes(connection_, caller_,
                                                {.statuses = choice_.statuses,
                                                 .all_tenants = page_.is_of_all,
                                                 .limit = most_searched_clusters + 1});
        if (std::ssize(sizes) > most_searched_clusters) return fill({});
        std::size_t total = 0;
        for (const auto& [cluster, size] : sizes) {
            total += static_cast<std::size_t>(std::max(size, 0));
        }
        page_.portion = portion_of(total, machines_on_a_list, number);
        skipped_ = page_.portion->begin();
        for (const auto& [cluster, size] : sizes) {
            const auto here = static_cast<std::size_t>(std::max(size, 0));
            if (skipped_ < here) return fill(MachinePlace{.cluster = {cluster.value + 1}});
            skipped_ -= here;
        }
        fill({});
    }

    void fill(const std::optional<MachinePlace>& after) {
        store::ClusterQuery query{.statuses = choice_.statuses,
                                  .all_tenants = page_.is_of_all,
                                  .machine_text = page_.text,
                                  .trouble = choice_.trouble,
                                  .limit = clusters_at_once};
        if (after) {
            // The cluster itself has more machines, if one of them is the place.
            query.before = model::ClusterId{after->cluster.value + (after->nodenum ? 1 : 0)};
        }
        const auto left = page_.text.empty() ? std::nullopt : limit_search(query);
        walk(query, after);
        // What older clusters have was not searched.
        if (!page_.next && left) {
            page_.next = MachinePlace{.cluster = query.from};
            page_.looked_at = *left;
        }
    }

 private:
    void walk(store::ClusterQuery query, const std::optional<MachinePlace>& after) {
        while (true) {
            const auto clusters = store::list_clusters(connection_, caller_, query);
            const bool is_end = std::ssize(clusters) < query.limit;
            if (!take(clusters, after, is_end) || is_end) return;
            query.before = clusters.back().id;
        }
    }

    /// Limits a search to the newest clusters with a limited number of machines. Returns that
    /// number if there are older clusters.
    std::optional<std::size_t> limit_search(store::ClusterQuery& query) {
        store::ClusterQuery all = query;
        all.machine_text.clear();
        all.limit = most_searched_clusters + 1;
        const int most = store::NodeCondition(page_.text).reads_addresses()
                             ? most_searched_addresses
                             : most_searched_machines;
        const auto sizes = store::cluster_sizes(connection_, caller_, all);
        std::size_t count = 0;
        int machines = 0;
        const auto most_clusters = static_cast<std::size_t>(most_searched_clusters);
        while (count < std::min(sizes.size(), most_clusters) && machines < most) {
            machines += sizes[count++].second;
        }
        if (count == sizes.size()) return std::nullopt;
        query.from = sizes[count - 1].first;
        return static_cast<std::size_t>(machines);
    }

    /// The clusters at the beginning that have enough machines together, at least one.
    std::span<const store::ClusterSummary> some_of(std::span<const store::ClusterSummary> all) {
        const std::size_t enough =
            choice_.looks.empty() ? machines_on_a_list + 1 : machines_at_once;
        std::size_t count = 0;
        for (std::size_t machines = 0; count < all.size() && machines < enough; ++count) {
            machines += static_cast<std::size_t>(std::max(all[count].node_count, 0));
        }
        return all.first(count);
    }

    /// False if the page has ended. `is_end`: there are no older clusters.
    bool take(std::span<const store::ClusterSummary> clusters,
              const std::optional<MachinePlace>& after, bool is_end) {
        while (!clusters.empty()) {
            const auto some = some_of(clusters);
            if (!take_machines(some, after)) return false;
            clusters = clusters.subspan(some.size());
            const bool is_more = !clusters.empty() || !is_end;
            if (is_more && looked_at_ >= most_looked_at) {
                page_.looked_at = looked_at_;
                page_.next = MachinePlace{.cluster = some.back().id};
                return false;
            }
        }
        return true;
    }

    bool take_machines(std::span<const store::ClusterSummary> clusters,
                       const std::optional<MachinePlace>& after) {
        std::vector<store::ListedCluster> work;
        std::vector<model::ClusterId> ids;
        std::map<model::ClusterId, const store::ClusterSummary*> by_id;
        for (const auto& cluster : clusters) {
            work.push_back({.cluster = cluster.id,
                            .job = cluster.latest_job ? cluster.latest_job->id : model::JobId{}});
            ids.push_back(cluster.id);
            by_id[cluster.id] = &cluster;
        }
        auto machines = store::list_machines(connection_, work, page_.text);
        const auto lost = store::lost_machines_of(connection_, ids);
        looked_at_ += machines.size();
        for (auto& machine : machines) {
            const bool is_before = after && after->nodenum && machine.cluster == after->cluster &&
                                   machine.nodenum <= *after->nodenum;
            if (is_before) continue;
            if (skipped_ > 0) {
                --skipped_;
                continue;
            }
            const auto since = lost.find(machine.node);
            MachineRow row{.machine = std::move(machine),
                           .lost = since == lost.end() ? LostSince() : since->second};
            row.cluster = *by_id.at(row.machine.cluster);
            if (is_chosen(row) && !add(std::move(row))) return false;
        }
        return true;
    }

    bool is_chosen(const MachineRow& row) const {
        return choice_.looks.empty() || std::ranges::count(choice_.looks, row.look()) > 0;
    }

    /// False if the page is full.
    bool add(MachineRow row) {
        if (page_.machines.size() == machines_on_a_list) {
            const auto& last = page_.machines.back().machine;
            page_.next = MachinePlace{.cluster = last.cluster, .nodenum = last.nodenum};
            return false;
        }
        page_.machines.push_back(std::move(row));
        return true;
    }

    store::Connection& connection_;
    const model::Caller& caller_;
    MachinesPage& page_;
    const MachineChoice& choice_;
    std::size_t looked_at_ = 0;
    /// Machines still to leave out before the first one of the page.
    std::size_t skipped_ = 0;
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
    const std::string place = request.query_value("after").value_or("");
    const auto after = machine_place(place);
    const std::size_t number = static_cast<std::size_t>(page_number(request, "page", notes));
    const bool is_numbered = page.choice.empty() && page.text.empty() && !after;
    page.is_first = !after && (!is_numbered || number == 1);
    app.database.read([&](store::Connection& connection) {
        // A read may be begun anew.
        page.machines.clear();
        page.next.reset();
        page.looked_at.reset();
        page.portion.reset();
        MachineWalk walk(connection, caller, page);
        if (is_numbered) {
            walk.fill_numbered(number);
        } else {
            walk.fill(after);
        }
        page.labels =
            read_labels(connection, caller.tenant.id,
                        {model::CatalogueKind::hardware_type, model::CatalogueKind::service});
        if (!page.choice.empty() || !page.text.empty()) return;
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
    if (!after && !place.empty()) {
        frame.notes.push_back(
            unknown_value(translated("place"), place, translated("showing the newest")));
    }
    return drawn(app, visitor, 200, "machines/index", frame, to_json(page));
}

}  // namespace fcgi::pages
