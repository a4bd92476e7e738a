#include "fcgi/pages/catalogue/builder/kept_change.hpp"

#include "fcgi/pages/catalogue/builder/drawn_template.hpp"
#include "fcgi/pages/catalogue/builder/rebased.hpp"
#include "fcgi/pages/catalogue/change_drafts.hpp"
#include "fcgi/pages/catalogue/entry_facts.hpp"
#include "fcgi/pages/kept/done_once.hpp"
#include "fcgi/pages/refusals.hpp"
#include "provisioner/base/ids.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/operations/catalogue/template_drafts.hpp"
#include "provisioner/store/catalogue/catalogue_store.hpp"
#include "provisioner/store/catalogue/version_store.hpp"

namespace fcgi::pages {

using auth::Visitor;
using http::Response;
using provisioner::base::Json;
using provisioner::base::parse_number;
using provisioner::messages::translated;
namespace model = provisioner::model;
namespace operations = provisioner::operations;
namespace store = provisioner::store;

namespace {

/// What the form was filled from: the draft as it was then, or a version of the template.
std::optional<Json> filled_from(App& app, const Visitor& visitor, const TemplateForm& form) {
    if (!form.draft.empty()) {
        const auto seen = provisioner::base::parse_json(form.seen);
        return seen ? std::optional(*seen) : std::nullopt;
    }
    const auto seen = form.version_seen();
    if (seen.version < 1) return std::nullopt;
    return app.database.read([&](store::Connection& connection) -> std::optional<Json> {
        const auto tenant = visitor.who().tenant.id;
        const auto present = store::find_present_version(connection, tenant, form.kind, form.was);
        if (model::is_created_anew(present, seen)) return std::nullopt;
        return store::find_entry(connection, tenant, form.kind, form.was, seen.version);
    });
}

Response drawn_clash(App& app, const Visitor& visitor, TemplatePage page,
                     const model::TemplateDraft& draft) {
    page.is_draft_newer = true;
    page.is_unsaved = true;
    page.now = app.clock.now();
    page.last_change = LastChange{
        .user = draft.written_by, .at = draft.written_at, .href = page_of_draft(draft.name)};
    page.problems = {{"", translated("The draft has other values for fields that you changed.")}};
    return drawn_form(app, visitor, 409, std::move(page));
}

Response drawn_refusal(App& app, const Visitor& visitor, TemplatePage page,
                       const operations::Refusal& refused) {
    TemplateForm& form = page.form;
    page.problems = refused.problems;
    const bool is_behind =
        form.draft.empty() && !page.problems.empty() && page.problems.front().field == "version";
    if (is_behind) tell_newer(app, visitor, page);
    // No control has this name.
    for (auto& problem : page.problems) {
        if (problem.field == "draft") problem.field.clear();
    }
    if (!form.draft.empty() && refused.kind == operations::Refusal::Kind::conflict) {
        const bool is_there = stored_draft(app, visitor, form.was).has_value();
        if (!is_there) form.draft.clear();
        page.problems.push_back(
            {"", is_there ? translated("What you typed is below and not saved. “Keep the draft” "
                                       "now merges it with what somebody else saved.")
                          : translated("What you typed is below and not saved. “Keep as a draft” "
                                       "now begins another draft.")});
    }
    return with_status_of(refused, drawn_form(app, visitor, 422, std::move(page)));
}

}  // namespace

bool is_merged_into_draft(TemplatePage& page, const model::TemplateDraft& draft,
                          const std::optional<Json>& before) {
    const auto typed = template_document(page.form);
    std::optional<RebasedEntry> both;
    if (typed && before) {
        // Beside the template, the draft is what it would be after it was put to use.
        const Json theirs =
            page.form.draft.empty()
                ? operations::merged_with(draft, *before, [](const std::string&) { return true; })
                      .document
                : draft.document;
        both = rebased_entry(page.form.kind, *before, *typed, theirs);
    }
    set_draft(page.form, draft);
    return both && take_both(page, *both, draft.base_version) && both->clashes.empty();
}

Response kept_change(App& app, const Visitor& visitor, TemplatePage page) {
    const std::string name = page.form.was;
    const auto draft = stored_draft(app, visitor, name);
    if (draft && page.form.draft != std::to_string(draft->number)) {
        const auto before = filled_from(app, visitor, page.form);
        if (!is_merged_into_draft(page, *draft, before)) {
            return drawn_clash(app, visitor, std::move(page), *draft);
        }
        page.problems = problems_with_form(page.form);
        if (!page.problems.empty()) return drawn_form(app, visitor, 422, std::move(page));
        if (!has_change(page.form, drafted_template(draft))) {
            return http::see_other(page_of_draft(name) + "?done=unchanged");
        }
    }
    const auto document = template_document(page.form);
    if (!document) {
        page.problems = document.error();
        return drawn_form(app, visitor, 422, std::move(page));
    }
    const auto kept =
        operations::keep_template_draft(app.database, visitor.who(), name,
                                        {.document = *document,
                                         .version = page.form.version_seen(),
                                         .number = parse_number(page.form.draft).value_or(0),
                                         .note = page.form.note},
                                        app.clock.now());
    if (!kept) return drawn_refusal(app, visitor, std::move(page), kept.error());
    const std::string done =
        page.taken_over.empty() ? "kept" : done_with_name("kept", some_listed(page.taken_over));
    return http::see_other(page_of_draft(name) + "?done=" + done);
}

}  // namespace fcgi::pages
