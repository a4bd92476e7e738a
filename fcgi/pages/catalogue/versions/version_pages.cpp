#include "fcgi/pages/catalogue/versions/version_pages.hpp"

#include <algorithm>

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/catalogue/entries.hpp"
#include "fcgi/pages/catalogue/versions/difference.hpp"
#include "fcgi/pages/catalogue/versions/seen_version.hpp"
#include "fcgi/pages/form_field.hpp"
#include "fcgi/pages/kept/to_check.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using provisioner::messages::translated;
using namespace provisioner::model;
using provisioner::base::Json;
using provisioner::base::Timestamp;

namespace {

std::string act_words(const CatalogueVersion& line) {
    switch (line.act) {
        case VersionAct::create:
            return translated("created");
        case VersionAct::change:
            return translated("changed");
        case VersionAct::remove:
            return translated("deleted");
        case VersionAct::import:
            return translated("imported");
        case VersionAct::restore:
            return line.restored_version == 0
                       ? translated("restored")
                       : translated("restored from version {0}", line.restored_version);
    }
    return "";
}

std::string entry_path(CatalogueKind kind, const std::string& name) {
    return "/catalogue/" + collection_word(kind) + '/' + http::percent_encode(name);
}

bool is_deletion(const CatalogueVersion& line) {
    return line.act == VersionAct::remove;
}

Json line_of_history(const CatalogueVersion& line, const std::string& entry, Timestamp now) {
    Json json;
    json["id"] = std::to_string(line.id);
    json["href"] = entry + "/versions/" + std::to_string(line.id);
    json["version"] = line.version;
    json["act"] = act_words(line);
    json["did"] = with_capital(act_words(line));
    json["is_deletion"] = is_deletion(line);
    json["written_by"] = who_wrote(line);
    json["at"] = moment(line.written_at, now);
    json["note"] = line.note;
    return json;
}

Json heading_json(CatalogueKind kind, const std::string& name, bool exists) {
    Json json;
    json["kind_label"] = plural_title(kind);
    json["kind_href"] = "/catalogue/" + collection_word(kind);
    json["name"] = name;
    json["entry_href"] = exists ? Json(entry_path(kind, name)) : Json();
    json["versions_href"] = entry_path(kind, name) + "/versions";
    return json;
}

/// Whether the viewer can give the cluster the newest version now.
bool can_update(const VersionsPage& page, const provisioner::operations::TemplateUse& use) {
    return page.may_operate && use.is_behind && use.cluster.status == "active";
}

/// What a reader should know of a version that a cluster has; empty for the newest.
std::string age_words(const VersionsPage& page, const provisioner::operations::TemplateUse& use) {
    if (!page.version) return "";
    if (use.is_of_earlier) return translated("of the earlier entry");
    const bool is_older = use.cluster.version != *page.version;
    if (use.is_behind) {
        return is_older ? translated("older than version {0}", *page.version)
                        : translated("without changes of what it extends");
    }
    return is_older ? translated("says the same as version {0}", *page.version) : "";
}

Json clusters_json(const VersionsPage& page) {
    Json clusters = Json::array();
    for (const auto& use : page.clusters) {
        const auto& cluster = use.cluster;
        const std::string href = "/clusters/" + wire_id(cluster.id);
        Json json;
        json["cluster_href"] = href;
        json["cluster"] = cluster.name;
        json["owner"] = cluster.owner;
        json["status"] = cluster.status;
        json["version"] = cluster.version == 0 ? Json(translated("draft")) : Json(cluster.version);
        json["is_behind"] = use.is_behind;
        json["age"] = age_words(page, use);
        json["sync_href"] = can_update(page, use) ? Json(href + "/sync?back=versions") : Json();
        clusters.push_back(std::move(json));
    }
    return clusters;
}

/// One of the two that are compared. `line` is null for what the history does not have.
Json side_json(const std::string& side, const std::string& title, Json line) {
    Json json;
    json["side"] = side;
    json["title"] = title;
    json["line"] = std::move(line);
    return json;
}

/// The way from a deletion to what can be restored; null for others.
Json ended_by_deletion(const VersionPage& page) {
    const bool is_told = !page.newer && is_deletion(page.older) && page.may_change && page.ended;
    if (!is_told) return nullptr;
    return {{"ended_href",
             entry_path(page.kind, page.name) + "/versions/" + std::to_string(page.ended->id)},
            {"ended_words", translated("Restore version {0}", page.ended->version)}};
}

/// The newest version of an entry that was deleted; null for others.
Json last_of_deleted(const VersionsPage& page) {
    const auto last = std::ranges::find_if_not(page.lines, is_deletion);
    if (page.version || last == page.lines.end()) return nullptr;
    const bool has_earlier =
        std::find_if_not(last + 1, page.lines.end(), is_deletion) != page.lines.end();
    return {
        {"has_earlier_version", has_earlier},
        {"last_href", entry_path(page.kind, page.name) + "/versions/" + std::to_string(last->id)},
        {"last_words", translated("version {0}", last->version)}};
}

std::string title_of_line(const CatalogueVersion& line) {
    return is_deletion(line) ? translated("Deleted") : translated("Version {0}", line.version);
}

}  // namespace

