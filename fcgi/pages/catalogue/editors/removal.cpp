#include "fcgi/pages/catalogue/editors/removal.hpp"

#include <algorithm>

#include "fcgi/auth/permissions.hpp"
#include "fcgi/pages/catalogue/editors/edit.hpp"
#include "fcgi/pages/catalogue/entries.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/problem_words.hpp"
#include "fcgi/pages/refusals.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/model/plugins/sealed.hpp"
#include "provisioner/operations/catalogue/edit.hpp"
#include "provisioner/store/catalogue/draft_store.hpp"

namespace fcgi::pages {

using http::Request;
using http::Response;
using provisioner::base::Json;
using provisioner::base::text_at;
using provisioner::messages::translated;
using provisioner::messages::translated_count;
using provisioner::model::CatalogueKind;
using provisioner::model::EntryName;
namespace operations = provisioner::operations;
namespace store = provisioner::store;

namespace {

RemovalPage removal_page(const operations::CatalogueEntries& all, CatalogueKind kind,
                         const std::vector<std::string>& names) {
    RemovalPage page{.kind = kind};
    std::vector<EntryName> going;
    const auto found = all.find(kind);
    if (found == all.end()) return page;
    for (const Json& entry : found->second) {
        const std::string name = text_at(entry, "name");
        if (std::ranges::count(names, name) == 0 || going.size() >= most_removed) continue;
        going.push_back({kind, name});
        page.entries.push_back({.name = name, .description = text_at(entry, "description")});
    }
    auto references = operations::references_that_stay(all, going);
    for (std::size_t i = 0; i < going.size(); ++i) {
        page.entries[i].references = std::move(references[i]);
        // What stands in the way comes first.
        auto& shown = page.entries[i].references;
        std::stable_partition(shown.begin(), shown.end(),
                              [](const operations::Reference& one) { return one.blocks; });
    }
    return page;
}

/// "2 current clusters were made from it"; empty for none.
std::string clusters_words(CatalogueKind kind, const RemovedEntry& entry) {
    const int clusters = entry.clusters.clusters;
    if (clusters == 0) return "";
    return kind == CatalogueKind::provider
               ? translated_count(clusters, "{0} current cluster has its machines there",
                                  "{0} current clusters have their machines there")
               : translated_count(clusters, "{0} current cluster was made from it",
                                  "{0} current clusters were made from it");
}

/// The drafts that end with their templates.
void find_drafts(App& app, const auth::Visitor& visitor, RemovalPage& page) {
    if (page.kind != CatalogueKind::cluster_template) return;
    app.database.read([&](store::Connection& connection) {
        for (auto& entry : page.entries) {
            const auto draft =
                store::find_template_draft(connection, visitor.who().tenant.id, entry.name);
            if (draft) entry.draft_by = draft->begun_by;
        }
    });
}

void count_clusters(App& app, const auth::Visitor& visitor, RemovalPage& page) {
    const auto uses = app.database.read([&](store::Connection& connection) {
        return store::uses_by_clusters(connection, visitor.who().tenant.id, page.kind);
    });
    for (auto& entry : page.entries) {
        const auto use = uses.find(entry.name);
        if (use != uses.end()) entry.clusters = use->second;
    }
}

operations::CatalogueEntries catalogue_of_visitor(App& app, const auth::Visitor& visitor) {
    operations::CatalogueEntries all;
    app.database.read([&](store::Connection& connection) {
        all = operations::read_catalogue(connection, visitor.who().tenant.id);
    });
    return all;
}

Response draw_removal(App& app, const auth::Visitor& visitor, int status, RemovalPage page) {
    if (page.entries.empty()) return nothing_there(translated("entry"));
    count_clusters(app, visitor, page);
    find_drafts(app, visitor, page);
    return drawn(app, visitor, status, "catalogue/delete",
                 {.title = title_of(page), .section = "catalogue"}, to_json(page));
}

/// The list again, which says that something has to be chosen.
Response nothing_chosen(CatalogueKind kind) {
    return http::see_other("/catalogue/" + collection_word(kind) + "?missing=choice#choose");
}

std::vector<std::string> names_in_query(const Request& request) {
    return http::parse_form(request.query).all("name");
}

}  // namespace

std::string title_of(const RemovalPage& page) {
    const bool is_one = page.entries.size() == 1;
    if (is_one && page.entries.front().is_needed()) {
        return translated("{0} cannot be deleted",
                          with_capital(kind_and_name(page.kind, page.entries.front().name)));
    }
    if (is_one) {
        return translated("Delete {0}?", kind_and_name(page.kind, page.entries.front().name));
    }
    return translated("Delete the {0} selected {1}?", page.entries.size(), plural_words(page.kind));
}

Json to_json(const RemovalPage& page) {
    const bool is_one = page.entries.size() == 1;
    const std::string collection = "/catalogue/" + collection_word(page.kind);
    Json json;
    json["heading"] = title_of(page);
    json["crumb"] = plural_title(page.kind);
    json["crumb_href"] = collection;
    json["history_href"] = "/history/" + collection_word(page.kind);
    json["target"] = "/catalogue/delete/" + collection_word(page.kind);
    json["cancel_href"] = is_one ? entry_page(page.kind, page.entries.front().name) : collection;
    const bool is_needed = std::ranges::any_of(page.entries, &RemovedEntry::is_needed);
    json["is_needed"] = is_needed;
    json["may_delete"] = !is_needed;
    json["refusal"] = page.refusal;
    json["is_one"] = is_one;
    json["entries"] = Json::array();
    for (const auto& entry : page.entries) {
        Json item;
        item["name"] = entry.name;
        item["href"] = entry_page(page.kind, entry.name);
        item["description"] = entry.description;
        item["is_needed"] = entry.is_needed();
        item["references"] = references_json(entry.references);
        item["has_references"] = !entry.references.empty();
        item["clusters"] = clusters_words(page.kind, entry);
        item["draft"] = entry.draft_by.empty()
                            ? ""
                            : translated(
                                  "The draft of a change by {0} is deleted with it, and not "
                                  "restored with it.",
                                  entry.draft_by);
        item["clusters_href"] = clusters_of_entry(page.kind, entry.name);
        json["entries"].push_back(std::move(item));
    }
    return json;
}

Response ask_removal(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto kind = catalogue_kind(request.path_value("kind"));
    if (!kind) return no_such_page();
    if (!auth::may_administer(visitor)) {
        return auth::refusal(request, visitor, auth::Need::admin);
    }
    const auto names = names_in_query(request);
    if (names.empty()) return nothing_chosen(*kind);
    return draw_removal(app, visitor, 200,
                        removal_page(catalogue_of_visitor(app, visitor), *kind, names));
}

Response remove_entries(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto kind = catalogue_kind(request.path_value("kind"));
    if (!kind) return no_such_page();
    const auto names = http::parse_form(request.body).all("name");
    std::vector<EntryName> entries;
    for (const auto& name : names) entries.push_back({*kind, name});
    const auto deleted = operations::delete_unused(app.database, visitor.who(), entries);
    if (deleted) {
        return http::see_other("/catalogue/" + collection_word(*kind) +
                               "?done=deleted&count=" + std::to_string(entries.size()));
    }
    auto page = removal_page(catalogue_of_visitor(app, visitor), *kind, names);
    // What stands in the way is said beside the entries; another reason is not.
    const bool is_needed = std::ranges::any_of(page.entries, &RemovedEntry::is_needed);
    if (!is_needed) {
        for (const auto& problem : deleted.error().problems) {
            page.refusal = joined_sentences(page.refusal, problem_words(problem.message));
        }
    }
    return with_status_of(deleted.error(), draw_removal(app, visitor, 409, page));
}

Response export_entries(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto kind = catalogue_kind(request.path_value("kind"));
    if (!kind) return no_such_page();
    const auto names = names_in_query(request);
    if (names.empty()) return nothing_chosen(*kind);
    EditContext context;
    app.database.read([&](store::Connection& connection) {
        context = read_edit_context(connection, visitor.who().tenant.id, *kind);
    });
    Json list = Json::array();
    for (const Json& entry : context.entries[*kind]) {
        const bool is_wanted = std::ranges::count(names, text_at(entry, "name")) > 0;
        if (!is_wanted) continue;
        list.push_back(
            provisioner::model::readable_by(visitor.who(), without_secrets(entry, context)));
    }
    Json document;
    document[collection_word(*kind)] = std::move(list);
    auto response =
        http::json_text(200, document.dump(2, ' ', false, Json::error_handler_t::replace) + '\n');
    return http::with_header(std::move(response), "Content-Disposition",
                             "attachment; filename=\"" + collection_word(*kind) + ".json\"");
}

}  // namespace fcgi::pages
