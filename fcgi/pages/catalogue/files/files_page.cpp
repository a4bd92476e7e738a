#include "fcgi/pages/catalogue/files/files_page.hpp"

#include <algorithm>
#include <cctype>

#include "fcgi/http/form_data.hpp"
#include "fcgi/http/params.hpp"
#include "fcgi/pages/catalogue/entries.hpp"
#include "fcgi/pages/catalogue/files/file_words.hpp"
#include "fcgi/pages/catalogue/files/meanwhile.hpp"
#include "fcgi/pages/form_field.hpp"
#include "fcgi/pages/kept/to_check.hpp"
#include "fcgi/pages/kinds.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/operations/plugins/resources.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::base::member;
using provisioner::base::text_at;
using provisioner::messages::translated;
using provisioner::messages::translated_count;
using provisioner::model::CatalogueKind;
using provisioner::model::PluginKind;
using provisioner::operations::ResourceStatus;
using provisioner::store::ResourceShelf;
using provisioner::store::ResourceVersion;
namespace operations = provisioner::operations;

namespace {

/// What a form brings of a file, in bytes: the other fields have the rest.
constexpr std::uint64_t largest_uploaded_in_form = http::file_form_limit - 64ULL * 1024;

/// Most services that a row of a list names.
constexpr std::size_t services_in_lists = 3;

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

FileUse with_version(FileUse use, const ResourceVersion& version) {
    if (version.live) use.now = version.version;
    if (version.slated) use.after_sync = version.version;
    return use;
}

/// What machines get now, and what they get after a sync: "next" with a look when that is another.
void put_use(const FileUse& use, Json& json) {
    json["used"] = words_of_version(use.now);
    json["next"] = use.after_sync == use.now ? Json() : Json(words_of_version(use.after_sync));
    json["badge"] = use.after_sync == 0 ? "paused" : "running";
}

/// The changes that wait, a line for each file.
Json pending_files_json(const std::vector<PendingRow>& rows) {
    Json files = Json::array();
    for (const auto& [change, services] : rows) {
        Json file;
        file["file"] = change.name;
        file["seen"] = operations::word_of_change(change);
        file["file_href"] = file_page(change.shelf, change.name);
        file["shelf"] = with_capital(words_of_shelf(change.shelf));
        put_services(services, services_in_lists, file);
        file["more_href"] = file["file_href"];
        put_use({.now = change.before, .after_sync = change.after}, file);
        files.push_back(std::move(file));
    }
    return files;
}

/// What somebody else has saved since the version that is edited; null if that is the newest one.
Json newer_json(const ShelfPage& page, const ResourceVersion* newest) {
    const bool is_newer =
        newest != nullptr && page.edited_version > 0 && newest->version > page.edited_version;
    if (!is_newer) return nullptr;
    Json json;
    json["newer_version"] = newest->version;
    json["newer_by"] = page.newest_by;
    json["newer_created"] = moment(newest->created_at, page.now);
    json["newer_lost"] =
        translated("What is saved here has nothing of what was changed since version {0}.",
                   page.edited_version);
    json["compare_href"] = file_page(page.shelf, newest->name) +
                           "?version=" + std::to_string(newest->version) +
                           "&with=" + std::to_string(page.edited_version) + "#text-title";
    json["compare_words"] =
        translated("What changed from version {0} to {1}", page.edited_version, newest->version);
    return json;
}

/// The form of a text: which version it is made from, and what its buttons save.
Json text_form_json(const ShelfPage& page) {
    const auto* newest = page.is_editing ? newest_version(page, page.typed_name) : nullptr;
    Json json;
    json["edited_version"] = page.edited_version;
    json["known_version"] = newest == nullptr ? 0 : newest->version;
    json["newer"] = newer_json(page, newest);
    const bool is_asked = !json["newer"].is_null();
    json["save_label"] = is_asked
                             ? translated("Save as version {0} nevertheless", newest->version + 1)
                             : translated("Save");
    json["use_label"] = is_asked ? translated("Save as version {0} nevertheless and put to use",
                                              newest->version + 1)
                                 : translated("Save and put to use");
    return json;
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

}  // namespace

std::string size_of_file(std::uint64_t bytes) {
    constexpr std::uint64_t kib = 1024;
    constexpr std::uint64_t mib = 1024 * kib;
    if (bytes < 10'000) return translated("{0} bytes", grouped(bytes));
    if (bytes < mib) return grouped(bytes / kib) + " KiB";
    // One decimal, rounded down: a limit is no larger than it is said to be.
    return grouped(bytes / mib) + '.' + std::to_string(bytes % mib * 10 / mib) + " MiB";
}

FileUse use_of(const std::vector<ResourceVersion>& versions) {
    FileUse use;
    for (const ResourceVersion& version : versions) use = with_version(use, version);
    return use;
}

std::string words_of_version(int number) {
    return number == 0 ? translated("Nothing") : translated("Version {0}", number);
}

std::string words_of_shelf(const ResourceShelf& shelf) {
    const std::string type = words_of_resource_type(shelf.resource_type);
    return shelf.kind == PluginKind::automator
               ? translated("{0} of automator {1}", type, shelf.plugin)
               : translated("{0} of provider type {1}", type, shelf.plugin);
}

void put_services(const std::vector<std::string>& services, std::size_t most, Json& json) {
    const std::size_t shown = std::min(most, services.size());
    const std::size_t more = services.size() - shown;
    json["users"] = Json::array();
    for (std::size_t i = 0; i < shown; ++i) {
        Json user;
        user["user"] = services[i];
        user["user_href"] = entry_page(CatalogueKind::service, services[i]);
        user["has_comma"] = i + 1 < shown;
        json["users"].push_back(std::move(user));
    }
    json["has_users"] = !services.empty();
    json["more_users"] = more == 0 ? Json() : Json(translated("and {0} more", grouped(more)));
    json["not_used"] = services.empty() ? translated("Not used by any service") : "";
}

Json crumbs(const ResourceShelf& shelf) {
    Json json;
    json["shelf"] = with_capital(words_of_shelf(shelf));
    json["shelf_href"] = shelf_page(shelf);
    return json;
}

Json pending_words(std::size_t files) {
    return files == 0 ? Json() : Json(translated_count(files, "{0} change", "{0} changes"));
}

Json upload_json(const ResourceShelf& shelf, const UploadForm& form) {
    Json json;
    json["upload_to"] = "/v2/plugins/" + plugins_word(shelf.kind) + '/' +
                        http::percent_encode(shelf.plugin) + '/' +
                        http::percent_encode(shelf.resource_type) + '/';
    json["largest_form"] = largest_uploaded_in_form;
    json["largest_form_words"] = size_of_file(largest_uploaded_in_form);
    json["next_of"] = form.next_of;
    json["next_after"] = form.known_version;
    json["next_seen"] = form.seen;
    json["upload_name"] = form.name;
    json["upload_note"] = form.note;
    json["upload_name_problem"] = form.name_problem;
    json["file_problem"] = form.file_problem;
    return json;
}

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

const ResourceVersion* newest_version(const ShelfPage& page, const std::string& name) {
    const ResourceVersion* newest = nullptr;
    for (const ResourceVersion& version : page.versions) {
        const bool is_newer = newest == nullptr || version.version > newest->version;
        if (version.name == name && is_newer) newest = &version;
    }
    return newest;
}

bool has_newer_version(const ShelfPage& page, const std::string& name, int known) {
    const auto* newest = newest_version(page, name);
    return known > 0 && newest != nullptr && newest->version > known;
}

std::string title_of(const ShelfPage& page) {
    if (page.is_editing) {
        return page.edited_version == 0
                   ? translated("Edit {0}", page.typed_name)
                   : translated("Edit {0}, version {1}", page.typed_name, page.edited_version);
    }
    return with_capital(words_of_shelf(page.shelf));
}

Json to_json(const FilesPage& page) {
    Json json = problems_json(translated("Not synced: other changes wait now"), page.problems, {});
    json.update(synced_json(page.synced));
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
    json.update(
        to_json(CheckBox{.title = page.is_asked ? translated("Not synced yet: please check")
                                                : translated("Before you sync: please check"),
                         .to_check = page.to_check,
                         .act = translated("Sync"),
                         .form = "sync",
                         .is_asked = page.is_asked}));
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
    json["pending"] = pending_words(page.pending);
    const std::string name_problem = messages_for("name", page.problems);
    json.update(upload_json(page.shelf, {.name = page.is_upload ? page.typed_name : "",
                                         .note = page.is_upload ? page.note : "",
                                         .name_problem = page.is_upload ? name_problem : "",
                                         .file_problem = messages_for("file", page.problems)}));
    json["is_writing"] = !page.is_upload && (!page.problems.empty() || !page.typed_name.empty());
    json["typed_name"] = page.is_upload ? "" : page.typed_name;
    json["text_note"] = page.is_upload ? "" : page.note;
    json["typed_text"] = page.typed_text;
    json.update(text_form_json(page));
    // Text that was refused is in no file yet.
    json["is_unsaved"] = !page.is_upload && !page.problems.empty() && !page.typed_text.empty();
    json["has_crlf"] = page.has_crlf;
    json["name_problem"] = page.is_upload ? "" : name_problem;
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
            const bool is_known = services != page.services.end();
            put_services(is_known ? services->second : std::vector<std::string>{},
                         services_in_lists, file);
            file["more_href"] = file["file_href"];
            if (!is_known) file["not_used"] = "";
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

}  // namespace fcgi::pages
