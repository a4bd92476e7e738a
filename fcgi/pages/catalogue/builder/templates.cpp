#include "fcgi/pages/catalogue/builder/templates.hpp"

#include <algorithm>

#include "fcgi/auth/permissions.hpp"
#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/access/permissions.hpp"
#include "fcgi/pages/catalogue/builder/rebased.hpp"
#include "fcgi/pages/catalogue/builder/template_page.hpp"
#include "fcgi/pages/catalogue/builder/touched.hpp"
#include "fcgi/pages/catalogue/editors/edit_page.hpp"
#include "fcgi/pages/catalogue/template_checks.hpp"
#include "fcgi/pages/catalogue/template_facts.hpp"
#include "fcgi/pages/catalogue/template_services.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/kept/done_once.hpp"
#include "fcgi/pages/kept/kept_form.hpp"
#include "fcgi/pages/kept/to_check.hpp"
#include "fcgi/pages/kinds.hpp"
#include "fcgi/pages/refusals.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/base/ids.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/operations/catalogue/edit.hpp"
#include "provisioner/operations/catalogue/stored_entries.hpp"
#include "provisioner/operations/catalogue/template_drafts.hpp"
#include "provisioner/store/access/permission_store.hpp"
#include "provisioner/store/catalogue/catalogue_store.hpp"
#include "provisioner/store/catalogue/draft_store.hpp"
#include "provisioner/store/catalogue/version_store.hpp"

