#include "fcgi/pages/search/search.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "fcgi/http/form_data.hpp"
#include "fcgi/http/prefix.hpp"
#include "fcgi/pages/catalogue/entries.hpp"
#include "fcgi/pages/elsewhere.hpp"
#include "fcgi/pages/filter_links.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/progress.hpp"
#include "fcgi/pages/search/actions.hpp"
#include "fcgi/pages/search/cluster_actions.hpp"
#include "fcgi/pages/search/installation.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/base/utf8.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/store/clusters/cluster_store.hpp"
#include "provisioner/store/overview/search_store.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::base::to_word;
using provisioner::messages::translated;
using provisioner::messages::translated_count;
namespace base = provisioner::base;
namespace model = provisioner::model;
namespace store = provisioner::store;

namespace {

std::string search_path_of(model::ClusterId cluster) {
    return "/clusters/" + model::wire_id(cluster);
}

SearchHit search_hit(const store::FoundEntry& found, bool sees_catalogue) {
    const std::string name = http::percent_encode(found.entry.name);
    const std::string kind = singular_title(found.entry.kind);
    const bool has_label = !found.label.empty() && found.label != found.entry.name;
    return {.label = has_label ? found.label : found.entry.name,
            .detail = has_label ? kind + ' ' + found.entry.name : kind,
            .href = sees_catalogue
                        ? "/catalogue/" + std::string(model::collection_of(found.entry.kind)) +
                              '/' + name
                        : "/clusters/new?template=" + name};
}

/// "42-2" and "00000042-002" are job 2 of cluster 42; the parts of a task's id behind it do not
/// matter. Nothing for another text.
std::optional<std::pair<model::ClusterId, model::JobId>> job_in_search(const std::string& text) {
    const auto first = text.find('-');
    if (first == std::string::npos) return std::nullopt;
    const auto second = std::min(text.find('-', first + 1), text.size());
    const auto cluster = base::parse_number(text.substr(0, first));
    const auto job = base::parse_number(text.substr(first + 1, second - first - 1));
    if (!cluster || !job) return std::nullopt;
    return std::pair{model::ClusterId{*cluster}, model::JobId{*job}};
}

using store::Tenants;

std::map<model::ClusterId, std::optional<model::Job>> latest_jobs(
    store::Connection& connection, const std::vector<store::FoundCluster>& clusters) {
    std::set<model::ClusterId> ids;
    for (const auto& cluster : clusters) ids.insert(cluster.id);
    std::map<model::ClusterId, std::optional<model::Job>> jobs;
    for (auto& state : store::find_states(connection, ids)) {
        jobs[state.id] = std::move(state.latest_job);
    }
    return jobs;
}

SearchGroup found_clusters(store::Connection& connection, const model::Caller& caller,
                           Tenants tenants, const std::string& text, int limit) {
    const bool own = tenants == Tenants::own;
    SearchGroup group{.label =
                          own ? translated("Clusters") : translated("Clusters of other tenants")};
    const auto clusters = store::search_clusters(connection, caller, tenants, text, limit);
    const auto jobs = latest_jobs(connection, clusters);
    for (const auto& cluster : clusters) {
        const auto job = jobs.find(cluster.id);
        const std::string status =
            shown_status(cluster.status, job == jobs.end() ? std::nullopt : job->second,
                         cluster.services_stopped)
                .words;
        std::string detail =
            own ? translated("{0}, of {1}", status, cluster.owner)
                : translated("{0}, of {1} in {2}", status, cluster.owner, cluster.tenant);
        const std::string description = one_line(cluster.description, description_in_lists);
        if (!description.empty()) detail += ": " + description;
        group.hits.push_back({.label = cluster.name,
                              .detail = std::move(detail),
                              .href = own ? search_path_of(cluster.id)
                                          : in_view(cluster.tenant, search_path_of(cluster.id)),
                              .cluster = own ? cluster.id : model::ClusterId()});
    }
    return group;
}

SearchGroup found_machines(store::Connection& connection, const model::Caller& caller,
                           Tenants tenants, const std::string& text, int limit) {
    const bool own = tenants == Tenants::own;
    SearchGroup group{.label =
                          own ? translated("Machines") : translated("Machines of other tenants")};
    for (const auto& machine : store::search_machines(connection, caller, tenants, text, limit)) {
        const std::string path =
            search_path_of(machine.cluster) + "/machines/" + std::to_string(machine.nodenum);
        group.hits.push_back(
            {.label = machine.hostname,
             .detail = (own ? translated("of {0}", machine.cluster_name)
                            : translated("of {0} in {1}", machine.cluster_name, machine.tenant)) +
                       match_of_machine(machine.hostname, text),
             .href = own ? path : in_view(machine.tenant, path)});
    }
    return group;
}

SearchGroup found_job(store::Connection& connection, const model::Caller& caller,
                      const std::string& text, int) {
    SearchGroup group{.label = translated("Jobs")};
    const auto id = job_in_search(text);
    if (!id || !store::has_job(connection, caller, id->first, id->second)) return group;
    group.hits.push_back(
        {.label = model::wire_id(id->first, id->second),
         .detail = "",
         .href = search_path_of(id->first) + "/jobs/" + std::to_string(id->second.value)});
    return group;
}

SearchGroup found_entries(store::Connection& connection, const model::Caller& caller,
                          const std::string& text, int limit) {
    using enum model::CatalogueKind;
    const bool sees_catalogue = caller.may(model::Right::see_tenant);
    SearchGroup group{.label = sees_catalogue ? translated("Catalogue") : translated("Templates")};
    std::vector<model::CatalogueKind> searched{cluster_template};
    if (sees_catalogue) {
        searched = {provider, hardware_type,    image_type,
                    service,  cluster_template, partial_template};
    }
    auto entries = store::search_entries(connection, caller, searched, name_asked_for(text), limit);
    if (asks_for_new_cluster(text)) {
        for (auto& any : store::search_entries(connection, caller, {cluster_template}, "", limit)) {
            const bool is_there =
                std::ranges::count(entries, any.entry, &store::FoundEntry::entry) > 0;
            if (!is_there && std::ssize(entries) < limit) entries.push_back(std::move(any));
        }
    }
    for (const auto& entry : entries) {
        group.hits.push_back(search_hit(entry, sees_catalogue));
        const bool may_create = entry.entry.kind == cluster_template && sees_catalogue &&
                                caller.may(model::Right::use_clusters);
        if (!may_create) continue;
        group.hits.push_back(search_hit(entry, false));
        group.hits.back().label = translated("New cluster of {0}", group.hits.back().label);
    }
    return group;
}

SearchGroup found_entries_of_others(store::Connection& connection, const model::Caller& caller,
                                    const std::string& text, int limit) {
    SearchGroup group{.label = translated("Catalogues of other tenants")};
    for (const auto& found : store::search_entries_of_others(connection, caller, text, limit)) {
        group.hits.push_back(
            {.label = found.entry.name,
             .detail = translated("{0} in {1}", singular_title(found.entry.kind), found.tenant),
             .href = "/tenants/" + http::percent_encode(found.tenant)});
    }
    return group;
}

SearchGroup found_users(store::Connection& connection, const model::Caller& caller, Tenants tenants,
                        const std::string& text, int limit) {
    const bool own = tenants == Tenants::own;
    SearchGroup group{.label = own ? translated("Users") : translated("Users of other tenants")};
    for (const auto& user : store::search_users(connection, caller, tenants, text, limit)) {
        group.hits.push_back({.label = user.name,
                              .detail = own ? "" : translated("in {0}", user.tenant),
                              .href = own ? "/people/" + http::percent_encode(user.name)
                                          : "/tenants/" + http::percent_encode(user.tenant) +
                                                "/people/" + http::percent_encode(user.name)});
    }
    return group;
}

/// Of one more than `limit` one knows that there are more.
std::vector<SearchGroup> found_groups(store::Connection& connection, const model::Caller& caller,
                                      const SearchPage& page, int limit) {
    std::vector<SearchGroup> groups;
    const auto look = [&](const char* kind, auto find, const auto&... more) {
        if (!page.kind.empty() && page.kind != kind) return;
        SearchGroup group = find(connection, caller, more..., page.text, limit + 1);
        group.kind = kind;
        groups.push_back(cut_after(std::move(group), static_cast<std::size_t>(limit)));
    };
    look("clusters", found_clusters, Tenants::own);
    look("machines", found_machines, Tenants::own);
    look("jobs", found_job);
    look("catalogue", found_entries);
    if (caller.may(model::Right::see_tenant)) look("users", found_users, Tenants::own);
    if (caller.is_superadmin()) {
        look("tenants", found_tenants);
        look("identity-providers", found_identity_providers);
        look("provisioners", found_provisioners);
        look("clusters-elsewhere", found_clusters, Tenants::others);
        look("machines-elsewhere", found_machines, Tenants::others);
        look("users-elsewhere", found_users, Tenants::others);
        look("catalogue-elsewhere", found_entries_of_others);
    }
    return groups;
}

SearchGroup found_site_actions(const auth::Visitor& visitor, const SearchPage& page, int limit) {
    if (!page.kind.empty() && page.kind != "actions") return {};
    const auto most = static_cast<std::size_t>(limit);
    SearchGroup group =
        found_actions(visitor.who(), page.text, most + 1, visitor.behind.has_value());
    group.kind = "actions";
    return cut_after(std::move(group), most);
}

/// Before the actions, the first group, which then has none of the same name.
void add_site_pages(const auth::Visitor& visitor, SearchPage& page) {
    auto pages = found_pages(viewer_of(visitor), page.text);
    drop_those_of(pages, page.groups.front());
    page.groups.insert(page.groups.begin(), std::move(pages));
}

/// What may be done with clusters that the text asks for, before what it finds, unless it is a
/// name, and with the one that it names, after the clusters that it finds.
void add_acts(store::Connection& connection, const model::Caller& caller, const SearchPage& page,
              model::ClusterId open, int limit, std::vector<SearchGroup>& groups) {
    if (!page.kind.empty() && page.kind != "cluster-actions") return;
    const auto most = static_cast<std::size_t>(limit);
    const bool is_name = is_name_of_some(groups, page.text);
    const auto clusters = std::ranges::find(groups, "clusters", &SearchGroup::kind);
    const bool are_found = clusters != groups.end();
    const auto named = cluster_called(
        are_found ? *clusters
                  : found_clusters(connection, caller, Tenants::own, page.text, search_rows),
        page.text);
    groups.insert(are_found ? clusters + 1 : clusters,
                  cut_after(actions_of_found(connection, caller, named, most + 1), most));
    groups.insert(
        is_name ? groups.end() : groups.begin(),
        cut_after(actions_asked_for(connection, caller, page.text, open, most + 1), most));
}

/// Where more of a group is shown; empty on the page of its kind alone, which has no more.
std::string way_to_more(const SearchPage& page, const SearchGroup& group) {
    if (!group.is_cut || !page.kind.empty()) return "";
    const std::string text = http::percent_encode(page.text);
    return "/search?q=" + text + "&kind=" + group.kind;
}

std::string search_summary(const SearchPage& page, std::size_t count) {
    if (page.text.empty()) return "";
    const bool is_cut = std::ranges::any_of(page.groups, &SearchGroup::is_cut);
    if (!is_cut) return translated_count(count, "{0} result", "{0} results") + ".";
    if (page.kind.empty()) {
        return translated("There are more results: the first {0} of each kind are shown.",
                          search_rows);
    }
    return translated("More than {0} results: the first {0} are shown. Type more to find others.",
                      grouped(count));
}

Json search_groups_json(const SearchPage& page, const std::string& prefix,
                        const std::string& view_path) {
    Json groups = Json::array();
    for (const SearchGroup& group : page.groups) {
        Json hits = Json::array();
        for (const SearchHit& hit : group.hits) {
            Json item;
            item["label"] = hit.label;
            item["detail"] = hit.detail;
            item["href"] =
                prefix + (http::is_outside_of_views(hit.href) ? "" : view_path) + hit.href;
            hits.push_back(std::move(item));
        }
        Json item;
        item["label"] = group.label;
        item["is_cut"] = group.is_cut;
        item["hits"] = std::move(hits);
        groups.push_back(std::move(item));
    }
    return groups;
}

}  // namespace