std::string title_of(const VersionsPage& page) {
    return translated("Versions of {0}", kind_and_name(page.kind, page.name));
}

std::string title_of(const VersionPage& page) {
    const std::string entry = with_capital(kind_and_name(page.kind, page.name));
    if (!page.newer && is_deletion(page.older)) return translated("{0}: deletion", entry);
    if (!page.newer) return translated("{0}: version {1}", entry, page.older.version);
    return translated("{0}: version {1} and version {2}", entry, page.older.version,
                      page.newer->version);
}

std::string title_of(const LatestPage& page) {
    return translated("Latest changes of {0}", plural_words(page.kind));
}

Json to_json(const VersionsPage& page) {
    auto json = heading_json(page.kind, page.name, page.version.has_value());
    json["heading"] = title_of(page);
    json["is_deleted"] = !page.version;
    json["last"] = last_of_deleted(page);
    json["lines"] = Json::array();
    // Each deletion below the newest line ended an earlier entry of this name.
    bool is_earlier = false;
    for (std::size_t i = 0; i < page.lines.size(); ++i) {
        auto line = line_of_history(page.lines[i], entry_path(page.kind, page.name), page.now);
        is_earlier |= i > 0 && is_deletion(page.lines[i]);
        line["is_earlier"] = is_earlier;
        line["is_from"] = i == 1 || page.lines.size() == 1;
        line["is_to"] = i == 0;
        // A deletion, and what came after it, changed the whole entry.
        const bool has_older = i + 1 < page.lines.size() && !is_deletion(page.lines[i]) &&
                               !is_deletion(page.lines[i + 1]);
        line["changes_href"] =
            has_older ? Json(entry_path(page.kind, page.name) +
                             "/versions/compare?from=" + std::to_string(page.lines[i + 1].id) +
                             "&to=" + std::to_string(page.lines[i].id))
                      : Json();
        json["lines"].push_back(std::move(line));
    }
    json["has_earlier"] = is_earlier;
    json["has_lines"] = !page.lines.empty();
    json["can_compare"] = page.lines.size() > 1;
    json["clusters"] = clusters_json(page);
    json["has_clusters"] = !page.clusters.empty();
    json["done"] = page.done;
    const auto behind = std::ranges::count_if(
        page.clusters, [&](const auto& use) { return can_update(page, use); });
    json["update_all"] = nullptr;
    const bool may_be_behind = page.has_clusters_behind && page.may_operate && page.version;
    if (behind > 1 || may_be_behind) {
        json["update_all"] = {
            {"href", entry_path(page.kind, page.name) + "/update"},
            {"words", page.has_more_clusters ? translated("Update all clusters")
                                             : translated("Update all {0} clusters", behind)}};
    }
    json["all_clusters_href"] = nullptr;
    if (page.has_more_clusters) {
        json["all_clusters_href"] = "/clusters?template=" + http::percent_encode(page.name);
    }
    json["is_template"] = page.kind == CatalogueKind::cluster_template;
    return json;
}

