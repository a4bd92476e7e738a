#include <algorithm>

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/catalogue/change_drafts.hpp"
#include "fcgi/pages/catalogue/entries.hpp"
#include "fcgi/pages/catalogue/entry_facts.hpp"
#include "fcgi/pages/catalogue/exchange/exchange_page.hpp"
#include "fcgi/pages/kinds.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/base/ids.hpp"
#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::messages::translated;
using provisioner::messages::translated_count;

namespace {

bool is_kept_change(const provisioner::operations::ImportedEntry& entry) {
    return entry.is_draft && !entry.is_new && !entry.is_left_out;
}

std::string words_on_imported(const provisioner::operations::ImportedEntry& entry,
                              bool offers_templates) {
    if (entry.is_left_out) return translated("left out: it has a draft of a change already");
    if (is_kept_change(entry)) return translated("kept as a draft of a change");
    if (entry.is_draft) {
        return offers_templates
                   ? translated("created as a draft, because there is something to check in it")
                   : translated("created as a draft");
    }
    return entry.is_new ? translated("created") : translated("changed");
}

/// A draft of a change changes nothing in the catalogue.
std::string words_on_all(const ReceiptPage& page) {
    const auto kept = std::ranges::count_if(page.entries, is_kept_change);
    const auto made = std::ranges::count_if(page.entries, [](const auto& entry) {
        return !entry.is_left_out && !is_kept_change(entry);
    });
    if (kept == 0) {
        return translated("{0} made in the catalogue.",
                          translated_count(made, "{0} change", "{0} changes"));
    }
    const auto drafts =
        translated_count(kept, "{0} draft of a change kept.", "{0} drafts of changes kept.");
    if (made == 0) return drafts;
    return translated("{0} made in the catalogue, and {1}",
                      translated_count(made, "{0} change", "{0} changes"), drafts);
}

/// What of the import was left where it is; empty if nothing was.
std::string words_on_unselected_entries(const ReceiptPage& page) {
    if (page.unselected.empty()) return "";
    std::vector<std::string> names;
    for (const auto& [kind, name] : page.unselected) {
        names.push_back(kind_and_name(kind, name.empty() ? translated("(without a name)") : name));
    }
    return translated_count(names.size(), "{0} entry was not selected, and not imported: {1}.",
                            "{0} entries were not selected, and not imported: {1}.",
                            some_listed(names));
}

}  // namespace

http::FormData fields_of_receipt(const ReceiptPage& page) {
    http::FormData fields;
    fields.fields.emplace_back("note", page.note);
    if (page.offers_templates) fields.fields.emplace_back("offer", "yes");
    for (const auto& [kind, name] : page.unselected) {
        fields.fields.emplace_back("unselected", choice_value(kind, name));
    }
    for (const auto& entry : page.entries) {
        fields.fields.emplace_back("entry", choice_value(entry.kind, entry.name));
        fields.fields.emplace_back("act", entry.is_new ? "create" : "change");
        fields.fields.emplace_back("draft", entry.is_left_out ? "other"
                                            : entry.is_draft  ? "yes"
                                                              : "no");
        fields.fields.emplace_back("version", std::to_string(entry.version));
    }
    return fields;
}

ReceiptPage receipt_in(const http::FormData& kept) {
    ReceiptPage page{.note = kept.first("note").value_or(""),
                     .offers_templates = kept.has("offer")};
    for (const auto& value : kept.all("unselected")) {
        if (auto entry = choice_in(value)) page.unselected.push_back({entry->first, entry->second});
    }
    const auto entries = kept.all("entry");
    const auto acts = kept.all("act");
    const auto drafts = kept.all("draft");
    const auto versions = kept.all("version");
    if (acts.size() != entries.size() || versions.size() != entries.size()) return page;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const auto entry = choice_in(entries[i]);
        if (!entry) continue;
        const auto version = provisioner::base::parse_number(versions[i]);
        page.entries.push_back({.kind = entry->first,
                                .name = entry->second,
                                .is_new = acts[i] == "create",
                                .is_draft = i < drafts.size() && drafts[i] != "no",
                                .version = static_cast<int>(version.value_or(0)),
                                .is_left_out = i < drafts.size() && drafts[i] == "other"});
    }
    return page;
}

Json to_json(const ReceiptPage& page) {
    Json json;
    json["sentence"] = words_on_all(page);
    json["not_imported"] = words_on_unselected_entries(page);
    json["note"] = page.note;
    json["entries"] = Json::array();
    for (const auto& entry : page.entries) {
        const std::string href = entry_page(entry.kind, entry.name);
        const bool is_of_change = entry.is_draft && !entry.is_new;
        json["entries"].push_back({{"href", is_of_change ? page_of_draft(entry.name) : href},
                                   {"name", entry.name},
                                   {"kind_label", singular_title(entry.kind)},
                                   {"done", words_on_imported(entry, page.offers_templates)},
                                   {"version", is_of_change ? Json() : Json(entry.version)},
                                   {"versions_href", href + "/versions"}});
    }
    return json;
}

}  // namespace fcgi::pages
