#include "fcgi/pages/catalogue/editors/edit.hpp"

#include <algorithm>

#include "fcgi/auth/permissions.hpp"
#include "fcgi/pages/catalogue/builder/json_text.hpp"
#include "fcgi/pages/catalogue/editors/field_values.hpp"
#include "fcgi/pages/catalogue/editors/overtaken.hpp"
#include "fcgi/pages/catalogue/editors/parts.hpp"
#include "fcgi/pages/catalogue/editors/provider_choice.hpp"
#include "fcgi/pages/catalogue/entries.hpp"
#include "fcgi/pages/catalogue/entry_facts.hpp"
#include "fcgi/pages/catalogue/template_checks.hpp"
#include "fcgi/pages/catalogue/versions/seen_version.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/kept/done_once.hpp"
#include "fcgi/pages/kept/to_check.hpp"
#include "fcgi/pages/refusals.hpp"
#include "provisioner/base/ids.hpp"
#include "provisioner/inventory/inventory.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/model/plugins/sealed.hpp"
#include "provisioner/operations/catalogue/edit.hpp"
#include "provisioner/store/catalogue/catalogue_store.hpp"
#include "provisioner/store/catalogue/version_store.hpp"
#include "provisioner/store/machines/provider_test_store.hpp"
#include "provisioner/store/plugins/plugin_store.hpp"