namespace fcgi::pages {

using auth::Visitor;
using http::Request;
using http::Response;
using provisioner::base::Json;
using provisioner::base::parse_number;
using provisioner::messages::translated;
using provisioner::model::CatalogueKind;
namespace model = provisioner::model;
namespace operations = provisioner::operations;
namespace store = provisioner::store;

namespace {

std::optional<CatalogueKind> template_kind(const Request& request) {
    const auto& word = request.path_value("kind");
    if (word == "clustertemplates") return CatalogueKind::cluster_template;
    if (word == "partialtemplates") return CatalogueKind::partial_template;
    return std::nullopt;
}

std::string word_of_catalogue_kind(CatalogueKind kind) {
    return kind == CatalogueKind::cluster_template ? "clustertemplates" : "partialtemplates";
}

std::string builder_of(CatalogueKind kind) {
    return "/builder/" + word_of_catalogue_kind(kind);
}

std::string path_of(CatalogueKind kind, const std::string& name) {
    return "/catalogue/" + word_of_catalogue_kind(kind) + '/' + http::percent_encode(name);
}

std::vector<std::string> names_of_entries(const std::vector<Json>& entries,
                                          const std::string& but = "") {
    std::vector<std::string> names;
    for (const Json& entry : entries) {
        auto name = provisioner::base::text_at(entry, "name");
        if (name != but) names.push_back(std::move(name));
    }
    return names;
}

/// Whether it is a draft, or has one of a change.
void read_drafts(App& app, const Visitor& visitor, TemplatePage& page) {
    const auto& form = page.form;
    page.now = app.clock.now();
    if (form.was.empty() || form.is_partial()) return;
    const auto tenant = visitor.who().tenant.id;
    app.database.read([&](store::Connection& connection) {
        const auto permission = store::find_permission(connection, tenant, {form.kind, form.was});
        page.is_draft = permission && is_for_administrators_only(*permission);
        page.change = store::find_template_draft(connection, tenant, form.was);
    });
}

TemplateOffer read_template_offer(App& app, const Visitor& visitor, const std::string& own) {
    auto all = app.database.read([&](store::Connection& connection) {
        return operations::read_catalogue(connection, visitor.who().tenant.id);
    });
    TemplateOffer offer{.services = names_of_entries(all[CatalogueKind::service]),
                        .hardware_types = names_of_entries(all[CatalogueKind::hardware_type]),
                        .image_types = names_of_entries(all[CatalogueKind::image_type]),
                        .providers = names_of_entries(all[CatalogueKind::provider]),
                        .templates = names_of_entries(all[CatalogueKind::cluster_template], own),
                        .partials = names_of_entries(all[CatalogueKind::partial_template])};
    offer.around = surroundings_in(std::move(all));
    return offer;
}

/// What others have to do with the template that is edited; nothing while it cannot be read.
void read_relations(TemplatePage& page) {
    if (page.form.is_partial()) return;
    const auto made = template_in(page.form);
    if (!made) return;
    const auto document = model::to_json(*made);
    const auto& entries = page.offer.around.entries;
    page.lacking = services_lacking_in(entries, document);
    page.without_effect = parts_without_effect(entries, document);
    page.taken = taken_by_part(document, page.offer.around);
}

/// Whether to say that the template gives no services. A form that nobody has filled in yet has
/// none, which is no news.
bool is_to_warn_of_services(const TemplatePage& page) {
    if (page.form.is_partial() || (page.form.was.empty() && !page.is_preview)) return false;
    const auto document = template_document(page.form);
    return document && lacks_default_services(page.offer.around.entries, *document);
}

Response drawn_form(App& app, const Visitor& visitor, int status, TemplatePage page) {
    page.offer = read_template_offer(app, visitor, page.form.was);
    page.lacks_services = is_to_warn_of_services(page);
    read_relations(page);
    read_drafts(app, visitor, page);
    if (!page.form.is_json && !fits_on_a_page(page)) {
        const auto problems = press(page.form, "json");
        if (!problems.empty()) {
            return with_status_of(
                operations::refuse(operations::Refusal::Kind::invalid, problems).value(),
                error_page(app, visitor, 422,
                           {.heading = translated("This template is too large for the form"),
                            .text = translated("It cannot be shown as JSON either: {0}",
                                               problems.front().message),
                            .ways = {{"/catalogue/" + word_of_catalogue_kind(page.form.kind),
                                      translated("Go to the catalogue")}}}));
        }
        page.form.groups.clear();
        page.form.limits.clear();
        page.form.includes.clear();
        page.form.links.clear();
        page.form.fit_services.clear();
        page.form.fit_hardware_types.clear();
        page.form.fit_image_types.clear();
        page.form.services.clear();
        page.problems.push_back(
            {"json",
             translated(
                 "This template has too many rules for the form, so it is edited as JSON.")});
    }
    return drawn(app, visitor, status, "catalogue/builder/template",
                 {.title = title_of(page), .section = "catalogue", .script = "template_builder.js"},
                 to_json(page));
}

std::optional<model::ClusterTemplate> stored_template(App& app, const Visitor& visitor,
                                                      CatalogueKind kind, const std::string& name) {
    return app.database.read([&](store::Connection& connection) {
        return operations::stored_entry(connection, visitor.who().tenant.id, kind, name,
                                        kind == CatalogueKind::cluster_template
                                            ? model::cluster_template_from_json
                                            : model::partial_template_from_json);
    });
}

/// The draft of a change as a template, and its number; nothing without one.
std::optional<std::pair<model::ClusterTemplate, std::string>> drafted_template(
    App& app, const Visitor& visitor, const std::string& name) {
    const auto draft = app.database.read([&](store::Connection& connection) {
        return store::find_template_draft(connection, visitor.who().tenant.id, name);
    });
    if (!draft) return std::nullopt;
    auto made = model::cluster_template_from_json(draft->document);
    if (!made) return std::nullopt;
    made->header.version = draft->base_version;
    return std::pair{*std::move(made), std::to_string(draft->number)};
}

operations::SizeRange range_in(const TemplateForm& form) {
    const auto read = [](const std::string& text, int otherwise) {
        const auto number = parse_number(text);
        const bool fits = number && *number >= 1 && *number <= 1'000'000;
        return fits ? static_cast<int>(*number) : otherwise;
    };
    const int from = read(form.from, 1);
    const int smallest = std::max(from, read(form.size_min, 1));
    return {.from = from, .to = std::max(from, read(form.to, first_sizes(smallest).to))};
}

/// The version in force if it is not the form's; empty otherwise.
std::string newer_version(App& app, const Visitor& visitor, const TemplateForm& form) {
    if (form.was.empty()) return "";
    const auto stored = stored_template(app, visitor, form.kind, form.was);
    const auto version = stored ? std::to_string(stored->header.version) : "";
    return version == form.version ? "" : version;
}

/// Brings a form that was filled from an older version to the one in force. False if both changed
/// the same: people choose.
bool is_brought_up_to_date(App& app, const Visitor& visitor, TemplatePage& page) {
    TemplateForm& form = page.form;
    const auto tenant = visitor.who().tenant.id;
    const auto seen = parse_number(form.version);
    const auto document = template_document(form);
    if (!document || !seen || *seen < 1 || *seen > model::no_maximum) return true;
    std::optional<Json> before;
    std::optional<Json> present;
    app.database.read([&](store::Connection& connection) {
        present = store::find_entry(connection, tenant, form.kind, form.was);
        if (!present || present->value("version", 0) == *seen) return;
        before =
            store::find_entry(connection, tenant, form.kind, form.was, static_cast<int>(*seen));
    });
    // What cannot be merged is refused when it is written.
    if (!before) return true;
    const auto both = rebased_template(form.kind, *before, *document, *present);
    if (!both) return true;
    auto made = form.is_partial() ? model::partial_template_from_json(both->document)
                                  : model::cluster_template_from_json(both->document);
    if (!made) return true;
    made->header.version = present->value("version", 0);
    TemplateForm fresh = template_form_of(form.kind, *made);
    if (form.is_json && !press(fresh, "json").empty()) return true;
    fresh.note = form.note;
    fresh.from = form.from;
    fresh.to = form.to;
    form = std::move(fresh);
    page.taken_over = both->theirs;
    page.clashing = both->overlaps;
    return both->overlaps.empty();
}

/// Says which version is in force now, and who saved it.
void tell_newer(App& app, const Visitor& visitor, TemplatePage& page, const std::string& version) {
    page.newer = version;
    // Saving once more replaces the version that the message names.
    page.form.version = version;
    page.now = app.clock.now();
    page.last_change = app.database.read([&](store::Connection& connection) {
        return last_change_of(connection, visitor.who().tenant.id,
                              operations::audited(page.form.kind), page.form.was);
    });
}

operations::Result<int> saved(App& app, const Visitor& visitor, const TemplateForm& form,
                              const Json& document, bool is_draft) {
    const auto now = app.clock.now();
    if (form.was.empty()) {
        return operations::create_entry(app.database, visitor.who(), form.kind, document, now,
                                        {.note = form.note, .is_draft = is_draft});
    }
    const auto version = parse_number(form.version);
    return operations::replace_entry(
        app.database, visitor.who(), form.kind, form.was, document, now,
        {.based_on = version ? static_cast<int>(*version) : 0, .note = form.note});
}

/// What is to be read before users get the template as it is in the form. Drafts nobody gets.
std::vector<std::string> unread(const Visitor& visitor, App& app, const TemplateForm& form,
                                const Json& before, const Json& document) {
    TemplatePage page{.form = form};
    read_drafts(app, visitor, page);
    if (page.is_draft) return {};
    return new_things_to_check(visitor, app, form.kind, before, document);
}

/// Keeps what was typed and the button that was pressed, and leads to the page of the draft, which
/// has an address of its own: so Back, Forward and reload work.
Response to_builder_draft(const Request& request, const Visitor& visitor, App& app,
                          CatalogueKind kind, const std::string& part) {
    const std::string builder = builder_of(kind);
    const std::string draft = keep_draft(app, visitor, builder, http::parse_form(request.body));
    return http::see_other(builder + "/drafts/" + draft + part);
}

Response no_draft(App& app, const Visitor& visitor, CatalogueKind kind) {
    return gone_draft(app, visitor, "/catalogue/" + word_of_catalogue_kind(kind),
                      translated("Go to the catalogue"));
}

/// The form as sent, with its lists in the order of the entry that it changes.
TemplateForm form_sent(CatalogueKind kind, const http::FormData& sent,
                       const std::optional<model::ClusterTemplate>& stored) {
    TemplateForm form = read_template_form(kind, sent);
    if (stored) keep_order(form, template_form_of(kind, *stored));
    return form;
}

std::optional<model::ClusterTemplate> template_before(App& app, const Visitor& visitor,
                                                      CatalogueKind kind,
                                                      const http::FormData& sent) {
    const std::string was = sent.trimmed("was");
    if (!sent.trimmed("draft").empty()) {
        auto drafted = drafted_template(app, visitor, was);
        return drafted ? std::optional(std::move(drafted->first)) : std::nullopt;
    }
    return was.empty() ? std::nullopt : stored_template(app, visitor, kind, was);
}

/// Whether saving the form would change something, or is refused.
bool has_change(const TemplateForm& form, const std::optional<model::ClusterTemplate>& stored) {
    if (!stored || !form.note.empty()) return true;
    const auto document = template_document(form);
    return !document || !changes_nothing(form.kind, model::to_json(*stored), *document);
}

/// The form after the button that was pressed.
TemplatePage pressed_form(App& app, const Visitor& visitor, CatalogueKind kind,
                          const http::FormData& sent) {
    const auto stored = template_before(app, visitor, kind, sent);
    TemplatePage page{.form = form_sent(kind, sent, stored)};
    page.problems = press(page.form, sent.trimmed("do"));
    page.is_unsaved = has_change(page.form, stored);
    return page;
}

/// Keeps the form as the draft of a change, 303 to the draft.
Response kept_change(App& app, const Visitor& visitor, TemplatePage page, const Json& document) {
    TemplateForm& form = page.form;
    const auto kept = operations::keep_template_draft(
        app.database, visitor.who(), form.was,
        {.document = document,
         .version = static_cast<int>(parse_number(form.version).value_or(0)),
         .number = parse_number(form.draft).value_or(0),
         .note = form.note},
        app.clock.now());
    if (kept) return http::see_other(page_of_draft(form.was) + "?done=kept");
    page.problems = kept.error().problems;
    // No control has this name.
    for (auto& problem : page.problems) {
        if (problem.field == "draft") problem.field.clear();
    }
    if (!form.draft.empty() && kept.error().kind == operations::Refusal::Kind::conflict) {
        const auto drafted = drafted_template(app, visitor, form.was);
        form.draft = drafted ? drafted->second : "";
        page.problems.push_back(
            {"", drafted ? translated("What you typed is below and not saved. “Keep the draft” now "
                                      "replaces what somebody else saved.")
                         : translated("What you typed is below and not saved. “Keep as a draft” "
                                      "now begins another draft.")});
    }
    return with_status_of(kept.error(), drawn_form(app, visitor, 422, std::move(page)));
}

Response drawn_preview(App& app, const Visitor& visitor, TemplatePage page) {
    page.is_preview = true;
    const auto made = template_in(page.form);
    if (!made) {
        // No refusal: people are still typing.
        page.problems = made.error();
        page.preview.problems = made.error();
        return drawn_form(app, visitor, 200, std::move(page));
    }
    // By itself it makes no clusters.
    if (page.form.is_partial()) return drawn_form(app, visitor, 200, std::move(page));
    auto sizes =
        operations::sizes_of_template(app.database, visitor.who(), *made, range_in(page.form));
    if (!sizes) {
        page.preview.problems = sizes.error().problems;
        // The page is whole although its preview is not: what is missing may come later.
        return drawn_form(app, visitor, 200, std::move(page));
    }
    page.preview.sizes = *std::move(sizes);
    return drawn_form(app, visitor, 200, std::move(page));
}

}  // namespace

Response new_template(const Request& request, const Visitor& visitor, App& app) {
    const auto kind = template_kind(request);
    if (!kind) return no_such_page();
    // Whoever may not save is not left to find out after the work.
    if (!auth::may_administer(visitor)) {
        return auth::refusal(request, visitor, auth::Need::admin);
    }
    TemplatePage page{.form = new_template_form(*kind)};
    if (const auto from = request.query_value("from"); from && !from->empty()) {
        if (const auto model = stored_template(app, visitor, *kind, *from)) {
            page.form = template_form_of(*kind, *model);
            page.form.name = "";
            page.form.was = "";
            page.form.version = "";
        }
    }
    return drawn_form(app, visitor, 200, std::move(page));
}

Response edit_template(const Request& request, const Visitor& visitor, App& app) {
    const auto kind = template_kind(request);
    if (!kind) return no_such_page();
    // Whoever may not save is not left to find out after the work.
    if (!auth::may_administer(visitor)) {
        return auth::refusal(request, visitor, auth::Need::admin);
    }
    const auto& name = request.path_value("name");
    if (request.query_value("of") == "draft" && *kind == CatalogueKind::cluster_template) {
        const auto drafted = drafted_template(app, visitor, name);
        // It may have ended.
        if (!drafted) return http::see_other(page_of_draft(name));
        TemplatePage page{.form = template_form_of(*kind, drafted->first)};
        page.form.draft = drafted->second;
        return drawn_form(app, visitor, 200, std::move(page));
    }
    const auto stored = stored_template(app, visitor, *kind, name);
    if (!stored) return nothing_there(translated("entry"));
    TemplatePage page{.form = template_form_of(*kind, *stored)};
    // The page of a template leads here with what it lacks.
    if (request.query_value("add") == "required") {
        const auto lacking =
            services_lacking_in(app.database.read([&](store::Connection& connection) {
                return operations::read_catalogue(connection, visitor.who().tenant.id);
            }),
                                model::to_json(*stored));
        add_services(page.form, lacking.to_add);
        page.added = lacking.to_add;
        page.is_unsaved = !lacking.to_add.empty();
    }
    return drawn_form(app, visitor, 200, std::move(page));
}

Response redraw_template(const Request& request, const Visitor& visitor, App& app) {
    const auto kind = template_kind(request);
    if (!kind) return no_such_page();
    return to_builder_draft(request, visitor, app, *kind, "");
}

Response preview_template(const Request& request, const Visitor& visitor, App& app) {
    const auto kind = template_kind(request);
    if (!kind) return no_such_page();
    // What a script asks for while people type is no draft.
    if (request.header("x-live-preview").empty()) {
        return to_builder_draft(request, visitor, app, *kind, "/preview");
    }
    return drawn_preview(app, visitor,
                         pressed_form(app, visitor, *kind, http::parse_form(request.body)));
}

Response show_template_draft(const Request& request, const Visitor& visitor, App& app) {
    const auto kind = template_kind(request);
    if (!kind) return no_such_page();
    const auto sent = find_draft(app, visitor, request.path_value("draft"), builder_of(*kind));
    if (!sent) return no_draft(app, visitor, *kind);
    auto page = pressed_form(app, visitor, *kind, *sent);
    page.is_redrawn = true;
    return drawn_form(app, visitor, page.problems.empty() ? 200 : 422, std::move(page));
}

Response preview_template_draft(const Request& request, const Visitor& visitor, App& app) {
    const auto kind = template_kind(request);
    if (!kind) return no_such_page();
    const auto sent = find_draft(app, visitor, request.path_value("draft"), builder_of(*kind));
    if (!sent) return no_draft(app, visitor, *kind);
    return drawn_preview(app, visitor, pressed_form(app, visitor, *kind, *sent));
}

Response save_template(const Request& request, const Visitor& visitor, App& app) {
    const auto kind = template_kind(request);
    if (!kind) return no_such_page();
    const auto sent = http::parse_form(request.body);
    const auto stored = template_before(app, visitor, *kind, sent);
    TemplatePage page{.form = form_sent(*kind, sent, stored)};
    page.is_unsaved = has_change(page.form, stored);
    page.problems = problems_with_form(page.form);
    if (stored) {
        page.problems = told_where_touched(std::move(page.problems), page.form,
                                           template_form_of(*kind, *stored));
    }
    auto document = template_document(page.form);
    if (!document || !page.problems.empty()) {
        return drawn_form(app, visitor, 422, std::move(page));
    }
    // Before it is offered it is asked about, on a page of its own.
    const bool is_to_offer = sent.trimmed("do") == "offer" && !page.form.is_partial();
    if (!page.is_unsaved) {
        return http::see_other(path_of(*kind, page.form.was) + (!page.form.draft.empty()
                                                                    ? "/draft?done=unchanged"
                                                                : is_to_offer ? "/offer"
                                                                              : "?done=unchanged"));
    }
    const bool is_to_keep = !page.form.draft.empty() || sent.trimmed("do") == "keep";
    if (is_to_keep && !page.form.was.empty() && !page.form.is_partial()) {
        return kept_change(app, visitor, std::move(page), *document);
    }
    const std::string seen = page.form.version;
    if (stored && !is_brought_up_to_date(app, visitor, page)) {
        const std::string version = page.form.version;
        page.problems = {
            {"", translated("{0} was changed meanwhile: version {1} is in force, and this is based "
                            "on version {2}.",
                            with_capital(kind_and_name(*kind, page.form.was)), version, seen)}};
        tell_newer(app, visitor, page, version);
        return drawn_form(app, visitor, 409, std::move(page));
    }
    if (page.form.version != seen) {
        document = template_document(page.form);
        page.problems = problems_with_form(page.form);
        if (!document || !page.problems.empty()) {
            return drawn_form(app, visitor, 422, std::move(page));
        }
        if (!has_change(page.form, stored)) {
            return http::see_other(path_of(*kind, page.form.was) + "?done=unchanged");
        }
    }
    const bool is_new = page.form.was.empty() && !page.form.is_partial();
    const bool is_wanted_as_draft = is_new && sent.trimmed("do") == "draft";
    // Users are not offered what does not work.
    const bool is_begun =
        is_new && !is_wanted_as_draft && !things_to_check(visitor, app, *kind, *document).empty();
    const bool is_draft = is_wanted_as_draft || is_begun;
    if (stored) page.to_check = unread(visitor, app, page.form, model::to_json(*stored), *document);
    if (!are_checked(sent, page.to_check)) {
        page.problems = {problem_of_unchecked()};
        return drawn_form(app, visitor, 422, std::move(page));
    }
    const auto version = saved(app, visitor, page.form, *document, is_draft);
    if (version) {
        const auto name = provisioner::base::text_at(*document, "name");
        const std::string after =
            is_to_offer ? "/offer?done=saved"
            : is_begun  ? "?done=begun"
            : !page.taken_over.empty()
                ? "?done=" + done_with_name("merged", some_listed(page.taken_over))
            : is_new && !is_draft ? "?done=created"
                                  : "?done=saved";
        return http::see_other(path_of(*kind, name) + after);
    }
    page.problems = version.error().problems;
    page.taken_over.clear();
    const auto newer = newer_version(app, visitor, page.form);
    if (!newer.empty()) tell_newer(app, visitor, page, newer);
    return with_status_of(version.error(), drawn_form(app, visitor, 422, std::move(page)));
}

}  // namespace fcgi::pages
