#include "fcgi/pages/catalogue/builder/templates.hpp"

#include <algorithm>

#include "fcgi/auth/permissions.hpp"
#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/catalogue/builder/drawn_template.hpp"
#include "fcgi/pages/catalogue/change_drafts.hpp"
#include "fcgi/pages/catalogue/misfits.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/kept/kept_form.hpp"
#include "fcgi/pages/kinds.hpp"
#include "fcgi/pages/refusals.hpp"
#include "provisioner/base/ids.hpp"
#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using auth::Visitor;
using http::Request;
using http::Response;
using provisioner::base::parse_number;
using provisioner::messages::translated;
using provisioner::model::CatalogueKind;
namespace model = provisioner::model;
namespace operations = provisioner::operations;
namespace store = provisioner::store;

namespace {

std::string builder_of(CatalogueKind kind) {
    return "/builder/" + collection_word(kind);
}

operations::SizeRange range_in(const TemplateForm& form) {
    const auto read = [](const std::string& text, int otherwise) {
        const auto number = parse_number(text);
        const bool fits = number && *number >= 1 && *number <= 1'000'000;
        return fits ? static_cast<int>(*number) : otherwise;
    };
    const int from = read(form.from, 1);
    const int smallest = std::max(from, read(form.size_min, 1));
    return {.from = from,
            .to = std::max(from, read(form.to, operations::first_sizes(smallest).to))};
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
    return gone_draft(app, visitor, "/catalogue/" + collection_word(kind),
                      translated("Go to the catalogue"));
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
            page.form.line.reset();
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
        const auto draft = stored_draft(app, visitor, name);
        const auto drafted = drafted_template(draft);
        // It may have ended.
        if (!drafted) return http::see_other(page_of_draft(name));
        TemplatePage page{.form = template_form_of(*kind, *drafted)};
        set_draft(page.form, *draft);
        return drawn_form(app, visitor, 200, std::move(page));
    }
    const auto stored = stored_template(app, visitor, *kind, name);
    if (!stored) return nothing_there(translated("entry"));
    TemplatePage page{.form = template_form_of(*kind, *stored)};
    page.form.line = present_template(app, visitor, page.form).seen.line;
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

}  // namespace fcgi::pages
