#include "fcgi/pages/catalogue/entries.hpp"

#include <algorithm>
#include <array>

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/catalogue/entry_facts.hpp"
#include "fcgi/pages/catalogue/misfits.hpp"
#include "fcgi/pages/catalogue/provider_test.hpp"
#include "fcgi/pages/filter_links.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/model/catalogue/cluster_template.hpp"
#include "provisioner/model/plugins/sealed.hpp"
#include "provisioner/operations/catalogue/edit.hpp"

namespace fcgi::pages {

using provisioner::messages::translated;
using provisioner::messages::translated_count;
using namespace provisioner::model;
using provisioner::base::Json;
using provisioner::base::member;
using provisioner::base::text_at;

namespace {

Json entry_json(const KindWords& kind, const Json& entry, const TemplateSurroundings& around) {
    const auto name = text_at(entry, "name");
    Json values = Json::array();
    for (const Fact& fact : column_facts(kind.kind, entry, around)) {
        Json item;
        item["column"] = fact.label;
        item["value"] = fact.value;
        item["origin"] = origins_in_words(fact);
        values.push_back(std::move(item));
    }
    Json json;
    json["href"] = std::string("/catalogue/") + kind.word + '/' + http::percent_encode(name);
    json["name"] = name;
    json["label"] = text_at(entry, "label");
    json["description"] = text_at(entry, "description");
    json["values"] = std::move(values);
    json["version"] = entry.value("version", 1);
    return json;
}

/// The builder of templates edits these kinds.
std::string builder_of(const KindWords& kind) {
    const bool is_template = kind.kind == CatalogueKind::cluster_template ||
                             kind.kind == CatalogueKind::partial_template;
    return is_template ? std::string("/builder/") + kind.word : "";
}

/// How the list may be sorted; the word of the address.
constexpr std::array sort_words{"name", "description", "used", "changed"};

std::string in_small(std::string text) {
    std::ranges::transform(text, text.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

bool fits_search(const Json& entry, const std::string& search) {
    if (search.empty()) return true;
    for (const char* name : {"name", "label", "description", "providertype"}) {
        if (in_small(text_at(entry, name)).find(in_small(search)) != std::string::npos) return true;
    }
    return false;
}

int uses_of(const CataloguePage& page, const Json& entry) {
    const auto found = page.used.find(text_at(entry, "name"));
    return found == page.used.end() ? 0 : found->second;
}

provisioner::store::ClusterUse cluster_use_of(const CataloguePage& page, const Json& entry) {
    const auto found = page.clusters.find(text_at(entry, "name"));
    return found == page.clusters.end() ? provisioner::store::ClusterUse{} : found->second;
}

bool is_troubled(const CataloguePage& page, const Json& entry) {
    return page.troubles.templates.contains(text_at(entry, "name"));
}

std::vector<Json> shown_entries(const CataloguePage& page) {
    std::vector<Json> entries;
    for (const Json& entry : page.entries) {
        if (page.only_troubled && !is_troubled(page, entry)) continue;
        if (fits_search(entry, page.search)) entries.push_back(entry);
    }
    const auto changed_at = [&](const Json& entry) {
        const auto found = page.changed.find(text_at(entry, "name"));
        return found == page.changed.end() ? provisioner::base::Timestamp{} : found->second.at;
    };
    const auto before = [&](const Json& a, const Json& b) {
        if (page.sort == "description") {
            return in_small(text_at(a, "description")) < in_small(text_at(b, "description"));
        }
        if (page.sort == "used") {
            return std::pair(cluster_use_of(page, a).clusters, uses_of(page, a)) <
                   std::pair(cluster_use_of(page, b).clusters, uses_of(page, b));
        }
        if (page.sort == "changed") return changed_at(a) < changed_at(b);
        return in_small(text_at(a, "name")) < in_small(text_at(b, "name"));
    };
    std::ranges::stable_sort(entries, [&](const Json& a, const Json& b) {
        return page.is_descending ? before(b, a) : before(a, b);
    });
    return entries;
}

/// The address of the list with these filters.
std::string list_href(const CataloguePage& page, const std::string& search, bool only_troubled) {
    const bool is_sorted = page.sort != "name" || page.is_descending;
    return address_with(std::string("/catalogue/") + words_of_kind(page.kind).word,
                        {{"sort", is_sorted ? page.sort : ""},
                         {"order", page.is_descending ? "down" : ""},
                         {"search", search},
                         {"problems", only_troubled ? "yes" : ""}});
}

std::string sorted_href(const CataloguePage& page, const std::string& sort) {
    const bool turns = page.sort == sort && !page.is_descending;
    return address_with(std::string("/catalogue/") + words_of_kind(page.kind).word,
                        {{"sort", sort},
                         {"order", turns ? "down" : ""},
                         {"search", page.search},
                         {"problems", page.only_troubled ? "yes" : ""}});
}

/// All templates, and those with troubles; empty without such.
Json trouble_links(const CataloguePage& page) {
    Json links = Json::array();
    const auto troubled = page.troubles.templates.size();
    if (troubled == 0 && !page.only_troubled) return links;
    links.push_back(
        filter_link(translated("All"), list_href(page, page.search, false), !page.only_troubled));
    links.push_back(filter_link(translated("With problems ({0})", troubled),
                                list_href(page, page.search, true), page.only_troubled));
    return links;
}

Json sort_json(const CataloguePage& page, const std::string& sort, const std::string& label) {
    Json json;
    json["sort_href"] = sorted_href(page, sort);
    json["sort_label"] = label;
    const bool is_it = page.sort == sort;
    json["order"] = !is_it ? "none" : page.is_descending ? "descending" : "ascending";
    json["arrow"] = !is_it ? "" : page.is_descending ? "↓" : "↑";
    return json;
}

Json row_json(const KindWords& kind, const CataloguePage& page, const Json& entry) {
    Json json = entry_json(kind, entry, page.around);
    const int uses = uses_of(page, entry);
    json["used"] = uses == 0 ? "" : translated_count(uses, "{0} entry", "{0} entries");
    json["is_unused"] = uses == 0 && cluster_use_of(page, entry).clusters == 0;
    json["clusters"] = words_of_use(cluster_use_of(page, entry));
    json["clusters_href"] = clusters_of_entry(page.kind, text_at(entry, "name"));
    const auto found = page.changed.find(text_at(entry, "name"));
    json["is_draft"] = page.drafts.contains(text_at(entry, "name"));
    const auto change = page.changes.find(text_at(entry, "name"));
    json["change"] = change == page.changes.end() ? Json() : change_json(change->second, page.now);
    json["misfits"] = Json::array();
    const auto trouble = page.troubles.templates.find(text_at(entry, "name"));
    if (trouble != page.troubles.templates.end()) {
        const char* const look =
            trouble->second.weight == TroubleWeight::nothing_works ? "problem" : "caution";
        for (const auto& sentence : trouble->second.sentences) {
            json["misfits"].push_back(Json{{"misfit", sentence}, {"misfit_look", look}});
        }
    }
    json["changed"] = nullptr;
    if (found != page.changed.end()) {
        json["changed"] = moment(found->second.at, page.now);
        json["changed"]["by"] = found->second.by;
    }
    return json;
}

/// A warning about a file leads to it, or to those that there are.
Json warnings_json(const EntryPage& page) {
    Json warnings = Json::array();
    for (const auto& warning : page.warnings) {
        const auto about = std::ranges::find(page.files, warning, warning_about);
        const bool is_about_file = about != page.files.end();
        const bool is_missing = is_about_file && about->state == NamedFile::State::missing;
        warnings.push_back(Json{
            {"warning", warning},
            {"file_href", is_about_file ? about->href : ""},
            {"file_link", is_missing ? translated("See the files") : translated("See the file")}});
    }
    return warnings;
}

/// For text between single quotes of a shell.
std::string in_quotes(const std::string& text) {
    std::string quoted;
    for (const char c : text) quoted += c == '\'' ? "'\\''" : std::string(1, c);
    return quoted;
}

/// A command for a POSIX shell that saves the entry.
std::string curl_command(const EntryPage& page) {
    Json document = provisioner::model::shown_entry(page.entry);
    document.erase("version");
    // A provider keeps a secret that is sent as the mask.
    provisioner::model::hide_what_sounds_secret(document, provisioner::model::secret_mask);
    const auto text = document.dump(2, ' ', false, Json::error_handler_t::replace);
    std::string end = "END";
    while (text.find(end) != std::string::npos) end += '_';
    return "curl --fail-with-body -X PUT \"$SITE" + page.prefix + "/v2/" +
           words_of_kind(page.kind).word + '/' + http::percent_encode(text_at(page.entry, "name")) +
           "\" \\\n  -H 'Coopr-UserID: " + in_quotes(page.user) +
           "' -H 'Coopr-TenantID: " + in_quotes(page.tenant) +
           "' -H \"Coopr-ApiKey: $KEY\" \\\n  --data-binary @- <<'" + end + "'\n" + text + '\n' +
           end + '\n';
}

}  // namespace

std::string who_wrote(const provisioner::model::CatalogueVersion& line) {
    return line.written_by.empty() ? translated("the initial catalogue") : line.written_by;
}

Json without_unlimited_size(Json document) {
    const Json* const constraints = provisioner::base::member(document, "constraints");
    const Json* const size =
        constraints == nullptr ? nullptr : provisioner::base::member(*constraints, "size");
    const Json* const most = size == nullptr ? nullptr : provisioner::base::member(*size, "max");
    if (most != nullptr && *most == provisioner::model::no_maximum) {
        document["constraints"]["size"].erase("max");
    }
    return document;
}

Json entry_for_people(const Json& stored) {
    Json document = without_unlimited_size(provisioner::model::shown_entry(stored));
    provisioner::model::hide_what_sounds_secret(document, translated("(not shown)"));
    return document;
}

std::string title_of(const EntryPage& page) {
    const auto name = text_at(page.entry, "name");
    const auto label = text_at(page.entry, "label");
    const std::string title = label.empty() || label == name
                                  ? translated("{0} ({1})", name, singular_title(page.kind))
                                  : translated("{0} ({1})", label, kind_and_name(page.kind, name));
    // live.js tells a title that has changed.
    if (!page.test || !page.test->is_just_asked) return title;
    return translated("Connection: {0}, {1}", status_words(*page.test), title);
}

Json to_json(const CataloguePage& page) {
    const KindWords& kind = words_of_kind(page.kind);
    Json columns = Json::array();
    for (const Fact& fact : column_facts(kind.kind, Json::object()))
        columns.push_back(Json{{"column", fact.label}});
    Json entries = Json::array();
    const auto shown = shown_entries(page);
    for (const Json& entry : shown) entries.push_back(row_json(kind, page, entry));
    Json json;
    json["sentence"] = translated(kind.sentence);
    json["kinds"] = catalogue_tabs(page.kind);
    json["history_href"] = std::string("/history/") + kind.word;
    json["has_entries"] = !shown.empty();
    json["is_searched"] = !page.entries.empty();
    json["search"] = page.search;
    json["without_search"] = page.search.empty() ? "" : list_href(page, "", page.only_troubled);
    json["problems"] = page.only_troubled ? "yes" : "";
    json["filters"] = trouble_links(page);
    json["has_filters"] = !json["filters"].empty();
    json["sort"] = page.sort;
    json["order"] = page.is_descending ? "down" : "";
    json["list_href"] = std::string("/catalogue/") + kind.word;
    const std::string builder = builder_of(kind);
    json["new_href"] = builder.empty() ? std::string("/catalogue/new/") + kind.word : builder;
    json["new_label"] = translated("New {0}", singular_title(page.kind));
    json["delete_target"] = std::string("/catalogue/delete/") + kind.word;
    json["export_target"] = std::string("/catalogue/export/") + kind.word;
    json["may_change"] = page.may_change;
    json["done"] = page.done;
    json["nothing_chosen"] = page.nothing_chosen;
    json["unknown_sizes"] =
        page.troubles.unknown == 0
            ? ""
            : translated_count(static_cast<std::size_t>(page.troubles.unknown),
                               "The possible sizes of {0} template have not been worked out yet.",
                               "The possible sizes of {0} templates have not been worked out yet.");
    json["by_name"] = sort_json(page, "name", translated("Name"));
    json["by_description"] = sort_json(page, "description", translated("Description"));
    json["by_use"] = sort_json(page, "used", translated("Used by"));
    json["by_change"] = sort_json(page, "changed", translated("Changed"));
    json["columns"] = std::move(columns);
    json["entries"] = std::move(entries);
    json["empty_title"] = page.entries.empty() ? translated("No {0} yet", plural_words(page.kind))
                                               : translated("Nothing found");
    json["empty_text"] =
        page.entries.empty()
            ? page.may_change
                  ? translated("Create the first one above, or with the API: POST /v2/{0}.",
                               std::string(kind.word))
                  : translated("An administrator can create some.")
        : page.search.empty() ? translated("No template has a problem, as far as that is known.")
                              : translated("No name or description contains “{0}”.", page.search);
    return json;
}

Json to_json(const EntryPage& page) {
    const KindWords& kind = words_of_kind(page.kind);
    const auto name = text_at(page.entry, "name");
    Json facts = Json::array();
    const auto add = [&](const std::string& label, const std::string& value) {
        Json item;
        item["label"] = label;
        item["value"] = value.empty() ? translated("none") : value;
        facts.push_back(std::move(item));
    };
    const std::string label = text_at(page.entry, "label");
    const bool has_label = !label.empty() && label != name;
    if (has_label) add(translated("Name"), name);
    add(translated("Version"), std::to_string(page.entry.value("version", 1)));
    if (!page.for_whom.empty()) add(translated("Who may use it"), page.for_whom);
    Json json;
    json["kind"] = kind.word;
    json["kind_label"] = translated(kind.title);
    json["heading"] = has_label ? label : name;
    json["description"] = text_at(page.entry, "description");
    json["facts"] = std::move(facts);
    json.update(
        to_json(entry_facts(page.kind, entry_for_people(page.entry), page.fields, page.around),
                page.files));
    json["versions_href"] =
        std::string("/catalogue/") + kind.word + '/' + http::percent_encode(name) + "/versions";
    json["permission_href"] = page.for_whom.empty() ? ""
                                                    : "/permissions/" + std::string(kind.word) +
                                                          '/' + http::percent_encode(name);
    json["api_path"] = page.prefix + "/v2/" + kind.word + '/' + http::percent_encode(name);
    json["document"] =
        entry_for_people(page.entry).dump(2, ' ', false, Json::error_handler_t::replace);
    json["without_effect"] = page.kind == CatalogueKind::partial_template
                                 ? words_on_partial_without_effect(page.entry)
                                 : "";
    json["may_change"] = page.may_change;
    json["is_draft"] = page.is_draft;
    const std::string href = entry_page(page.kind, name);
    json["offer_href"] = href + "/offer";
    json["change"] = change_json(page.change, page.now);
    const std::string builder = builder_of(kind);
    json["edit_href"] =
        builder.empty() ? href + "/edit" : builder + '/' + http::percent_encode(name);
    json["copy_href"] = (builder.empty() ? "/catalogue/new/" + std::string(kind.word) + "?copy="
                                         : builder + "?from=") +
                        http::percent_encode(name);
    json["delete_href"] =
        "/catalogue/delete/" + std::string(kind.word) + "?name=" + http::percent_encode(name);
    json["changes_href"] = "/audit?objectKind=" + provisioner::operations::audited(page.kind) +
                           "&object=" + http::percent_encode(name);
    json["done"] = page.done;
    json["warnings"] = warnings_json(page);
    json["has_warnings"] = !page.warnings.empty();
    json["sizes_href"] = page.sizes_href;
    json["add_required"] = page.add_required;
    json["add_required_href"] = std::string(json["edit_href"]) + "?add=required#added";
    json["references"] = references_json(page.references);
    json["has_references"] = !page.references.empty();
    json["clusters"] = words_of_use(page.clusters);
    json["clusters_href"] = clusters_of_entry(page.kind, name);
    json["is_unused"] = page.references.empty() && page.clusters.clusters == 0;
    json["curl"] = curl_command(page);
    json["test"] = page.test ? to_json(*page.test) : Json();
    return json;
}

Json references_json(const std::vector<provisioner::operations::Reference>& references) {
    Json list = Json::array();
    std::map<provisioner::model::EntryName, std::size_t> places;
    std::vector<std::vector<std::string>> ways;
    for (const auto& reference : references) {
        // An entry that uses it in several ways is named once.
        const auto [place, is_new] = places.try_emplace(reference.from, list.size());
        if (is_new) ways.emplace_back();
        ways[place->second].push_back(reference.how);
        if (!is_new) {
            if (reference.blocks) list[place->second]["blocks"] = true;
            continue;
        }
        Json item;
        item["what"] = with_capital(singular_title(reference.from.kind));
        item["from"] = reference.from.name;
        item["from_href"] = entry_page(reference.from.kind, reference.from.name);
        item["blocks"] = reference.blocks;
        list.push_back(std::move(item));
    }
    for (std::size_t i = 0; i < ways.size(); ++i) list[i]["how"] = listed(ways[i]);
    return list;
}

std::string words_of_use(const provisioner::store::ClusterUse& use) {
    if (use.clusters == 0) return "";
    return translated("{0}, {1}", translated_count(use.clusters, "{0} cluster", "{0} clusters"),
                      translated_count(use.machines, "{0} machine", "{0} machines"));
}

std::string clusters_of_entry(CatalogueKind kind, const std::string& name) {
    const char* parameter = kind == CatalogueKind::provider ? "provider" : "template";
    return address_with("/clusters", {{parameter, name}});
}

bool is_sort_of_catalogue(const std::string& word) {
    return std::ranges::count(sort_words, word) > 0;
}

}  // namespace fcgi::pages
