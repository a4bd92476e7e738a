#include "fcgi/pages/catalogue/files/files_page.hpp"

#include <algorithm>
#include <cctype>
#include <set>

#include "fcgi/http/form_data.hpp"
#include "fcgi/http/params.hpp"
#include "fcgi/pages/catalogue/entries.hpp"
#include "fcgi/pages/catalogue/versions/difference.hpp"
#include "fcgi/pages/form_field.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/operations/plugins/resources.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::base::member;
using provisioner::base::text_at;
using provisioner::messages::translated;
using provisioner::messages::translated_count;
using provisioner::model::ClusterStatus;
using provisioner::model::PluginKind;
using provisioner::operations::ResourceStatus;
using provisioner::store::ResourceShelf;
using provisioner::store::ResourceVersion;
namespace operations = provisioner::operations;

namespace {

/// What a form brings of a file, in bytes: the other fields have the rest.
constexpr std::uint64_t largest_uploaded_in_form = http::file_form_limit - 64ULL * 1024;

struct StatusLook {
    const char* badge;
    std::string status;
};

StatusLook look_of_version(const ResourceVersion& version) {
    switch (operations::status_of(version)) {
        case ResourceStatus::active:
            return {"active", translated("In use")};
        case ResourceStatus::recalled:
            return {"paused", translated("In use until the next sync")};
        case ResourceStatus::staged:
            return {"running", translated("In use after the next sync")};
        case ResourceStatus::inactive:
            return {"waiting", translated("Not in use")};
    }
    throw std::logic_error("unknown status of a file");
}

std::string size_of_file(std::uint64_t bytes) {
    if (bytes < 10'000) return translated("{0} bytes", grouped(bytes));
    if (bytes < 10'000'000) return grouped(bytes / 1024) + " KiB";
    return grouped(bytes / 1024 / 1024) + " MiB";
}

std::string plugin_words(const ResourceShelf& shelf) {
    return (shelf.kind == PluginKind::automator ? translated("Automator ")
                                                : translated("Provider type ")) +
           shelf.plugin;
}

/// "data bags", "SSH keys": types of files have names as in programs.
std::string words_of_resource_type(std::string type) {
    std::ranges::replace(type, '_', ' ');
    for (const std::string_view letters : {"ssh", "api"}) {
        if (!type.starts_with(letters)) continue;
        for (std::size_t i = 0; i < letters.size(); ++i) {
            type[i] = static_cast<char>(std::toupper(static_cast<unsigned char>(type[i])));
        }
    }
    return type;
}

/// "scripts of automator shell": several plugins have files of one kind.
std::string words_of_shelf(const ResourceShelf& shelf) {
    const std::string type = words_of_resource_type(shelf.resource_type);
    return shelf.kind == PluginKind::automator
               ? translated("{0} of automator {1}", type, shelf.plugin)
               : translated("{0} of provider type {1}", type, shelf.plugin);
}

std::string services_words(const std::vector<std::string>& services) {
    return services.empty() ? translated("Not used by any service")
                            : translated("Used by {0}", listed(services));
}

Json version_json(const ResourceVersion& version, const std::string& file_href,
                  provisioner::base::Timestamp now, bool may_change) {
    const auto status = operations::status_of(version);
    const auto [badge, words] = look_of_version(version);
    Json json;
    json["number"] = version.version;
    json["view_href"] = file_href + "?version=" + std::to_string(version.version);
    json["badge"] = badge;
    json["status"] = words;
    json["size"] = size_of_file(version.size);
    json["sha"] = version.sha256.substr(0, 12);
    json["created"] = moment(version.created_at, now);
    json["can_use"] = may_change && status != ResourceStatus::active;
    json["can_stage"] = may_change && !version.slated;
    json["can_recall"] = may_change && version.slated;
    json["can_delete"] = may_change && status == ResourceStatus::inactive;
    return json;
}

/// What machines get of a file.
struct FileUse {
    /// Numbers of versions; 0: none.
    int now = 0;
    int after_sync = 0;
};

FileUse with_version(FileUse use, const ResourceVersion& version) {
    if (version.live) use.now = version.version;
    if (version.slated) use.after_sync = version.version;
    return use;
}

std::string words_of_version(int number) {
    return number == 0 ? translated("Nothing") : translated("Version {0}", number);
}

/// What machines get now, and what they get after a sync: "next" with a look when that is another.
void put_use(const FileUse& use, Json& json) {
    json["used"] = words_of_version(use.now);
    json["next"] = use.after_sync == use.now ? Json() : Json(words_of_version(use.after_sync));
    json["badge"] = use.after_sync == 0 ? "paused" : "running";
}

/// The clusters with services that use a file: since when they may have what is on their machines,
/// and how they get the version in use.
Json clusters_of_file(const FilePage& page) {
    const auto in_use = std::ranges::find(page.versions, true, &ResourceVersion::live);
    Json clusters = Json::array();
    for (const auto& cluster : page.clusters) {
        const std::string href = "/clusters/" + provisioner::model::wire_id(cluster.id);
        const bool is_ready = cluster.status == ClusterStatus::active ||
                              cluster.status == ClusterStatus::inconsistent;
        Json json;
        json["cluster"] = cluster.name;
        json["cluster_href"] = href;
        json["owner"] = cluster.owner;
        json["set_up"] = cluster.set_up_at ? moment(*cluster.set_up_at, page.now) : Json();
        json["is_older"] = in_use != page.versions.end() && cluster.set_up_at &&
                           *cluster.set_up_at < in_use->live_since.value_or(in_use->created_at);
        json["configure_href"] = page.may_operate && is_ready ? Json(href + "/configure") : Json();
        clusters.push_back(std::move(json));
    }
    return clusters;
}

/// The changes that wait, a line for each file.
Json pending_files_json(const std::vector<PendingRow>& rows) {
    Json files = Json::array();
    std::vector<std::pair<std::string, FileUse>> uses;
    for (const PendingRow& row : rows) {
        const auto& [shelf, version] = row.pending;
        const std::string href = file_page(shelf, version.name);
        auto place = std::ranges::find(uses, href, &std::pair<std::string, FileUse>::first);
        if (place == uses.end()) {
            place = uses.insert(uses.end(), {href, {}});
            Json file;
            file["file"] = version.name;
            file["file_href"] = href;
            file["shelf"] = with_capital(words_of_shelf(shelf));
            file["services"] = services_words(row.services);
            files.push_back(std::move(file));
        }
        place->second = with_version(place->second, version);
    }
    for (std::size_t i = 0; i < uses.size(); ++i) put_use(uses[i].second, files[i]);
    return files;
}

bool names_file(const std::string& text, const std::string& file) {
    std::string word;
    for (const char c : text + ' ') {
        const bool ends = c == ' ' || c == '\t' || c == '\n' || c == ',' || c == '"' || c == '\'' ||
                          c == ';' || c == '/' || c == '[' || c == ']' || c == ':';
        if (!ends) {
            word += c;
        } else {
            if (word == file) return true;
            word.clear();
        }
    }
    return false;
}

Json crumbs(const ResourceShelf& shelf) {
    Json json;
    json["shelf"] = with_capital(words_of_shelf(shelf));
    json["shelf_href"] = shelf_page(shelf);
    return json;
}

}  // namespace

std::string plugins_word(PluginKind kind) {
    return kind == PluginKind::automator ? "automatortypes" : "providertypes";
}

std::optional<PluginKind> plugin_kind(const std::string& word) {
    for (const auto kind : {PluginKind::automator, PluginKind::provider}) {
        if (plugins_word(kind) == word) return kind;
    }
    return std::nullopt;
}

std::string shelf_page(const ResourceShelf& shelf) {
    return "/catalogue/files/" + plugins_word(shelf.kind) + '/' +
           http::percent_encode(shelf.plugin) + '/' + http::percent_encode(shelf.resource_type);
}

std::string file_page(const ResourceShelf& shelf, const std::string& name) {
    return shelf_page(shelf) + '/' + http::percent_encode(name);
}

std::string editing_page(const ResourceShelf& shelf, const std::string& name, int version) {
    return shelf_page(shelf) + "?edit=" + http::percent_encode(name) +
           "&version=" + std::to_string(version);
}

std::vector<std::string> services_with_file(const std::vector<Json>& services,
                                            const std::string& automator, const std::string& file) {
    std::vector<std::string> names;
    for (const Json& service : services) {
        const Json* actions = member(service, "provisioner");
        if (actions != nullptr) actions = member(*actions, "actions");
        if (actions == nullptr || !actions->is_object()) continue;
        bool is_named = false;
        for (const auto& [action, done] : actions->items()) {
            const Json* fields = member(done, "fields");
            if (text_at(done, "type") != automator || fields == nullptr) continue;
            for (const auto& [field, value] : fields->items()) {
                is_named |= value.is_string() && names_file(value.get<std::string>(), file);
            }
        }
        if (is_named) names.push_back(text_at(service, "name"));
    }
    return names;
}

bool ends_lines_with_crlf(const std::string& text) {
    if (text.find('\n') == std::string::npos) return false;
    for (auto at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1)) {
        if (at == 0 || text[at - 1] != '\r') return false;
    }
    return true;
}

