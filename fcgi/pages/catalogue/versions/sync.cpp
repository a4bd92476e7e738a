#include "fcgi/pages/catalogue/versions/sync.hpp"

#include <stdexcept>

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/catalogue/versions/difference.hpp"
#include "fcgi/pages/form_field.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/ids_in_paths.hpp"
#include "fcgi/pages/refusals.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/operations/changes/sync_template.hpp"
#include "provisioner/store/clusters/cluster_store.hpp"

namespace fcgi::pages {

using auth::Visitor;
using http::Request;
using http::Response;
using provisioner::base::Json;
using provisioner::messages::translated;
namespace model = provisioner::model;
namespace operations = provisioner::operations;
namespace store = provisioner::store;

namespace {

std::optional<SyncPage> read_sync_page(const Request& request, const Visitor& visitor, App& app) {
    return app.database.read([&](store::Connection& connection) -> std::optional<SyncPage> {
        const auto cluster = store::find_cluster(connection, visitor.who(), id_in(request));
        if (!cluster) return std::nullopt;
        const auto& present = cluster->snapshot.cluster_template;
        return SyncPage{.cluster = cluster->id,
                        .cluster_name = cluster->name,
                        .status = cluster->status,
                        .present = present,
                        .is_of_earlier = operations::PresentEntry(connection, cluster->tenant,
                                                                  present.header.name)
                                             .is_newer_than(present),
                        .labels = labels_of(connection, *cluster)};
    });
}

/// With why it does not fit, if it does not.
void put_newest(SyncPage& page, operations::NewestTemplate newest) {
    page.newest = std::move(newest.cluster_template);
    page.fits = newest.misfits.empty();
    if (!page.fits) page.problems = page.labels.in(std::move(newest.misfits));
}

/// Why it was refused: because of a job, which the status of the cluster tells better, or as said.
provisioner::base::Problems problems_of_refusal(const SyncPage& page,
                                                const operations::Refusal& refusal) {
    const std::string words = words_on_status(page.status);
    const bool is_busy = refusal.kind == operations::Refusal::Kind::conflict && !words.empty();
    return is_busy ? provisioner::base::Problems{{"", words}} : refusal.problems;
}

Response drawn_sync(App& app, const Visitor& visitor, int status, const SyncPage& page) {
    return drawn(app, visitor, status, "catalogue/versions/sync",
                 {.title = translated("Update the template of {0}", page.cluster_name),
                  .section = "clusters"},
                 to_json(page));
}

}  // namespace

std::string words_on_status(model::ClusterStatus status) {
    switch (status) {
        case model::ClusterStatus::pending:
            return translated(
                "A job of this cluster is running. Its template can be updated when that has "
                "ended.");
        case model::ClusterStatus::active:
            return "";
        case model::ClusterStatus::incomplete:
        case model::ClusterStatus::inconsistent:
            return translated(
                "The last job of this cluster has failed. Its template can be updated when "
                "another job has completed.");
        case model::ClusterStatus::terminated:
            return translated("This cluster is deleted.");
    }
    throw std::logic_error("unknown status of a cluster");
}

Json to_json(const SyncPage& page) {
    const auto& name = page.present.header.name;
    auto json = problems_json(translated("Couldn't update the template"), page.problems, {});
    json["cluster_name"] = page.cluster_name;
    json["cluster_href"] = "/clusters/" + model::wire_id(page.cluster);
    json["action"] = "/clusters/" + model::wire_id(page.cluster) + "/sync";
    json["template"] = name;
    json["from_version"] = page.present.header.version;
    json["is_of_draft"] = page.present.header.version == 0;
    json["is_of_earlier"] = page.is_of_earlier;
    const bool is_other = page.newest && operations::says_other_things(page.present, *page.newest);
    json["has_newest"] = page.newest.has_value();
    json["can_sync"] = is_other && page.fits;
    json["back"] = page.is_from_versions ? "versions" : "";
    json["back_href"] = page.is_from_versions ? "/catalogue/clustertemplates/" +
                                                    http::percent_encode(name) + "/versions"
                                              : json["cluster_href"].get<std::string>();
    json["newest"] = page.newest ? operations::sum_of_template(*page.newest) : "";
    json["to_version"] = page.newest ? Json(page.newest->header.version) : Json();
    json["difference"] =
        page.newest ? difference_json(to_json(page.present), to_json(*page.newest)) : Json();
    return json;
}

Response ask_sync(const Request& request, const Visitor& visitor, App& app) {
    auto page = read_sync_page(request, visitor, app);
    if (!page) return nothing_there(translated("cluster"));
    page->is_from_versions = request.query_value("back") == "versions";
    auto newest = operations::preview_sync(app.database, visitor.who(), page->cluster);
    if (!newest) {
        page->problems = problems_of_refusal(*page, newest.error());
        return with_status_of(newest.error(), drawn_sync(app, visitor, 422, *page));
    }
    put_newest(*page, *std::move(newest));
    return drawn_sync(app, visitor, page->fits ? 200 : 422, *page);
}

Response sync_cluster(const Request& request, const Visitor& visitor, App& app) {
    auto page = read_sync_page(request, visitor, app);
    if (!page) return nothing_there(translated("cluster"));
    const auto sent = http::parse_form(request.body);
    page->is_from_versions = sent.first("back") == "versions";
    const auto done = operations::sync_template_as_shown(app.database, visitor.who(), page->cluster,
                                                         sent.trimmed("newest"));
    if (done && page->is_from_versions) {
        return http::see_other("/catalogue/clustertemplates/" +
                               http::percent_encode(page->present.header.name) +
                               "/versions?updated=" + std::to_string(page->cluster.value));
    }
    if (done) {
        return http::see_other("/clusters/" + model::wire_id(page->cluster) +
                               "?updated_from=" + std::to_string(page->present.header.version));
    }
    page->problems = problems_of_refusal(*page, done.error());
    // Where it was changed meanwhile, it is shown as it is now.
    if (auto newest = operations::preview_sync(app.database, visitor.who(), page->cluster)) {
        put_newest(*page, *std::move(newest));
    }
    return with_status_of(done.error(), drawn_sync(app, visitor, 422, *page));
}

}  // namespace fcgi::pages