namespace fcgi::pages {

using http::Request;
using http::Response;
using provisioner::base::Json;
using provisioner::base::member;
using provisioner::base::Problems;
using provisioner::base::text_at;
using provisioner::messages::translated;
using provisioner::model::CatalogueKind;
using provisioner::model::PluginKind;
namespace model = provisioner::model;
namespace operations = provisioner::operations;
namespace store = provisioner::store;

namespace {

std::string indented(const Json& entry) {
    return entry.dump(2, ' ', false, Json::error_handler_t::replace);
}

Json without_version(Json entry) {
    entry.erase("version");
    return entry;
}

Response draw_editor(App& app, const auth::Visitor& visitor, int status, const EditPage& page) {
    return drawn(app, visitor, status, "catalogue/edit",
                 {.title = title_of(page), .section = "catalogue", .script = "catalogue.js"},
                 to_json(page));
}

Response draw_provider_choice(App& app, const auth::Visitor& visitor, const EditContext& context) {
    return drawn(app, visitor, 200, "catalogue/provider_types",
                 {.title = translated("New {0}", singular_title(CatalogueKind::provider)),
                  .section = "catalogue"},
                 to_json(ProviderChoicePage{.types = context.provider_types}));
}

/// Templates have an editor of their own, which can show JSON, too.
Response to_builder(CatalogueKind kind, const std::string& copy) {
    return http::see_other("/builder/" + collection_word(kind) +
                           (copy.empty() ? "" : "?from=" + http::percent_encode(copy)));
}

/// Reads entry and context. False: there is no such entry.
bool read_page(App& app, const auth::Visitor& visitor, const std::string& name, EditPage& page) {
    const auto tenant = visitor.who().tenant.id;
    std::optional<Json> stored;
    app.database.read([&](store::Connection& connection) {
        page.context = read_edit_context(connection, tenant, page.kind);
        if (name.empty()) return;
        stored = store::find_entry(connection, tenant, page.kind, name);
        page.line = store::find_present_version(connection, tenant, page.kind, name).seen.line;
    });
    if (!stored) return name.empty();
    page.stored = without_secrets(*stored, page.context);
    page.version = stored->at("version").get<int>();
    return true;
}

/// A copy for a new entry: secrets cannot be copied.
Json copied(Json entry) {
    entry.erase("version");
    entry.erase("label");
    entry["name"] = "";
    return without_masked_fields(std::move(entry));
}

bool is_save(const std::string& wish) {
    return wish.empty() || wish == "save";
}

/// The version that a form was filled from, if it is not the newest one. Nothing if it is, or if it
/// is not kept any more, as after a deletion. Of providers neither: what others did to their
/// secrets nobody can compare.
std::optional<Json> older_version(App& app, const auth::Visitor& visitor, const EditPage& page,
                                  int newest) {
    const int seen = page.version;
    const bool is_older = !page.is_new() && seen > 0 && seen < newest;
    if (!is_older || page.kind == CatalogueKind::provider) return std::nullopt;
    return app.database.read([&](store::Connection& connection) -> std::optional<Json> {
        const auto tenant = visitor.who().tenant.id;
        const auto name = text_at(page.stored, "name");
        const auto present = store::find_present_version(connection, tenant, page.kind, name);
        if (model::is_created_anew(present, page.seen())) return std::nullopt;
        return store::find_entry(connection, tenant, page.kind, name, seen);
    });
}

/// Takes what was sent into the page. `base` is what the form was filled from. The problems are
/// those of JSON that cannot be read.
void take_sent(const http::FormData& sent, const Json& base, EditPage& page) {
    const std::string wish = sent.trimmed("do");
    page.note = sent.trimmed("note");
    const bool was_json = sent.has("document");
    if (was_json) {
        page.document = sent.first("document").value_or("");
        std::erase(*page.document, '\r');
        auto entry = entry_in_text(*page.document);
        if (entry) {
            page.entry = *std::move(entry);
            // When it is saved they are told together with the rest.
            if (!is_save(wish)) {
                page.problems = unknown_in_text(page.kind, page.entry, *page.document, "document");
            }
        } else {
            page.problems = entry.error();
        }
    } else {
        page.entry = entry_in_form(page.kind, sent, base, page.context);
        read_rows(sent, page);
    }
    for (const auto& [name, value] : sent.fields) {
        if (name.starts_with("clear.")) page.cleared.push_back(name.substr(6));
    }
    if (!page.problems.empty()) return;
    if (wish == "form" && has_form(page.kind)) page.document.reset();
    if (wish == "json") page.document = indented(page.entry);
}

/// The inventory names its field without the provider's path.
void say_fields_of_controls(Problems& problems) {
    for (auto& problem : problems) {
        if (problem.field == provisioner::inventory::machines_field) {
            problem.field = "provisioner." + problem.field;
        }
    }
}

/// Reads who has saved or deleted the entry, for a page that says so.
void read_last_change(App& app, const auth::Visitor& visitor, const std::string& name,
                      EditPage& page) {
    page.now = app.clock.now();
    page.last_change = app.database.read([&](store::Connection& connection) {
        return last_change_of(connection, visitor.who().user.id, visitor.who().tenant.id,
                              operations::audited(page.kind), name);
    });
}

model::PresentVersion present_version_of(App& app, const auth::Visitor& visitor, CatalogueKind kind,
                                         const std::string& name) {
    return app.database.read([&](store::Connection& connection) {
        return store::find_present_version(connection, visitor.who().tenant.id, kind, name);
    });
}

/// A page for what was not saved. Somebody else's version becomes the one that is edited, and what
/// somebody else deleted is made anew.
Response draw_refusal(App& app, const auth::Visitor& visitor, const operations::Refusal& refusal,
                      EditPage page) {
    page.problems = refusal.problems;
    say_fields_of_controls(page.problems);
    const bool is_conflict = refusal.kind == operations::Refusal::Kind::conflict &&
                             !page.is_new() && refusal.problems.front().field == "version";
    if (is_conflict) {
        const std::string name = text_at(page.stored, "name");
        EditPage latest{.kind = page.kind};
        read_last_change(app, visitor, name, page);
        tell_creation(page.problems, page.kind, name,
                      present_version_of(app, visitor, page.kind, name), page.seen(),
                      visitor.who().user, page.now);
        if (read_page(app, visitor, name, latest)) {
            page.is_overtaken = true;
            page.stored = std::move(latest.stored);
            page.context = std::move(latest.context);
            page.version = latest.version;
            page.line = latest.line;
        } else {
            page.is_gone = true;
        }
    }
    page.entry = without_secrets(std::move(page.entry), page.context);
    if (page.is_gone) begin_anew(page);
    if (page.document && page.kind == CatalogueKind::provider) {
        page.document = indented(page.entry);
    }
    return with_status_of(refusal, draw_editor(app, visitor, 422, page));
}

/// All that is wrong with an entry: with what was typed, with the entry by itself, and among
/// others.
Problems problems_in_editor(const EditPage& page, const http::FormData& sent) {
    Problems problems;
    const auto add = [&](const Problems& found) {
        for (const auto& problem : found) {
            if (std::ranges::count(problems, problem) == 0) problems.push_back(problem);
        }
    };
    if (!page.document) {
        add(problems_in_lines(sent));
        add(problems_in_rows(sent, page.kind));
        if (page.kind == CatalogueKind::service) add(problems_with_links(sent));
    }
    add(problems_with_values(page));
    add(operations::problems_with_entry(page.kind, page.entry));
    if (page.document) add(unknown_in_text(page.kind, page.entry, *page.document, "document"));
    // What is wrong among others alone is found when it is saved.
    if (problems.empty()) return problems;
    add(operations::problems_among(page.context.entries, page.kind, page.entry, page.is_new()));
    return problems;
}

Response save(const Request& request, const auth::Visitor& visitor, App& app, EditPage page) {
    const auto sent = http::parse_form(request.body);
    const auto newest = page.seen();
    const auto shown = seen_version_in(sent.trimmed("version"));
    if (!page.is_new() && shown) {
        page.version = shown->version;
        page.line = shown->line;
    }
    const auto older = older_version(app, visitor, page, newest.version);
    take_sent(sent, older.value_or(page.stored), page);
    const std::string wish = sent.trimmed("do");
    page.is_switched = wish == "form" || wish == "json";
    if (!page.problems.empty()) return draw_editor(app, visitor, 422, page);
    if (is_save(wish)) {
        page.problems = problems_in_editor(page, sent);
        say_fields_of_controls(page.problems);
        if (!page.problems.empty()) {
            page.entry = without_secrets(std::move(page.entry), page.context);
            return draw_editor(app, visitor, 422, page);
        }
    }
    if (!is_save(wish)) {
        if (wish == "add-provider" && sent.trimmed(added_provider).empty()) {
            page.problems = {{added_provider, translated("Choose a provider to add.")}};
            return draw_editor(app, visitor, 422, page);
        }
        if (wish == "redraw" && page.kind == model::CatalogueKind::service && !page.document) {
            fill_new_actions(sent, page.context, page.entry);
        }
        page.entry = without_secrets(std::move(page.entry), page.context);
        if (page.document && wish != "json") page.document = indented(page.entry);
        // What is missing in a form that was not saved yet is no news.
        page.is_untouched = page.is_new() && (wish == "redraw" || wish == "add-provider");
        page.is_redrawn = true;
        Response redrawn = draw_editor(app, visitor, 200, page);
        redrawn.is_redrawn_form = true;
        return redrawn;
    }
    const auto now = app.clock.now();
    const std::string name =
        page.is_new() ? text_at(page.entry, "name") : text_at(page.stored, "name");
    if (older) take_both(*older, newest, page);
    if (!page.clashes.empty()) {
        page.problems = problems_of_clashes(page);
        page.is_overtaken = true;
        read_last_change(app, visitor, name, page);
        return draw_editor(app, visitor, 409, page);
    }
    // Who has seen another version is told so before anything is asked.
    if (!page.is_new()) {
        const auto conflict =
            operations::conflict_with(present_version_of(app, visitor, page.kind, name), page.kind,
                                      name, {.based_on = page.seen()});
        if (conflict) return draw_refusal(app, visitor, *conflict, std::move(page));
    }
    if (!page.is_new() && page.note.empty() &&
        changes_nothing(page.kind, page.stored, page.entry)) {
        return http::see_other(entry_page(page.kind, name) + "?done=unchanged");
    }
    auto check =
        check_of_entry(visitor, app, page.kind, page.is_new() ? Json() : page.stored, page.entry);
    page.to_check = std::move(check.to_check);
    page.to_note = std::move(check.notes);
    if (!are_checked(sent, page.to_check)) {
        page.problems = {problem_of_unchecked()};
        page.entry = without_secrets(std::move(page.entry), page.context);
        return draw_editor(app, visitor, 422, page);
    }
    const auto saved =
        page.is_new()
            ? operations::create_entry(app.database, visitor.who(), page.kind, page.entry, now,
                                       {.note = page.note})
            : operations::replace_entry(app.database, visitor.who(), page.kind, name, page.entry,
                                        now, {.based_on = page.seen(), .note = page.note});
    if (!saved) return draw_refusal(app, visitor, saved.error(), std::move(page));
    return http::see_other(entry_page(page.kind, name) + "?done=" +
                           (page.taken_over.empty()
                                ? "saved"
                                : done_with_name("merged", some_listed(page.taken_over))));
}

}  // namespace

EditContext read_edit_context(store::Connection& connection, model::TenantId tenant,
                              CatalogueKind kind) {
    EditContext context;
    context.entries = operations::read_catalogue(connection, tenant);
    if (kind == CatalogueKind::provider) {
        context.provider_types = store::list_plugin_types(connection, PluginKind::provider);
    }
    if (kind == CatalogueKind::hardware_type || kind == CatalogueKind::image_type) {
        for (const Json& provider : context.entries[CatalogueKind::provider]) {
            const std::string name = text_at(provider, "name");
            const auto test = store::find_provider_test(connection, tenant, name);
            if (test) context.offers[name] = test->offer;
        }
    }
    if (kind != CatalogueKind::service && kind != CatalogueKind::cluster_template) return context;
    context.given = read_given_files(connection, tenant);
    return context;
}

Response new_entry(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto kind = catalogue_kind(request.path_value("kind"));
    if (!kind) return no_such_page();
    if (!auth::may_administer(visitor)) {
        return auth::refusal(request, visitor, auth::Need::admin);
    }
    const std::string copy = request.query_value("copy").value_or("");
    if (!has_form(*kind)) return to_builder(*kind, copy);
    EditPage page{.kind = *kind};
    if (!read_page(app, visitor, copy, page)) return nothing_there(translated("entry"));
    const std::string type = request.query_value("providertype").value_or("");
    const bool is_chosen = copy.empty() && page.context.provider_type(type) != nullptr;
    if (*kind == CatalogueKind::provider && copy.empty() && !is_chosen) {
        return draw_provider_choice(app, visitor, page.context);
    }
    page.entry = copy.empty() ? blank_entry(*kind, type) : copied(page.stored);
    page.is_untouched = copy.empty();
    page.stored = Json::object();
    page.version = 0;
    page.line.reset();
    return draw_editor(app, visitor, 200, page);
}

Response create_entry(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto kind = catalogue_kind(request.path_value("kind"));
    if (!kind) return no_such_page();
    EditPage page{.kind = *kind};
    read_page(app, visitor, "", page);
    return save(request, visitor, app, std::move(page));
}

Response edit_entry(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto kind = catalogue_kind(request.path_value("kind"));
    if (!kind) return no_such_page();
    if (!auth::may_administer(visitor)) {
        return auth::refusal(request, visitor, auth::Need::admin);
    }
    EditPage page{.kind = *kind};
    const auto& name = request.path_value("name");
    if (!read_page(app, visitor, name, page)) return nothing_there(translated("entry"));
    page.entry = without_version(page.stored);
    if (!has_form(*kind) || request.query_value("as") == "json") {
        page.document = indented(page.entry);
    }
    return draw_editor(app, visitor, 200, page);
}

Response save_entry(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto kind = catalogue_kind(request.path_value("kind"));
    if (!kind) return no_such_page();
    // Rows and fields that are not sent are taken away.
    const auto sent = http::parse_form(request.body);
    if (auto refused = if_incomplete(app, visitor, sent, {"version"})) return *refused;
    EditPage page{.kind = *kind};
    const auto& name = request.path_value("name");
    // Of an entry that was deleted meanwhile nothing typed is lost either.
    if (!read_page(app, visitor, name, page)) page.stored["name"] = name;
    return save(request, visitor, app, std::move(page));
}

}  // namespace fcgi::pages
