#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/model/plugins/plugin_type.hpp"
#include "provisioner/store/catalogue/cluster_use_store.hpp"
#include "provisioner/store/plugins/resource_store.hpp"

namespace fcgi::pages {

// Files of plugins, as administrators see them. Addresses have the words of the API:
// /catalogue/files/automatortypes/shell/scripts/web.sh.

/// "automatortypes" or "providertypes".
std::string plugins_word(provisioner::model::PluginKind kind);
std::optional<provisioner::model::PluginKind> plugin_kind(const std::string& word);

/// A shelf in the list of all.
struct ShelfRow {
    provisioner::store::ResourceShelf shelf{};
    std::string format{};
    std::size_t files = 0;
};

/// A change that waits for the next sync.
struct PendingRow {
    provisioner::store::PendingVersion pending{};
    /// Services whose actions name the file.
    std::vector<std::string> services{};
};

/// All shelves and what waits for a sync: views/catalogue/files.
struct FilesPage {
    std::vector<ShelfRow> shelves{};
    std::vector<PendingRow> pending{};
    bool may_change = true;
    std::string done{};
};

/// The files of a shelf: views/catalogue/shelf.
struct ShelfPage {
    provisioner::store::ResourceShelf shelf{};
    std::string format{};
    /// Of files of providers nothing is shown but size and time.
    bool is_secret = false;
    /// By name and version.
    std::vector<provisioner::store::ResourceVersion> versions{};
    /// Services whose actions name a file, by the file's name.
    std::map<std::string, std::vector<std::string>> services{};
    std::size_t pending = 0;
    bool may_change = true;
    std::string done{};
    provisioner::base::Timestamp now{};
    /// Whether `problems` and `typed_name` are of the form of an upload, not of the text.
    bool is_upload = false;
    /// Whether a version of a file is edited: the page has its text alone.
    bool is_editing = false;
    /// Of a form that was refused, or of the version that is edited.
    std::string typed_name{};
    std::string typed_text{};
    /// Whether lines of the edited version end with CR LF, and do so when it is saved.
    bool has_crlf = false;
    provisioner::base::Problems problems{};
};

/// One file: views/catalogue/file.
struct FilePage {
    provisioner::store::ResourceShelf shelf{};
    std::string name{};
    bool is_secret = false;
    /// At least one.
    std::vector<provisioner::store::ResourceVersion> versions{};
    std::vector<std::string> services{};
    /// Clusters that have one of the services.
    std::vector<provisioner::store::ClusterOfService> clusters{};
    /// Whether the viewer may configure clusters.
    bool may_operate = true;
    std::size_t pending = 0;
    /// The version that is shown.
    int version = 0;
    /// Its text; nothing if it is none, with the reason in `no_text`.
    std::optional<std::string> text{};
    std::string no_text{};
    /// The version it is compared with; 0: with none.
    int compared = 0;
    /// The text of that version.
    std::string compared_text{};
    bool may_change = true;
    std::string done{};
    provisioner::base::Timestamp now{};
    provisioner::base::Problems problems{};
};

provisioner::base::Json to_json(const FilesPage& page);
provisioner::base::Json to_json(const ShelfPage& page);
provisioner::base::Json to_json(const FilePage& page);

/// How many files wait: one of which a version replaces another is one change.
std::size_t files_in(const std::vector<provisioner::store::PendingVersion>& pending);

/// Titles: "Scripts of automator shell" or "Edit web.sh", which are headings, too, and "web.sh,
/// scripts of automator shell".
std::string title_of(const ShelfPage& page);
std::string title_of(const FilePage& page);

/// The page that edits a version of a file: the shelf's, with the text alone.
std::string editing_page(const provisioner::store::ResourceShelf& shelf, const std::string& name,
                         int version);

/// The page of a shelf, and of a file on it.
std::string shelf_page(const provisioner::store::ResourceShelf& shelf);
std::string file_page(const provisioner::store::ResourceShelf& shelf, const std::string& name);

/// The services, in wire form, of which an action of this automator names the file: a word of a
/// field is its name or a path that ends with it.
std::vector<std::string> services_with_file(const std::vector<provisioner::base::Json>& services,
                                            const std::string& automator, const std::string& file);

/// Whether every line end is CR LF, and there is one.
bool ends_lines_with_crlf(const std::string& text);

/// A text as a browser sends it (with CR LF) in the form in which it is stored: lines end with LF,
/// or with CR LF if `has_crlf`, and so does the last one, as shells and other tools expect. An
/// empty text stays empty.
std::string text_to_save(std::string typed, bool has_crlf);

/// Whether bytes are text that a page can show: UTF-8 without control characters.
bool is_text(const std::string& bytes);

}  // namespace fcgi::pages
