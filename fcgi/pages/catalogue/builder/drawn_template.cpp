#include "fcgi/pages/catalogue/builder/drawn_template.hpp"

#include "fcgi/pages/access/permissions.hpp"
#include "fcgi/pages/catalogue/editors/edit_page.hpp"
#include "fcgi/pages/catalogue/template_facts.hpp"
#include "fcgi/pages/catalogue/template_services.hpp"
#include "fcgi/pages/catalogue/versions/seen_version.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/kinds.hpp"
#include "fcgi/pages/refusals.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/operations/catalogue/edit.hpp"
#include "provisioner/operations/catalogue/stored_entries.hpp"
#include "provisioner/store/access/permission_store.hpp"
#include "provisioner/store/catalogue/draft_store.hpp"
#include "provisioner/store/catalogue/version_store.hpp"

namespace fcgi::pages {

using auth::Visitor;
using http::Request;
using http::Response;
using provisioner::base::Json;
using provisioner::messages::translated;
using provisioner::model::CatalogueKind;
namespace model = provisioner::model;
namespace operations = provisioner::operations;
namespace store = provisioner::store;

namespace {

std::vector<std::string> names_of_entries(const std::vector<Json>& entries,
                                          const std::string& but = "") {
    std::vector<std::string> names;
    for (const Json& entry : entries) {
        auto name = provisioner::base::text_at(entry, "name");
        if (name != but) names.push_back(std::move(name));
    }
    return names;
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
    const auto document = template_document(page.form, EmptyRows::are_left_out);
    return document && lacks_default_services(page.offer.around.entries, *document);
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

}  // namespace

std::optional<CatalogueKind> template_kind(const Request& request) {
    const auto& word = request.path_value("kind");
    if (word == "clustertemplates") return CatalogueKind::cluster_template;
    if (word == "partialtemplates") return CatalogueKind::partial_template;
    return std::nullopt;
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
                            .ways = {{"/catalogue/" + collection_word(page.form.kind),
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

model::PresentVersion present_template(App& app, const Visitor& visitor, const TemplateForm& form) {
    return app.database.read([&](store::Connection& connection) {
        return store::find_present_version(connection, visitor.who().tenant.id, form.kind,
                                           form.was);
    });
}

void tell_newer(App& app, const Visitor& visitor, TemplatePage& page) {
    const auto stored = stored_template(app, visitor, page.form.kind, page.form.was);
    const auto present = present_template(app, visitor, page.form);
    page.newer = std::to_string(present.seen.version);
    page.now = app.clock.now();
    tell_creation(page.problems, page.form.kind, page.form.was, present, page.form.version_seen(),
                  visitor.who().user, page.now);
    // Saving once more replaces the version that the message names.
    page.form.version = page.newer;
    page.form.line = present.seen.line;
    if (stored) page.in_force = model::to_json(*stored);
    page.last_change = app.database.read([&](store::Connection& connection) {
        return last_change_of(connection, visitor.who().user.id, visitor.who().tenant.id,
                              operations::audited(page.form.kind), page.form.was);
    });
}

std::optional<model::TemplateDraft> stored_draft(App& app, const Visitor& visitor,
                                                 const std::string& name) {
    return app.database.read([&](store::Connection& connection) {
        return store::find_template_draft(connection, visitor.who().tenant.id, name);
    });
}

std::optional<model::ClusterTemplate> drafted_template(
    const std::optional<model::TemplateDraft>& draft) {
    if (!draft) return std::nullopt;
    auto made = model::cluster_template_from_json(draft->document);
    if (!made) return std::nullopt;
    made->header.version = draft->base_version;
    return *std::move(made);
}

void set_draft(TemplateForm& form, const model::TemplateDraft& draft) {
    form.draft = std::to_string(draft.number);
    form.seen = provisioner::base::to_text(draft.document);
}

bool take_both(TemplatePage& page, const RebasedEntry& both, int version) {
    TemplateForm& form = page.form;
    auto made = form.is_partial() ? model::partial_template_from_json(both.document)
                                  : model::cluster_template_from_json(both.document);
    if (!made) return false;
    made->header.version = version;
    TemplateForm fresh = template_form_of(form.kind, *made);
    if (form.is_json && !press(fresh, "json").empty()) return false;
    fresh.draft = form.draft;
    fresh.seen = form.seen;
    fresh.note = form.note;
    fresh.from = form.from;
    fresh.to = form.to;
    form = std::move(fresh);
    page.taken_over = both.theirs;
    page.clashing = both.clashes;
    return true;
}

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
    if (!sent.trimmed("draft").empty()) return drafted_template(stored_draft(app, visitor, was));
    return was.empty() ? std::nullopt : stored_template(app, visitor, kind, was);
}

bool has_change(const TemplateForm& form, const std::optional<model::ClusterTemplate>& stored) {
    if (!stored || !form.note.empty()) return true;
    const auto document = template_document(form);
    return !document || !changes_nothing(form.kind, model::to_json(*stored), *document);
}

}  // namespace fcgi::pages
