#include <algorithm>
#include <iterator>

#include "fcgi/auth/permissions.hpp"
#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/access/permissions.hpp"
#include "fcgi/pages/catalogue/editors/edit.hpp"
#include "fcgi/pages/catalogue/editors/parts.hpp"
#include "fcgi/pages/catalogue/editors/removal.hpp"
#include "fcgi/pages/catalogue/entries.hpp"
#include "fcgi/pages/catalogue/misfits.hpp"
#include "fcgi/pages/catalogue/template_checks.hpp"
#include "fcgi/pages/catalogue/withheld_needs.hpp"
#include "fcgi/pages/filter_links.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/kept/done_once.hpp"
#include "provisioner/base/ids.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/operations/catalogue/edit.hpp"
#include "provisioner/operations/catalogue/provider_tests.hpp"
#include "provisioner/operations/catalogue/template_relatives.hpp"
#include "provisioner/store/access/permission_store.hpp"
#include "provisioner/store/catalogue/catalogue_store.hpp"
#include "provisioner/store/catalogue/draft_store.hpp"
#include "provisioner/store/catalogue/size_store.hpp"
#include "provisioner/store/catalogue/version_store.hpp"
#include "provisioner/store/machines/provider_test_store.hpp"

namespace fcgi::pages {

using http::Request;
using http::Response;
using provisioner::base::Json;
using provisioner::base::text_at;
using provisioner::messages::translated;
using provisioner::messages::translated_count;
using provisioner::model::CatalogueKind;
namespace operations = provisioner::operations;
namespace store = provisioner::store;

namespace {

using namespace std::chrono_literals;

/// How many were deleted is in the address.
std::string deleted_words(const Request& request) {
    const auto count =
        provisioner::base::parse_number(request.query_value("count").value_or("")).value_or(1);
    return translated_count(
        static_cast<std::size_t>(std::clamp<std::int64_t>(count, 1, most_removed)),
        "Deleted. It can be restored under Latest changes.",
        "{0} entries deleted. They can be restored under Latest changes.");
}

/// `version` is that of the entry that is shown; 0 for a list.
std::string done_words(const Request& request, int version) {
    const std::string done = request.query_value("done").value_or("");
    if (done == "saved" && version > 0) return translated("Saved as version {0}.", version);
    if (done == "saved") return translated("Saved.");
    if (done == "created") return translated("Saved as version {0}.", version);
    if (const auto kept = name_of_done(request, "merged")) {
        return translated(
            "Saved as version {0}. Somebody else saved it meanwhile, too; what that changed stays: "
            "{1}.",
            version, *kept);
    }
    if (done == "used") {
        return translated("The draft was put to use, as version {0}.", version);
    }
    if (const auto kept = name_of_done(request, "used")) {
        return translated(
            "The draft was put to use, as version {0}. Kept of what was saved since it was begun: "
            "{1}.",
            version, *kept);
    }
    if (done == "used-unchanged") {
        return translated("The draft was put to use. It changed nothing any more.");
    }
    if (done == "begun") {
        return translated(
            "Saved as a draft, because there is something to check. Only administrators may use it "
            "until you offer it to everybody.");
    }
    if (done == "offered") return translated("It is offered to everybody now.");
    if (done == "dropped") return translated("The draft was thrown away.");
    if (done == "no-draft") {
        return translated(
            "There is no draft of a change to this template: it was put to use or thrown away.");
    }
    if (done == "unchanged") return translated("Nothing was changed.");
    if (done == "deleted") return deleted_words(request);
    if (done == "restored" && version > 0) return translated("Restored as version {0}.", version);
    if (done == "restored") return translated("Restored.");
    return "";
}

std::map<std::string, EntryChange> last_changes(store::Connection& connection,
                                                provisioner::model::TenantId tenant,
                                                CatalogueKind kind) {
    std::map<std::string, EntryChange> changes;
    for (const auto& [name, line] : store::last_version_of_each(connection, tenant, kind)) {
        changes.try_emplace(name, EntryChange{who_wrote(line), line.written_at});
    }
    return changes;
}

/// What a type says of its fields; nothing for a type that is not known.
FieldsInWords fields_in_words(const provisioner::model::PluginType* type) {
    FieldsInWords fields;
    if (type == nullptr) return fields;
    for (const auto* parameters : {&type->admin, &type->user}) {
        for (const auto& field : parameters->fields) {
            fields.try_emplace(
                field.name,
                FieldWords{.label = field.label,
                           .standard = text_of_value(field.default_value),
                           .is_required = is_named_in_required(*parameters, field.name)});
        }
    }
    return fields;
}

/// What is impossible of a template. Why there are no sizes at all is said of one that was saved
/// just now: parents of others need none.
void warn_about_sizes(const auth::Visitor& visitor, App& app, EntryPage& page, bool is_written) {
    auto check = check_sizes(visitor, app, page.entry, page.around.entries);
    // Without services there are no sizes; that has been said.
    if (!check.is_about_sizes && (!page.warnings.empty() || !is_written)) return;
    if (check.is_about_sizes && !check.warnings.empty()) {
        page.sizes_href = "/builder/clustertemplates/" +
                          http::percent_encode(text_at(page.entry, "name")) + "#preview";
    }
    std::ranges::move(check.warnings, std::back_inserter(page.warnings));
}

/// What of it users of templates may not use, or users of it.
std::vector<std::string> withheld_words(const operations::CatalogueEntries& entries,
                                        const Audience& audience, CatalogueKind kind,
                                        const Json& entry) {
    if (kind != CatalogueKind::cluster_template) {
        return words_on_entry_withheld(entries, audience, {kind, text_at(entry, "name")});
    }
    std::vector<std::string> sentences;
    for (const auto& need : withheld_needs_of(entries, audience, entry)) {
        sentences.push_back(words_on_withheld(need, entries));
    }
    return sentences;
}

}  // namespace

Response list_entries(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto kind = catalogue_kind(request.path_value("kind"));
    if (!kind) return no_such_page();
    CataloguePage page{.kind = *kind,
                       .search = request.query_value("search").value_or(""),
                       .is_descending = request.query_value("order") == "down",
                       .only_troubled = *kind == CatalogueKind::cluster_template &&
                                        request.query_value("problems") == "yes",
                       .may_change = auth::may_administer(visitor),
                       .done = done_words(request, 0),
                       .nothing_chosen = request.query_value("missing") == "choice",
                       .now = app.clock.now()};
    Frame frame{
        .title = tab_title(plural_title(*kind)), .section = "catalogue", .script = "catalogue.js"};
    const std::string sort = request.query_value("sort").value_or("");
    if (is_sort_of_catalogue(sort)) {
        page.sort = sort;
    } else if (!sort.empty()) {
        frame.notes.push_back(
            unknown_value(translated("order"), sort, translated("sorted by name")));
    }
    const std::string order = request.query_value("order").value_or("");
    if (!order.empty() && !page.is_descending) {
        frame.notes.push_back(
            unknown_value(translated("order"), order, translated("sorted upwards")));
    }
    app.database.read([&](store::Connection& connection) {
        const auto tenant = visitor.who().tenant.id;
        auto all = operations::read_catalogue(connection, tenant);
        page.used = operations::numbers_of_uses(all, *kind);
        for (const auto& [name, heirs] : operations::inherited_uses(all, *kind)) {
            page.used[name] += static_cast<int>(heirs.size());
        }
        page.entries = all[*kind];
        page.around = surroundings_in(std::move(all));
        page.clusters = store::uses_by_clusters(connection, tenant, *kind);
        page.changed = last_changes(connection, tenant, *kind);
        // A service may have the name of a template.
        if (*kind != CatalogueKind::cluster_template) return;
        page.troubles = troubles_of_templates(
            page.around, store::list_template_sizes(connection, tenant),
            read_audience(connection, tenant),
            services_lacking_files(page.around.entries, read_given_files(connection, tenant)));
        page.drafts = templates_that_are_drafts(store::list_permissions(connection, tenant));
        if (!page.may_change) return;
        for (auto& draft : store::list_template_drafts(connection, tenant)) {
            page.changes.try_emplace(draft.name, draft);
        }
    });
    return drawn(app, visitor, 200, "catalogue/index", frame, to_json(page));
}

Response show_entry(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto kind = catalogue_kind(request.path_value("kind"));
    if (!kind) return no_such_page();

    const auto& name = request.path_value("name");
    const auto& who = visitor.who();
    EntryPage page{.kind = *kind,
                   .prefix = request.prefix,
                   .user = who.user.name,
                   .tenant = who.tenant.name,
                   .may_change = auth::may_administer(visitor),
                   .now = app.clock.now()};
    bool is_there = false;
    std::vector<std::string> withheld;
    app.database.read([&](store::Connection& connection) {
        const auto entry = store::find_entry(connection, who.tenant.id, *kind, name);
        is_there = entry.has_value();
        if (!entry) return;
        page.entry = *entry;
        page.done = done_words(request, page.entry.value("version", 0));
        auto context = read_edit_context(connection, who.tenant.id, *kind);
        page.references = operations::references_to(context.entries, {*kind, name});
        auto inherited = operations::inherited_uses(context.entries, *kind);
        for (const auto& heir : inherited[name]) {
            page.references.push_back({.from = {CatalogueKind::cluster_template, heir},
                                       .how = translated("inherits it")});
        }
        page.clusters = store::uses_by_clusters(connection, who.tenant.id, *kind)[name];
        page.warnings = warnings_about(*kind, page.entry, context);
        if (*kind == CatalogueKind::service) page.files = files_named_by(page.entry, context.given);
        withheld = withheld_words(context.entries, read_audience(connection, who.tenant.id), *kind,
                                  page.entry);
        if (*kind == CatalogueKind::cluster_template) {
            const auto lacking = services_lacking_files(context.entries, context.given);
            std::ranges::move(words_on_lacking_files(context.entries, lacking, page.entry),
                              std::back_inserter(withheld));
            // Nobody else is told of it.
            if (page.may_change) {
                page.change = store::find_template_draft(connection, who.tenant.id, name);
            }
            page.add_required =
                words_on_adding(services_lacking_in(context.entries, page.entry), context.entries);
        }
        if (can_be_withheld(*kind)) {
            const auto permission =
                store::find_permission(connection, who.tenant.id, {*kind, name});
            page.for_whom = permission_words(permission);
            if (request.query_value("done") == "created" && !permission) {
                page.done = translated("Saved as version {0}, and offered to everybody.",
                                       page.entry.value("version", 0));
            }
            page.is_draft = *kind == CatalogueKind::cluster_template && permission &&
                            is_for_administrators_only(*permission);
        }
        page.around = surroundings_in(std::move(context.entries));
        if (*kind != CatalogueKind::provider) return;
        page.fields = fields_in_words(context.provider_type(text_at(page.entry, "providertype")));
        page.test =
            ProviderTestPart{.provider = name,
                             .test = store::find_provider_test(connection, who.tenant.id, name),
                             .may_change = page.may_change,
                             .is_just_asked = request.query_value("test") == "asked",
                             .now = app.clock.now()};
    });
    if (!is_there) return nothing_there(translated("entry"));
    const std::string done = request.query_value("done").value_or("");
    const bool is_written = done == "saved" || done == "restored" || done == "begun" ||
                            done == "created" || done.starts_with("merged") ||
                            done.starts_with("used");
    if (*kind == CatalogueKind::cluster_template && page.may_change) {
        warn_about_sizes(visitor, app, page, is_written);
    }
    std::ranges::move(withheld, std::back_inserter(page.warnings));
    const bool is_busy = page.test && page.test->is_busy();
    return drawn(app, visitor, 200, "catalogue/show",
                 {.title = title_of(page),
                  .section = "catalogue",
                  .script = page.test ? "live.js" : "",
                  .refresh = reload_every(is_busy ? 5s : 0s, request)},
                 to_json(page));
}

Response test_provider(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto& name = request.path_value("name");
    const auto asked = operations::ask_provider_test(app.database, visitor.who(), name);
    if (!asked) return nothing_there(translated("provider"));
    return http::see_other(entry_page(CatalogueKind::provider, name) + "?test=asked#test-title");
}

}  // namespace fcgi::pages
