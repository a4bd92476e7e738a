#include "fcgi/pages/changes/change.hpp"

#include <algorithm>

#include "fcgi/pages/changes/machine_picker.hpp"
#include "fcgi/pages/changes/unfinished_part.hpp"
#include "fcgi/pages/clusters/jobs/retries.hpp"
#include "fcgi/pages/clusters/tabs/machine_looks.hpp"
#include "fcgi/pages/clusters/tabs/reads.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/ids_in_paths.hpp"
#include "fcgi/pages/kept/kept_form.hpp"
#include "fcgi/pages/refusals.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/operations/changes/go_on.hpp"
#include "provisioner/operations/changes/kept_machines.hpp"
#include "provisioner/operations/changes/unfinished.hpp"
#include "provisioner/store/access/permission_store.hpp"
#include "provisioner/store/catalogue/catalogue_store.hpp"
#include "provisioner/store/clusters/cluster_store.hpp"
#include "provisioner/store/clusters/service_states.hpp"
#include "provisioner/store/jobs/job_store.hpp"

namespace fcgi::pages {

using auth::Visitor;
using http::Request;
using http::Response;
using provisioner::messages::translated;
namespace model = provisioner::model;
namespace operations = provisioner::operations;
namespace store = provisioner::store;

namespace {

std::string node_in(const Request& request, Change change) {
    return change == Change::replace ? request.path_value("node") : "";
}

/// Catalogue services that the template allows and the cluster does not have.
NamedTexts services_to_add(store::Connection& connection, const Visitor& visitor,
                           const model::Cluster& cluster) {
    const auto& allowed = cluster.snapshot.cluster_template.compatibility.services;
    const auto withheld = store::withheld_from(connection, visitor.who());
    auto services = told_apart(
        store::list_entries(connection, visitor.who().tenant.id, model::CatalogueKind::service));
    std::erase_if(services, [&](const auto& service) {
        const std::string& name = service.first;
        const bool is_allowed = allowed.empty() || std::ranges::count(allowed, name) > 0;
        return !is_allowed || std::ranges::count(cluster.services, name) > 0 ||
               withheld.contains(model::CatalogueKind::service, name);
    });
    return services;
}

/// How the machines are, from the latest job and from what the provider last said.
void read_looks(store::Connection& connection, ChangePage& page) {
    ClusterPage cluster{.cluster = page.cluster, .job = page.job};
    read_machines_of(connection, cluster);
    read_services_of(connection, cluster);
    const PlaceLooks places = looks_of_places(cluster);
    const MachineLooks looks(at_work(cluster), cluster.lost, places);
    for (const auto& machine : cluster.machines) {
        page.looks[machine.nodenum] = looks.of(machine);
        for (const std::string& service : machine.services) {
            const auto look = places.find({machine.node, service});
            const bool has_failed = look != places.end() && look->second == MachineLook::failed;
            if (has_failed) page.failed_services[machine.nodenum].push_back(service);
        }
    }
}

void read_unfinished(store::Connection& connection, ChangePage& page) {
    if (const auto which = operations::failed_machines_after(page.cluster, page.job)) {
        auto work = operations::unfinished_work(connection, page.cluster, page.nodes);
        page.are_unfinished = *which == store::FailedMachines::not_set_up;
        page.failed = std::move(page.are_unfinished ? work.new_ones : work.failed);
    }
    std::set<int> keepable;
    for (const auto& found : operations::keepable_machines(connection, page.cluster)) {
        keepable.insert(found.machine.nodenum);
    }
    std::vector<model::Node> staying;
    for (model::Node& node : page.nodes) {
        if (node.leaves && keepable.contains(node.nodenum)) page.keepable.push_back(node);
        if (node.leaves) ++page.leaving;
        if (!node.leaves) staying.push_back(std::move(node));
    }
    page.nodes = std::move(staying);
}

std::optional<ChangePage> read_page(const Request& request, const Visitor& visitor, App& app,
                                    Change change) {
    return app.database.read([&](store::Connection& connection) -> std::optional<ChangePage> {
        auto cluster = store::find_cluster(connection, visitor.who(), id_in(request));
        if (!cluster) return std::nullopt;
        ChangePage page{
            .change = change, .cluster = *std::move(cluster), .node = node_in(request, change)};
        page.job = store::find_job(connection, page.cluster.latest_job);
        page.end = read_end(connection, page.cluster, page.job);
        page.nodes = store::nodes_of(connection, page.cluster.id);
        if (page.cluster.services_stopped > 0) {
            page.stopped = store::stopped_places(connection, page.cluster.id);
        }
        if (change == Change::shrink) {
            read_looks(connection, page);
            read_unfinished(connection, page);
        }
        if (change == Change::remove_services || change == Change::replace) {
            page.leaving =
                static_cast<std::size_t>(std::ranges::count_if(page.nodes, &model::Node::leaves));
        }
        if (change == Change::add_services) {
            page.offered = services_to_add(connection, visitor, page.cluster);
        }
        page.labels = labels_of(connection, page.cluster);
        page.labels.add(model::CatalogueKind::service, page.offered);
        return page;
    });
}

Response shown_change(const Visitor& visitor, App& app, const ChangePage& page) {
    return drawn(app, visitor, 200, "changes/change",
                 {.title = page.title(), .section = "clusters"}, to_json(page));
}

Response shown_refusal(const Visitor& visitor, App& app, ChangePage& page,
                       const operations::Refusal& refusal) {
    page.problems = page.labels.in(refusal.problems);
    return with_status_of(refusal, shown_change(visitor, app, page));
}

/// What the form asks for; an invalid form is refused as the operation would do it.
operations::Result<operations::ChangeCluster> wanted_in(const ChangePage& page) {
    auto wanted = change_in(page.change, page.node, page.asked, largest_change(page));
    if (!wanted) return operations::refuse(operations::Refusal::Kind::invalid, wanted.error());
    return *std::move(wanted);
}

/// Says on the form of a cluster that cannot grow at all why, before somebody fills it in.
void try_one_machine(ChangePage& page, const Visitor& visitor, App& app) {
    if (page.change != Change::grow || page.cluster.status != model::ClusterStatus::active) return;
    const auto tried = operations::preview_change(
        app.database, visitor.who(), page.cluster.id,
        {.change = operations::GrowCluster{.machines = 1}}, app.clock.now());
    if (tried || tried.error().kind == operations::Refusal::Kind::too_busy) return;
    page.hindrance = page.labels.in(tried.error().problems);
}

Response preview(ChangePage& page, const Visitor& visitor, App& app) {
    const auto wanted = wanted_in(page);
    if (!wanted) return shown_refusal(visitor, app, page, wanted.error());
    auto change = operations::preview_change(app.database, visitor.who(), page.cluster.id, *wanted,
                                             app.clock.now());
    if (!change) return shown_refusal(visitor, app, page, change.error());
    page.preview = *std::move(change);
    return shown_change(visitor, app, page);
}

/// Keeps the form and leads to its preview: thousands of chosen machines fit into no address.
Response to_preview(const Visitor& visitor, App& app, const ChangePage& page) {
    const std::string draft = keep_draft(app, visitor, page.address(), page.asked);
    return http::see_other(page.address() + "?draft=" + draft + "#preview");
}

/// Keeps the form and shows it again, with other machines to choose from.
Response to_look(const Visitor& visitor, App& app, const ChangePage& page) {
    const std::string draft = keep_draft(app, visitor, page.address(), after_look(page));
    return http::see_other(page.address() + "?draft=" + draft + "#choices");
}

}  // namespace

template <Change change>
Response ClusterChange<change>::ask(const Request& request, const Visitor& visitor, App& app) {
    auto page = read_page(request, visitor, app, change);
    if (!page) return nothing_there(translated("cluster"));
    const auto draft = draft_in(request, visitor, app);
    if (!draft) {
        if (auto gone = gone_draft_in(request, visitor, app)) return *std::move(gone);
    }
    page->asked = draft ? *draft : http::parse_form(request.query);
    let_keepable_stay(*page);
    if (was_look(page->asked)) return shown_change(visitor, app, *page);
    const bool answered = draft || change == Change::replace || !page->asked.fields.empty();
    if (answered) return preview(*page, visitor, app);
    if (change == Change::shrink) page->asked = first_choice(*page);
    try_one_machine(*page, visitor, app);
    return shown_change(visitor, app, *page);
}

template <Change change>
Response ClusterChange<change>::act(const Request& request, const Visitor& visitor, App& app) {
    auto page = read_page(request, visitor, app, change);
    if (!page) return nothing_there(translated("cluster"));
    page->asked = http::parse_form(request.body);
    if (change == Change::shrink) page->asked = settled_number(std::move(page->asked));
    let_keepable_stay(*page);
    if (change == Change::shrink && page->asked.has("preview") && is_look(page->asked)) {
        return to_look(visitor, app, *page);
    }
    if (page->asked.has("preview")) return to_preview(visitor, app, *page);
    const auto wanted = wanted_in(*page);
    if (!wanted) return shown_refusal(visitor, app, *page, wanted.error());
    const auto done = operations::change_cluster(app.database, visitor.who(), page->cluster.id,
                                                 *wanted, app.clock.now());
    if (!done) return shown_refusal(visitor, app, *page, done.error());
    return http::see_other("/clusters/" + model::wire_id(page->cluster.id) +
                           (change == Change::replace ? "?done=replace" : ""));
}

template struct ClusterChange<Change::add_services>;
template struct ClusterChange<Change::remove_services>;
template struct ClusterChange<Change::grow>;
template struct ClusterChange<Change::shrink>;
template struct ClusterChange<Change::replace>;

}  // namespace fcgi::pages
