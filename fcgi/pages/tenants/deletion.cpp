#include "fcgi/pages/tenants/deletion.hpp"

#include <algorithm>

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/elsewhere.hpp"
#include "fcgi/pages/form_field.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/kept/done_once.hpp"
#include "fcgi/pages/problem_words.hpp"
#include "fcgi/pages/progress.hpp"
#include "fcgi/pages/refusals.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/base/ids.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/operations/tenants/end_clusters.hpp"
#include "provisioner/operations/tenants/tenants.hpp"
#include "provisioner/store/overview/tenant_overview.hpp"
#include "provisioner/store/sign_in/identity_provider_store.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::base::Problems;
using provisioner::messages::translated;
using provisioner::messages::translated_count;
namespace model = provisioner::model;
namespace operations = provisioner::operations;
namespace store = provisioner::store;

namespace {

std::string deletion_href(const std::string& tenant) {
    return "/tenants/" + http::percent_encode(tenant) + "/delete";
}

/// Whether nothing has to be asked for any more: its deletion is under way.
bool is_being_deleted(const store::ClusterSummary& cluster) {
    return cluster.status == model::ClusterStatus::pending && cluster.latest_job &&
           cluster.latest_job->operation == model::Operation::cluster_delete &&
           cluster.latest_job->status != model::JobStatus::paused;
}

std::optional<TenantDeletionPage> read_deletion_page(const http::Request& request, App& app) {
    TenantDeletionPage page;
    const bool is_there = app.database.read([&](store::Connection& connection) {
        const auto tenant = store::find_tenant(connection, request.path_value("tenant"));
        if (!tenant) return false;
        page.tenant = *tenant;
        page.use = store::use_of(connection, tenant->id);
        page.users = store::count_tenant_users(connection, tenant->id);
        page.providers = operations::providers_with_rules_for(
            store::list_identity_providers(connection), tenant->uid);
        page.clusters =
            operations::clusters_to_end(connection, *tenant, TenantDeletionPage::most_clusters);
        return true;
    });
    return is_there ? std::optional(std::move(page)) : std::nullopt;
}

http::Response no_deletion_of_superadmins(App& app, const auth::Visitor& visitor) {
    const std::string name = model::superadmin_tenant;
    return error_page(
        app, visitor, 403,
        {.heading = translated("The tenant {0} cannot be deleted", name),
         .text = translated("The superadmins belong to it: without it nobody could manage this "
                            "installation."),
         .ways = {{"/tenants/" + name, translated("Tenant {0}", name)},
                  {"/tenants", translated("Tenants")}}});
}

/// Drawn anew in place while clusters end.
http::Response draw_deletion(App& app, const auth::Visitor& visitor, int status,
                             const TenantDeletionPage& page) {
    return drawn(app, visitor, status, "tenants/delete",
                 {.title = translated("Delete tenant {0}", page.tenant.name),
                  .section = "tenants",
                  .script = "live.js"},
                 to_json(page));
}

/// The name of the tenant, typed; `where` tells the two fields of the page apart.
FormField name_to_confirm(const TenantDeletionPage& page, const std::string& where) {
    const bool is_here = page.wanted == where;
    return {.id = "input-" + where,
            .name = "confirm",
            .label = where == "confirm-clusters"
                         ? translated("Name of the tenant, to delete its clusters")
                         : translated("Name of the tenant, to delete it"),
            .value = is_here ? page.confirmed : "",
            .hint = translated("Type {0} to confirm that this is the one.", page.tenant.name),
            .autocomplete = "off",
            .required = true};
}

Problems wrong_name(const std::string& name) {
    return {{"confirm", translated("This is not the name of the tenant, which is {0}.", name)}};
}

std::vector<std::string> names_of_ended(
    const std::vector<operations::ProviderOfTenant>& providers) {
    std::vector<std::string> names;
    for (const auto& provider : providers) {
        if (provider.ends) names.push_back(provider.name);
    }
    return names;
}

/// What becomes of providers with rules for the tenant; they are empty without any.
Json providers_json(const std::vector<operations::ProviderOfTenant>& providers) {
    Json json;
    json["has_providers"] = !providers.empty();
    json["providers_words"] = translated_count(
        providers.size(), "{0} identity provider has rules for it, which go with it:",
        "{0} identity providers have rules for it, which go with it:");
    json["providers"] = Json::array();
    for (const auto& provider : providers) {
        json["providers"].push_back(
            {{"provider", provider.name},
             {"provider_href", "/identity-providers/" + http::percent_encode(provider.name)},
             {"rules", translated_count(provider.rules, "{0} rule", "{0} rules")},
             {"ends", provider.ends}});
    }
    const auto ended = names_of_ended(providers);
    json["ended_words"] =
        ended.empty() ? std::string()
                      : translated("Then nobody can log in with {0} any more.", listed(ended));
    return json;
}

/// The most providers that are named after a deletion: a cookie carries them.
constexpr std::size_t most_providers_told = 10;

}  // namespace