std::string match_of_machine(const std::string& hostname, const std::string& text) {
    const auto found =
        std::ranges::search(hostname, text, [](unsigned char one, unsigned char other) {
            return std::tolower(one) == std::tolower(other);
        });
    if (text.empty() || !found.empty()) return "";
    if (text.find_first_of(".:") != std::string::npos) {
        return translated(", address matches {0}", text);
    }
    return text.size() == 36 ? translated(", UUID {0}", text) : "";
}

void drop_those_of(const SearchGroup& others, SearchGroup& group) {
    std::erase_if(group.hits, [&](const SearchHit& hit) {
        return std::ranges::any_of(others.hits, [&](const SearchHit& other) {
            return other.label == hit.label && other.href == hit.href;
        });
    });
}

std::string name_asked_for(const std::string& text) {
    static const std::set<std::string> verbs{"new", "create", "cluster", "template", "from", "of"};
    const auto words = search_words(text);
    std::size_t first = 0;
    while (first + 1 < words.size() && verbs.contains(words[first])) ++first;
    if (first == 0) return text;
    std::string name;
    for (std::size_t i = first; i < words.size(); ++i) name += (i == first ? "" : " ") + words[i];
    return name;
}

bool asks_for_new_cluster(const std::string& text) {
    const auto words = search_words(text);
    const std::set<std::string> said(words.begin(), words.end());
    const bool has_verb = said.contains("new") || said.contains("create");
    return has_verb && (said.size() == 1 || (said.size() == 2 && said.contains("cluster")));
}

