#include "fcgi/pages/catalogue/change_drafts.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include "fcgi/auth/permissions.hpp"
#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/access/permissions.hpp"
#include "fcgi/pages/catalogue/editors/edit.hpp"
#include "fcgi/pages/catalogue/editors/edit_page.hpp"
#include "fcgi/pages/catalogue/template_checks.hpp"
#include "fcgi/pages/catalogue/versions/difference.hpp"
#include "fcgi/pages/form_field.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/kinds.hpp"
#include "fcgi/pages/refusals.hpp"
#include "provisioner/base/ids.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/operations/access/permissions.hpp"
#include "provisioner/operations/catalogue/edit.hpp"
#include "provisioner/operations/catalogue/references.hpp"
#include "provisioner/store/access/permission_store.hpp"
#include "provisioner/store/catalogue/catalogue_store.hpp"
#include "provisioner/store/catalogue/version_store.hpp"

namespace fcgi::pages {

using http::Request;
using http::Response;
using provisioner::base::Json;
using provisioner::messages::translated;
using provisioner::model::CatalogueKind;
namespace model = provisioner::model;
namespace operations = provisioner::operations;
namespace store = provisioner::store;

namespace {

constexpr std::string_view behind_name = ".draft";
constexpr CatalogueKind drafted_kind = CatalogueKind::cluster_template;

/// That the template was saved after its draft; empty if it was not.
std::string words_on_newer_version(store::Connection& connection, model::TenantId tenant,
                                   const ChangeDraft& names) {
    std::optional<provisioner::base::Timestamp> drafted;
    std::optional<model::CatalogueVersion> in_force;
    for (const auto& [name, line] : store::last_version_of_each(connection, tenant, drafted_kind)) {
        if (name == names.draft) drafted = line.written_at;
        if (name == names.changed) in_force = line;
    }
    if (!drafted || !in_force || in_force->written_at <= *drafted) return "";
    return translated(
        "Version {0} was saved after the draft. What it brought is undone where the comparison "
        "shows so.",
        in_force->version);
}

/// Whether there are both templates, and the draft is for administrators only.
bool is_kept_draft(store::Connection& connection, model::TenantId tenant,
                   const ChangeDraft& names) {
    const auto permission = store::find_permission(connection, tenant, {drafted_kind, names.draft});
    return permission && is_for_administrators_only(*permission) &&
           store::find_entry(connection, tenant, drafted_kind, names.draft) &&
           store::find_entry(connection, tenant, drafted_kind, names.changed);
}

/// The draft as what the template would be.
Json under_name(Json draft, const std::string& changed) {
    draft["name"] = changed;
    draft.erase("version");
    return draft;
}

std::optional<ChangeDraftPage> read_change_draft(App& app, const auth::Visitor& visitor,
                                                 const std::string& name) {
    const auto tenant = visitor.who().tenant.id;
    EditContext context;
    const auto read = [&](store::Connection& connection) -> std::optional<ChangeDraftPage> {
        ChangeDraftPage page{.names = {.draft = name_of_change_draft(name), .changed = name}};
        if (!is_kept_draft(connection, tenant, page.names)) return std::nullopt;
        const auto in_force = store::find_entry(connection, tenant, drafted_kind, name);
        const auto draft = store::find_entry(connection, tenant, drafted_kind, page.names.draft);
        if (!in_force || !draft) return std::nullopt;
        page.in_force = *in_force;
        page.wanted = under_name(*draft, name);
        page.draft_version = draft->value("version", 0);
        context = read_edit_context(connection, tenant, drafted_kind);
        page.warnings = warnings_about(drafted_kind, page.wanted, context);
        page.note = reasons_of_draft(
            store::list_versions(connection, tenant, drafted_kind, page.names.draft));
        auto newer = words_on_newer_version(connection, tenant, page.names);
        if (!newer.empty()) page.warnings.insert(page.warnings.begin(), std::move(newer));
        return page;
    };
    auto page = app.database.read(read);
    if (!page) return page;
    auto check = check_sizes(visitor, app, page->wanted, std::move(context.entries));
    // Without services there are no sizes; parents of others need none.
    if (check.is_about_sizes) {
        std::ranges::move(check.warnings, std::back_inserter(page->warnings));
    }
    return page;
}

Response draw_change_draft(App& app, const auth::Visitor& visitor, int status,
                           const ChangeDraftPage& page) {
    return drawn(app, visitor, status, "catalogue/change_draft",
                 {.title = title_of(page), .section = "catalogue"}, to_json(page));
}

/// Refused if another template extends the draft.
operations::Result<void> drop_change_draft(App& app, const auth::Visitor& visitor,
                                           const std::string& draft) {
    const model::EntryName entry{drafted_kind, draft};
    auto deleted = operations::delete_unused(app.database, visitor.who(), {entry});
    // A permission would wait for a template of that name.
    if (deleted) operations::remove_permission(app.database, visitor.who(), entry);
    return deleted;
}

}  // namespace

std::string name_of_change_draft(const std::string& changed) {
    return changed + std::string(behind_name);
}

std::string changed_by_draft(const std::string& name) {
    if (!name.ends_with(behind_name) || name.size() == behind_name.size()) return "";
    return name.substr(0, name.size() - behind_name.size());
}

std::vector<ChangeDraft> possible_change_drafts(const std::string& name) {
    std::vector<ChangeDraft> drafts;
    const std::string base = changed_by_draft(name);
    if (!base.empty()) drafts.push_back({.draft = name, .changed = base});
    drafts.push_back({.draft = name_of_change_draft(name), .changed = name});
    return drafts;
}

ChangeDraft change_draft_about(store::Connection& connection, model::TenantId tenant,
                               const std::string& name) {
    for (ChangeDraft& names : possible_change_drafts(name)) {
        if (is_kept_draft(connection, tenant, names)) return std::move(names);
    }
    return {};
}

operations::Result<int> keep_change(App& app, const auth::Visitor& visitor,
                                    const std::string& changed, Json document,
                                    const std::string& note) {
    document["name"] = name_of_change_draft(changed);
    return operations::create_entry(app.database, visitor.who(), drafted_kind, document,
                                    app.clock.now(), {.note = note, .is_draft = true});
}

bool is_older_than_draft(const http::FormData& sent, const ChangeDraftPage& page) {
    return provisioner::base::parse_number(sent.trimmed("draft_version")) != page.draft_version;
}

std::string reasons_of_draft(const std::vector<model::CatalogueVersion>& newest_first) {
    std::string reasons;
    std::set<std::string> said;
    for (const auto& line : newest_first) {
        if (line.act == model::VersionAct::remove) break;
        if (line.note.empty() || !said.insert(line.note).second) continue;
        std::string all = reasons.empty() ? line.note : line.note + "; " + reasons;
        if (all.size() > model::longest_note) break;
        reasons = std::move(all);
    }
    return reasons;
}

std::string title_of(const ChangeDraftPage& page) {
    return translated("Draft of a change to {0}", page.names.changed);
}

Json to_json(const ChangeDraftPage& page) {
    const FormField note{.id = "change-note",
                         .name = "note",
                         .label = translated("Why"),
                         .value = page.note,
                         .hint = translated("A note for the history of versions.")};
    auto json = form_json(translated("The draft was not put to use"), {note}, page.problems,
                          {{"checked", "change-checked", translated("Checked")}});
    json["heading"] = title_of(page);
    json["changed"] = page.names.changed;
    json["changed_href"] = entry_page(drafted_kind, page.names.changed);
    json["try_href"] = "/clusters/new?template=" + http::percent_encode(page.names.draft);
    json["edit_href"] =
        "/builder/" + collection_word(drafted_kind) + '/' + http::percent_encode(page.names.draft);
    json["target"] = entry_page(drafted_kind, page.names.changed) + "/draft";
    json["version"] = page.in_force.value("version", 0);
    json["draft_version"] = page.draft_version;
    json["done"] = page.done;
    json["warnings"] = Json::array();
    for (const auto& warning : page.warnings) json["warnings"].push_back({{"warning", warning}});
    json["has_warnings"] = !page.warnings.empty();
    json["difference"] = difference_json(page.in_force, page.wanted);
    return json;
}

Response show_change_draft(const Request& request, const auth::Visitor& visitor, App& app) {
    if (!auth::may_administer(visitor)) {
        return auth::refusal(request, visitor, auth::Need::admin);
    }
    auto page = read_change_draft(app, visitor, request.path_value("name"));
    if (!page) return nothing_there(translated("draft"));
    if (request.query_value("done") == "kept") {
        page->done = translated("Kept as a draft. Users get the template as it was.");
    }
    return draw_change_draft(app, visitor, 200, *page);
}

Response end_change_draft(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto sent = http::parse_form(request.body);
    const std::string wish = sent.trimmed("do");
    const auto seen = provisioner::base::parse_number(sent.trimmed("version"));
    const bool is_whole = wish == "drop" || (wish == "use" && seen && *seen > 0);
    if (!is_whole) return incomplete_form(app, visitor);
    const auto& name = request.path_value("name");
    auto page = read_change_draft(app, visitor, name);
    if (!page) return nothing_there(translated("draft"));
    const std::string there = entry_page(drafted_kind, name);
    page->note = sent.trimmed("note");
    // What somebody else saved meanwhile is neither put to use nor thrown away unseen.
    if (is_older_than_draft(sent, *page)) {
        page->problems = {
            {"", translated("The draft was changed meanwhile. Look at the differences again.")}};
        return draw_change_draft(app, visitor, 409, *page);
    }
    if (wish == "drop") {
        const auto dropped = drop_change_draft(app, visitor, page->names.draft);
        if (dropped) return http::see_other(there + "?done=dropped");
        page->problems = dropped.error().problems;
        return with_status_of(dropped.error(), draw_change_draft(app, visitor, 422, *page));
    }
    // Something may have come up since the page was drawn, too.
    if (!page->warnings.empty() && !sent.has("checked")) {
        page->problems = {
            {"checked", translated("Read what is to be checked, and confirm that you have.")}};
        return draw_change_draft(app, visitor, 422, *page);
    }
    const bool changes = !changes_nothing(drafted_kind, page->in_force, page->wanted);
    if (changes) {
        const auto saved = operations::replace_entry(
            app.database, visitor.who(), drafted_kind, name, page->wanted, app.clock.now(),
            {.based_on = static_cast<int>(std::min<std::int64_t>(*seen, model::no_maximum)),
             .note = page->note.empty() ? translated("Draft put to use.") : page->note});
        if (!saved) {
            page->problems = saved.error().problems;
            return with_status_of(saved.error(), draw_change_draft(app, visitor, 422, *page));
        }
    }
    // What extends it keeps it.
    static_cast<void>(drop_change_draft(app, visitor, page->names.draft));
    return http::see_other(there + (changes ? "?done=saved" : "?done=unchanged"));
}

}  // namespace fcgi::pages