std::string text_to_save(std::string typed, bool has_crlf) {
    std::erase(typed, '\r');
    if (typed.empty()) return typed;
    if (!typed.ends_with('\n')) typed += '\n';
    if (!has_crlf) return typed;
    std::string text;
    for (const char c : typed) {
        if (c == '\n') text += '\r';
        text += c;
    }
    return text;
}

bool is_text(const std::string& bytes) {
    const bool has_control = std::ranges::any_of(bytes, [](unsigned char c) {
        return c < 32 && c != '\n' && c != '\r' && c != '\t' && c != '\f' && c != 27;
    });
    if (has_control) return false;
    // to_text replaces what is no UTF-8.
    const Json json = bytes;
    return provisioner::base::parse_json(provisioner::base::to_text(json)) == json;
}

std::size_t files_in(const std::vector<provisioner::store::PendingVersion>& pending) {
    std::set<std::string> files;
    for (const auto& [shelf, version] : pending) files.insert(file_page(shelf, version.name));
    return files.size();
}

std::string title_of(const ShelfPage& page) {
    if (page.is_editing) return translated("Edit {0}", page.typed_name);
    return with_capital(words_of_shelf(page.shelf));
}

std::string title_of(const FilePage& page) {
    return translated("{0}, {1}", page.name, words_of_shelf(page.shelf));
}

