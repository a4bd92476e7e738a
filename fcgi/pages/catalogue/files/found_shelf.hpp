#pragma once

#include <optional>
#include <string>

#include "fcgi/app.hpp"
#include "fcgi/pages/catalogue/files/files_page.hpp"
#include "provisioner/contents/content_store.hpp"
#include "provisioner/store/plugins/resource_store.hpp"

namespace fcgi::pages {

/// The shelf of an address, and what its files are.
struct FoundShelf {
    provisioner::store::ResourceShelf shelf;
    std::string format;
    bool is_secret = false;
};

/// The visitor's shelf that a path names; nothing if there is none. Reads the plugin type.
std::optional<FoundShelf> shelf_in_path(const http::Request& request, const auth::Visitor& visitor,
                                        App& app);

/// How many files of all shelves wait for a sync.
std::size_t count_pending(provisioner::store::Connection& connection,
                          provisioner::model::TenantId tenant);

/// The text of a version for a page; nothing if there is none to show, or it has more than
/// `longest` bytes, with why in `reason`.
std::optional<std::string> text_of_version(App& app, const FoundShelf& found,
                                           const std::string& name, int version,
                                           std::string& reason,
                                           std::uint64_t longest = longest_shown);

/// Why machines could not unpack bytes of an archive; empty for good ones, and for other files.
/// Reads up to a gigabyte of what is in it.
std::string problem_with_archive(const FoundShelf& found, provisioner::contents::Source& bytes);
/// The same of a version that is stored.
std::string problem_with_archive(App& app, const FoundShelf& found, const std::string& name,
                                 int version);

/// The number of a version; 0 for a text that is none.
int version_in_text(const std::string& text);

/// Whether there is a version that is newer than `known`, the newest of which the sender of an
/// upload knew (0: of none), and older than the upload: then that is not put to use.
bool is_overtaken(App& app, const FoundShelf& found, const std::string& name, int known, int saved);

/// What the address of a file adds after an upload as version `saved` from a page that showed
/// `known` as the newest (0: none), if there may be one in between.
std::string overtaken_query(int known, int saved);

/// What a form of these pages has done, as the address says ("done").
std::string done_to_files(const http::Request& request);

}  // namespace fcgi::pages