void tell_restored(VersionPage& page) {
    // The secrets of providers are not compared.
    const bool is_comparable = page.kind != CatalogueKind::provider && page.older.document;
    if (!is_comparable || page.present.is_null()) return;
    if (difference_json(page.present, *page.older.document)["is_equal"] == false) return;
    page.is_restored_already = true;
    page.problems = {{"", translated("Version {0}, which is in force now, says the same as version "
                                     "{1}. Nothing more was done.",
                                     page.present.value("version", 1), page.older.version)}};
}

Json to_json(const VersionPage& page) {
    const bool exists = !page.present.is_null();
    const FormField note{.id = "restore-note",
                         .name = "note",
                         .label = translated("Why"),
                         .value = page.note,
                         .hint = translated("A note for the history of versions.")};
    auto json = form_json(page.is_restored_already ? translated("It was restored already")
                                                   : translated("Couldn't restore it"),
                          {note}, beside_question(page.problems));
    json.update(to_json(CheckBox{.title = page.problems.empty()
                                              ? translated("Before you restore it: please check")
                                              : translated("Not restored yet: please check"),
                                 .to_check = page.to_check,
                                 .notes = page.to_note,
                                 .act = translated("Restore"),
                                 .form = "restore",
                                 .is_asked = is_question(page.problems)}));
    json.update(heading_json(page.kind, page.name, exists));
    json["heading"] = title_of(page);
    const auto older = line_of_history(page.older, entry_path(page.kind, page.name), page.now);
    json["line"] = page.newer ? Json() : older;
    const Json before = page.older.document.value_or(Json());
    if (page.newer) {
        json["sides"] = {
            side_json(translated("Old"), title_of_line(page.older), older),
            side_json(translated("New"), title_of_line(*page.newer),
                      line_of_history(*page.newer, entry_path(page.kind, page.name), page.now))};
        json["difference"] = difference_json(before, page.newer->document.value_or(Json()));
    } else {
        // As restoring it would change what is in force.
        json["sides"] = {
            side_json(translated("Now"),
                      exists ? translated("Version {0}, in force", page.present.value("version", 1))
                             : translated("Nothing: the entry was deleted"),
                      Json()),
            side_json(page.older.document ? translated("Once restored") : translated("Then"),
                      title_of_line(page.older), older)};
        json["difference"] = difference_json(page.present, before);
    }
    const bool is_single = !page.newer && page.older.document;
    // The secrets of providers are not compared.
    const bool has_effect =
        json["difference"]["is_equal"] == false || page.kind == CatalogueKind::provider;
    json["restore_action"] = is_single && page.may_change && has_effect
                                 ? Json(older.at("href").get<std::string>() + "/restore")
                                 : Json();
    json["based_on"] = form_value({.version = exists ? page.present.value("version", 1) : 0,
                                   .line = page.in_force.seen.line});
    json["ended"] = ended_by_deletion(page);
    json["document"] =
        is_single
            ? Json(entry_for_people(before).dump(2, ' ', false, Json::error_handler_t::replace))
            : Json();
    json["is_provider"] = page.kind == CatalogueKind::provider;
    return json;
}

Json to_json(const LatestPage& page) {
    Json json;
    json["heading"] = title_of(page);
    json["kind_label"] = plural_title(page.kind);
    json["kind_href"] = "/catalogue/" + collection_word(page.kind);
    json["lines"] = Json::array();
    for (const auto& [name, version] : page.lines) {
        auto line = line_of_history(version, entry_path(page.kind, name), page.now);
        line["name"] = name;
        line["versions_href"] = entry_path(page.kind, name) + "/versions";
        json["lines"].push_back(std::move(line));
    }
    json["has_lines"] = !page.lines.empty();
    return json;
}

}  // namespace fcgi::pages