Json to_json(const FilesPage& page) {
    Json json;
    json["kinds"] = catalogue_tabs(std::nullopt);
    json["done"] = page.done;
    json["may_change"] = page.may_change;
    json["shelves"] = Json::array();
    json["empty"] = Json::array();
    for (const ShelfRow& row : page.shelves) {
        Json item;
        item["shelf"] = with_capital(words_of_resource_type(row.shelf.resource_type));
        item["shelf_href"] = shelf_page(row.shelf);
        item["plugin"] = plugin_words(row.shelf);
        item["format"] = row.format == "archive" ? translated("Archives") : translated("Files");
        item["files"] = row.files;
        json[row.files == 0 ? "empty" : "shelves"].push_back(std::move(item));
    }
    json["has_shelves"] = !page.shelves.empty();
    json["has_filled"] = !json["shelves"].empty();
    json["has_empty"] = !json["empty"].empty();
    json["empty_count"] = json["empty"].size();
    json["pending"] = pending_files_json(page.pending);
    json["has_pending"] = !page.pending.empty();
    return json;
}

Json to_json(const ShelfPage& page) {
    Json json =
        problems_json(translated("Couldn't save the file"), page.problems,
                      {{"name", page.is_upload ? "upload-name" : "file-name", translated("Name")},
                       {"file", "upload-file", translated("File")},
                       {"text", "file-text", translated("Text")}});
    json.update(crumbs(page.shelf));
    json["heading"] = title_of(page);
    json["is_editing"] = page.is_editing;
    json["edited_href"] = page.is_editing ? file_page(page.shelf, page.typed_name) : "";
    json["takes_focus"] = page.is_editing && page.problems.empty();
    json["rows"] = page.is_editing ? 30 : 14;
    json["done"] = page.done;
    json["may_change"] = page.may_change;
    json["is_secret"] = page.is_secret;
    json["is_archive"] = page.format == "archive";
    json["pending"] = page.pending == 0
                          ? Json()
                          : Json(translated_count(page.pending, "{0} change", "{0} changes"));
    json["upload_to"] = "/v2/plugins/" + plugins_word(page.shelf.kind) + '/' +
                        http::percent_encode(page.shelf.plugin) + '/' +
                        http::percent_encode(page.shelf.resource_type) + '/';
    json["is_writing"] = !page.is_upload && (!page.problems.empty() || !page.typed_name.empty());
    json["typed_name"] = page.is_upload ? "" : page.typed_name;
    json["upload_name"] = page.is_upload ? page.typed_name : "";
    json["largest_form"] = largest_uploaded_in_form;
    json["largest_form_words"] = size_of_file(largest_uploaded_in_form);
    json["typed_text"] = page.typed_text;
    // Text that was refused is in no file yet.
    json["is_unsaved"] = !page.is_upload && !page.problems.empty() && !page.typed_text.empty();
    json["has_crlf"] = page.has_crlf;
    const std::string name_problem = messages_for("name", page.problems);
    json["name_problem"] = page.is_upload ? "" : name_problem;
    json["upload_name_problem"] = page.is_upload ? name_problem : "";
    json["file_problem"] = messages_for("file", page.problems);
    json["text_problem"] = messages_for("text", page.problems);
    json["files"] = Json::array();
    FileUse use;
    for (const ResourceVersion& version : page.versions) {
        auto& files = json["files"];
        if (files.empty() || files.back().at("file") != version.name) {
            Json file;
            file["file"] = version.name;
            file["file_href"] = file_page(page.shelf, version.name);
            const auto services = page.services.find(version.name);
            file["services"] =
                services == page.services.end() ? "" : services_words(services->second);
            files.push_back(std::move(file));
            use = {};
        }
        Json& file = files.back();
        use = with_version(use, version);
        put_use(use, file);
        file["newest"] = words_of_version(version.version);
        file["is_only_uploaded"] = operations::status_of(version) == ResourceStatus::inactive;
        file["size"] = size_of_file(version.size);
        file["created"] = moment(version.created_at, page.now);
    }
    json["has_files"] = !page.versions.empty();
    return json;
}

