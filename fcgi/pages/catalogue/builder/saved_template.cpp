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
#include "provisioner/base/ids.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/operations/catalogue/edit.hpp"
#include "provisioner/store/catalogue/catalogue_store.hpp"
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
    const TemplateForm& form = page.form;
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
    const auto both = rebased_entry(form.kind, *before, *document, *present);
    if (!both) return true;
    return !take_both(page, *both, present->value("version", 0)) || both->clashes.empty();
}

/// Says which version is in force now, and who saved it.
void tell_newer(App& app, const Visitor& visitor, TemplatePage& page, const std::string& version) {
    page.newer = version;
    // Saving once more replaces the version that the message names.
    page.form.version = version;
    page.now = app.clock.now();
    page.last_change = app.database.read([&](store::Connection& connection) {
        return last_change_of(connection, visitor.who().user.id, visitor.who().tenant.id,
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
    page.problems = version.error().problems;
    page.taken_over.clear();
    if (!stored && !page.form.was.empty()) begin_anew(page);
    const auto newer = newer_version(app, visitor, page.form);
    if (!newer.empty()) tell_newer(app, visitor, page, newer);
    return with_status_of(version.error(), drawn_form(app, visitor, 422, std::move(page)));
}

}  // namespace fcgi::pages