bool is_name_of_some(const std::vector<SearchGroup>& groups, const std::string& text) {
    const auto wanted = search_words(text);
    const auto is_called_so = [&](const SearchHit& hit) {
        return std::ranges::all_of(
            wanted, [&](const std::string& word) { return begins_word_of(hit.label, word); });
    };
    return std::ranges::any_of(groups, [&](const SearchGroup& group) {
        const bool has_names = group.kind == "clusters" || group.kind == "catalogue";
        return has_names && std::ranges::any_of(group.hits, is_called_so);
    });
}

model::ClusterId open_cluster(const http::Request& request) {
    const auto number = base::parse_number(request.query_value("cluster").value_or(""));
    return model::ClusterId{number.value_or(0)};
}

SearchGroup cut_after(SearchGroup group, std::size_t limit) {
    group.is_cut = group.hits.size() > limit;
    if (group.is_cut) group.hits.resize(limit);
    return group;
}

Json to_json(const SearchPage& page) {
    std::size_t count = 0;
    for (const SearchGroup& group : page.groups) count += group.hits.size();
    Json json;
    json["text"] = page.text;
    json["summary"] = search_summary(page, count);
    json["has_hits"] = count > 0;
    json["found_nothing"] = count == 0 && !page.text.empty();
    json["all"] = page.kind.empty() || page.text.empty()
                      ? ""
                      : "/search?q=" + http::percent_encode(page.text);
    Json groups = search_groups_json(page, "", "");
    for (std::size_t i = 0; i < page.groups.size(); ++i) {
        const SearchGroup& group = page.groups[i];
        groups[i]["more"] = way_to_more(page, group);
        groups[i]["cut"] =
            group.is_cut ? translated("The first {0} are shown.", grouped(group.hits.size())) : "";
    }
    json["groups"] = std::move(groups);
    return json;
}