Json to_json(const FilePage& page) {
    const std::string href = file_page(page.shelf, page.name);
    Json json = problems_json(translated("Couldn't change the file"), page.problems, {});
    json.update(crumbs(page.shelf));
    json["file"] = page.name;
    json["file_href"] = href;
    json["services"] = services_words(page.services);
    json["done"] = page.done;
    json["pending"] = page.pending == 0
                          ? Json()
                          : Json(translated_count(page.pending, "{0} change", "{0} changes"));
    json["may_change"] = page.may_change;
    json["version"] = page.version;
    json["versions"] = Json::array();
    json["others"] = Json::array();
    for (auto version = page.versions.rbegin(); version != page.versions.rend(); ++version) {
        auto item = version_json(*version, href, page.now, page.may_change);
        item["current"] = version->version == page.version;
        json["versions"].push_back(std::move(item));
        if (version->version == page.version) continue;
        Json other;
        other["other"] = version->version;
        other["selected"] = version->version == page.compared;
        json["others"].push_back(std::move(other));
    }
    json["clusters"] = clusters_of_file(page);
    json["has_clusters"] = !page.clusters.empty();
    json["has_others"] = !json["others"].empty() && !page.is_secret;
    json["text"] = page.text && !page.text->empty() ? Json(*page.text) : Json();
    json["edit_href"] = page.text && page.may_change && !page.is_secret
                            ? Json(editing_page(page.shelf, page.name, page.version))
                            : Json();
    json["no_text"] =
        page.text ? (page.text->empty() ? translated("It is empty.") : "") : page.no_text;
    json["compared"] = page.compared == 0 ? Json() : Json(page.compared);
    const bool is_compared = page.compared != 0 && page.text;
    json["difference"] =
        is_compared ? text_difference_json(page.compared_text, *page.text) : Json();
    return json;
}

}  // namespace fcgi::pages
