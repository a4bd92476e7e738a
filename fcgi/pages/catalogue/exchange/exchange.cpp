#include "fcgi/pages/catalogue/exchange/exchange.hpp"

#include <algorithm>
#include <iterator>

#include "fcgi/auth/permissions.hpp"
#include "fcgi/http/form_data.hpp"
#include "fcgi/http/json_body.hpp"
#include "fcgi/pages/catalogue/builder/json_text.hpp"
#include "fcgi/pages/catalogue/entries.hpp"
#include "fcgi/pages/catalogue/exchange/exchange_page.hpp"
#include "fcgi/pages/catalogue/exchange/import_checks.hpp"
#include "fcgi/pages/catalogue/exchange/overtaken_entries.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/kept/kept_form.hpp"
#include "fcgi/pages/kept/to_check.hpp"
#include "fcgi/pages/refusals.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/base/ids.hpp"
#include "provisioner/base/utf8.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/operations/catalogue/exchange.hpp"
#include "provisioner/store/forms/form_store.hpp"
#include "provisioner/store/plugins/plugin_store.hpp"

namespace fcgi::pages {

using auth::Visitor;
using http::Request;
using http::Response;
using provisioner::base::Json;
using provisioner::base::Problems;
using provisioner::messages::translated;
namespace operations = provisioner::operations;
namespace store = provisioner::store;

namespace {

/// What a page of differences can show, and a transaction can store.
constexpr std::size_t most_entries_at_once = 2000;

Frame exchange_frame() {
    return {.title = translated("Import and export"),
            .section = "catalogue",
            .script = "file_to_text.js"};
}

const std::string kept_imports = "/exchange/drafts";
const std::string kept_receipts = "/exchange/receipts";

void forget_import(App& app, const Visitor& visitor, const std::string& id) {
    app.database.write([&](store::Connection& connection) {
        store::delete_form(connection, visitor.who().user.id, id);
    });
}

std::vector<UnfinishedImport> read_unfinished(App& app, const Visitor& visitor) {
    const auto lines = app.database.read([&](store::Connection& connection) {
        return store::list_forms(connection, visitor.who().user.id, kept_imports);
    });
    std::vector<UnfinishedImport> unfinished;
    for (const auto& [id, begin, at] : lines) {
        const auto fields = http::parse_form(begin);
        const auto entries = provisioner::base::parse_number(fields.trimmed("entries"));
        unfinished.push_back({.id = id,
                              .file = fields.trimmed("file"),
                              .names = fields.trimmed("names"),
                              .entries = static_cast<std::size_t>(entries.value_or(0)),
                              .at = at});
    }
    return unfinished;
}

/// The id of the import if it may be kept. Its text is the last field: lists read the others.
std::string keep_import(App& app, const Visitor& visitor, const std::string& file,
                        const std::string& text, const Json& catalogue) {
    const auto types = app.database.read([&](store::Connection& connection) {
        return store::list_plugin_types(connection, provisioner::model::PluginKind::provider);
    });
    if (!may_keep_import(text, catalogue, types)) return "";
    http::FormData fields;
    fields.fields = {{"file", std::string(provisioner::base::utf8_prefix(file, 100))},
                     {"entries", std::to_string(entries_in(catalogue))},
                     {"names", first_names_in(catalogue)},
                     {"text", text}};
    return keep_draft(app, visitor, kept_imports, fields);
}

/// Where the choices of a kept import stand among its fields, and whether it was asked about them.
const std::string asked_import = "asked";
constexpr auto was_asked = "yes";
constexpr auto was_chosen = "no";

/// Keeps what was chosen in an import, so that it is drawn again at its own address: Back is no
/// form to be sent again then. False if it is not kept.
bool keep_choices(App& app, const Visitor& visitor, const std::string& id,
                  const http::FormData& sent, const std::string& asked) {
    auto kept = find_draft(app, visitor, id, kept_imports);
    if (!kept || kept->fields.empty()) return false;
    const auto is_choice = [](const auto& field) {
        return field.first == "entry" || field.first == "offer" || field.first == "keep" ||
               field.first == "note";
    };
    std::erase_if(kept->fields, [&](const auto& field) {
        return is_choice(field) || field.first == asked_import;
    });
    // The text stays last.
    auto text = std::move(kept->fields.back());
    kept->fields.back() = {asked_import, asked};
    std::ranges::copy_if(sent.fields, std::back_inserter(kept->fields), is_choice);
    kept->fields.push_back(std::move(text));
    const auto is_secret = [](const std::string&) { return false; };
    app.database.write([&](store::Connection& connection) {
        store::replace_form(connection, visitor.who().user.id, id,
                            fields_to_keep(*kept, is_secret));
    });
    return true;
}

/// The page of an import with what was chosen in a form.
DraftPage with_choices(DraftPage page, const http::FormData& form) {
    page.ticked = form.all("entry");
    page.offers_templates = form.has("offer");
    page.keeps_changes = form.has("keep");
    page.note = form.trimmed("note");
    return page;
}

Response drawn_exchange(App& app, const Visitor& visitor, int status, ExchangePage page) {
    page.may_import = auth::may_administer(visitor);
    page.now = app.clock.now();
    if (page.may_import) page.unfinished = read_unfinished(app, visitor);
    const auto all = operations::export_catalogue(app.database, visitor.who());
    for (const auto& [collection, entries] : all.items()) {
        const auto kind = catalogue_kind(collection);
        if (!kind) continue;
        page.entries.emplace_back(*kind, told_apart(entries.get<std::vector<Json>>()));
    }
    return drawn(app, visitor, status, "catalogue/exchange/index", exchange_frame(), to_json(page));
}

/// The pasted catalogue, or what is wrong with it.
provisioner::base::Checked<Json> catalogue_in(const std::string& text) {
    if (http::trim(text).empty()) {
        return provisioner::base::unexpected(
            Problems{{"text", translated("Enter the catalogue, or choose a file.")}});
    }
    if (is_no_text(text)) {
        return provisioner::base::unexpected(Problems{
            {"text", translated("This is no catalogue but a file of another kind. Choose a file "
                                "with JSON, as the export makes it.")}});
    }
    auto json = read_typed_json(text, http::long_json_value_limit);
    if (!json) return provisioner::base::unexpected(Problems{{"text", json.error()}});
    if (json->is_object()) {
        if (entries_in(*json) <= most_entries_at_once) return *std::move(json);
        return provisioner::base::unexpected(Problems{
            {"text", translated("An import has at most {0} entries: import this one in parts.",
                                grouped(most_entries_at_once))}});
    }
    return provisioner::base::unexpected(Problems{
        {"text", translated("A catalogue is an object with a list for each kind of entry.")}});
}

std::vector<operations::ImportChoice> choices_in(const http::FormData& sent) {
    auto seen = seen_versions(sent);
    std::vector<operations::ImportChoice> choices;
    for (const auto& value : sent.all("entry")) {
        const auto choice = choice_in(value);
        if (!choice) continue;
        choices.push_back({.kind = choice->first, .name = choice->second, .seen = seen[value]});
    }
    return choices;
}

Response gone_import(App& app, const Visitor& visitor) {
    return error_page(app, visitor, 404,
                      {.heading = translated("This import is gone"),
                       .text = translated("Imports and their receipts are kept for a day, and only "
                                          "the newest of them. What was imported is still there."),
                       .ways = {{"/exchange", translated("Import and export")}}});
}

/// The address of the receipt of an import; empty if it was not carried out.
std::string receipt_of(App& app, const Visitor& visitor, const std::string& id) {
    const auto receipts = app.database.read([&](store::Connection& connection) {
        return store::list_forms(connection, visitor.who().user.id, kept_receipts);
    });
    for (const auto& receipt : receipts) {
        if (http::parse_form(receipt.begin).trimmed("import") == id) {
            return kept_receipts + '/' + receipt.id;
        }
    }
    return "";
}

/// Of an import that is no longer kept: what it did, if it was carried out.
Response ended_import(App& app, const Visitor& visitor, const std::string& id) {
    const auto receipt = receipt_of(app, visitor, id);
    if (receipt.empty()) return gone_import(app, visitor);
    return error_page(app, visitor, 404,
                      {.heading = translated("This import is done"),
                       .text = translated("What it changed is in its receipt."),
                       .ways = {{receipt, translated("Receipt")},
                                {"/exchange", translated("Import and export")}}});
}

/// What the page shows of the import itself, drawn before with the versions `seen`. May take
/// seconds (check_import).
DraftPage with_import(App& app, const Visitor& visitor, const Json& catalogue, DraftPage page,
                      const SeenVersions& seen = {}) {
    page.now = app.clock.now();
    page.entries = operations::draft_of_import(app.database, visitor.who(), catalogue);
    note_overtaken(app, visitor, seen, page);
    page.left_out = words_on_left_out(catalogue);
    check_import(visitor, app, page);
    return page;
}

Response drawn_draft(App& app, const Visitor& visitor, int status, const DraftPage& page) {
    return drawn(app, visitor, status, "catalogue/exchange/draft",
                 {.title = translated("Review the import"), .section = "catalogue"}, to_json(page));
}

operations::Result<std::vector<operations::ImportedEntry>> import_chosen(App& app,
                                                                         const Visitor& visitor,
                                                                         const Json& catalogue,
                                                                         const http::FormData& sent,
                                                                         const DraftPage& page) {
    return operations::import_chosen(app.database, visitor.who(), catalogue, choices_in(sent),
                                     {.note = page.note,
                                      .offers_templates = page.offers_templates,
                                      .withheld = templates_to_withhold(page.checks),
                                      .keeps_changes = page.keeps_changes},
                                     app.clock.now());
}

/// Leads to the receipt, a page of its own: a reload shows it again, and imports nothing.
Response done_import(App& app, const Visitor& visitor, const ReceiptPage& receipt,
                     const std::string& kept) {
    forget_import(app, visitor, kept);
    auto fields = fields_of_receipt(receipt);
    fields.fields.emplace(fields.fields.begin(), "import", kept);
    return http::see_other(kept_receipts + '/' + keep_draft(app, visitor, kept_receipts, fields));
}

/// Nothing is imported when somebody has changed a ticked entry since. The second of two that were
/// sent at once leads to the receipt of the first.
Response overtaken_import(App& app, const Visitor& visitor, DraftPage page) {
    if (is_done_already(page) && !page.kept.empty()) {
        const auto receipt = receipt_of(app, visitor, page.kept);
        if (!receipt.empty()) return http::see_other(receipt);
    }
    page.problems = problems_of_overtaken(page);
    return drawn_draft(app, visitor, 409, page);
}

/// The page with the entries that a form names; at its own address if the import is kept.
Response select_entries(App& app, const Visitor& visitor, const Json& catalogue,
                        const http::FormData& form) {
    const auto kept = form.trimmed("kept");
    if (keep_choices(app, visitor, kept, form, was_chosen)) {
        return http::see_other(kept_imports + '/' + kept);
    }
    const DraftPage page{.text = form.first("text").value_or(""), .kept = kept};
    return drawn_draft(app, visitor, 200,
                       with_import(app, visitor, catalogue, with_choices(page, form)));
}

}  // namespace

Response show_exchange(const Request& request, const Visitor& visitor, App& app) {
    const bool is_dropped = request.query_value("done") == "dropped";
    return drawn_exchange(app, visitor, 200,
                          {.search = searched_text(request),
                           .done = is_dropped ? translated("The import was thrown away.") : ""});
}

Response export_selection(const Request& request, const Visitor& visitor, App& app) {
    const auto sent = http::parse_form(request.body);
    const auto ticked = sent.all("entry");
    const bool with_needs = sent.has("needs");
    if (ticked.empty()) {
        return drawn_exchange(
            app, visitor, 422,
            {.problems = {{"entry", translated("Choose at least one entry to export.")}},
             .with_needs = with_needs});
    }
    const auto all = operations::export_catalogue(app.database, visitor.who());
    const auto selection = selection_of(all, ticked, with_needs);
    Response answer;
    answer.body = typed_json(selection) + "\n";
    answer.headers = {{"Content-Type", "application/json"},
                      {"Content-Disposition", "attachment; filename=\"catalogue.json\""}};
    return answer;
}

Response draft_import(const Request& request, const Visitor& visitor, App& app) {
    const auto* const file = request.file("file");
    const auto sent = http::parse_form(request.body);
    const auto text =
        file != nullptr ? provisioner::base::to_utf8(file->bytes) : sent.first("text").value_or("");
    // A script puts the text of a file into the form, and its name.
    const auto name = file != nullptr ? file->name : sent.trimmed("filename");
    const auto catalogue = catalogue_in(text);
    if (!catalogue) {
        const bool is_shown = !is_no_text(text);
        return drawn_exchange(app, visitor, 422,
                              {.text = is_shown ? text : "",
                               .file = is_shown ? name : "",
                               .problems = catalogue.error()});
    }
    const auto kept = keep_import(app, visitor, name, text, *catalogue);
    if (!kept.empty()) return http::see_other(kept_imports + '/' + kept);
    return drawn_draft(app, visitor, 200, with_import(app, visitor, *catalogue, {.text = text}));
}

Response show_kept_import(const Request& request, const Visitor& visitor, App& app) {
    if (!auth::may_administer(visitor)) {
        return auth::refusal(request, visitor, auth::Need::admin);
    }
    const auto& id = request.path_value("draft");
    const auto kept = find_draft(app, visitor, id, kept_imports);
    const std::string text = kept ? kept->first("text").value_or("") : "";
    const auto catalogue = catalogue_in(text);
    if (!kept || !catalogue) {
        return ended_import(app, visitor, id);
    }
    DraftPage page{.text = text, .kept = id};
    if (kept->has(asked_import)) page = with_choices(std::move(page), *kept);
    page = with_import(app, visitor, *catalogue, std::move(page));
    if (kept->first(asked_import) == was_asked && !changes_to_check(page).empty())
        page.problems = {problem_of_unchecked()};
    return drawn_draft(app, visitor, 200, page);
}

Response show_receipt(const Request& request, const Visitor& visitor, App& app) {
    if (!auth::may_administer(visitor)) {
        return auth::refusal(request, visitor, auth::Need::admin);
    }
    const auto kept = find_draft(app, visitor, request.path_value("receipt"), kept_receipts);
    if (!kept) return gone_import(app, visitor);
    return drawn(app, visitor, 200, "catalogue/exchange/receipt",
                 {.title = translated("Imported"), .section = "catalogue"},
                 to_json(receipt_in(*kept)));
}

Response import_selection(const Request& request, const Visitor& visitor, App& app) {
    const auto sent = http::parse_form(request.body);
    if (sent.trimmed("do") == "drop") {
        forget_import(app, visitor, sent.trimmed("kept"));
        return http::see_other("/exchange?done=dropped");
    }
    const auto text = sent.first("text").value_or("");
    const auto catalogue = catalogue_in(text);
    if (!catalogue) {
        return drawn_exchange(app, visitor, 422, {.text = text, .problems = catalogue.error()});
    }
    const auto kept = sent.trimmed("kept");
    const auto wish = sent.trimmed("do");
    if (wish == "all" || wish == "none") {
        return select_entries(app, visitor, *catalogue, with_all_selected(sent, wish == "all"));
    }
    const auto reviewed = [&] {
        return with_import(app, visitor, *catalogue,
                           with_choices({.text = text, .kept = kept}, sent), seen_versions(sent));
    };
    auto page = reviewed();
    if (!page.overtaken.empty()) return overtaken_import(app, visitor, std::move(page));
    if (!are_checked(sent, changes_to_check(page))) {
        if (keep_choices(app, visitor, kept, sent, was_asked)) {
            return http::see_other(kept_imports + '/' + kept);
        }
        page.problems = {problem_of_unchecked()};
        return drawn_draft(app, visitor, 422, page);
    }
    const auto imported = import_chosen(app, visitor, *catalogue, sent, page);
    if (imported)
        return done_import(app, visitor,
                           {.entries = *imported,
                            .note = page.note,
                            .offers_templates = page.offers_templates,
                            .unselected = unselected_entries(page)},
                           kept);
    if (imported.error().kind == operations::Refusal::Kind::conflict) {
        // Somebody was faster by a moment.
        auto again = reviewed();
        if (!again.overtaken.empty()) return overtaken_import(app, visitor, std::move(again));
    }
    page.problems = imported.error().problems;
    return with_status_of(imported.error(), drawn_draft(app, visitor, 422, page));
}

}  // namespace fcgi::pages
