#include "fcgi/pages/catalogue/change_drafts.hpp"

#include "fcgi/auth/permissions.hpp"
#include "fcgi/pages/catalogue/entry_facts.hpp"
#include "fcgi/pages/catalogue/template_checks.hpp"
#include "fcgi/pages/catalogue/versions/difference.hpp"
#include "fcgi/pages/differences/member_words.hpp"
#include "fcgi/pages/differences/value_difference.hpp"
#include "fcgi/pages/filter_links.hpp"
#include "fcgi/pages/form_field.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/kept/done_once.hpp"
#include "fcgi/pages/kept/to_check.hpp"
#include "fcgi/pages/kinds.hpp"
#include "fcgi/pages/refusals.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/base/ids.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/model/catalogue/version.hpp"
#include "provisioner/operations/catalogue/template_drafts.hpp"
#include "provisioner/store/catalogue/catalogue_store.hpp"
#include "provisioner/store/catalogue/draft_store.hpp"

namespace fcgi::pages {

using http::Request;
using http::Response;
using provisioner::base::Json;
using provisioner::base::text_at;
using provisioner::messages::translated;
using provisioner::model::CatalogueKind;
namespace base = provisioner::base;
namespace model = provisioner::model;
namespace operations = provisioner::operations;
namespace store = provisioner::store;

namespace {

constexpr CatalogueKind drafted_kind = CatalogueKind::cluster_template;
constexpr std::string_view field_of_overlap = "overlap.";

base::Merged merged_by(const ChangeDraftPage& page) {
    return operations::merged_with(page.draft, page.in_force, [&](const std::string& member) {
        const auto chosen = page.choices.find(member);
        return chosen != page.choices.end() && chosen->second;
    });
}

std::optional<ChangeDraftPage> read_change_draft(App& app, const auth::Visitor& visitor,
                                                 const std::string& name,
                                                 const std::map<std::string, bool>& choices) {
    const auto tenant = visitor.who().tenant.id;
    const auto read = [&](store::Connection& connection) -> std::optional<ChangeDraftPage> {
        auto in_force = store::find_entry(connection, tenant, drafted_kind, name);
        auto draft = store::find_template_draft(connection, tenant, name);
        if (!in_force || !draft) return std::nullopt;
        ChangeDraftPage page{.draft = *std::move(draft),
                             .in_force = *std::move(in_force),
                             .choices = choices,
                             .now = app.clock.now()};
        page.note = page.draft.note;
        return page;
    };
    auto page = app.database.read(read);
    if (!page) return page;
    auto check = check_of_entry(visitor, app, drafted_kind, page->in_force, wanted_by(*page));
    page->to_check = std::move(check.to_check);
    page->to_note = std::move(check.notes);
    return page;
}

Response draw_change_draft(App& app, const auth::Visitor& visitor, int status,
                           const ChangeDraftPage& page) {
    return drawn(app, visitor, status, "catalogue/change_draft",
                 {.title = title_of(page), .section = "catalogue"}, to_json(page));
}

/// The page of the template, which says that there is no draft.
Response no_change_draft(const std::string& name) {
    return http::see_other(entry_page(drafted_kind, name) + "?done=no-draft");
}

std::string name_of_overlap(const base::Overlap& overlap) {
    return std::string(field_of_overlap) + overlap.member;
}

std::string id_of_overlap(std::size_t number) {
    return "overlap-" + std::to_string(number);
}

Json overlap_json(const ChangeDraftPage& page, const base::Overlap& overlap, std::size_t number) {
    const auto chosen = page.choices.find(overlap.member);
    const bool is_chosen = chosen != page.choices.end();
    Json json;
    json["overlap_id"] = id_of_overlap(number);
    json["overlap_name"] = name_of_overlap(overlap);
    json["overlap_problem"] = messages_for(name_of_overlap(overlap), page.problems);
    json["member"] = member_label(overlap.member);
    json["before"] = value_in_words(overlap.member, overlap.before);
    json["in_force"] = value_in_words(overlap.member, overlap.theirs);
    json["of_draft"] = value_in_words(overlap.member, overlap.ours);
    json["is_draft"] = is_chosen && chosen->second;
    json["is_in_force"] = is_chosen && !chosen->second;
    return json;
}

/// What was saved after the draft was begun, and becomes of it; empty if nothing was.
std::string words_on_newer_version(const ChangeDraftPage& page, const base::Merged& merged) {
    if (merged.theirs.empty() && merged.overlaps.empty()) return "";
    const int version = page.in_force.value("version", 0);
    const auto begun = translated(
        "The draft was begun from version {0}. Version {1}, which is in force, is newer.",
        page.draft.base_version, version);
    if (merged.theirs.empty()) return begun;
    return begun + ' ' +
           translated("What it changed stays: {0}.", listed(member_labels(merged.theirs)));
}

Response put_to_use(App& app, const auth::Visitor& visitor, ChangeDraftPage page, int version) {
    const std::string& name = page.draft.name;
    const auto used = operations::use_template_draft(app.database, visitor.who(), name,
                                                     {.document = wanted_by(page),
                                                      .number = page.draft.number,
                                                      .version = version,
                                                      .note = reason_of_use(page)},
                                                     app.clock.now());
    if (used) {
        const auto kept = kept_of_newer(page);
        const std::string done = *used == version ? "used-unchanged"
                                 : kept.empty()   ? "used"
                                                  : done_with_name("used", some_listed(kept));
        return http::see_other(entry_page(drafted_kind, name) + "?done=" + done);
    }
    page.problems = used.error().problems;
    return with_status_of(used.error(), draw_change_draft(app, visitor, 422, page));
}

Response throw_away(App& app, const auth::Visitor& visitor, ChangeDraftPage page) {
    const auto dropped = operations::drop_template_draft(
        app.database, visitor.who(), page.draft.name, page.draft.number, page.note);
    if (dropped) {
        return http::see_other(entry_page(drafted_kind, page.draft.name) + "?done=dropped");
    }
    page.problems = dropped.error().problems;
    return with_status_of(dropped.error(), draw_change_draft(app, visitor, 422, page));
}

}  // namespace

std::vector<std::string> kept_of_newer(const ChangeDraftPage& page) {
    const auto merged = merged_by(page);
    auto kept = merged.theirs;
    for (const auto& overlap : merged.overlaps) {
        const auto chosen = page.choices.find(overlap.member);
        if (chosen == page.choices.end() || !chosen->second) kept.push_back(overlap.member);
    }
    return member_labels(kept);
}

std::string reason_of_use(const ChangeDraftPage& page) {
    const auto why = page.note.empty() ? translated("Draft put to use.") : page.note;
    const auto kept = kept_of_newer(page);
    if (kept.empty()) return why;
    const auto both =
        joined_sentences(why, translated("Kept of version {0}: {1}.",
                                         page.in_force.value("version", 0), some_listed(kept)));
    return both.size() > model::longest_note ? why : both;
}

base::Problems problems_with_choices(const ChangeDraftPage& page) {
    base::Problems problems;
    for (const auto& overlap : merged_by(page).overlaps) {
        if (page.choices.contains(overlap.member)) continue;
        problems.push_back({name_of_overlap(overlap), translated("Choose one of the two.")});
    }
    return problems;
}

std::string page_of_draft(const std::string& changed) {
    return entry_page(drafted_kind, changed) + "/draft";
}

std::string editor_of_draft(const std::string& changed) {
    return "/builder/" + collection_word(drafted_kind) + '/' + http::percent_encode(changed) +
           "?of=draft";
}

Json change_json(const std::optional<model::TemplateDraft>& draft, base::Timestamp now) {
    if (!draft) return nullptr;
    Json json = moment(draft->begun_at, now);
    json["by"] = draft->begun_by;
    json["change_href"] = page_of_draft(draft->name);
    json["change_edit_href"] = editor_of_draft(draft->name);
    json["saved"] = nullptr;
    if (draft->written_at == draft->begun_at) return json;
    json["saved"] = moment(draft->written_at, now);
    json["saved"]["by"] = draft->written_by;
    return json;
}

Json wanted_by(const ChangeDraftPage& page) {
    return merged_by(page).document;
}

std::map<std::string, bool> choices_in_form(const http::FormData& sent) {
    std::map<std::string, bool> choices;
    for (const auto& [name, value] : sent.fields) {
        if (!name.starts_with(field_of_overlap)) continue;
        choices[name.substr(field_of_overlap.size())] = value == "draft";
    }
    return choices;
}

bool is_older_than_draft(const http::FormData& sent, const ChangeDraftPage& page) {
    return base::parse_number(sent.trimmed("draft")) != page.draft.number;
}

std::string title_of(const ChangeDraftPage& page) {
    const auto label = text_at(page.in_force, "label");
    return translated("Draft of a change to {0}", label.empty() ? page.draft.name : label);
}

Json to_json(const ChangeDraftPage& page) {
    const FormField note{.id = "change-note",
                         .name = "note",
                         .label = translated("Why"),
                         .value = page.note,
                         .hint = translated("A note for the history of versions.")};
    const auto merged = merged_by(page);
    std::vector<NamedControl> controls{control_of_checked()};
    for (std::size_t i = 0; i < merged.overlaps.size(); ++i) {
        controls.push_back({name_of_overlap(merged.overlaps[i]), id_of_overlap(i),
                            member_label(merged.overlaps[i].member)});
    }
    auto json = form_json(translated("The draft was not put to use"), {note},
                          beside_question(page.problems), controls);
    const std::string& name = page.draft.name;
    json["heading"] = title_of(page);
    const auto label = text_at(page.in_force, "label");
    json["changed"] = label.empty() ? name : label;
    json["changed_href"] = entry_page(drafted_kind, name);
    json["change"] = change_json(page.draft, page.now);
    json["try_href"] = address_with("/clusters/new", {{"template", name}, {"of", "draft"}});
    json["target"] = page_of_draft(name);
    json["version"] = page.in_force.value("version", 0);
    json["draft"] = page.draft.number;
    json["done"] = page.done;
    json["newer"] = words_on_newer_version(page, merged);
    json["overlaps"] = Json::array();
    for (std::size_t i = 0; i < merged.overlaps.size(); ++i) {
        json["overlaps"].push_back(overlap_json(page, merged.overlaps[i], i));
    }
    json["has_overlaps"] = !merged.overlaps.empty();
    json.update(to_json(CheckBox{.title = page.problems.empty()
                                              ? translated("Before you put it to use: please check")
                                              : translated("Not put to use yet: please check"),
                                 .to_check = page.to_check,
                                 .notes = page.to_note,
                                 .act = translated("Put it to use"),
                                 .name = "do",
                                 .value = "use",
                                 .form = "use-draft",
                                 .is_asked = is_question(page.problems)}));
    json["difference"] = difference_json(page.in_force, merged.document);
    // What both changed is below, as long as nothing of it is chosen.
    const bool is_only_below =
        !merged.overlaps.empty() && json["difference"].at("is_equal") == true;
    json["is_only_below"] = is_only_below;
    if (is_only_below) json["difference"] = nullptr;
    return json;
}

Response show_change_draft(const Request& request, const auth::Visitor& visitor, App& app) {
    if (!auth::may_administer(visitor)) {
        return auth::refusal(request, visitor, auth::Need::admin);
    }
    auto page = read_change_draft(app, visitor, request.path_value("name"), {});
    if (!page) return no_change_draft(request.path_value("name"));
    if (request.query_value("done") == "kept") {
        page->done = translated("Kept as a draft. Users get the template as it was.");
    }
    if (const auto merged = name_of_done(request, "kept")) {
        page->done = translated(
            "Kept as a draft, merged with what others put into it: {0}. Users get the template as "
            "it was.",
            *merged);
    }
    if (request.query_value("done") == "unchanged") page->done = translated("Nothing was changed.");
    return draw_change_draft(app, visitor, 200, *page);
}

Response end_change_draft(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto sent = http::parse_form(request.body);
    const std::string wish = sent.trimmed("do");
    const auto seen = base::parse_number(sent.trimmed("version"));
    const bool is_version = seen && *seen > 0 && *seen <= model::no_maximum;
    if (wish != "drop" && (wish != "use" || !is_version)) return incomplete_form(app, visitor);
    const auto& name = request.path_value("name");
    auto page = read_change_draft(app, visitor, name, choices_in_form(sent));
    if (!page) return no_change_draft(name);
    page->note = sent.trimmed("note");
    // What somebody else saved meanwhile is neither put to use nor thrown away unseen.
    if (is_older_than_draft(sent, *page)) {
        page->problems = {
            {"", translated("The draft was changed meanwhile. Look at the differences again.")}};
        return draw_change_draft(app, visitor, 409, *page);
    }
    if (wish == "drop") return throw_away(app, visitor, *std::move(page));
    page->problems = problems_with_choices(*page);
    // Something may have come up since the page was drawn, too.
    if (!are_checked(sent, page->to_check)) page->problems.push_back(problem_of_unchecked());
    if (!page->problems.empty()) return draw_change_draft(app, visitor, 422, *page);
    return put_to_use(app, visitor, *std::move(page), static_cast<int>(*seen));
}

}  // namespace fcgi::pages
