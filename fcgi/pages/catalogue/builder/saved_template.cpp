#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/catalogue/builder/drawn_template.hpp"
#include "fcgi/pages/catalogue/builder/kept_change.hpp"
#include "fcgi/pages/catalogue/builder/rebased.hpp"
#include "fcgi/pages/catalogue/builder/templates.hpp"
#include "fcgi/pages/catalogue/builder/touched.hpp"
#include "fcgi/pages/catalogue/entry_facts.hpp"
#include "fcgi/pages/catalogue/template_checks.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/kept/done_once.hpp"
#include "fcgi/pages/kept/to_check.hpp"
#include "fcgi/pages/kinds.hpp"
#include "fcgi/pages/refusals.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/operations/catalogue/edit.hpp"
#include "provisioner/store/catalogue/catalogue_store.hpp"
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

/// Brings a form that was filled from an older version to the one in force. False if both changed
/// the same: people choose.
bool is_brought_up_to_date(App& app, const Visitor& visitor, TemplatePage& page) {
    const TemplateForm& form = page.form;
    const auto tenant = visitor.who().tenant.id;
    const auto seen = form.version_seen();
    const auto document = template_document(form);
    if (!document || seen.version < 1) return true;
    std::optional<Json> before;
    std::optional<Json> present;
    model::PresentVersion in_force;
    app.database.read([&](store::Connection& connection) {
        present = store::find_entry(connection, tenant, form.kind, form.was);
        in_force = store::find_present_version(connection, tenant, form.kind, form.was);
        before.reset();
        const bool is_same = !present || in_force.seen.version == seen.version;
        if (is_same || model::is_created_anew(in_force, seen)) return;
        before = store::find_entry(connection, tenant, form.kind, form.was, seen.version);
    });
    // What cannot be merged is refused when it is written.
    if (!before) return true;
    const auto both = rebased_entry(form.kind, *before, *document, *present);
    if (!both) return true;
    if (!take_both(page, *both, in_force.seen.version)) return true;
    page.form.line = in_force.seen.line;
    return both->clashes.empty();
}

operations::Result<int> saved(App& app, const Visitor& visitor, const TemplateForm& form,
                              const Json& document, bool is_draft) {
    const auto now = app.clock.now();
    if (form.was.empty()) {
        return operations::create_entry(app.database, visitor.who(), form.kind, document, now,
                                        {.note = form.note, .is_draft = is_draft});
    }
    return operations::replace_entry(app.database, visitor.who(), form.kind, form.was, document,
                                     now, {.based_on = form.version_seen(), .note = form.note});
}

/// The form with why it was not saved, and with what is in force meanwhile. `is_there`: whether the
/// template was there when the form was read.
Response not_saved(App& app, const Visitor& visitor, TemplatePage page,
                   const operations::Refusal& refusal, bool is_there) {
    page.problems = refusal.problems;
    page.taken_over.clear();
    if (!is_there && !page.form.was.empty()) begin_anew(page);
    const auto present = present_template(app, visitor, page.form);
    if (present.exists() && !model::is_in_force(present, page.form.version_seen())) {
        tell_newer(app, visitor, page);
    }
    return with_status_of(refusal, drawn_form(app, visitor, 422, std::move(page)));
}

}  // namespace

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
        return http::see_other(entry_page(*kind, page.form.was) +
                               (!page.form.draft.empty() ? "/draft?done=unchanged"
                                : is_to_offer            ? "/offer"
                                                         : "?done=unchanged"));
    }
    const bool is_to_keep = !page.form.draft.empty() || sent.trimmed("do") == "keep";
    if (is_to_keep && !page.form.was.empty() && !page.form.is_partial()) {
        return kept_change(app, visitor, std::move(page));
    }
    const std::string seen = page.form.version;
    if (stored && !is_brought_up_to_date(app, visitor, page)) {
        const std::string version = page.form.version;
        page.problems = {
            {"", translated("{0} was changed meanwhile: version {1} is in force, and this is based "
                            "on version {2}.",
                            with_capital(kind_and_name(*kind, page.form.was)), version, seen)}};
        tell_newer(app, visitor, page);
        return drawn_form(app, visitor, 409, std::move(page));
    }
    if (page.form.version != seen) {
        document = template_document(page.form);
        page.problems = problems_with_form(page.form);
        if (!document || !page.problems.empty()) {
            return drawn_form(app, visitor, 422, std::move(page));
        }
        if (!has_change(page.form, stored)) {
            return http::see_other(entry_page(*kind, page.form.was) + "?done=unchanged");
        }
    }
    const bool is_new = page.form.was.empty() && !page.form.is_partial();
    const bool is_wanted_as_draft = is_new && sent.trimmed("do") == "draft";
    // Users are not offered what does not work.
    const bool is_begun =
        is_new && !is_wanted_as_draft && !things_to_check(visitor, app, *kind, *document).empty();
    const bool is_draft = is_wanted_as_draft || is_begun;
    if (stored) {
        // Who has seen another version is told so before anything is asked.
        const auto conflict =
            operations::conflict_with(present_template(app, visitor, page.form), *kind,
                                      page.form.was, {.based_on = page.form.version_seen()});
        if (conflict) return not_saved(app, visitor, std::move(page), *conflict, true);
        auto check = check_of_entry(visitor, app, *kind, model::to_json(*stored), *document);
        page.to_check = std::move(check.to_check);
        page.to_note = std::move(check.notes);
    }
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
        return http::see_other(entry_page(*kind, name) + after);
    }
    return not_saved(app, visitor, std::move(page), version.error(), stored.has_value());
}

}  // namespace fcgi::pages
