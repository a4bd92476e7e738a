#include "fcgi/pages/catalogue/versions/versions.hpp"

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/catalogue/editors/edit_page.hpp"
#include "fcgi/pages/catalogue/entries.hpp"
#include "fcgi/pages/catalogue/template_checks.hpp"
#include "fcgi/pages/catalogue/versions/seen_version.hpp"
#include "fcgi/pages/catalogue/versions/update_all.hpp"
#include "fcgi/pages/catalogue/versions/version_pages.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/kept/to_check.hpp"
#include "fcgi/pages/refusals.hpp"
#include "provisioner/base/ids.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/operations/catalogue/edit.hpp"
#include "provisioner/operations/catalogue/references.hpp"
#include "provisioner/store/catalogue/catalogue_store.hpp"
#include "provisioner/store/catalogue/version_store.hpp"

namespace fcgi::pages {

using auth::Visitor;
using http::Request;
using http::Response;
using provisioner::base::Json;
using provisioner::base::parse_number;
using provisioner::messages::translated;
namespace model = provisioner::model;
namespace operations = provisioner::operations;
namespace store = provisioner::store;

namespace {

constexpr int most_latest = 100;

/// The place in the history that an address names.
struct HistoryPlace {
    model::CatalogueKind kind{};
    std::string name{};
};

std::optional<HistoryPlace> place_in(const Request& request) {
    const auto kind = catalogue_kind(request.path_value("kind"));
    if (!kind) return std::nullopt;
    return HistoryPlace{*kind, request.path_value("name")};
}

std::optional<model::CatalogueVersion> line_named(store::Connection& connection,
                                                  const Visitor& visitor, const HistoryPlace& place,
                                                  const std::string& text) {
    const auto id = parse_number(text);
    if (!id) return std::nullopt;
    return store::find_version(connection, visitor.who().tenant.id, place.kind, place.name, *id);
}

/// What was updated, as the address says: one cluster by its id, or how many.
std::string updated_words(const Request& request, const VersionsPage& page) {
    const auto id = parse_number(request.query_value("updated").value_or(""));
    for (const auto& use : page.clusters) {
        if (id && use.cluster.id.value == *id) {
            return translated("{0} has version {1} of the template now.", use.cluster.name,
                              use.cluster.version);
        }
    }
    const auto count = parse_number(request.query_value("updated_clusters").value_or(""));
    if (!count || *count < 1 || *count > most_clusters_of_template) return "";
    return provisioner::messages::translated_count(static_cast<std::size_t>(*count),
                                                   "The template of {0} cluster was updated.",
                                                   "The template of {0} clusters was updated.");
}

Json entry_in_force(store::Connection& connection, const Visitor& visitor,
                    const HistoryPlace& place) {
    return store::find_entry(connection, visitor.who().tenant.id, place.kind, place.name)
        .value_or(Json());
}

/// The version that a deletion ended; nothing for other lines.
std::optional<model::CatalogueVersion> ended_by(store::Connection& connection,
                                                const Visitor& visitor, const HistoryPlace& place,
                                                const model::CatalogueVersion& deletion) {
    if (deletion.act != model::VersionAct::remove) return std::nullopt;
    for (auto& line :
         store::list_versions(connection, visitor.who().tenant.id, place.kind, place.name)) {
        const bool is_before = line.id < deletion.id && line.act != model::VersionAct::remove;
        if (is_before) return line;
    }
    return std::nullopt;
}

std::optional<VersionPage> read_version_page(App& app, const Visitor& visitor,
                                             const HistoryPlace& place, const std::string& older,
                                             const std::optional<std::string>& newer) {
    return app.database.read([&](store::Connection& connection) -> std::optional<VersionPage> {
        auto line = line_named(connection, visitor, place, older);
        if (!line) return std::nullopt;
        VersionPage page{.kind = place.kind,
                         .name = place.name,
                         .older = *std::move(line),
                         .present = entry_in_force(connection, visitor, place),
                         .in_force = store::find_present_version(
                             connection, visitor.who().tenant.id, place.kind, place.name),
                         .may_change = visitor.who().is_admin(),
                         .now = app.clock.now()};
        if (!newer) {
            page.ended = ended_by(connection, visitor, place, page.older);
            return page;
        }
        page.newer = line_named(connection, visitor, place, *newer);
        if (!page.newer) return std::nullopt;
        return page;
    });
}

/// Adds what restoring the version of the page brings users. May take seconds.
void check_before_restoring(App& app, const Visitor& visitor, VersionPage& page) {
    const bool can_restore = !page.newer && page.may_change && page.older.document;
    if (!can_restore) return;
    auto check = check_of_entry(visitor, app, page.kind, page.present, *page.older.document);
    page.to_check = std::move(check.to_check);
    if (page.kind == model::CatalogueKind::service && page.present.is_null()) {
        // Of one that is there, what it lost is among these already.
        const auto all = app.database.read([&](store::Connection& connection) {
            return operations::read_catalogue(connection, visitor.who().tenant.id);
        });
        for (auto& words : words_on_unprovided(all, *page.older.document, true)) {
            page.to_check.push_back(std::move(words));
        }
    }
    page.to_note = std::move(check.notes);
}

Response drawn_version(App& app, const Visitor& visitor, int status, const VersionPage& page) {
    return drawn(app, visitor, status, "catalogue/versions/show",
                 {.title = title_of(page), .section = "catalogue"}, to_json(page));
}

/// The page as the entry is now, with why nothing was restored.
Response not_restored(App& app, const Visitor& visitor, VersionPage page,
                      const model::SeenVersion& seen, const operations::Refusal& refusal) {
    page.problems = refusal.problems;
    tell_creation(page.problems, page.kind, page.name, page.in_force, seen, visitor.who().user,
                  page.now);
    if (refusal.kind == operations::Refusal::Kind::conflict) tell_restored(page);
    return with_status_of(refusal, drawn_version(app, visitor, 422, page));
}

}  // namespace

Response list_latest_versions(const Request& request, const Visitor& visitor, App& app) {
    const auto kind = catalogue_kind(request.path_value("kind"));
    if (!kind) return no_such_page();
    LatestPage page{.kind = *kind, .now = app.clock.now()};
    page.lines = app.database.read([&](store::Connection& connection) {
        return store::latest_versions(connection, visitor.who().tenant.id, *kind, most_latest);
    });
    return drawn(app, visitor, 200, "catalogue/versions/latest",
                 {.title = title_of(page), .section = "catalogue"}, to_json(page));
}

Response list_entry_versions(const Request& request, const Visitor& visitor, App& app) {
    const auto place = place_in(request);
    if (!place) return no_such_page();
    VersionsPage page{.kind = place->kind, .name = place->name, .now = app.clock.now()};
    page.may_operate = visitor.who().may(model::Right::operate_clusters);
    app.database.read([&](store::Connection& connection) {
        const auto tenant = visitor.who().tenant.id;
        page.lines = store::list_versions(connection, tenant, place->kind, place->name);
        const auto present = entry_in_force(connection, visitor, *place);
        page.version = std::nullopt;
        if (!present.is_null()) page.version = present.value("version", 1);
        page.clusters.clear();
        if (place->kind != model::CatalogueKind::cluster_template) return;
        page.clusters = operations::uses_of_template(connection, tenant, place->name,
                                                     most_clusters_of_template + 1);
        page.has_more_clusters = page.clusters.size() > most_clusters_of_template;
        if (!page.has_more_clusters) return;
        page.clusters.pop_back();
        page.has_clusters_behind =
            !operations::clusters_behind(connection, tenant, place->name, {}, 1).clusters.empty();
    });
    page.done = updated_words(request, page);
    if (page.lines.empty() && !page.version) return nothing_there(translated("entry"));
    return drawn(app, visitor, 200, "catalogue/versions/index",
                 {.title = title_of(page), .section = "catalogue"}, to_json(page));
}

Response compare_entry_versions(const Request& request, const Visitor& visitor, App& app) {
    const auto place = place_in(request);
    if (!place) return no_such_page();
    auto from = request.query_value("from").value_or("");
    auto to = request.query_value("to").value_or("");
    // The older one stands on the left, however they were chosen.
    if (parse_number(from).value_or(0) > parse_number(to).value_or(0)) std::swap(from, to);
    const auto page = read_version_page(app, visitor, *place, from, to);
    if (!page) return nothing_there(translated("version"));
    return drawn_version(app, visitor, 200, *page);
}

Response show_entry_version(const Request& request, const Visitor& visitor, App& app) {
    const auto place = place_in(request);
    if (!place) return no_such_page();
    auto page = read_version_page(app, visitor, *place, request.path_value("line"), std::nullopt);
    if (!page) return nothing_there(translated("version"));
    check_before_restoring(app, visitor, *page);
    return drawn_version(app, visitor, 200, *page);
}

Response restore_entry_version(const Request& request, const Visitor& visitor, App& app) {
    const auto place = place_in(request);
    if (!place) return no_such_page();
    const auto sent = http::parse_form(request.body);
    const auto& text = request.path_value("line");
    const auto line = parse_number(text);
    if (!line) return nothing_there(translated("version"));
    auto page = read_version_page(app, visitor, *place, text, std::nullopt);
    if (!page) return nothing_there(translated("version"));
    page->note = sent.trimmed("note");
    const auto seen = seen_version_in(sent.trimmed("version")).value_or(model::SeenVersion{});
    const operations::EditOptions options{.based_on = seen, .note = page->note};
    // Who has seen another version is told so before anything is asked.
    if (const auto conflict =
            operations::conflict_with(page->in_force, place->kind, place->name, options)) {
        return not_restored(app, visitor, *std::move(page), seen, *conflict);
    }
    check_before_restoring(app, visitor, *page);
    if (!are_checked(sent, page->to_check)) {
        page->problems = {problem_of_unchecked()};
        return drawn_version(app, visitor, 422, *page);
    }
    const auto restored = operations::restore_entry(app.database, visitor.who(), place->kind,
                                                    place->name, *line, app.clock.now(), options);
    if (restored) {
        return http::see_other("/catalogue/" + collection_word(place->kind) + '/' +
                               http::percent_encode(place->name) + "?done=restored");
    }
    page = read_version_page(app, visitor, *place, text, std::nullopt);
    if (!page) return nothing_there(translated("version"));
    page->note = options.note;
    return not_restored(app, visitor, *std::move(page), seen, restored.error());
}

}  // namespace fcgi::pages
