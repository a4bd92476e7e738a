#include "fcgi/pages/catalogue/files/found_shelf.hpp"

#include "fcgi/pages/catalogue/files/file_words.hpp"
#include "provisioner/base/ids.hpp"
#include "provisioner/contents/sources.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/operations/plugins/file_changes.hpp"
#include "provisioner/operations/plugins/secret_files.hpp"
#include "provisioner/store/plugins/plugin_store.hpp"
#include "provisioner/transcript/archive_check.hpp"

namespace fcgi::pages {

using http::Request;
using provisioner::messages::translated;
namespace model = provisioner::model;
namespace operations = provisioner::operations;
namespace store = provisioner::store;

std::optional<FoundShelf> shelf_in_path(const Request& request, const auth::Visitor& visitor,
                                        App& app) {
    const auto kind = plugin_kind(request.path_value("plugins"));
    if (!kind) return std::nullopt;
    FoundShelf found{.shelf = {.tenant = visitor.who().tenant.id,
                               .kind = *kind,
                               .plugin = request.path_value("plugin"),
                               .resource_type = request.path_value("resourcetype")},
                     .format = ""};
    const auto type = app.database.read([&](store::Connection& connection) {
        return store::find_plugin_type(connection, *kind, found.shelf.plugin);
    });
    if (!type) return std::nullopt;
    for (const auto& resource : type->resource_types) {
        if (resource.name != found.shelf.resource_type) continue;
        found.format = resource.format;
        found.is_secret = operations::is_secret_shelf(*kind, resource.name);
        return found;
    }
    return std::nullopt;
}

std::size_t count_pending(store::Connection& connection, model::TenantId tenant) {
    return operations::changes_of_sync(store::pending_resources(connection, tenant)).size();
}

namespace {

std::string words_on_length(std::uint64_t size) {
    if (size > largest_download) return translated("It is too large to show or compare here.");
    if (size > longest_compared) {
        return translated(
            "It is too large to show or compare here. Download it, and the version to compare it "
            "with.");
    }
    return translated("Files above {0} are not shown here, but their versions can be compared.",
                      size_of_file(longest_shown));
}

}  // namespace

std::optional<std::string> text_of_version(App& app, const FoundShelf& found,
                                           const std::string& name, int version,
                                           std::string& reason, std::uint64_t longest) {
    const auto content = app.database.read([&](store::Connection& connection) {
        return store::find_resource_content(connection, found.shelf, name, version);
    });
    if (found.is_secret) {
        reason = translated("Files of providers can be secrets and are never shown.");
    } else if (!content) {
        reason = translated("There is no such version.");
    } else if (content->size > longest) {
        reason = words_on_length(content->size);
    } else {
        std::string bytes(content->size, '\0');
        const auto source = app.contents.open(*content);
        bytes.resize(provisioner::contents::read_fully(*source, bytes.data(), bytes.size()));
        if (is_text(bytes)) return bytes;
        reason = translated("This file is not text.");
    }
    return std::nullopt;
}

std::string problem_with_archive(const FoundShelf& found, provisioner::contents::Source& bytes) {
    using provisioner::transcript::ArchiveFault;
    if (found.format != "archive" || found.is_secret) return "";
    provisioner::transcript::ArchiveCheck check;
    std::string piece(64UL * 1024, '\0');
    std::size_t size = 0;
    do {
        size = bytes.read(piece.data(), piece.size());
    } while (size > 0 && check.take(std::string_view(piece).substr(0, size)));
    const auto fault = check.finish();
    if (!fault) return "";
    switch (*fault) {
        case ArchiveFault::not_gzip:
            return translated("This is no .tar.gz: machines could not unpack it.");
        case ArchiveFault::not_tar:
            return translated("There is no tar in this gzip file: machines could not unpack it.");
        case ArchiveFault::cut_off:
            return translated("This archive is not complete: its end is missing.");
        case ArchiveFault::damaged:
            return translated("This archive is damaged: machines could not unpack it.");
        case ArchiveFault::leaves_folder:
            return translated(
                "This archive has a path with “..”: machines would refuse to unpack it.");
        case ArchiveFault::empty:
            return translated("This archive is empty.");
    }
    throw std::logic_error("unknown fault of an archive");
}

std::string problem_with_archive(App& app, const FoundShelf& found, const std::string& name,
                                 int version) {
    if (found.format != "archive" || found.is_secret) return "";
    const auto content = app.database.read([&](store::Connection& connection) {
        return store::find_resource_content(connection, found.shelf, name, version);
    });
    return content ? problem_with_archive(found, *app.contents.open(*content)) : "";
}

int version_in_text(const std::string& text) {
    const auto number = provisioner::base::parse_number(text);
    return number && *number > 0 && *number <= model::no_maximum ? static_cast<int>(*number) : 0;
}

bool is_overtaken(App& app, const FoundShelf& found, const std::string& name, int known,
                  int saved) {
    return app.database.read([&](store::Connection& connection) {
        const auto versions = store::list_resources(connection, found.shelf, name);
        return version_between(versions, known, saved) > 0;
    });
}

std::string overtaken_query(int known, int saved) {
    return "&known=" + std::to_string(known) + "&saved=" + std::to_string(saved);
}

std::string done_to_files(const Request& request) {
    const std::string done = request.query_value("done").value_or("");
    if (done == "saved")
        return translated("Saved. Machines do not get it before it is put to use.");
    if (done == "moved") {
        return translated(
            "Saved, but not put to use, because others have changed meanwhile which version is in "
            "use or staged. If yours is the right one, put it to use below.");
    }
    if (done == "other") {
        return translated(
            "Saved, but not put to use, because the uploaded file had another name. If it is the "
            "right one, put it to use below.");
    }
    if (done == "there") {
        return translated(
            "Nothing was saved, and nothing put to use: the newest version of this file has the "
            "same bytes. If it is the right one, put it to use below.");
    }
    if (done == "unchanged") {
        return translated("Nothing was changed: the newest version has the same bytes.");
    }
    if (done == "use") return translated("In use. Machines get it when a job sets them up.");
    if (done == "stage") return translated("Staged. It is in use after the next sync.");
    if (done == "recall")
        return translated("Recalled. It is no longer in use after the next sync.");
    if (done == "unstage") return translated("Unstaged.");
    if (done == "delete") return translated("Version deleted.");
    if (done == "sync")
        return translated("Synced. Machines get these files when a job sets them up.");
    return "";
}

}  // namespace fcgi::pages
