#include "fcgi/pages/catalogue/versions/update_all.hpp"

#include <algorithm>

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/form_field.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/labels.hpp"
#include "fcgi/pages/problem_words.hpp"
#include "fcgi/pages/refusals.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/base/ids.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/store/catalogue/catalogue_store.hpp"

namespace fcgi::pages {

using auth::Visitor;
using http::Request;
using http::Response;
using provisioner::base::Json;
using provisioner::base::parse_number;
using provisioner::messages::translated;
using provisioner::messages::translated_count;
namespace model = provisioner::model;
namespace operations = provisioner::operations;
namespace store = provisioner::store;

namespace {

std::string why_not_updated(const provisioner::base::Problems& problems) {
    std::string words;
    for (const auto& problem : problems) {
        words = joined_sentences(words, problem_words(problem.message));
    }
    return words;
}

/// Nothing for a template that is gone. Does not say which clusters cannot be updated.
std::optional<UpdateAllPage> read_behind(const Request& request, const Visitor& visitor, App& app,
                                         const std::optional<std::string>& after) {
    UpdateAllPage page{.name = request.path_value("name"),
                       .after = model::ClusterId{parse_number(after.value_or("")).value_or(0)}};
    const auto tenant = visitor.who().tenant.id;
    const bool is_there = app.database.read([&](store::Connection& connection) {
        page.clusters.clear();
        const auto entry = store::find_entry(connection, tenant,
                                             model::CatalogueKind::cluster_template, page.name);
        if (!entry) return false;
        page.version = entry->value("version", 1);
        auto behind = operations::clusters_behind(connection, tenant, page.name, page.after,
                                                  most_clusters_of_template);
        operations::PresentEntry present(connection, tenant, page.name);
        for (auto& cluster : behind.clusters) {
            const bool is_of_earlier = present.is_newer_than(cluster.cluster_template);
            page.clusters.push_back(
                {.cluster = std::move(cluster), .is_of_earlier = is_of_earlier});
        }
        page.has_more = behind.has_more;
        page.newest = std::move(behind.newest);
        return true;
    });
    if (!is_there) return std::nullopt;
    return page;
}

std::optional<UpdateAllPage> read_update_all(const Request& request, const Visitor& visitor,
                                             App& app, const std::optional<std::string>& after) {
    auto page = read_behind(request, visitor, app, after);
    if (!page) return std::nullopt;
    const auto labels = app.database.read([&](store::Connection& connection) {
        return read_labels(connection, visitor.who().tenant.id,
                           {model::CatalogueKind::service, model::CatalogueKind::hardware_type,
                            model::CatalogueKind::image_type});
    });
    for (auto& cluster : page->clusters) {
        const auto newest =
            operations::preview_sync(app.database, visitor.who(), cluster.cluster.id);
        cluster.refusal =
            why_not_updated(newest ? labels.in(newest->misfits) : newest.error().problems);
    }
    return page;
}

Response drawn_update_all(App& app, const Visitor& visitor, int status, const UpdateAllPage& page) {
    return drawn(app, visitor, status, "catalogue/versions/update_all",
                 {.title = title_of(page), .section = "catalogue"}, to_json(page));
}

/// A cluster that tries a draft has no version.
Json version_words(int version, bool is_of_earlier) {
    if (version == 0) return translated("draft");
    return is_of_earlier ? Json(translated("{0} of the earlier entry", version)) : Json(version);
}

std::string versions_of_template(const std::string& name) {
    return "/catalogue/clustertemplates/" + http::percent_encode(name) + "/versions";
}

std::string update_of_template(const std::string& name) {
    return "/catalogue/clustertemplates/" + http::percent_encode(name) + "/update";
}

}  // namespace

std::string title_of(const UpdateAllPage& page) {
    return translated("Update the clusters of template {0}", page.name);
}

Json to_json(const UpdateAllPage& page) {
    Json json = problems_json(translated("Nothing was updated"), page.problems, {});
    json["heading"] = title_of(page);
    json["name"] = page.name;
    json["version"] = page.version;
    json["versions_href"] = versions_of_template(page.name);
    json["action"] = update_of_template(page.name);
    json["updated"] =
        page.updated == 0
            ? ""
            : translated_count(page.updated, "The template of {0} cluster was updated.",
                               "The template of {0} clusters was updated.");
    json["newest"] = page.newest;
    json["after"] = page.after.value == 0 ? "" : std::to_string(page.after.value);
    json["next_href"] = nullptr;
    if (page.has_more && !page.clusters.empty()) {
        json["next_href"] = update_of_template(page.name) +
                            "?after=" + std::to_string(page.clusters.back().cluster.id.value);
    }
    json["clusters"] = Json::array();
    json["refused"] = Json::array();
    for (const auto& [cluster, is_of_earlier, refusal, chosen] : page.clusters) {
        Json item;
        const std::string href = "/clusters/" + model::wire_id(cluster.id);
        item["id"] = model::wire_id(cluster.id);
        item["cluster"] = cluster.name;
        item["cluster_href"] = href;
        item["owner"] = cluster.owner;
        item["from_version"] = version_words(cluster.version, is_of_earlier);
        item["difference_href"] = href + "/sync?back=versions";
        item["refusal"] = refusal;
        item["chosen"] = chosen;
        json[refusal.empty() ? "clusters" : "refused"].push_back(std::move(item));
    }
    json["has_clusters"] = !json["clusters"].empty();
    json["has_refused"] = !json["refused"].empty();
    return json;
}

Response ask_update_all(const Request& request, const Visitor& visitor, App& app) {
    auto page = read_update_all(request, visitor, app, request.query_value("after"));
    if (!page) return nothing_there(translated("template"));
    if (request.query_value("none")) {
        page->problems = {{"cluster", translated("Choose at least one cluster.")}};
        for (auto& cluster : page->clusters) cluster.chosen = false;
    }
    return drawn_update_all(app, visitor, 200, *page);
}

Response update_all(const Request& request, const Visitor& visitor, App& app) {
    const auto sent = http::parse_form(request.body);
    const auto chosen = sent.all("cluster");
    const auto after = sent.first("after");
    const std::string shown = sent.trimmed("newest");
    if (chosen.empty()) {
        return http::see_other(
            update_of_template(request.path_value("name")) + "?none=yes" +
            (after.value_or("").empty() ? "" : "&after=" + http::percent_encode(*after)));
    }
    const auto asked = read_behind(request, visitor, app, after);
    if (!asked) return nothing_there(translated("template"));
    std::size_t updated = 0;
    const bool is_other = asked->newest != shown;
    bool is_refused = is_other;
    const auto is_chosen = [&](const store::ClusterOfTemplate& cluster) {
        return std::ranges::count(chosen, model::wire_id(cluster.id)) > 0;
    };
    for (const auto& [cluster, is_of_earlier, refusal, ticked] : asked->clusters) {
        if (is_other) break;
        if (!is_chosen(cluster)) continue;
        const auto done =
            operations::sync_template_as_shown(app.database, visitor.who(), cluster.id, shown);
        if (done) ++updated;
        is_refused |= !done;
    }
    if (!is_refused) {
        return http::see_other(versions_of_template(asked->name) +
                               "?updated_clusters=" + std::to_string(updated));
    }
    // Says of those that are left why they cannot be updated.
    auto page = read_update_all(request, visitor, app, after);
    if (!page) return nothing_there(translated("template"));
    for (auto& cluster : page->clusters) cluster.chosen = is_chosen(cluster.cluster);
    if (page->newest != shown) {
        page->problems = {
            {"", translated("The template was changed meanwhile. Look again at what changes.")}};
    }
    page->updated = updated;
    return drawn_update_all(app, visitor, 409, *page);
}

}  // namespace fcgi::pages