Json palette_json(const SearchPage& page, const std::string& prefix, const std::string& view_path) {
    Json json;
    json["groups"] = search_groups_json(page, prefix, view_path);
    return json;
}

http::Response search(const http::Request& request, const auth::Visitor& visitor, App& app) {
    SearchPage page{.text = searched_text(request)};
    const std::string kind = request.query_value("kind").value_or("");
    if (std::ranges::find(searched_kinds, kind) != searched_kinds.end()) page.kind = kind;
    const bool is_for_palette = request.query_value("as") == "json";
    const int limit = is_for_palette ? palette_rows : page.kind.empty() ? search_rows : kind_rows;
    if (!page.text.empty()) {
        page.groups = app.database.read([&](store::Connection& connection) {
            auto groups = found_groups(connection, visitor.who(), page, limit);
            add_acts(connection, visitor.who(), page, open_cluster(request), limit, groups);
            return groups;
        });
        page.groups.insert(page.groups.begin(), found_site_actions(visitor, page, limit));
        // The palette knows them from the page that is open.
        if (!is_for_palette && page.kind.empty()) add_site_pages(visitor, page);
        if (visitor.behind && page.kind.empty()) {
            page.groups.push_back(
                found_outside_of_view(*visitor.behind, page.text, static_cast<std::size_t>(limit)));
        }
        std::erase_if(page.groups, [](const SearchGroup& group) { return group.hits.empty(); });
    }
    if (is_for_palette) {
        return http::json(200, palette_json(page, request.prefix, request.view_path));
    }
    Frame frame{.title = translated("Search"), .section = "search"};
    if (page.kind != kind) {
        frame.notes.push_back(unknown_value(translated("kind"), kind, translated("showing all")));
    }
    return drawn(app, visitor, 200, "search/index", frame, to_json(page));
}

}  // namespace fcgi::pages