std::string deletion_done(const std::string& name,
                          const std::vector<operations::ProviderOfTenant>& providers) {
    std::string done = name;
    for (std::size_t i = 0; i < std::min(providers.size(), most_providers_told); ++i) {
        done += ':' + providers[i].name + (providers[i].ends ? "!" : "");
    }
    return done;
}

std::string deletion_done_words(const std::string& done) {
    std::vector<operations::ProviderOfTenant> providers;
    auto colon = done.find(':');
    const std::string name = done.substr(0, colon);
    while (colon != std::string::npos) {
        const auto next = done.find(':', colon + 1);
        std::string one = done.substr(colon + 1, next - colon - 1);
        const bool ends = one.ends_with('!');
        if (ends) one.pop_back();
        providers.push_back({.name = std::move(one), .ends = ends});
        colon = next;
    }
    return tenant_deleted_words(name, providers);
}

std::string tenant_deleted_words(const std::string& name,
                                 const std::vector<operations::ProviderOfTenant>& providers) {
    std::string words = translated("Tenant {0} deleted.", name);
    if (providers.empty()) return words;
    std::vector<std::string> names;
    for (const auto& provider : providers) names.push_back(provider.name);
    words =
        joined_sentences(words, translated("The rules for it are gone from {0}.", listed(names)));
    const auto ended = names_of_ended(providers);
    if (ended.empty()) return words;
    return joined_sentences(words,
                            translated("Nobody can log in with {0} any more.", listed(ended)));
}

Json to_json(const TenantDeletionPage& page) {
    const FormField confirm = name_to_confirm(page, "confirm");
    const FormField confirm_clusters = name_to_confirm(page, "confirm-clusters");
    const bool is_of_clusters = page.wanted == "confirm-clusters";
    Json json = is_of_clusters
                    ? form_json(translated("Couldn't delete the clusters"), {confirm_clusters},
                                page.problems)
                    : form_json(translated("Couldn't delete the tenant"), {confirm}, page.problems);
    json["fields"] = {to_json(confirm, is_of_clusters ? Problems() : page.problems)};
    json["cluster_fields"] = {
        to_json(confirm_clusters, is_of_clusters ? page.problems : Problems())};
    json["name"] = page.tenant.name;
    json["href"] = "/tenants/" + http::percent_encode(page.tenant.name);
    json["action"] = deletion_href(page.tenant.name);
    json["done"] = page.done;
    json["workers"] = page.tenant.workers == 0
                          ? std::string()
                          : translated_count(page.tenant.workers, "{0} worker", "{0} workers");
    json["clusters"] = page.use.clusters == 0
                           ? std::string()
                           : translated_count(page.use.clusters, "{0} cluster", "{0} clusters");
    json["machines"] = translated_count(page.use.nodes, "{0} machine", "{0} machines");
    json["users"] = page.users == 0
                        ? translated("It has no users.")
                        : translated_count(page.users, "Its {0} user can no longer log in.",
                                           "Its {0} users can no longer log in.");
    json.update(providers_json(page.providers));
    json["refusals"] = Json::array();
    for (const std::string& refusal : page.refusals) {
        json["refusals"].push_back({{"refusal", refusal}});
    }
    json["is_refused"] = !page.refusals.empty();
    json["rows"] = Json::array();
    int deletable = 0;
    for (const store::ClusterSummary& cluster : page.clusters) {
        const auto status =
            shown_status(cluster.status, cluster.latest_job, cluster.services_stopped);
        const bool can_delete = !is_being_deleted(cluster);
        deletable += can_delete ? 1 : 0;
        Json row;
        row["cluster"] = cluster.name;
        row["cluster_id"] = can_delete ? model::wire_id(cluster.id) : "";
        row["cluster_href"] = in_view(page.tenant.name, "/clusters/" + model::wire_id(cluster.id));
        row["owner"] = cluster.owner;
        row["cluster_machines"] = grouped(cluster.node_count);
        row["look"] = status.css;
        row["status"] = status.words;
        json["rows"].push_back(std::move(row));
    }
    json["follow"] = deletable < static_cast<int>(page.clusters.size()) ? "yes" : "no";
    json["cluster_ids"] = Json::array();
    for (const Json& row : json.at("rows")) {
        if (row["cluster_id"] != "") json["cluster_ids"].push_back({{"id", row["cluster_id"]}});
    }
    const int more = page.use.clusters - static_cast<int>(page.clusters.size());
    json["more"] = more <= 0 ? std::string()
                             : translated_count(more, "{0} more is not listed here.",
                                                "{0} more are not listed here.");
    json["clusters_action"] = json["href"].get<std::string>() + "/clusters/delete";
    json["delete_clusters"] =
        deletable == 0 ? std::string()
                       : translated_count(deletable, "Delete this cluster and its machines",
                                          "Delete these {0} clusters and their machines");
    return json;
}

