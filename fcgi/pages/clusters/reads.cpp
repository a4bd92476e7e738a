#include "fcgi/pages/clusters/reads.hpp"

#include "fcgi/pages/clusters/list_order.hpp"
#include "fcgi/pages/clusters/list_page.hpp"
#include "fcgi/pages/filter_links.hpp"
#include "fcgi/pages/frame.hpp"
#include "provisioner/base/ids.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/store/clusters/cluster_store.hpp"

namespace fcgi::pages {

using http::Request;
using http::Response;
using provisioner::messages::translated;
using provisioner::model::ClusterStatus;
namespace model = provisioner::model;
namespace store = provisioner::store;

namespace {

constexpr std::chrono::seconds refresh_while_busy{5};

Frame frame_for(const Request& request, const std::string& title, bool changes) {
    const auto refresh = changes ? refresh_while_busy : std::chrono::seconds{0};
    return {.title = title,
            .section = "clusters",
            .script = "live.js",
            .refresh = reload_every(refresh, request)};
}

constexpr int clusters_on_a_page = 50;
/// A text is looked for in so many clusters at once: no index helps, and each of them costs 25 µs.
constexpr int clusters_searched_at_once = 10'000;
/// An ordered list reads all of its clusters, so fewer if a text is looked for in them.
constexpr int clusters_searched_and_ordered = 4'000;

/// Limits a search to the newest clusters, and notes on the page how far it goes if there are older
/// ones.
void limit_search(store::Connection& connection, const model::Caller& caller,
                  store::ClusterQuery& query, int most, ClustersPage& page) {
    store::ClusterQuery all = query;
    all.text.clear();
    all.cluster_template.clear();
    all.provider.clear();
    const auto next = store::cluster_after(connection, caller, all, most);
    if (!next) return;
    query.from = model::ClusterId{next->value + 1};
    page.searched = ClustersPage::Searched{.clusters = most, .oldest = query.from};
}

/// Whether the list is short enough to be read as a whole, so that its pages have numbers.
bool can_be_ordered(store::Connection& connection, const model::Caller& caller,
                    store::ClusterQuery query) {
    const int most = query.text.empty() ? clusters_searched_at_once : clusters_searched_and_ordered;
    query.text.clear();
    query.cluster_template.clear();
    query.provider.clear();
    return !store::cluster_after(connection, caller, query, most);
}

/// Whether one of the newest terminated clusters has what no cluster of the list has.
bool is_among_terminated(store::Connection& connection, const model::Caller& caller,
                         store::ClusterQuery query) {
    query.statuses = {ClusterStatus::terminated};
    query.only_stopped = false;
    query.before = {};
    query.from = {};
    query.limit = 1;
    store::ClusterQuery all = query;
    all.text.clear();
    all.cluster_template.clear();
    all.provider.clear();
    const auto next = store::cluster_after(connection, caller, all, clusters_searched_and_ordered);
    if (next) query.from = model::ClusterId{next->value + 1};
    return !store::list_clusters(connection, caller, query).empty();
}

void read_ordered(store::Connection& connection, const model::Caller& caller,
                  store::ClusterQuery query, const ListOrder& wanted, std::size_t number,
                  ClustersPage& page) {
    query.before = {};
    limit_search(connection, caller, query,
                 query.text.empty() ? clusters_searched_at_once : clusters_searched_and_ordered,
                 page);
    page.is_cut = page.searched.has_value();
    page.searched.reset();
    const auto ids =
        store::ordered_clusters(connection, caller, query, wanted.order, wanted.is_reversed);
    page.portion = portion_of(ids.size(), clusters_on_a_page, number);
    const auto first = ids.begin() + static_cast<std::ptrdiff_t>(page.portion->begin());
    const auto last = ids.begin() + static_cast<std::ptrdiff_t>(page.portion->end());
    page.clusters = store::list_clusters(connection, caller, {first, last}, query.all_tenants);
    page.is_first = page.portion->page == 1;
    page.is_last = page.portion->page == page.portion->pages();
}

}  // namespace

Response list_clusters(const Request& request, const auth::Visitor& visitor, App& app) {
    const std::string status = request.query_value("status").value_or("");
    const ClusterChoice& choice = cluster_choice(status);
    std::vector<std::string> notes;
    ClustersPage page{.choice = choice.word,
                      .may_see_all = visitor.who().is_superadmin(),
                      .is_of_all = asks_for_all_tenants(request, visitor.who(), notes),
                      .tenant = visitor.who().tenant.name,
                      .show_owner = visitor.who().may(model::Right::see_clusters),
                      .now = app.clock.now()};
    const std::string place = request.query_value("before").value_or("");
    const auto before = provisioner::base::parse_number(place);
    page.text = searched_text(request);
    page.cluster_template = request.query_value("template").value_or("");
    page.provider = request.query_value("provider").value_or("");
    const std::string order = request.query_value("order").value_or("");
    page.order = order_in(choice.word, order);
    const auto wanted = list_order(page.order);
    // The newest first, where no place is asked for.
    constexpr ListOrder newest_first{.order = store::ClusterOrder::created, .is_reversed = true};
    const bool has_place = !place.empty();
    const auto number = static_cast<std::size_t>(page_number(request, "page", notes));
    store::ClusterQuery query{.statuses = choice.statuses,
                              .all_tenants = page.is_of_all,
                              .only_stopped = choice.only_stopped,
                              .text = page.text,
                              .cluster_template = page.cluster_template,
                              .provider = page.provider,
                              .limit = clusters_on_a_page,
                              .before = model::ClusterId{before.value_or(0)}};
    page.may_create = visitor.who().may(model::Right::use_clusters);
    page.is_first = query.before.value == 0;
    app.database.read([&](store::Connection& c) {
        // A read may be begun anew.
        query.from = {};
        page.searched.reset();
        page.portion.reset();
        page.is_cut = false;
        const bool is_ordered = wanted || (!has_place && can_be_ordered(c, visitor.who(), query));
        if (is_ordered) {
            read_ordered(c, visitor.who(), query, wanted.value_or(newest_first), number, page);
        }
        const bool has_text = !page.text.empty() && choice.word != "terminated";
        if (is_ordered) {
            page.is_among_terminated =
                has_text && page.clusters.empty() && is_among_terminated(c, visitor.who(), query);
            return;
        }
        if (!page.text.empty() || page.is_narrowed()) {
            limit_search(c, visitor.who(), query, clusters_searched_at_once, page);
        }
        page.clusters = store::list_clusters(c, visitor.who(), query);
        page.is_last = std::ssize(page.clusters) < query.limit;
        // A full page goes on from its last cluster.
        if (!page.is_last) page.searched.reset();
        const bool is_counted =
            page.text.empty() && !page.is_narrowed() && !(page.is_first && page.is_last);
        if (!is_counted) return;
        page.total = count_of_choice(page.is_of_all ? store::count_all_clusters(c, visitor.who())
                                                    : store::count_clusters(c, visitor.who()),
                                     page.choice);
    });
    Frame frame = frame_for(request, translated("Clusters"), page.changes());
    frame.notes = std::move(notes);
    if (page.portion && number > page.portion->pages()) {
        frame.notes.push_back(unknown_value(translated("page"), std::to_string(number),
                                            translated("showing the last page")));
    }
    if (page.choice != status) {
        frame.notes.push_back(
            unknown_value(translated("status"), status, translated("showing all")));
    }
    if (page.order != order) {
        frame.notes.push_back(
            unknown_value(translated("order"), order, translated("newest first")));
    }
    if (!before && !place.empty()) {
        frame.notes.push_back(
            unknown_value(translated("place"), place, translated("showing the newest")));
    }
    return drawn(app, visitor, 200, "clusters/index", frame, to_json(page));
}

}  // namespace fcgi::pages