http::Response ask_to_delete_tenant(const http::Request& request, const auth::Visitor& visitor,
                                    App& app) {
    auto page = read_deletion_page(request, app);
    if (!page) return nothing_there(translated("tenant"));
    if (page->tenant.name == model::superadmin_tenant) {
        return no_deletion_of_superadmins(app, visitor);
    }
    if (request.query_value("done").value_or("") == "clusters") {
        page->done = page->use.clusters == 0
                         ? translated("The clusters are deleted.")
                         : translated("The deletion of the clusters has started.");
    }
    return draw_deletion(app, visitor, 200, *page);
}

http::Response delete_tenant(const http::Request& request, const auth::Visitor& visitor, App& app) {
    const std::string& name = request.path_value("tenant");
    const std::string confirmed = http::parse_form(request.body).trimmed("confirm");
    const auto again = [&](const Problems& problems) {
        auto page = read_deletion_page(request, app);
        if (!page) return nothing_there(translated("tenant"));
        if (page->tenant.name == model::superadmin_tenant) {
            return no_deletion_of_superadmins(app, visitor);
        }
        page->confirmed = confirmed;
        page->problems = problems;
        return draw_deletion(app, visitor, 422, *page);
    };
    if (confirmed != name) return again(wrong_name(name));
    const auto before = read_deletion_page(request, app);
    const auto deleted = operations::delete_tenant(app.database, visitor.who(), name,
                                                   operations::Workers::are_taken_back);
    if (deleted) {
        const std::string done = before ? deletion_done(name, before->providers) : name;
        return http::see_other("/tenants?done=" + done_with_name("deleted", done));
    }
    return with_status_of(deleted.error(), again(deleted.error().problems));
}

http::Response delete_clusters_of_tenant(const http::Request& request, const auth::Visitor& visitor,
                                         App& app) {
    auto page = read_deletion_page(request, app);
    if (!page) return nothing_there(translated("tenant"));
    if (page->tenant.name == model::superadmin_tenant) {
        return no_deletion_of_superadmins(app, visitor);
    }
    const auto sent = http::parse_form(request.body);
    page->wanted = "confirm-clusters";
    page->confirmed = sent.trimmed("confirm");
    if (page->confirmed != page->tenant.name) {
        page->problems = wrong_name(page->tenant.name);
        return draw_deletion(app, visitor, 422, *page);
    }
    std::vector<model::ClusterId> clusters;
    for (const std::string& word : sent.all("cluster")) {
        if (const auto id = provisioner::base::parse_number(word)) clusters.emplace_back(*id);
    }
    if (clusters.size() > static_cast<std::size_t>(TenantDeletionPage::most_clusters)) {
        return incomplete_form(app, visitor);
    }
    const auto ended = operations::delete_clusters_of(app.database, visitor.who(), page->tenant,
                                                      clusters, app.clock.now());
    if (!ended) {
        return with_status_of(ended.error(),
                              error_page(app, visitor, 403,
                                         {.heading = translated("Couldn\'t delete the clusters"),
                                          .text = ended.error().problems.front().message}));
    }
    if (ended->problems.empty() && ended->aborted.empty()) {
        return http::see_other(deletion_href(page->tenant.name) + "?done=clusters");
    }
    const auto name_of = [&](model::ClusterId id) {
        const auto found = std::ranges::find(page->clusters, id, &store::ClusterSummary::id);
        return found == page->clusters.end() ? model::wire_id(id) : found->name;
    };
    std::vector<std::string> refusals;
    for (const model::ClusterId id : ended->aborted) {
        refusals.push_back(
            translated("The job of {0} is being aborted. Delete the cluster when that has ended.",
                       name_of(id)));
    }
    for (const auto& [id, message] : ended->problems) {
        refusals.push_back(name_of(id) + ": " + problem_words(message));
    }
    page = read_deletion_page(request, app);
    if (!page) return nothing_there(translated("tenant"));
    page->refusals = std::move(refusals);
    return draw_deletion(app, visitor, 409, *page);
}

}  // namespace fcgi::pages
